"""What becomes of the turns of a chat: how each is written down, dated and named, and that nothing is kept twice."""

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karte.bootstrap import Parts, open_workspace
from karte.config import Settings
from karte.core.memories import LONGEST_CONTENT
from karte.core.namespaces import Scope
from karte.core.origins import Origin, OriginKind
from karte.engine.remembering.turns import Chat, Turn, read_zone, split
from karte.errors import (
    FutureObservation,
    InvalidText,
    InvalidValue,
    MissingScope,
    OriginNotAllowed,
)
from karte.testing.parts import GivenClock
from karte.workspace import Chart, Workspace

TAIPEI = ZoneInfo("Asia/Taipei")
NOW = datetime(2026, 7, 1, tzinfo=UTC)


@pytest.fixture
def clock() -> GivenClock:
    return GivenClock(NOW)


@pytest.fixture
def workspace(clock: GivenClock) -> Iterator[Workspace]:
    with open_workspace(":memory:", parts=Parts(settings=Settings(TAIPEI), clock=clock)) as opened:
        yield opened


@pytest.fixture
def chart(workspace: Workspace) -> Chart:
    return workspace.agent("dudu")


def turn(text: str, time: datetime | None = None, speaker: str | None = "Mei", **others: Any) -> Turn:
    return Turn(others.pop("role", "user"), speaker, text, time, **others)


def chat(*turns: Turn, conversation: str = "team") -> Chat:
    return Chat(conversation, turns)


def at(hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 3, 3, hour, minute, tzinfo=UTC)


def kept(chart: Chart) -> list[dict[str, Any]]:
    """Everything an agent has, oldest first, to the last field."""
    return [item.to_dict() for item in reversed(chart.list(1_000).memories)]


def contents(chart: Chart) -> list[str]:
    return [memory["content"] for memory in kept(chart)]


def items(chart: Chart) -> list[str]:
    return [memory["origins"][0]["item"] for memory in kept(chart)]


class TestWritingDown:
    def test_a_turn_is_an_episodic_memory_that_names_its_speaker_and_its_day(self, chart: Chart) -> None:
        chart.ingest_chat(chat(turn("We deploy to Workers now.", at(1, 41), id="m22", session="move")))
        (memory,) = kept(chart)
        expected = {
            "content": "Mei (3 March 2026): We deploy to Workers now.",
            "layer": "episodic",
            "memory_type": "event",
            "importance": 2.0,
            "valid_from": "2026-03-03T01:41:00Z",
            "valid_until": None,
            "session": "move",
            "speaker": "Mei",
            "metadata": {"role": "user"},
            "veracity": "imported",
            "trust": 0.7,
            "origins": [
                {"kind": "import", "container": "chat:team", "item": "m22", "observed_at": "2026-03-03T01:41:00Z"}
            ],
        }
        assert {name: memory[name] for name in expected} == expected

    @pytest.mark.parametrize(
        ("speaker", "text", "head"),
        [
            ("Mei", "ok", "Mei (3 March 2026): "),
            ("美玲", "部署完成", "美玲 (2026年3月3日): "),
            ("健二", "デプロイしました", "健二 (2026年3月3日): "),
            ("민지", "배포했어요", "민지 (2026년 3월 3일): "),
            ("Mei", "Ask 老闆 about the invoice please", "Mei (3 March 2026): "),
            ("Mei", "部署改到 Cloudflare Workers", "Mei (2026年3月3日): "),
            ("Jürgen", "Größe prüfen", "Jürgen (3 March 2026): "),
            ("42", "!!", "42 (3 March 2026): "),
        ],
    )
    def test_the_day_is_written_as_the_language_of_the_turn_writes_it(
        self, chart: Chart, speaker: str, text: str, head: str
    ) -> None:
        chart.ingest_chat(chat(turn(text, at(1), speaker)))
        assert contents(chart) == [head + text]

    @pytest.mark.parametrize("query", ["What did Mei say on 3 March?", "March 2026"])
    def test_a_turn_is_found_by_its_day_in_words(self, chart: Chart, query: str) -> None:
        april = datetime(2026, 4, 3, tzinfo=UTC)
        chart.ingest_chat(chat(turn("The build is green.", at(1)), turn("The build is red.", april)))
        assert chart.search(query).hits[0].memory.content == "Mei (3 March 2026): The build is green."

    def test_a_speaker_without_a_name_is_called_by_the_role(self, chart: Chart) -> None:
        chart.ingest_chat(chat(turn("hi", at(1), None), turn("hello", at(2), None, role="assistant")))
        assert contents(chart) == ["user (3 March 2026): hi", "assistant (3 March 2026): hello"]

    def test_a_name_of_several_lines_becomes_one_line(self, chart: Chart) -> None:
        chart.ingest_chat(chat(turn("hi", at(1), "Mei\n  Chen")))
        assert contents(chart) == ["Mei Chen (3 March 2026): hi"]

    def test_turns_are_kept_in_their_order_whatever_their_times_say(self, chart: Chart) -> None:
        chart.ingest_chat(chat(turn("one", at(3)), turn("two", at(1)), turn("three", at(2))))
        assert [content[-5:].strip(": ") for content in contents(chart)] == ["one", "two", "three"]

    def test_a_turn_without_a_session_is_of_the_conversation(self, chart: Chart) -> None:
        chart.ingest_chat(chat(turn("hi", at(1)), turn("ho", at(2), session="  ")))
        assert [memory["session"] for memory in kept(chart)] == ["team", "team"]


