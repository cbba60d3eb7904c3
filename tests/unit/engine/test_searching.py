"""Searching: what is found, in which order, why, and what was left out."""

import math
from typing import Any

import pytest

from karte.errors import InvalidText, InvalidValue, KarteError, TextTooLong
from karte.testing.parts import GivenClock
from karte.workspace import Chart, Workspace

TEXTS = {
    "vercel": "Deploys go to Vercel",
    "tokyo": "部署到東京",
    "tea": "小雨喜歡喝茶",
    "kyoto": "ゆきは京都に住んでいる",
    "rain": "오늘 서울에는 비가 온다",
    "path": "never run rm -rf on node_modules",
}


@pytest.fixture
def told(dudu: Chart) -> dict[str, str]:
    """Texts in five languages: their names by id."""
    return {dudu.store(text).memory_id: name for name, text in TEXTS.items()}


def found(dudu: Chart, told: dict[str, str], query: str, **options: Any) -> list[str]:
    return [told[hit.memory.id] for hit in dudu.search(query, **options).hits]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("where do we deploy?", ["vercel"]),
        ("东京", ["tokyo"]),
        ("喝茶", ["tea"]),
        ("京都", ["kyoto"]),
        ("서울", ["rain"]),
        ("rm -rf", ["path"]),
        ('"go to vercel"', ["vercel"]),
        ('"vercel to go"', []),
        ("quantum chromodynamics", []),
        ("", []),
        ("!?", []),
        ('AND OR NOT ( * "', ["path"]),
    ],
)
def test_a_query_finds_what_shares_its_terms(dudu: Chart, told: dict[str, str], query: str, names: list[str]) -> None:
    if query.startswith("AND"):
        assert isinstance(found(dudu, told, query), list)
    else:
        assert found(dudu, told, query) == names


def test_a_score_is_bm25_of_its_parts(dudu: Chart) -> None:
    """Two texts of 2 and 4 terms; `apple` is in one of them: computed by hand with k1 = 0.9, b = 0.4."""
    dudu.store("apple pear")
    dudu.store("plum plum fig date")
    (hit,) = dudu.search("apple").hits
    idf = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    score = idf * 1 * 1.9 / (1 + 0.9 * (1 - 0.4 + 0.4 * 2 / 3))
    (term,) = hit.terms
    assert (term.count, hit.score) == (1, 1.0)
    assert [term.idf, term.score, hit.parts["lexical"].raw] == pytest.approx([idf, score, score])


def idf(texts: int, holding: int) -> float:
    return math.log(1 + (texts - holding + 0.5) / (holding + 0.5))


def gain(length: int, average: float, count: int = 1) -> float:
    return count * 1.9 / (count + 0.9 * (1 - 0.4 + 0.4 * length / average))


def test_a_score_of_words_alone_is_bm25_as_a_share_of_the_query_s_mass_times_a_factor_of_trust(dudu: Chart) -> None:
    """Four texts of 9 terms; the mass is what a text of average length with each term once would have."""
    for text, trust in (("apple pear plum", 1.0), ("apple pear", 0.4), ("apple fig date", 0.7), ("plum", 1.0)):
        dudu.store(text, trust=trust)
    hits = dudu.search("apple pear plum nowhere", mode="keyword").hits
    apple, pear, plum, nowhere = idf(4, 3), idf(4, 2), idf(4, 2), idf(4, 0)
    average = 9 / 4
    raw = {
        "apple pear plum": (apple + pear + plum) * gain(3, average),
        "apple pear": (apple + pear) * gain(2, average),
        "plum": plum * gain(1, average),
        "apple fig date": apple * gain(3, average),
    }
    factors = {"apple pear plum": 1.0, "apple pear": 0.94, "plum": 1.0, "apple fig date": 0.97}
    mass = apple + pear + plum + nowhere
    assert {hit.memory.content: hit.parts["lexical"].raw for hit in hits} == pytest.approx(raw)
    assert {hit.memory.content: hit.standing for hit in hits} == {
        text: pytest.approx({"trust": factor}) for text, factor in factors.items()
    }
    assert {hit.memory.content: hit.score for hit in hits} == pytest.approx(
        {text: score / mass * factors[text] for text, score in raw.items()}
    )
    assert [sum(term.score for term in hit.terms) for hit in hits] == pytest.approx(list(raw.values()))
    assert [(hit.memory.content, hit.parts["lexical"].rank) for hit in hits] == list(
        zip(raw, (1, 2, 3, 4), strict=True)
    )


