"""Renewing: where a question is after how things stand now, the newer of two words on one matter comes first.

All texts have four terms, so that a term adds just its idf: with N texts, ln(1 + (N - df + 0.5) / (df + 0.5)).
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from math import log
from pathlib import Path
from typing import Any

import pytest

from karte.bootstrap import Parts, open_workspace
from karte.core.results import Hit
from karte.testing.parts import CountedIds, GivenClock
from karte.workspace import Chart
from tests.stores import STORES

ONCE, TWICE = log(1 + 4.5 / 1.5), log(1 + 3.5 / 2.5)
"""What a term adds that one or two of five texts have."""

FILLERS = ("rain snow wind hail", "moss fern reed rush", "lute harp drum horn")


@pytest.fixture(params=STORES.values(), ids=list(STORES))
def dudu(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Chart]:
    store, clock = request.param(tmp_path), GivenClock(datetime(2026, 7, 1, tzinfo=UTC))
    with open_workspace(":memory:", parts=Parts(store=store, clock=clock, ids=CountedIds())) as workspace:
        chart = workspace.agent("dudu")
        for filler in FILLERS:
            chart.store(filler)
        yield chart


def tell(dudu: Chart, january: str, march: str) -> None:
    dudu.store(january, valid_from="2026-01-01")
    dudu.store(march, valid_from="2026-03-01")


def search(dudu: Chart, query: str, **options: Any) -> dict[str, Hit]:
    """The hits in order, by their text; without a floor."""
    return {hit.memory.content: hit for hit in dudu.search(query, floor=0.0, **options).hits}


OLD, NEW = "apple pear plum fig", "apple pear plum melon"


def test_the_newer_is_lifted_just_above_the_older(dudu: Chart) -> None:
    """It has 3 ln 2.4 of what the older one has, 3 ln 2.4 + ln 4: 0.65, and they share as much."""
    tell(dudu, OLD, NEW)
    found = search(dudu, "apple pear plum fig now")
    assert list(found) == [NEW, OLD]
    lift = (3 * TWICE + ONCE) / (3 * TWICE) * (1 + 1e-9)
    assert found[NEW].standing["newer"] == pytest.approx(lift, rel=1e-12)
    assert "newer" not in found[OLD].standing
    assert found[NEW].score == pytest.approx(found[OLD].score * (1 + 1e-9), rel=1e-12)


def test_the_lift_is_in_the_sum_that_the_answer_shows(dudu: Chart) -> None:
    tell(dudu, OLD, NEW)
    hit = search(dudu, "apple pear plum fig now")[NEW]
    base = sum(part.weight * part.normalised for part in hit.parts.values())
    product = 1.0
    for factor in hit.standing.values():
        product *= factor
    assert hit.score == pytest.approx(base * product, rel=1e-12)


@pytest.mark.parametrize(
    ("old", "new", "query"),
    [
        ("Mina owns three cups", "Mina owns seven cups since the sale in spring", "How many cups does Mina own?"),
        ("小雨在台北的公司上班", "小雨在高雄的公司上班，離河邊不遠", "小雨目前在哪家公司上班？"),
        ("小雨在北京的公司上班", "小雨在上海的公司上班，离河边不远", "小雨现在在哪家公司上班？"),
        ("美咲は東京の会社で働く", "美咲は京都の会社で働く、川の近くで楽しそう", "美咲は今どこの会社で働く？"),
        (
            "미나는 서울 회사에 다닌다",
            "미나는 부산 회사에 다닌다, 강 가까이 즐겁게",
            "미나는 지금 어느 회사에 다닌다고?",
        ),
    ],
)
def test_the_newer_one_comes_first_although_it_is_longer_in_five_languages(
    dudu: Chart, old: str, new: str, query: str
) -> None:
    tell(dudu, old, new)
    assert list(search(dudu, query)) == [new, old]
    assert "newer" in search(dudu, query)[new].standing


@pytest.mark.parametrize(
    "query", ["apple pear plum fig", "How many apple pear plum fig did I have?", "apple pear plum fig in January"]
)
def test_a_question_after_anything_else_lifts_nothing(dudu: Chart, query: str) -> None:
    tell(dudu, OLD, NEW)
    found = search(dudu, query)
    assert list(found) == [OLD, NEW]
    assert "newer" not in found[NEW].standing


def test_the_older_is_never_lifted(dudu: Chart) -> None:
    tell(dudu, NEW, OLD)
    found = search(dudu, "apple pear plum fig now")
    assert list(found) == [OLD, NEW]
    assert [hit for hit in found.values() if "newer" in hit.standing] == []


def test_what_scores_less_than_six_tenths_is_not_lifted(dudu: Chart) -> None:
    """2 ln 2.4 of 2 ln 2.4 + 2 ln 4: 0.39."""
    tell(dudu, OLD, "apple pear kiwi melon")
    assert list(search(dudu, "apple pear plum fig now")) == [OLD, "apple pear kiwi melon"]


def test_that_both_were_said_by_the_one_who_is_named_is_no_answer(dudu: Chart) -> None:
    """The newer one has 2 ln 2.4 of 2 ln 2.4 + 2 ln 4, 0.39; with 0.1 more for both it has over 0.6 of the score."""
    older, newer = OLD, "apple pear kiwi melon"
    dudu.store(older, speaker="Mina", valid_from="2026-01-01")
    dudu.store(newer, speaker="Mina", valid_from="2026-03-01")
    found = search(dudu, "Mina apple pear plum fig now oak elm ash yew fir box ivy bay")
    assert list(found) == [older, newer]
    assert "newer" not in found[newer].standing
    assert found[newer].score >= 0.6 * found[older].score


def test_what_speaks_of_something_else_is_not_lifted(dudu: Chart) -> None:
    """It scores 2 ln 4 + ln 2.4 of 3 ln 4 + ln 2.4, 0.72, but of the terms they share ln 2.4 of 5 ln 4 + ln 2.4: 0.11."""
    tell(dudu, OLD, "apple cup mug kiwi")
    assert list(search(dudu, "apple pear plum fig cup mug now")) == [OLD, "apple cup mug kiwi"]


def test_what_was_learned_later_is_newer_where_no_time_is_known(dudu: Chart) -> None:
    dudu.store(OLD, observed_at="2026-01-01T00:00:00Z")
    dudu.store(NEW, observed_at="2026-03-01T00:00:00Z")
    assert list(search(dudu, "apple pear plum fig now")) == [NEW, OLD]


def test_of_two_that_are_lifted_the_newest_comes_first(dudu: Chart) -> None:
    """What says `apple` twice scores best; both of the others have all terms."""
    tell(dudu, "apple apple pear plum", "apple pear plum melon")
    dudu.store("apple pear plum kiwi", valid_from="2026-05-01")
    found = search(dudu, "apple pear plum now")
    assert list(found) == ["apple pear plum kiwi", "apple pear plum melon", "apple apple pear plum"]
    best = found["apple apple pear plum"].score
    scores = [hit.score for hit in found.values()]
    assert scores == pytest.approx([best * (1 + 2e-9), best * (1 + 1e-9), best], rel=1e-12)


@pytest.mark.parametrize("better", [(), ("apple pear pear plum", "apple pear pear fig")])
def test_only_the_two_best_are_overtaken(dudu: Chart, better: tuple[str, ...]) -> None:
    """Without two better ones, which are newer still, the newer is lifted; below them the older is only the third."""
    tell(dudu, "apple pear pear kiwi", "apple pear melon lime")
    for text in better:
        dudu.store(text, valid_from="2026-05-01")
    found = search(dudu, "apple pear plum fig now")
    assert ("newer" in found["apple pear melon lime"].standing) == (not better)


@pytest.mark.parametrize("options", [{"mode": "keyword"}, {"profile": "polyphonic"}, {"profile": "cognitive"}])
def test_keywords_and_the_other_profiles_lift_nothing(dudu: Chart, options: dict[str, str]) -> None:
    tell(dudu, OLD, NEW)
    found = search(dudu, "apple pear plum fig now", **options)
    assert list(found) == [OLD, NEW]
    assert "newer" not in found[NEW].standing


def test_a_search_without_words_lifts_nothing(dudu: Chart) -> None:
    tell(dudu, OLD, NEW)
    assert search(dudu, "apple pear plum fig now", voices=["vector"]) == {}