class TestTimes:
    def test_a_time_without_a_zone_is_of_the_workspace(self, chart: Chart) -> None:
        chart.ingest_chat(chat(turn("early", datetime(2026, 3, 3, 7, 30))))  # noqa: DTZ001 - a file without a zone
        (memory,) = kept(chart)
        assert (memory["valid_from"], memory["content"]) == ("2026-03-02T23:30:00Z", "Mei (3 March 2026): early")

    @pytest.mark.parametrize("zone", ["America/New_York", "-05:00", "UTC-5", timezone(timedelta(hours=-5))])
    def test_or_of_the_zone_that_is_given(self, chart: Chart, zone: Any) -> None:
        chart.ingest_chat(chat(turn("early", datetime(2026, 3, 3, 7, 30))), time_zone=zone)  # noqa: DTZ001 - as above
        assert kept(chart)[0]["valid_from"] == "2026-03-03T12:30:00Z"

    @pytest.mark.parametrize(
        ("time", "day"),
        [
            (datetime(2026, 3, 2, 23, 30, tzinfo=UTC), "3 March 2026"),
            (datetime(2026, 3, 2, 23, 30, tzinfo=timezone(timedelta(hours=-5))), "2 March 2026"),
        ],
    )
    def test_a_time_in_utc_is_dated_in_the_zone_and_one_with_an_offset_as_it_is_written(
        self, chart: Chart, time: datetime, day: str
    ) -> None:
        chart.ingest_chat(chat(turn("hi", time)))
        assert contents(chart) == [f"Mei ({day}): hi"]

    def test_a_turn_without_a_time_follows_the_turn_before_it_by_a_microsecond(self, chart: Chart) -> None:
        result = chart.ingest_chat(chat(turn("one", at(1)), turn("two"), turn("three"), turn("four", at(2))))
        assert [memory["valid_from"][11:] for memory in kept(chart)] == [
            "01:00:00Z",
            "01:00:00.000001Z",
            "01:00:00.000002Z",
            "02:00:00Z",
        ]
        assert result.without_time == 0

    def test_before_any_time_it_is_of_the_time_of_learning_has_no_date_and_is_counted(self, chart: Chart) -> None:
        result = chart.ingest_chat(chat(turn("one"), turn("two"), turn(" "), turn("three", at(1))))
        assert [(memory["content"], memory["valid_from"][:10]) for memory in kept(chart)] == [
            ("Mei: one", "2026-07-01"),
            ("Mei: two", "2026-07-01"),
            ("Mei (3 March 2026): three", "2026-03-03"),
        ]
        assert result.without_time == 2

    def test_a_time_in_the_future_is_refused_by_its_place_and_nothing_is_kept(self, chart: Chart) -> None:
        late = turn("from tomorrow", NOW + timedelta(days=1), place="team.txt, line 7")
        with pytest.raises(FutureObservation, match=r"^team\.txt, line 7: "):
            chart.ingest_chat(chat(turn("fine", at(1)), late))
        assert kept(chart) == []

    def test_the_present_instant_is_not_the_future(self, chart: Chart) -> None:
        assert chart.ingest_chat(chat(turn("now", NOW))).stored == 1