def test_texts_with_more_than_the_query_s_mass_keep_the_order_of_bm25(dudu: Chart) -> None:
    """All three hold the word and are shorter than the average: each has more than a text of average length with it."""
    for text in ("a word about tea", "tea tea tea", "tea tea house", "nothing of the kind " * 20):
        dudu.store(text)
    hits = dudu.search("tea", mode="keyword").hits
    assert [hit.memory.content for hit in hits] == ["tea tea tea", "tea tea house", "a word about tea"]
    average = (4 + 3 + 3 + 80) / 4
    raw = [gain(3, average, 3), gain(3, average, 2), gain(4, average)]
    assert [hit.score for hit in hits] == pytest.approx([each / raw[0] for each in raw])


def test_a_hit_says_which_terms_it_holds(dudu: Chart) -> None:
    dudu.store("Deploys go to Vercel")
    (hit,) = dudu.search("go vercel nowhere").hits
    assert hit.why.startswith("2 of 3 query terms: ")
    assert (hit.snippet.text, len(hit.snippet.spans)) == ("Deploys go to Vercel", 2)


def test_names_of_a_triple_are_found_though_the_text_lacks_them(dudu: Chart) -> None:
    dudu.store("Since spring.", subject="小雨", predicate="lives in", object="Kaohsiung")
    assert len(dudu.search("Kaohsiung").hits) == len(dudu.search("小雨").hits) == 1


def test_only_what_holds_is_found_and_what_held_is_found_as_of_then(dudu: Chart, clock: GivenClock) -> None:
    for value, start in (("Paris", "2026-01-01"), ("London", "2026-03-01")):
        dudu.store(f"Ada lives in {value}", subject="Ada", predicate="lives in", object=value, valid_from=start)
    clock.advance(60)
    contents = [
        [hit.memory.content for hit in dudu.search("Ada lives", **as_of).hits]  # type: ignore[arg-type]  # by name
        for as_of in ({}, {"at": "2026-02-01"}, {"known_at": "2026-06-01"})
    ]
    assert contents == [["Ada lives in London"], ["Ada lives in Paris"], []]


def test_a_statement_of_two_rows_is_one_hit(dudu: Chart) -> None:
    for subject in ("Ada", "Countess"):
        dudu.store("in Paris", subject=subject, predicate="is", object="Paris", valid_from="2026-01-01")
    before = len(dudu.search("Paris").hits)
    dudu.add_alias("Ada", "Countess")
    assert (before, len(dudu.search("Paris").hits)) == (2, 1)


def test_retellings_are_one_hit_that_names_the_others(dudu: Chart) -> None:
    first = dudu.store("the lease of the corner room ends in twelve weeks").memory_id
    second = dudu.store("in twelve weeks the lease of the corner room ends").memory_id
    other = dudu.store("the lease of the corner room ends in 12 weeks").memory_id
    hits = dudu.search("lease corner room").hits
    assert [(hit.memory.id, hit.also) for hit in hits] == [(first, (second,)), (other, ())]


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"limit": 1}, ["a"]),
        ({"layer": "episodic"}, ["b"]),
        ({"domain": "work"}, ["c"]),
        ({"tags": ["x"]}, ["a"]),
        ({"types": ["goal"]}, ["b"]),
        ({"session": "s1"}, ["c"]),
    ],
)
def test_filters_and_limit_are_applied_to_what_holds(dudu: Chart, options: dict[str, Any], names: list[str]) -> None:
    told = {
        dudu.store("apple", tags=["x"]).memory_id: "a",
        dudu.store("apple pie", layer="episodic", memory_type="goal").memory_id: "b",
        dudu.store("apple pie recipe", domain="Work", session="s1").memory_id: "c",
    }
    assert found(dudu, told, "apple", **options) == names


def test_what_was_left_out_is_told_when_it_is_asked_for(dudu: Chart) -> None:
    old = dudu.store("Ada lives in Paris", subject="Ada", predicate="lives in", valid_from="2026-01-01").memory_id
    dudu.store("Ada lives in London", subject="Ada", predicate="lives in", valid_from="2026-03-01")
    quoted = dudu.store("in London Ada lives").memory_id
    other = dudu.store("Ada lives in a tent", domain="camping").memory_id
    recall = dudu.search('"lives in" Ada', domain="camping", explain=True)
    reasons = {left.memory_id: left.reason for left in recall.left_out}
    assert [hit.memory.id for hit in recall.hits] == [other]
    assert (reasons[old], reasons[quoted]) == ("not in force as asked", "lacks the quoted words")
    assert "does not pass the filters" in reasons.values()
    assert dudu.search('"lives in" Ada', domain="camping").left_out == ()


