"""Chats in JSON and JSON lines: messages are found by what their keys say, wherever they lie."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karte.errors import InvalidTime, InvalidValue, UnreadableChat
from karte.importers.chat import Turn, parse_chat
from tests.unit.importers.reading import of_json, of_lines, said, times

HI = {"role": "user", "content": "hi"}


class TestMessages:
    @pytest.mark.parametrize("key", ["content", "text", "message", "body", "value"])
    def test_the_words(self, key: str) -> None:
        assert said(of_json([{"speaker": "Mei", key: "hi"}])) == [("Mei", "hi")]

    @pytest.mark.parametrize(
        ("content", "text"),
        [
            ("hi", "hi"),
            ([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], "one\ntwo"),
            ([{"type": "input_text", "text": "one"}, {"type": "image_url", "image_url": {"url": "x"}}], "one"),
            ([{"type": "thinking", "text": "hm"}, {"type": "text", "text": "one"}], "one"),
            ([{"type": "tool_result", "content": "12 files", "text": "12 files"}], ""),
            (["see ", {"type": "link", "text": "karte.dev"}, " now"], "see karte.dev now"),
            ({"parts": ["one", "two"]}, "one\ntwo"),
            ({"type": "text", "text": "one"}, "one"),
            (None, ""),
            ([], ""),
        ],
    )
    def test_the_words_in_parts(self, content: object, text: str) -> None:
        assert said(of_json([{"role": "user", "content": content}, HI]))[0] == (None, text)

    @pytest.mark.parametrize(
        "message",
        [
            {"speaker": "Mei"},
            {"author": "Mei"},
            {"sender": "Mei"},
            {"from": "Mei"},
            {"name": "Mei", "role": "user"},
            {"user": "U1", "username": "Mei"},
            {"sender": "user_102", "sender_name": "Mei"},
            {"author": {"id": "7", "name": "Mei"}},
            {"senderName": "Mei"},
        ],
    )
    def test_the_speaker(self, message: dict[str, Any]) -> None:
        assert said(of_json([{**message, "text": "hi"}])) == [("Mei", "hi")]

    @pytest.mark.parametrize(
        ("message", "role"),
        [
            ({"role": "user"}, "user"),
            ({"role": "human"}, "user"),
            ({"role": "Assistant"}, "assistant"),
            ({"role": "model"}, "assistant"),
            ({"role": "tool"}, "tool"),
            ({"role": "developer"}, "developer"),
            ({"author": {"role": "assistant"}}, "assistant"),
            ({"sender": "human"}, "user"),
            ({"from": "gpt"}, "assistant"),
            ({"speaker": "Mei"}, "user"),
            ({"speaker": "Deploy Bot"}, "assistant"),
            ({"author": {"name": "Dudu", "isBot": True}}, "assistant"),
            ({"user": "U1", "bot_id": "B1"}, "assistant"),
            ({"user": "U1", "subtype": "channel_join"}, "system"),
            ({"from": "Mei", "type": "service"}, "system"),
            ({"user": "U1", "subtype": None}, "user"),
            ({"user": "U1", "subtype": []}, "user"),
        ],
    )
    def test_the_role(self, message: dict[str, Any], role: str) -> None:
        assert [turn.role for turn in of_json([{**message, "text": "hi"}]).turns] == [role]

    @pytest.mark.parametrize(
        "message",
        [
            {"timestamp": "2026-03-03T09:41:00Z"},
            {"time": 1_772_530_860},
            {"ts": "1772530860.000000"},
            {"created_at": 1_772_530_860_000},
            {"createTime": "2026-03-03T09:41:00+00:00"},
            {"date": "2026-03-03T17:41:00+08:00"},
        ],
    )
    def test_the_time(self, message: dict[str, Any]) -> None:
        (turn,) = of_json([{**HI, **message}]).turns
        assert turn.time == datetime(2026, 3, 3, 9, 41, tzinfo=UTC)

    def test_a_day_and_a_clock_that_stand_apart_are_one_time(self) -> None:
        assert times(of_json([{**HI, "date": "2026-03-03", "time": "9:41 PM"}])) == ["2026-03-03T21:41"]

    @pytest.mark.parametrize("key", ["id", "message_id", "uuid", "dia_id", "msg_id"])
    def test_the_id(self, key: str) -> None:
        assert [turn.id for turn in of_json([{**HI, key: "D1:3"}]).turns] == ["D1:3"]

    def test_a_number_is_an_id_too(self) -> None:
        assert [turn.id for turn in of_json([{**HI, "id": 7}, {**HI, "id": True}]).turns] == ["7", None]

    @pytest.mark.parametrize("key", ["session", "session_id", "sessionId", "conversation", "thread"])
    def test_the_session(self, key: str) -> None:
        assert [turn.session for turn in of_json([{**HI, key: "s1"}, {**HI, key: "s2"}]).turns] == ["s1", "s2"]

    def test_a_picture_is_told_by_its_caption(self) -> None:
        messages = [
            {"speaker": "Mei", "text": "Look!", "blip_caption": "a teapot"},
            {"speaker": "Mei", "text": "", "blip_caption": "a cup"},
        ]
        assert [turn.text for turn in of_json(messages).turns] == ["Look! [image: a teapot]", "[image: a cup]"]

    def test_a_question_with_its_answer_is_two_turns(self) -> None:
        turns = of_json([{"query": "早？", "response": "早！", "time": "2026-03-03"}]).turns
        assert [(turn.role, turn.text) for turn in turns] == [("user", "早？"), ("assistant", "早！")]

    def test_a_message_in_an_envelope_is_told_by_both(self) -> None:
        (turn,) = of_json([{"uuid": "u1", "timestamp": "2026-03-03", "type": "user", "message": HI}]).turns
        assert (turn.id, turn.text, turn.time) == ("u1", "hi", datetime(2026, 3, 3))  # noqa: DTZ001 - a bare date

    def test_its_place_is_its_number(self) -> None:
        assert [turn.place for turn in of_json([HI, HI]).turns] == ["chat.json, message 1", "chat.json, message 2"]


class TestShapes:
    @pytest.mark.parametrize(
        "key",
        [
            *("messages", "conversation", "turns", "conversation_list", "history", "chat_messages", "dialogue"),
            *("contents", "conversations", "sessions", "chatHistory"),
        ],
    )
    def test_a_list_under_a_usual_name(self, key: str) -> None:
        chat = of_json({"title": "x", key: [HI], "tools": [{"name": "t", "content": "no message", "id": 1}]})
        assert said(chat) == [(None, "hi")]

    def test_one_message_alone(self) -> None:
        assert said(of_json({**HI, "id": "m1"})) == [(None, "hi")]
        assert of_json({**HI, "id": "m1"}).conversation == "chat.json"

    def test_sessions_by_key_with_their_dates_beside_them(self) -> None:
        chat = of_json(
            {
                "sample_id": "conv-26",
                "qa": [{"question": "When?", "answer": "7 May", "evidence": ["D1:3"]}],
                "conversation": {
                    "speaker_a": "Mei",
                    "session_1_date_time": "1:56 pm on 8 May, 2023",
                    "session_1": [
                        {"speaker": "Mei", "dia_id": "D1:1", "text": "one"},
                        {"speaker": "Kenji", "dia_id": "D1:2", "text": "two"},
                    ],
                    "session_2_date_time": "1:14 pm on 25 May, 2023",
                    "session_2": [{"speaker": "Mei", "dia_id": "D2:1", "text": "three"}],
                },
            }
        )
        assert chat.conversation == "conv-26"
        assert [(turn.id, turn.session) for turn in chat.turns] == [
            ("D1:1", "session_1"),
            ("D1:2", "session_1"),
            ("D2:1", "session_2"),
        ]
        assert times(chat) == ["2023-05-08T13:56", None, "2023-05-25T13:14"]

    def test_several_conversations_keep_their_ids_apart(self) -> None:
        chat = of_json([{"id": "a", "messages": [{**HI, "id": 1}]}, {"id": "b", "messages": [{**HI, "id": 1}]}])
        assert (chat.conversation, [(turn.id, turn.session) for turn in chat.turns]) == (
            "chat.json",
            [("a/1", "a"), ("b/1", "b")],
        )

    def test_conversations_without_ids_are_numbered(self) -> None:
        chat = of_json([{"messages": [{**HI, "id": "m1"}]}, {"messages": [HI]}])
        assert [(turn.id, turn.session) for turn in chat.turns] == [("m1", "1"), (None, "2")]

    def test_people_with_days_of_questions_and_answers(self) -> None:
        days = {"2023-04-27": [{"query": "q1", "response": "a1"}], "2023-04-28": [{"query": "q2", "response": "a2"}]}
        chat = of_json({"張曼婷": {"name": "張曼婷", "summary": {}, "history": days}})
        assert [turn.session for turn in chat.turns] == ["張曼婷/2023-04-27"] * 2 + ["張曼婷/2023-04-28"] * 2
        assert times(chat) == ["2023-04-27T00:00", None, "2023-04-28T00:00", None]

    def test_what_is_told_of_the_whole_in_a_part_of_its_own(self) -> None:
        message = {"message_id": "m1", "create_time": "2025-02-01T10:00:00", "sender_name": "Chen", "content": "早"}
        meta = {"group_id": "g1", "default_timezone": "Asia/Taipei"}
        chat = of_json({"version": "1", "session_meta": meta, "conversation_list": [message]})
        assert (chat.conversation, times(chat)) == ("g1", ["2025-02-01T10:00+08:00"])

    def test_a_session_that_names_its_beginning(self) -> None:
        sessions = [{"id": "s1", "date": "2026-03-03", "turns": [HI, HI]}, {"id": "s2", "turns": [HI]}]
        assert times(of_json({"sessions": sessions})) == ["2026-03-03T00:00", None, None]

    def test_a_beginning_that_cannot_be_read_is_none(self) -> None:
        assert times(of_json({"date": "last spring", "messages": [HI]})) == [None]

    def test_a_wrapping_is_no_session(self) -> None:
        assert [turn.session for turn in of_json({"data": {"messages": [HI]}}).turns] == [None]

    @pytest.mark.parametrize(
        ("document", "conversation"),
        [
            ({"conversation_id": "c1", "messages": [HI]}, "c1"),
            ({"id": 7, "messages": [HI]}, "7"),
            ({"messages": [{**HI, "conversation": "c1"}, {**HI, "conversation": "c1"}]}, "c1"),
            ({"messages": [{**HI, "conversation": "c1"}, {**HI, "conversation": "c2"}]}, "chat.json"),
            ({"owner": {"id": "u7"}, "messages": [HI]}, "chat.json"),
            ({"metadata": {"id": "c1"}, "messages": [HI]}, "c1"),
            ([HI], "chat.json"),
        ],
    )
    def test_the_conversation_is_what_the_file_says_or_the_name_of_the_file(
        self, document: object, conversation: str
    ) -> None:
        assert of_json(document).conversation == conversation

    def test_an_entry_that_says_nothing_is_an_empty_turn(self) -> None:
        assert said(of_json([HI, {"type": "summary"}, {"role": "assistant", "tool_calls": [{"id": "x"}]}])) == [
            (None, "hi"),
            (None, ""),
            (None, ""),
        ]

    def test_dates_in_numbers_are_read_as_the_file_tells(self) -> None:
        dates = ["3/4/26, 9:00", "15/4/26, 9:00"]
        assert times(of_json([{**HI, "time": date} for date in dates])) == ["2026-04-03T09:00", "2026-04-15T09:00"]


class TestLines:
    def test_one_message_a_line(self) -> None:
        chat = of_lines({**HI, "id": "m1"}, {"role": "assistant", "content": "hello"})
        assert [(turn.role, turn.text, turn.place) for turn in chat.turns] == [
            ("user", "hi", "chat.jsonl, line 1"),
            ("assistant", "hello", "chat.jsonl, line 2"),
        ]

    def test_the_first_line_may_tell_of_the_whole(self) -> None:
        chat = of_lines({"conversation": "c1", "time_zone": "Asia/Taipei"}, {**HI, "time": "2026-03-03 09:00"})
        assert (chat.conversation, times(chat)) == ("c1", ["2026-03-03T09:00+08:00"])

    def test_one_conversation_a_line(self) -> None:
        chat = of_lines({"messages": [HI]}, {"messages": [HI, HI]})
        assert [turn.session for turn in chat.turns] == ["1", "2", "2"]

    @pytest.mark.parametrize("name", ["chat.jsonl", "chat.ndjson", "chat.txt", "chat.json", "chat"])
    def test_whatever_the_file_is_called(self, name: str) -> None:
        assert len(of_lines(HI, HI, name=name).turns) == 2

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_however_lines_end_and_whatever_lies_between(self, end: str) -> None:
        data = end.join(["", json.dumps(HI), "  ", '{"role": "user", "content": "a\u2028b\x85c"}', ""]).encode()
        chat = parse_chat(data, "chat.jsonl")
        assert [(turn.text, turn.place[-6:]) for turn in chat.turns] == [("hi", "line 2"), ("a\u2028b\x85c", "line 4")]

    def test_a_single_line_is_a_document(self) -> None:
        assert said(parse_chat(json.dumps(HI).encode() + b"\n", "chat.txt")) == [(None, "hi")]


class TestRefusals:
    @pytest.mark.parametrize(
        ("value", "reason"),
        [
            ([], "chat.json holds no messages."),
            ({}, "chat.json holds no messages."),
            ("text", "chat.json holds no messages."),
            ([{"id": 1, "text": "a passage"}], "chat.json holds no messages."),
            ([{"role": "user", "content": ""}], "chat.json holds no messages."),
            ([HI, "hello"], 'chat.json: entry 2 of a list of messages is no object: "hello"'),
        ],
    )
    def test_a_document_without_messages(self, value: object, reason: str) -> None:
        with pytest.raises(UnreadableChat) as caught:
            of_json(value)
        assert caught.value.message == reason

    def test_conversations_that_branch(self) -> None:
        node: dict[str, Any] = {"id": "n1", "parent": None, "children": [], "message": {"content": {"parts": ["hi"]}}}
        with pytest.raises(UnreadableChat, match="branch"):
            of_json([{"title": "x", "mapping": {"n1": node}}])

    @pytest.mark.parametrize(
        ("text", "name", "place"),
        [
            ('[{"role": "user",\n "content": }]', "a.json", "a.json, line 2, column 13"),
            ('{"role": "user", "content": "hi"}\n{"role": ', "a.jsonl", "a.jsonl, line 2, column 10"),
            ('{"role": "user", "content": "hi"}\n\n[1]', "a.jsonl", "a.jsonl, line 3"),
            ('{"role": "user", "content": "hi"}\nhello', "a.txt", "a.txt, line 2, column 1"),
            ("hello", "a.json", "a.json, line 1, column 1"),
            (
                '{"messages": [{"role": "user", "content": "hi"}]}\n{"messages": [{"role": "user", "content": "hi"}, 7]}',
                "a",
                "a, line 2",
            ),
            ('[{"role": "user", "content": "hi", "time": ' + "9" * 5_000 + "}]", "a.json", "a.json, line 1"),
        ],
    )
    def test_what_is_no_json_is_refused_by_its_line(self, text: str, name: str, place: str) -> None:
        with pytest.raises(UnreadableChat) as caught:
            parse_chat(text.encode(), name)
        assert caught.value.message.split(": ")[0] == place

    def test_a_time_that_cannot_be_read_is_refused_by_its_place(self) -> None:
        with pytest.raises(InvalidTime, match=r"^chat\.jsonl, line 2: 'soon'"):
            of_lines(HI, {**HI, "time": "soon"})

    def test_a_zone_that_does_not_exist_is_refused(self) -> None:
        with pytest.raises(InvalidValue, match=r"^chat\.json: 'Mars' is no time zone"):
            of_json({"timezone": "Mars", "messages": [HI]})

    @pytest.mark.parametrize("data", [b"[" * 100_000, b'{"a":' * 900 + b"1" + b"}" * 900])
    def test_a_document_that_is_nested_too_deeply(self, data: bytes) -> None:
        with pytest.raises(UnreadableChat, match="nested too deeply"):
            parse_chat(data, "a.json")


WORDS = st.text(min_size=1, max_size=20).filter(str.strip)
BOUNDS = (datetime(1980, 1, 1), datetime(2030, 1, 1))  # noqa: DTZ001 - of a file without a zone
TIMES = st.datetimes(*BOUNDS) | st.datetimes(*BOUNDS, timezones=st.just(UTC))
TURNS = st.lists(
    st.builds(
        Turn,
        st.sampled_from(["user", "assistant", "system", "tool"]),
        st.none() | WORDS,
        WORDS,
        st.none() | TIMES,
        st.none() | WORDS,
        st.none() | WORDS,
    ),
    min_size=1,
    max_size=10,
)


def written(turn: Turn) -> dict[str, object]:
    """A turn as a message."""
    time = turn.time and turn.time.isoformat()
    keys = ("role", "speaker", "text", "time", "id", "session")
    return dict(zip(keys, (turn.role, turn.speaker, turn.text, time, turn.id, turn.session), strict=True))


class TestProperties:
    @given(TURNS, st.booleans())
    def test_turns_written_as_json_or_as_lines_are_read_as_they_were(self, turns: list[Turn], escaped: bool) -> None:
        document = json.dumps([written(turn) for turn in turns], ensure_ascii=escaped).encode()
        lines = "\n".join(json.dumps(written(turn), ensure_ascii=escaped) for turn in turns).encode()
        assert list(parse_chat(document, "a.json").turns) == turns
        assert list(parse_chat(lines, "a.jsonl").turns) == turns

    @given(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(
                        [
                            "role",
                            "content",
                            "text",
                            "messages",
                            "time",
                            "id",
                            "mapping",
                            "type",
                            "subtype",
                            "author",
                            "a",
                        ]
                    ),
                    inner,
                    max_size=4,
                )
            ),
            max_leaves=20,
        )
    )
    def test_any_json_is_a_chat_or_is_refused(self, value: object) -> None:
        try:
            chat = of_json(value)
        except (UnreadableChat, InvalidTime):
            return
        assert any(turn.text.strip() for turn in chat.turns)
