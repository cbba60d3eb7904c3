"""The temporal voice over conversations of our own: what it brings up, in which order, how strongly, and why."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast
from zoneinfo import ZoneInfo

import pytest

from karte.bootstrap import Parts, open_workspace
from karte.config import Settings
from karte.core.moments import Kind, Moment
from karte.core.namespaces import Namespace
from karte.core.periods import EARLIEST, FOREVER, SECOND, instant_of
from karte.engine.conversations import Conversations
from karte.engine.recalling.voices import Voice
from karte.engine.recalling.voices.temporal import TemporalVoice, closeness
from karte.ports import Episodes, Turn
from tests.stores import STORES, Making

NAMESPACE = Namespace("dudu")
TIERS = Settings().tiers
TRUST = 8_000
NOW = instant_of(datetime(2026, 3, 18, 10, 30, tzinfo=UTC))
HOUR = 3_600 * SECOND
DAY = 24 * HOUR


@dataclass
class Told:
    """Turns as a store gives them, and how often it was asked for those of a period."""

    said: list[Turn] = field(default_factory=list)
    asked: int = 0

    def say(self, number: int, when: str, session: str | None = None, **changes: int) -> None:
        at = instant_of(datetime.fromisoformat(when).replace(tzinfo=UTC))
        from_, trust = changes.get("valid_from", at), changes.get("trust", TRUST)
        self.said.append(Turn(number, session, None, at, from_, trust, withdrawn=changes.get("withdrawn")))

    def turns(self, _namespace: Namespace, numbers: Collection[int]) -> list[Turn]:
        found = [turn for turn in self.said if turn.number in numbers]
        return sorted(found, key=lambda turn: (turn.number, turn.observed_at))

    def session(self, _namespace: Namespace, session: str) -> list[Turn]:
        found = [turn for turn in self.said if turn.session == session]
        return sorted(found, key=lambda turn: (turn.observed_at, turn.number))

    def sessions(self, _namespace: Namespace, tiers: Sequence[int]) -> list[tuple[str, int]]:
        def rank(trust: int) -> int:
            return sum(least <= trust for least in tiers)

        first: dict[str, int] = {}
        for turn in self.said:
            stands = turn.withdrawn is None or rank(turn.withdrawn) < rank(turn.trust)
            if turn.session is not None and stands:
                first[turn.session] = min(turn.observed_at, first.get(turn.session, turn.observed_at))
        return sorted(first.items(), key=lambda found: (found[1], found[0]))

    def between(self, _namespace: Namespace, start: int, end: int, count: int) -> list[Turn]:
        self.asked += 1
        observed = [turn for turn in self.said if start <= turn.observed_at < end]
        valid = [turn for turn in self.said if start <= turn.valid_from < end and turn.valid_from != turn.observed_at]
        observed.sort(key=lambda turn: (turn.observed_at, turn.number), reverse=True)
        valid.sort(key=lambda turn: (turn.valid_from, turn.number), reverse=True)
        return observed[:count] + valid[:count]

    def hear(self, query: str, zone: str = "UTC") -> TemporalVoice | None:
        conversations = Conversations(cast("Episodes", self), NAMESPACE, TIERS)
        return TemporalVoice.hear(conversations, query, NOW, ZoneInfo(zone))

    def heard(self, query: str) -> TemporalVoice:
        voice = self.hear(query)
        assert voice is not None
        return voice


@pytest.fixture
def told() -> Told:
    """Three conversations: on 2 March, on 9 March, and one that began on 16 March."""
    found = Told()
    for number, when, session in (
        (1, "2026-03-02T09:00", "a"),
        (2, "2026-03-02T09:05", "a"),
        (3, "2026-03-09T09:00", "b"),
        (4, "2026-03-09T23:59", "b"),
        (5, "2026-03-10T00:00", "b"),
        (6, "2026-03-16T09:00", "c"),
    ):
        found.say(number, when, session)
    return found


def ranked(voice: Voice, first: int = 100) -> list[int]:
    return [number for batch in voice.batches(first) for number in batch]


def inside(voice: Voice) -> set[int]:
    """What scores 1 of all that it brings up."""
    return {number for number, score in voice.score(ranked(voice)).items() if score == 1}


@pytest.mark.parametrize(
    "query", ["Where do we deploy?", "我喜歡什麼顏色", "好きな色は何ですか", "좋아하는 색이 뭐야", ""]
)
def test_it_is_silent_where_no_time_is_asked_for(told: Told, query: str) -> None:
    assert told.hear(query) is None


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("on March 9", {3, 4}),
        ("9 days ago", {3, 4}),
        ("2026年3月2日", {1, 2}),
        ("上週", {3, 4, 5}),
        ("先週の月曜日", {3, 4}),
        ("지난주 화요일", {5}),
        ("in March", {1, 2, 3, 4, 5, 6}),
        ("before March 9", {1, 2}),
        ("since March 10", {5, 6}),
        ("between March 2 and March 9", {1, 2, 3, 4}),
    ],
)
def test_what_was_said_at_the_asked_time_scores_1(told: Told, query: str, numbers: set[int]) -> None:
    assert inside(told.heard(query)) == numbers


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("in session 2", [3, 4, 5]),
        ("the last session", [6]),
        ("3 sessions ago", [1, 2]),
        ("sessions 1 through 2", [1, 2, 3, 4, 5]),
        ("第一次對話", [1, 2]),
        ("2回目の会話", [3, 4, 5]),
        ("마지막 대화", [6]),
        ("in session 4", []),
        ("4 sessions ago", []),
        ("the last five sessions", [1, 2, 3, 4, 5, 6]),
    ],
)
def test_sessions_go_by_their_number_in_the_namespace(told: Told, query: str, numbers: list[int]) -> None:
    assert ranked(told.heard(query)) == numbers


def test_a_session_that_has_not_begun_by_now_does_not_count(told: Told) -> None:
    told.say(7, "2026-03-18T10:31", "d")
    assert ranked(told.heard("the last session")) == [6]


def test_a_session_of_which_everything_was_withdrawn_takes_no_number() -> None:
    told = Told()
    told.say(1, "2026-03-02T09:00", "a", withdrawn=TRUST)
    told.say(2, "2026-03-03T09:00", "b")
    told.say(3, "2026-03-04T09:00", "c", withdrawn=0)
    assert [ranked(told.heard(query)) for query in ("in session 1", "in session 2", "in session 3")] == [[2], [3], []]


def test_days_are_those_of_the_zone(told: Told) -> None:
    voice = told.hear("on March 10", "Asia/Taipei")
    assert voice is not None
    assert inside(voice) == {4, 5}


@pytest.mark.parametrize(
    ("hours", "expected"),
    [(0, 1.0), (23, 1.0), (24 + 6, 0.5), (24 + 12, 0.25), (-6, 0.5), (-24, 0.0625), (-25, 0.0), (24 + 25, 0.0)],
)
def test_beside_a_day_the_score_halves_every_six_hours_four_times(hours: int, expected: float) -> None:
    asked = Moment(0, DAY, "that day", Kind.DAY)
    off_by_one = SECOND // 1_000
    assert closeness(asked, hours * HOUR) == pytest.approx(expected, abs=off_by_one / HOUR)


@pytest.mark.parametrize(
    ("start", "end", "instant"),
    [
        (0, HOUR, 2 * HOUR - 1),
        (0, 365 * DAY, 372 * DAY - 1),
        (0, FOREVER, -DAY),
        (EARLIEST, 0, DAY - 1),
    ],
    ids=["an hour at least", "a week at most", "a day beside an open end", "a day beside an open start"],
)
def test_the_first_halving_outside_has_its_bounds(start: int, end: int, instant: int) -> None:
    assert closeness(Moment(start, end, "then", Kind.SPAN), instant) == 0.5


def test_a_less_likely_reading_scores_its_weight() -> None:
    told = Told()
    told.say(1, "2025-03-10T12:00")
    told.say(2, "2026-03-10T12:00")
    assert told.heard("on March 10").score([1, 2]) == {1: 0.5, 2: 1.0}


def test_a_memory_counts_by_the_time_it_holds_from_as_well(told: Told) -> None:
    may = instant_of(datetime(2023, 5, 8, tzinfo=UTC))
    told.say(7, "2026-03-16T10:00", "c", valid_from=may)
    assert inside(told.heard("on May 8, 2023")) == {7}
    assert 7 in inside(told.heard("on March 16"))


@pytest.mark.parametrize("query", ["tomorrow", "next week", "明天", "来週", "다음 주"])
def test_nothing_was_said_yet_at_a_time_to_come(told: Told, query: str) -> None:
    told.say(7, "2026-03-18T10:00", "c")
    told.say(8, "2026-03-18T23:00", "c")
    told.say(9, "2026-03-10T09:00", "b", valid_from=instant_of(datetime(2026, 3, 19, tzinfo=UTC)))
    told.say(10, "2026-03-10T09:00", "b", valid_from=instant_of(datetime(2026, 3, 23, tzinfo=UTC)))
    voice = told.heard(query)
    found = inside(voice)
    assert found
    assert found <= {9, 10}
    assert set(ranked(voice)) <= {9, 10}
    assert voice.score([7, 8]) == {}


def test_of_a_time_that_has_begun_both_count(told: Told) -> None:
    told.say(7, "2026-03-18T10:00", "c")
    told.say(8, "2026-03-10T09:00", "b", valid_from=instant_of(datetime(2026, 3, 18, 20, tzinfo=UTC)))
    assert inside(told.heard("today")) == {7, 8}


def test_a_memory_that_was_said_twice_counts_at_both_times(told: Told) -> None:
    told.say(1, "2026-03-16T11:00", "c")
    assert inside(told.heard("on March 2")) == {1, 2}
    assert inside(told.heard("on March 16")) == {1, 6}
    assert ranked(told.heard("the last session")) == [6, 1]


@pytest.mark.parametrize(("withdrawn", "numbers"), [(TRUST, {2}), (0, {1, 2})], ids=["an equal", "a lower one"])
def test_what_an_equal_withdrew_does_not_count(withdrawn: int, numbers: set[int]) -> None:
    told = Told()
    told.say(1, "2026-03-02T09:00", "a", withdrawn=withdrawn)
    told.say(2, "2026-03-02T09:05", "a")
    assert set(ranked(told.heard("on March 2"))) == numbers
    assert told.heard("on March 2").score([1, 2]).keys() == numbers


def test_what_is_of_another_time_has_no_score(told: Told) -> None:
    assert told.heard("on March 9").score([1, 2, 3]) == {3: 1.0}
    assert told.heard("on March 9").score([]) == {}


def test_what_is_inside_comes_before_what_is_near_and_each_once(told: Told) -> None:
    told.say(8, "2026-03-10T01:00", "b")
    assert ranked(told.heard("on March 9")) == [4, 3, 8, 5]


def test_batches_grow_and_hold_everything(told: Told) -> None:
    start = datetime(2026, 1, 5, tzinfo=UTC)
    for number in range(10, 110):
        told.say(number, (start + timedelta(minutes=number)).replace(tzinfo=None).isoformat())
    batches = list(told.heard("on January 5, 2026").batches(10))
    sizes = [len(batch) for batch in batches]
    assert sorted(number for batch in batches for number in batch) == list(range(10, 110))
    assert (sizes[0], sizes) == (10, sorted(sizes))


def test_only_what_is_asked_for_is_read(told: Told) -> None:
    next(told.heard("in March").batches(3))
    assert told.asked == 1


@pytest.mark.parametrize(
    ("query", "evidence"),
    [
        ("What about last Friday?", {}),
        ("on March 16", {6: "March 16 (from 2026-03-16T00:00:00Z until 2026-03-17T00:00:00Z)"}),
        ("since March 16", {6: "since March 16 (from 2026-03-16T00:00:00Z)"}),
        ("before May 2020, and in session 3", {6: "session 3"}),
    ],
)
def test_it_says_which_time_it_found_a_memory_by(told: Told, query: str, evidence: dict[int, str]) -> None:
    assert told.heard(query).evidence([6]) == evidence


@pytest.mark.parametrize("making", STORES.values(), ids=STORES)
def test_over_a_store_it_finds_what_was_said_then(making: Making, tmp_path: Path) -> None:
    with open_workspace(":memory:", parts=Parts(store=making(tmp_path))) as workspace:
        dudu = workspace.agent("dudu")
        dudu.store("小雨養了一隻貓", observed_at="2023-05-08T09:00:00Z")
        dudu.store("Ana ran a marathon", observed_at="2023-06-09T09:00:00Z")
        found = dudu.search("What did we talk about on May 8, 2023?", mode="hybrid", voices=["temporal"])
        assert [hit.memory.content for hit in found.hits] == ["小雨養了一隻貓"]