class TestRefusing:
    @pytest.mark.parametrize("text", ["nul \0 inside", "lone \ud800 surrogate", "x" * 70_000 + "\udfff"])
    def test_a_text_that_no_store_can_keep_is_refused_before_anything_is_stored(self, chart: Chart, text: str) -> None:
        turns = [turn(f"number {number}", at(1)) for number in range(600)]
        with pytest.raises(InvalidText, match=r"^turn 601: "):
            chart.ingest_chat(chat(*turns, turn(text, at(2))))
        assert kept(chart) == []

    @pytest.mark.parametrize("speaker", ["M\0i", "M\ud800i"])
    def test_so_is_such_a_name(self, chart: Chart, speaker: str) -> None:
        with pytest.raises(InvalidText, match=r"^turn 1: "):
            chart.ingest_chat(chat(turn("hi", at(1), speaker)))

    def test_so_is_a_name_that_is_too_long_for_one(self, chart: Chart) -> None:
        with pytest.raises(InvalidValue, match=r"^turn 1: The speaker is longer than 1024 characters"):
            chart.ingest_chat(chat(turn("word " * 20_000, at(1), "M" * 70_000)))

    def test_a_caller_who_may_not_write_keeps_nothing(self, chart: Chart) -> None:
        with pytest.raises(MissingScope):
            chart.acting(scopes=frozenset({Scope.READ})).ingest_chat(chat(turn("hi", at(1))))

    def test_nor_does_one_who_may_not_speak_for_that_kind_of_origin(self, chart: Chart) -> None:
        bound = chart.acting(origin_kinds=frozenset({OriginKind.CHANNEL}))
        with pytest.raises(OriginNotAllowed):
            bound.ingest_chat(chat(turn("hi", at(1))))
        assert bound.ingest_chat(chat(turn("hi", at(1))), origin_kind="channel").stored == 1

    @pytest.mark.parametrize(
        "options",
        [
            {"time_zone": "Mars/Olympus"},
            {"time_zone": "+99:00"},
            {"time_zone": "../etc/passwd"},
            {"time_zone": ""},
            {"origin_kind": "operator"},
            {"origin_kind": "rumour"},
            {"zone": "UTC"},
        ],
    )
    def test_an_option_that_means_nothing_is_refused(self, chart: Chart, options: dict[str, Any]) -> None:
        with pytest.raises(InvalidValue):
            chart.ingest_chat(chat(turn("hi", at(1))), **options)


