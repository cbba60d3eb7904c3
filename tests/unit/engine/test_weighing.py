"""Weighing: what standing makes of base scores, and that not all need to be weighed to know the best."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karte.bootstrap import Parts, open_workspace
from karte.core.ranking.fusion import ordered
from karte.core.ranking.profiles import BALANCED, COGNITIVE, POLYPHONIC, Profile
from karte.engine.asking import Instants, asking
from karte.engine.reading.describing import Describing
from karte.engine.recalling.weighing import recency, trusts, weigh
from karte.testing.parts import CountedIds, GivenClock
from karte.workspace import Chart
from tests.unit.engine.conftest import NOW

DAY = 86_400
COUNT = 40
USED = replace(BALANCED, usage=0.05)


@contextmanager
def describing(chart: Chart) -> Iterator[Describing]:
    with asking(chart._services, chart._caller, Instants()) as question:
        yield Describing(question.frame, question.when)


@dataclass(frozen=True)
class Many:
    """Memories by their numbers, ascending, and their chart."""

    chart: Chart
    numbers: list[int]

    def weigh(self, profile: Profile, scores: Mapping[int, float], wanted: int) -> dict[int, float]:
        """The scores of what is weighed, given base scores; both by the places of memories, from 0."""
        with describing(self.chart) as told:
            found = weigh(told, profile, {self.numbers[place]: score for place, score in scores.items()}, wanted)
        return {self.numbers.index(number): each.score for number, each in found.items()}


@pytest.fixture(scope="module")
def many() -> Iterator[Many]:
    """Forty memories of all kinds of standing, some of them said over and over again."""
    parts = Parts(clock=GivenClock(NOW), ids=CountedIds())
    with open_workspace(":memory:", parts=parts) as workspace:
        chart = workspace.agent("dudu")
        for number in range(COUNT):
            for source in range(1 + 30 * (number % 5 == 0)):
                chart.store(
                    f"note {number}",
                    trust=(1.0, 0.6, 0.3)[number % 3],
                    confidence=(1.0, 0.5)[number % 2],
                    memory_type=("fact", "request", "preference")[number % 3],
                    observed_at=f"2026-{1 + number % 6:02}-01",
                    origin=f"user_direct:box-{source}",
                )
        yield Many(chart, sorted(item.memory.number for item in chart.list(COUNT).memories))


scores = st.dictionaries(st.integers(0, COUNT - 1), st.sampled_from([0.0, 0.1, 0.5, 0.51, 0.99, 1.0]) | st.floats(0, 1))
profiles = st.sampled_from([BALANCED, POLYPHONIC, COGNITIVE, USED])


@given(scores=scores, wanted=st.integers(1, 12), profile=profiles)
def test_the_best_are_those_of_weighing_everything(
    many: Many, scores: dict[int, float], wanted: int, profile: Profile
) -> None:
    everything = many.weigh(profile, scores, COUNT)
    assert everything.keys() == scores.keys()
    assert _best(many.weigh(profile, scores, wanted), wanted) == _best(everything, wanted)


def _best(found: Mapping[int, float], wanted: int) -> list[tuple[int, float]]:
    return [(place, found[place]) for place in ordered(found)[:wanted]]


def test_few_are_weighed_where_the_rest_cannot_reach_them(many: Many) -> None:
    """The first three keep at least (1 - 0.05) * (1 - 0.1) * (1 - 0.1) of 1, far above all others with all of use."""
    scores = {place: 1.0 if place < 3 else 0.1 for place in range(COUNT)}
    assert many.weigh(BALANCED, scores, 3).keys() == {0, 1, 2}


def test_of_equal_scores_the_earlier_memory_is_among_the_best(many: Many) -> None:
    """In `cognitive` only trust counts: place 1 has 0.6, so 1 * 0.96 there is as much as 0.96 * 1 at place 0."""
    scores = {0: 0.96, 1: 1.0}
    assert many.weigh(COGNITIVE, scores, 2) == pytest.approx({0: 0.96, 1: 0.96})
    assert 0 in many.weigh(COGNITIVE, scores, 1)


def test_nothing_to_weigh_is_nothing(many: Many) -> None:
    assert many.weigh(BALANCED, {}, 5) == {}


def test_the_factors_are_those_of_the_profile_worked_out_by_hand(dudu: Chart, clock: GivenClock) -> None:
    """A request of a week ago: retention exp(-(168 / 72)^1.5); trust 0.6, confidence 0.5, said once."""
    clock.advance(7 * DAY)
    dudu.store(
        "tea, please",
        memory_type="request",
        trust=0.6,
        confidence=0.5,
        observed_at=NOW,
        valid_from=NOW,
    )
    with describing(dudu) as told:
        weighed = weigh(told, POLYPHONIC, {1: 0.8}, 1)[1]
    retention = 0.02 + 0.98 * 2.718281828459045 ** -((168 / 72) ** 1.5)
    expected = {"retention": retention, "confidence": 0.8 + 0.2 * 0.5, "usage": 1.0, "trust": 0.9 + 0.1 * 0.6}
    assert weighed.standing == pytest.approx(expected)
    assert weighed.score == pytest.approx(0.8 * retention * 0.9 * 0.96)


class TestTrust:
    """In basis points."""

    def trusts(self, chart: Chart, memory_ids: Sequence[str | None], **instants: int) -> list[int]:
        numbers = [chart.read(memory_id or "").memory.number for memory_id in memory_ids]
        with asking(chart._services, chart._caller, Instants(**instants)) as question:
            found = trusts(question, numbers)
        return [found[number] for number in numbers]

    def test_a_memory_is_trusted_as_it_was_told(self, dudu: Chart) -> None:
        told = [dudu.store(f"tea no {trust}", trust=trust).memory_id for trust in (1.0, 0.4, 0.39)]
        assert self.trusts(dudu, told) == [10_000, 4_000, 3_900]

    def test_it_is_that_of_who_says_so_for_the_instant_asked(self, dudu: Chart) -> None:
        """The user said it for January, somebody else for what comes after: as asked now, nobody trusted says so."""
        spans = (("user_direct", "2026-01-01", "2026-02-01"), ("external", "2026-02-01", None))
        for kind, start, end in spans:
            told = dudu.store(
                "no tea", valid_from=start, valid_until=end, observed_at=start, origin=f"{kind}:x"
            ).memory_id
        then = int(datetime(2026, 1, 15, tzinfo=UTC).timestamp()) * 1_000_000
        assert (self.trusts(dudu, [told]), self.trusts(dudu, [told], at=then)) == ([3_000], [10_000])

    def test_it_is_that_of_what_was_known_then(self, dudu: Chart, clock: GivenClock) -> None:
        told = dudu.store("no tea", origin="external:x").memory_id
        clock.advance(DAY)
        before = clock.now()
        clock.advance(DAY)
        dudu.store("no tea", origin="user_direct:x")
        assert (self.trusts(dudu, [told]), self.trusts(dudu, [told], known_at=before)) == ([10_000], [3_000])


def test_recency_is_the_forgetting_curve_since_the_last_use(dudu: Chart, clock: GivenClock) -> None:
    """After 28 days, importance 5: exp(-28 / 14); the text was told twice, so 14 * (1 + 0.6 * ln 2) in its case."""
    for text in ("tea", "coffee", "coffee"):
        dudu.store(text, importance=5, observed_at=NOW, origin=f"user_direct:box-{clock.now()}")
        clock.advance(0.001)
    clock.advance(28 * DAY)
    with describing(dudu) as told:
        items = told.items(range(1, 10)).values()
        found = [recency(item, told.when.now) for item in items]
    assert found == pytest.approx(
        [0.1353352832366127, 2.718281828459045 ** -(28 / (14 * (1 + 0.6 * 0.6931471805599453)))]
    )
