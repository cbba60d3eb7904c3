"""What the speed bench compares all voices with: that numpy sees the same vectors, and that targets are where they belong."""

from pathlib import Path

import numpy as np
import pytest

from karte.bench.bruteforce import BruteForce
from karte.bench.hybrid import Hybrid
from karte.bench.places import opened
from karte.bench.probe import Residence, run
from karte.bench.queries import AGENT, reworded
from karte.bench.results import Figure
from karte.bench.speed import Plan, measure
from karte.bench.stopwatch import Times
from karte.bench.timings import bound_at, timings
from karte.core.text import parse_query
from karte.errors import InvalidValue
from karte.models.embedders.hashing import HashEmbedder

TEXTS = [
    "Kai lives in Porto.",
    "報告每週五交給陳經理。",
    "东京的会议改到三点。",
    "会議は東京で三時から",
    "민수는 서울에서 일한다.",
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "bench.karte"
    with opened(place) as workspace:
        workspace.agent(AGENT).store_many([{"content": text} for text in TEXTS])
    with opened(place, "hash") as workspace:
        workspace.embed()
    return place


def test_numpy_compares_the_vectors_that_are_in_the_file(path: Path) -> None:
    embedded = HashEmbedder().embed(TEXTS)
    assert BruteForce(path, AGENT).matrix == pytest.approx(embedded, abs=2**-11)


def test_numpy_finds_the_rows_of_the_greatest_product_best_first(path: Path) -> None:
    brute = BruteForce(path, AGENT)
    brute.matrix = np.array([[0.0, 1.0], [0.6, 0.8], [1.0, 0.0], [0.8, 0.6]], np.float32)
    assert brute.nearest(np.array([1.0, 0.0], np.float32), 3).tolist() == [2, 3, 1]


def test_numpy_gives_all_rows_where_fewer_are_there_than_wanted(path: Path) -> None:
    assert len(BruteForce(path, AGENT).nearest(HashEmbedder().embed(["Porto"])[0], 10)) == len(TEXTS)


def test_what_is_kept_of_vectors_in_memory_is_four_bytes_a_dimension(path: Path) -> None:
    assert BruteForce(path, AGENT).kept == len(TEXTS) * 256 * 4


@pytest.mark.parametrize("query", ["porto kai", "報告陳經理", "东京会议", "東京の会議", "서울 민수"])
def test_a_query_in_another_spelling_has_the_same_terms_and_another_text(query: str) -> None:
    assert (parse_query(reworded(query)).terms, reworded(query) != query) == (parse_query(query).terms, True)


def test_a_process_of_its_own_tells_how_soon_it_answered_and_what_it_held(path: Path) -> None:
    found = run(path, AGENT, ["Porto", "東京"], "hash")
    assert found.first_search > 0
    assert found.most_resident == 0 or found.most_resident > 10_000_000


def figures_of(size: int, cached: float) -> dict[str, Figure]:
    hybrid = Hybrid(f"en {size}", size, Path("bench.karte"), ["Porto"])
    for times, seconds in ((hybrid.cached, cached), (hybrid.embedding, 0.05), (hybrid.plain, 0.01)):
        times.wall, times.cpu = [2 * seconds] * 4, [seconds] * 4
    return {figure.name: figure for figure in hybrid._searching()}


@pytest.mark.parametrize(("size", "bound"), [(10_000, 0.010), (100_000, 0.030), (1_000_000, 0.120)])
def test_a_search_with_a_known_vector_is_judged_by_the_bound_of_its_size(size: int, bound: float) -> None:
    within, beyond = figures_of(size, bound / 2 - 1e-4), figures_of(size, bound / 2 + 1e-4)
    assert (within["hybrid search p95, wall"].met, beyond["hybrid search p95, wall"].met) == (True, False)


def test_a_search_that_embeds_its_query_is_told_apart_and_not_judged() -> None:
    figure = figures_of(10_000, 0.02)["hybrid search, its query embedded p95"]
    assert (round(figure.value, 6), figure.unit, figure.met) == (50, "ms cpu", None)


def test_the_ratio_against_numpy_is_that_of_the_fastest_runs_on_the_wall() -> None:
    hybrid = Hybrid("en 10k", 10_000, Path("bench.karte"), ["Porto"])
    hybrid.cached = Times(wall=[0.125, 0.03, 0.25], cpu=[0.02] * 3)
    hybrid.plain = Times(wall=[0.5, 0.5, 0.01], cpu=[0.005] * 3)
    hybrid.embedding = hybrid.cached
    figures = {figure.name: figure for figure in hybrid._searching()}
    assert figures["fastest hybrid search against numpy's"].value == pytest.approx(3)


def test_memory_beside_vectors_is_what_is_left_of_all_of_it() -> None:
    hybrid = Hybrid("en 100k", 100_000, Path("bench.karte"), ["Porto"])
    standing = {figure.name: figure for figure in hybrid._standing(Residence(0.4, 240_000_000), 102_400_000)}
    beside = standing["resident memory beside vectors"]
    assert (round(beside.value, 6), beside.unit, beside.met) == (137.6, "MB", True)
    assert standing["open to first hybrid search"].met is True


def test_where_memory_is_not_told_nothing_is_said_of_it() -> None:
    hybrid = Hybrid("en 100k", 100_000, Path("bench.karte"), ["Porto"])
    names = [figure.name for figure in hybrid._standing(Residence(0.4, 0), 102_400_000)]
    assert names == ["open to first hybrid search", "vectors in memory"]


def test_timings_are_p95_and_p50_on_a_processor_and_on_the_wall() -> None:
    times = Times(wall=[0.002 * n for n in range(1, 101)], cpu=[0.001 * n for n in range(1, 101)])
    found = [(f.name, round(f.value, 6), f.unit) for f in timings("en 10k", "search", times)]
    assert found == [
        ("search p95", 95, "ms cpu"),
        ("search p50", 50, "ms cpu"),
        ("search p95, wall", 190, "ms"),
        ("search p50, wall", 100, "ms"),
    ]


def test_a_size_between_the_bounds_has_none() -> None:
    assert (bound_at({10: 5.0}, 11), str(bound_at({10: 5.0}, 10))) == (None, "<= 5")


def test_an_embedder_that_is_none_is_refused() -> None:
    small = Plan(sizes=(), languages=("en",), agents=2, each=10, chain=10, triples=20, queries=4, embedder="none")
    with pytest.raises(InvalidValue):
        measure(small, 7)