class TestOrigins:
    @pytest.mark.parametrize(
        ("kind", "role", "expected"),
        [
            ("import", "user", "import"),
            ("import", "assistant", "import"),
            ("channel", "assistant", "channel"),
            ("user_direct", "user", "user_direct"),
            ("user_direct", "admin", "user_direct"),
            ("user_direct", "assistant", "agent_derived"),
            ("user_direct", "tool", "tool_echo"),
            ("user_direct", "system", "tool_echo"),
        ],
    )
    def test_only_a_person_speaks_as_the_user(self, chart: Chart, kind: str, role: str, expected: str) -> None:
        chart.ingest_chat(chat(turn("hi", at(1), role=role)), origin_kind=kind, keep_system=True)
        assert kept(chart)[0]["origins"][0]["kind"] == expected

    def test_a_conversation_can_be_withdrawn_by_its_container(self, chart: Chart) -> None:
        chart.ingest_chat(chat(turn("one", at(1)), turn("two", at(2)), conversation="old"))
        chart.ingest_chat(chat(turn("three", at(3)), conversation="new"))
        chart.invalidate_by_origin(Origin("import", "chat:old"))
        assert contents(chart) == ["Mei (3 March 2026): three"]

    def test_what_is_no_printable_name_becomes_one(self, chart: Chart) -> None:
        odd = turn("hi", at(1), id="line\x07break" * 300, session="\ud800")
        chart.ingest_chat(chat(odd, conversation="a\u200bb\0"))
        (origin,) = kept(chart)[0]["origins"]
        assert [len(origin["container"]), len(origin["item"])] == [len("chat:") + 32, 32]


class TestOnce:
    TURNS = (
        turn("good morning", at(1), id="m1"),
        turn("ok", at(2)),
        turn("ok", at(2)),
        turn("ok"),
        turn("部署完成", at(3), "美玲"),
    )

    def test_the_same_chat_again_changes_nothing(self, chart: Chart, clock: GivenClock) -> None:
        first = chart.ingest_chat(chat(*self.TURNS))
        before = kept(chart)
        clock.advance(3_600)
        again = chart.ingest_chat(chat(*self.TURNS))
        assert (first.stored, first.unchanged, again.stored, again.unchanged) == (5, 0, 0, 5)
        assert kept(chart) == before

    @pytest.mark.parametrize("file", ["before", "after", "both"])
    def test_nor_does_a_chat_that_has_grown(self, chart: Chart, clock: GivenClock, file: str) -> None:
        chart.ingest_chat(chat(*self.TURNS))
        before = kept(chart)
        clock.advance(3_600)
        front = (turn("earlier", at(0)), turn("ok", at(0))) if file != "after" else ()
        back = (turn("later", at(4)), turn("ok", at(4))) if file != "before" else ()
        again = chart.ingest_chat(chat(*front, *self.TURNS, *back))
        assert (again.stored, again.unchanged) == (len(front) + len(back), 5)
        assert kept(chart)[:5] == before

    def test_nor_do_turns_without_any_time_although_it_is_later_now(self, chart: Chart, clock: GivenClock) -> None:
        turns = (turn("one"), turn("two"), turn("one"))
        assert chart.ingest_chat(chat(*turns)).stored == 3
        before = kept(chart)
        clock.advance(3_600)
        again = chart.ingest_chat(chat(turn("one"), *turns))
        assert (again.stored, again.unchanged, again.without_time) == (1, 3, 4)
        assert kept(chart)[:3] == before

    def test_a_workspace_that_lasts_is_no_different(self, address: str, clock: GivenClock) -> None:
        def ingest() -> tuple[int, int, list[dict[str, Any]]]:
            with open_workspace(address, parts=Parts(clock=clock)) as workspace:
                result = workspace.ingest_chat(chat(*self.TURNS))
                return result.stored, result.unchanged, kept(workspace)

        stored, _, before = ingest()
        clock.advance(3_600)
        assert (stored, ingest()) == (5, (0, 5, before))

    def test_what_was_withdrawn_stays_withdrawn(self, chart: Chart) -> None:
        chart.ingest_chat(chat(*self.TURNS))
        chart.invalidate_by_origin(Origin("import", "chat:team"))
        assert (chart.ingest_chat(chat(*self.TURNS)).stored, kept(chart)) == (0, [])

    def test_equal_turns_of_one_instant_are_two_memories(self, chart: Chart) -> None:
        chart.ingest_chat(chat(turn("ok", at(1)), turn("ok", at(1))))
        assert len(set(items(chart))) == 2

    def test_one_text_in_two_conversations_is_two_memories(self, chart: Chart) -> None:
        for conversation in ("one", "two"):
            chart.ingest_chat(chat(turn("ok", at(1)), conversation=conversation))
        assert [memory["origins"][0]["container"] for memory in kept(chart)] == ["chat:one", "chat:two"]


