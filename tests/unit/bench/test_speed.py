"""The speed bench, small: that it measures what it says, not how fast this machine is."""

import pytest

from karte.bench import speed
from karte.bench.corpora import Corpus
from karte.bench.results import Figure
from karte.bench.speed import Plan, read_size, size_name, texts_in
from karte.bench.stopwatch import Times
from karte.errors import InvalidValue

PLAN = Plan(
    sizes=(120,),
    languages=("en", "zh"),
    agents=3,
    each=20,
    batch=50,
    chain=40,
    processes=1,
    triples=150,
    queries=20,
    embedder="hash",
)
DIFFERENCES = ("what the graph adds", "what one write adds")


@pytest.fixture(scope="module")
def figures() -> list[Figure]:
    return list(speed.measure(PLAN, 7).figures)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_ranking_is_that_of_exact_bm25(figures: list[Figure], language: str) -> None:
    agreed = [f.value for f in figures if (f.group, f.name) == (f"{language} 120", "overlap@10 with exact BM25")]
    assert agreed == [1.0]


def test_every_size_in_every_language_has_the_same_figures(figures: list[Figure]) -> None:
    names = {language: [f.name for f in figures if f.group == f"{language} 120"] for language in PLAN.languages}
    assert (names["en"], len(names["en"]), len(set(names["en"]))) == (
        names["zh"],
        len(set(names["zh"])),
        len(names["en"]),
    )


def test_namespaces_chains_graphs_and_an_embedder_of_choice_are_measured_once(figures: list[Figure]) -> None:
    once = ["1 of 3 namespaces of 20", "chain of 40 assertions", "graph 150 triples", "embedder hash"]
    assert list(dict.fromkeys(f.group for f in figures)) == ["en 120", "zh 120", *once]


def test_no_time_and_no_size_is_nothing(figures: list[Figure]) -> None:
    assert [f.name for f in figures if f.value <= 0 and not f.name.startswith(DIFFERENCES)] == []


def test_a_target_for_another_size_does_not_count_here(figures: list[Figure]) -> None:
    timed = {"search p95", "hybrid search p95", "PageRank over all of it p95", "open to first hybrid search"}
    found = [f for f in figures if f.name in timed]
    assert {f.name: f.target for f in found} == dict.fromkeys(timed)


@pytest.mark.parametrize(("insert", "judged"), [(0.0003, True), (0.001, True), (0.004, False)])
def test_what_is_compared_with_a_single_store_is_judged_only_where_the_disk_was_quiet(
    insert: float, *, judged: bool
) -> None:
    corpus = Corpus("en 20", texts_in("en", 7), 20, 10, 1)
    corpus.stored = Times([0.001], [0.001])
    corpus.singles, corpus.bare = Times([1.25 * insert] * 10, [0.001] * 10), Times([insert] * 10, [0.001] * 10)
    compared = {figure.name: figure for figure in corpus._storing() if figure.name.endswith((" bare insert", " store"))}
    assert compared["store against bare insert"].value == pytest.approx(0.8)
    assert compared["store against bare insert"].met is (True if judged else None)
    assert (compared["store_many against store"].met is not None) is judged


@pytest.mark.parametrize(("text", "size"), [("500", 500), ("10k", 10_000), ("1M", 1_000_000), (" 2k ", 2_000)])
def test_a_size_is_read_as_it_is_written(text: str, size: int) -> None:
    assert (read_size(text), size_name(size)) == (size, text.strip())


@pytest.mark.parametrize("text", ["", "k", "0", "1.5k", "10K", "-1", "many"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(InvalidValue):
        read_size(text)


def test_a_language_without_texts_is_refused() -> None:
    with pytest.raises(InvalidValue):
        speed.measure(Plan(sizes=(20,), languages=("tlh",)), 7)