def test_the_modes_that_wait_for_voices_say_so(dudu: Chart) -> None:
    dudu.store("apple")
    silent = {mode: dudu.search("apple", mode=mode).silent_voices for mode in ("keyword", "semantic", "hybrid")}
    assert silent == {"keyword": (), "semantic": ("vector",), "hybrid": ("vector", "temporal", "graph")}


@pytest.mark.parametrize(
    ("query", "options", "error"),
    [
        ("x", {"limit": 0}, InvalidValue),
        ("x", {"limit": 1_001}, InvalidValue),
        ("x", {"limit": True}, InvalidValue),
        ("x", {"limit": "5"}, InvalidValue),
        ("x", {"mode": "psychic"}, InvalidValue),
        ("x", {"layer": "x"}, InvalidValue),
        (7, {}, InvalidValue),
        ("x" * 65_537, {}, TextTooLong),
        ("\ud800", {}, InvalidText),
    ],
)
def test_a_search_that_cannot_be_is_refused(
    dudu: Chart, query: Any, options: dict[str, Any], error: type[KarteError]
) -> None:
    with pytest.raises(error):
        dudu.search(query, **options)


def test_of_many_that_do_not_hold_the_one_that_does_is_found(dudu: Chart) -> None:
    """More candidates than are looked at in one go, all of them better by their text, and none of them in force."""
    for number in range(150):
        dudu.store(
            "apple",
            subject="fruit",
            predicate="is",
            object=f"v{number}",
            valid_until="2026-02-01",
            valid_from="2026-01-01",
        )
    dudu.store("apple among many other words in one long sentence about nothing")
    assert len(dudu.search("apple", limit=5).hits) == 1


@pytest.mark.parametrize("spellings", [("Kaohsiung", "KAOHSIUNG"), ("KAOHSIUNG", "Kaohsiung")])
def test_the_spelling_that_came_first_changes_no_score(dudu: Chart, spellings: tuple[str, str]) -> None:
    """The text holds the name as `Kaohsiung`; the object is spelled so by one source and in capitals by the other."""
    dudu.store("something else in Kaohsiung")
    for day, spelling in enumerate(spellings, 1):
        dudu.store(
            "Ada lives in Kaohsiung",
            subject="Ada",
            predicate="lives in",
            object=spelling,
            origin=f"import:{spelling}",
            observed_at=f"2026-01-0{day}",
            valid_from="2026-01-01",
        )
    (hit, _) = dudu.search("Kaohsiung").hits
    assert {term.term: term.count for term in hit.terms} == {hit.terms[0].term: 1}


class TestCounting:
    def test_a_hit_that_was_returned_is_counted_once_a_search(self, dudu: Chart, ws: Workspace) -> None:
        apple = dudu.store("apple").memory_id
        dudu.store("pear")
        for _ in range(3):
            dudu.search("apple apple")
        ws._desk.tally.write()
        assert [dudu.read(each.id).recall_count for each in dudu.list().memories] == [0, 3]
        assert dudu.read(apple).access_count == 3

    def test_listing_and_reading_count_nothing(self, dudu: Chart, ws: Workspace) -> None:
        apple = dudu.store("apple").memory_id
        dudu.list()
        dudu.read(apple)
        dudu.fetch([apple])
        ws._desk.tally.write()
        assert dudu.read(apple).recall_count == 0


@pytest.mark.parametrize(("mode", "terms"), [("hybrid", 4), ("semantic", 4), ("keyword", 8)])
def test_what_a_question_measures_is_looked_for_in_the_mode_keyword_alone(dudu: Chart, mode: str, terms: int) -> None:
    """Of `how many days ago did I meet Emma` four words can be in an answer; `keyword` looks for all eight."""
    dudu.store("I had lunch with Emma")
    dudu.store("Many days ago the report was late")
    found = dudu.search("How many days ago did I meet Emma?", mode=mode)
    assert {hit.asked for hit in found.hits} == {terms}
    assert (found.hits[0].memory.content == "I had lunch with Emma") == (mode != "keyword")