class TestCounting:
    TURNS = (
        turn("You are a helpful assistant.", at(1), None, role="system"),
        turn("hi", at(1)),
        turn(" \n", at(1)),
        turn("", at(1)),
        turn("12 files found", at(2), None, role="tool"),
    )

    def test_empty_turns_and_those_of_the_system_are_skipped_and_counted(self, chart: Chart) -> None:
        assert chart.ingest_chat(chat(*self.TURNS)).to_dict() == {
            "conversation": "team",
            "turns": 5,
            "stored": 1,
            "quarantined": 0,
            "blocked": 0,
            "unchanged": 0,
            "skipped": 4,
            "without_time": 0,
        }

    def test_those_of_the_system_are_kept_where_they_are_wanted(self, chart: Chart) -> None:
        result = chart.ingest_chat(chat(*self.TURNS), keep_system=True)
        assert (result.stored, result.skipped) == (3, 2)
        assert contents(chart)[0] == "system (3 March 2026): You are a helpful assistant."

    def test_progress_is_told_after_each_five_hundred(self, chart: Chart) -> None:
        told: list[tuple[int, int]] = []
        turns = [turn(f"number {number}", at(1)) for number in range(1_001)]
        chart.ingest_chat(chat(*turns), lambda done, total: told.append((done, total)))
        assert told == [(500, 1_001), (1_000, 1_001), (1_001, 1_001)]


class TestLongTurns:
    def test_a_long_turn_is_kept_in_parts_that_end_where_paragraphs_end(self, chart: Chart) -> None:
        paragraphs = [letter * 20_000 for letter in "abcd"]
        result = chart.ingest_chat(chat(turn("\n\n".join(paragraphs), at(1), id="m7")))
        head = "Mei (3 March 2026): "
        assert contents(chart) == [head + "\n\n".join(paragraphs[:3]), head + paragraphs[3]]
        assert (items(chart), result.stored) == (["m7#1", "m7#2"], 1)

    def test_it_is_unchanged_as_a_whole(self, chart: Chart) -> None:
        long = chat(turn("字" * 50_000, at(1)))
        chart.ingest_chat(long)
        assert (chart.ingest_chat(long).unchanged, chart.ingest_chat(long).stored) == (1, 0)

    @pytest.mark.parametrize(
        ("text", "most", "pieces"),
        [
            ("short", 5, ["short"]),
            ("one two three", 8, ["one two", "three"]),
            ("one\ntwo three", 9, ["one", "two three"]),
            ("a b\n\nc d\ne f", 9, ["a b", "c d\ne f"]),
            ("字字字字", 7, ["字字", "字字"]),
            ("abcdefgh", 3, ["abc", "def", "gh"]),
            ("ab        cd", 4, ["ab", "cd"]),
        ],
    )
    def test_a_text_is_cut_at_the_widest_border_that_fits(self, text: str, most: int, pieces: list[str]) -> None:
        assert split(text, most) == pieces

    @given(st.text(st.sampled_from("ab字한🎉 \n"), max_size=200), st.integers(4, 40))
    def test_pieces_fit_and_lose_nothing_but_blanks(self, text: str, most: int) -> None:
        pieces = split(text, most)
        assert "".join("".join(pieces).split()) == "".join(text.split())
        assert all(len(piece.encode()) <= most for piece in pieces)

    def test_the_largest_turn_that_fits_is_one_part(self, chart: Chart) -> None:
        room = LONGEST_CONTENT - len("Mei (3 March 2026): ")
        chart.ingest_chat(chat(turn("x" * room, at(1), id="m1"), turn("x" * (room + 1), at(1), id="m2")))
        assert items(chart) == ["m1", "m2#1", "m2#2"]


@pytest.mark.parametrize("name", ["UTC", "utc", " GMT ", "Z", "+00:00", "UTC+0", "Etc/UTC"])
def test_a_zone_is_read_from_its_name_or_its_offset(name: str) -> None:
    assert datetime(2026, 1, 1, tzinfo=read_zone(name)) == datetime(2026, 1, 1, tzinfo=UTC)


TIMES = st.datetimes(datetime(2020, 1, 1), datetime(2026, 6, 1))  # noqa: DTZ001 - of a file without a zone
TURNS = st.lists(
    st.builds(
        Turn,
        st.sampled_from(["user", "assistant", "system"]),
        st.sampled_from([None, "Mei", "美玲", "민지"]),
        st.sampled_from(["ok", "OK", " ok ", "部署完成", "배포했어요", "", "see C++ and rm -rf"]),
        TIMES | st.none(),
    ),
    max_size=8,
)


def fresh(build: Callable[[Chart], None]) -> list[str]:
    """What a new workspace comes to, without what depends on when and in which order it was told."""
    with open_workspace(":memory:", parts=Parts(clock=GivenClock(NOW))) as workspace:
        build(workspace)
        told = [{k: v for k, v in memory.items() if k not in ("id", "ingested_at")} for memory in kept(workspace)]
        return sorted(json.dumps(memory, sort_keys=True) for memory in told)


def ingesting(*chats: Chat) -> Callable[[Chart], None]:
    def build(chart: Chart) -> None:
        for one in chats:
            chart.ingest_chat(one)

    return build


def dated(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The same turns, with a time for the first."""
    return (turn("first", at(0)), *turns)


class TestProperties:
    @given(TURNS)
    def test_twice_is_once(self, turns: list[Turn]) -> None:
        clock = GivenClock(NOW)
        with open_workspace(":memory:", parts=Parts(clock=clock)) as workspace:
            first = workspace.ingest_chat(chat(*turns))
            before = kept(workspace)
            clock.advance(60)
            again = workspace.ingest_chat(chat(*turns))
            assert kept(workspace) == before
            assert (again.stored, again.unchanged, again.skipped) == (0, first.stored + first.unchanged, first.skipped)

    @given(TURNS, TURNS)
    def test_a_chat_and_what_was_appended_to_it_come_to_the_whole(self, head: list[Turn], tail: list[Turn]) -> None:
        whole = chat(*dated(head), *tail)
        assert fresh(ingesting(chat(*dated(head)), whole)) == fresh(ingesting(whole))

    @given(st.lists(TURNS, min_size=2, max_size=3))
    def test_the_order_of_files_does_not_matter(self, files: list[list[Turn]]) -> None:
        chats = [chat(*dated(turns), conversation=f"chat {number}") for number, turns in enumerate(files)]
        assert fresh(ingesting(*chats)) == fresh(ingesting(*reversed(chats)))

    @given(TURNS)
    def test_every_turn_is_stored_unchanged_or_skipped(self, turns: list[Turn]) -> None:
        with open_workspace(":memory:", parts=Parts(clock=GivenClock(NOW))) as workspace:
            result = workspace.ingest_chat(chat(*turns))
            assert result.stored + result.unchanged + result.skipped == result.turns == len(turns)
            assert len(kept(workspace)) == result.stored

    @given(TURNS)
    def test_turns_without_times_of_their_own_stay_in_order(self, turns: list[Turn]) -> None:
        untimed = [turn(f"number {number}") for number, _ in enumerate(turns)]
        with open_workspace(":memory:", parts=Parts(clock=GivenClock(NOW))) as workspace:
            workspace.ingest_chat(chat(*dated(untimed)))
            times = [datetime.fromisoformat(memory["valid_from"]) for memory in kept(workspace)]
            assert all(one + timedelta(microseconds=1) == other for one, other in pairwise(times))
