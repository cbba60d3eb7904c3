"""Chats as plain text: the style of a file, its speakers, its days and its lines."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karte.errors import Incorrect, InvalidValue, UnreadableChat
from karte.importers.chat import parse_chat
from tests.unit.importers.reading import of_text, said, times

ALICE_BOB = [("Alice", "hello"), ("Bob", "hey"), ("Alice", "bye")]
THREE = ["2024-03-15T18:37", "2024-03-15T18:38", "2024-03-15T18:39"]


class TestStyles:
    @pytest.mark.parametrize(
        "head",
        [
            "[15/03/24, 18:{}:00] {}: {}",
            "[2024-03-15 18:{}] {}: {}",
            "(2024-03-15 18:{}) {}: {}",
            "[2024-03-15T18:{}:00] <{}> {}",
            "3/15/24, 6:{} PM - {}: {}",
            "15.03.2024, 18:{} - {}: {}",
            "2024-03-15 18:{} {}: {}",
            "2024년 3월 15일 오후 6:{}, {} : {}",
            "{1} (2024-03-15 6:{0} PM): {2}",
            "**{1}** (2024-03-15 6:{0} PM): {2}",
            "{1}, 3/15/2024 6:{0} PM: {2}",
            "**{1}** 2024-03-15 18:{0} — {2}",
            "{1} 2024-03-15 18:{0} - {2}",
            "[{1}] [2024-03-15 오후 6:{0}] {2}",
            "{1}, [15.03.2024 18:{0}]\n{2}\n",
            "{1} — 03/15/2024 6:{0} PM\n{2}\n",
            "{1} 2024-03-15 18:{0}:00\n{2}\n",
            "2024-03-15 18:{0}:00 {1}\n{2}\n",
            "[3/15/2024 6:{0} PM] {1}\n{2}",
            "> **{1}** (2024-03-15 18:{0}): {2}",
        ],
    )
    def test_a_time_with_its_day_beside_the_speaker(self, head: str) -> None:
        text = "\n".join(head.format(37 + n, name, words) for n, (name, words) in enumerate(ALICE_BOB))
        chat = of_text(text)
        assert (said(chat), times(chat)) == (ALICE_BOB, THREE)

    @pytest.mark.parametrize(
        "day", ["---\ndate: 2024-03-15\n---\n", "Date: 2024-03-15\n\n", "## 2024-03-15\n", "# Chat of 15 March 2024\n"]
    )
    @pytest.mark.parametrize(
        "head",
        [
            "[18:{}] {}: {}",
            "18:{} <{}> {}",
            "[18:{}] <@{}> {}",
            "[18:{}] @{}:matrix.org: {}",
            "**[18:{}] 👤 {}:** {}",
            "18:{}\t{}\t{}",
            "18:{}:00\t From  {} : {}",
            "18:{} From {} to Everyone: {}",
            "{1} (6:{0} PM): {2}",
            "**{1}** 18:{0} — {2}",
            "{1}  6:{0} PM\n{2}\n",
            "[{1}] [下午6:{0}] {2}",
        ],
    )
    def test_a_clock_alone_of_the_day_that_the_file_names(self, day: str, head: str) -> None:
        text = day + "\n".join(head.format(37 + n, name, words) for n, (name, words) in enumerate(ALICE_BOB))
        chat = of_text(text)
        assert (said(chat), times(chat)) == (ALICE_BOB, THREE)

    @pytest.mark.parametrize(
        "head", ["<{}> {}", "**{}:** {}", "**{}**: {}", "__{}__: {}", "- **{}:** {}", "{}: {}", "{}：{}", "{}:\n{}\n"]
    )
    def test_no_time_at_all(self, head: str) -> None:
        chat = of_text("\n".join(head.format(name, words) for name, words in ALICE_BOB))
        assert (said(chat), times(chat)) == (ALICE_BOB, [None, None, None])

    def test_headings_that_name_roles(self) -> None:
        chat = of_text("## User\n\nwhich command?\n\n### Example\n\nx\n\n## Assistant:\n\nthis one\n")
        assert [(turn.role, turn.text) for turn in chat.turns] == [
            ("user", "which command?\n\n### Example\n\nx"),
            ("assistant", "this one"),
        ]

    def test_a_long_answer_is_one_message(self) -> None:
        paragraphs = "\n\n".join(f"Paragraph {number} of the answer." for number in range(40))
        chat = of_text(f"**You:** why?\n\n**ChatGPT:** {paragraphs}\n\n**You:** thanks\n")
        assert said(chat) == [("You", "why?"), ("ChatGPT", paragraphs), ("You", "thanks")]

    @pytest.mark.parametrize(
        "text",
        ["[2024-03-15 18:37] Alice: hello", "2024-03-15 18:37 - Alice: hello", "User: hello", "**You:** hello"],
    )
    def test_one_message_alone(self, text: str) -> None:
        assert [turn.text for turn in of_text(text).turns] == ["hello"]


class TestLines:
    def test_a_line_that_is_no_head_goes_on_with_the_message(self) -> None:
        text = (
            "12/03/2026, 09:15 - Mei: packing list:\nPassport: yes\n\n  [18:37] Kenji: not a head here\n"
            "Note: 18:37\n2026-03-20\n12/03/2026, 09:16 - Kenji: 了解です\n"
        )
        words = "packing list:\nPassport: yes\n\n  [18:37] Kenji: not a head here\nNote: 18:37\n2026-03-20"
        assert said(of_text(text)) == [("Mei", words), ("Kenji", "了解です")]

    def test_a_notice_ends_a_message_and_has_no_speaker(self) -> None:
        text = (
            '12/03/2026, 09:14 - Mei created group "Trip: Japan"\n12/03/2026, 09:15 - Mei: hi\n'
            "12/03/2026, 09:16 - Kenji left\n12/03/2026, 09:17 - Mei: oh\n"
        )
        assert [(turn.role, turn.speaker, turn.text) for turn in of_text(text).turns] == [
            ("system", None, 'Mei created group "Trip: Japan"'),
            ("user", "Mei", "hi"),
            ("system", None, "Kenji left"),
            ("user", "Mei", "oh"),
        ]

    def test_so_does_one_among_names_in_angles(self) -> None:
        chat = of_text("[18:37] <alice> hi\n[18:38] * alice waves\n[18:39] -!- bob joined\n[18:40] <alice> x <b> y\n")
        assert said(chat) == [("alice", "hi"), (None, "* alice waves"), (None, "-!- bob joined"), ("alice", "x <b> y")]

    @pytest.mark.parametrize("omitted", ["<Media omitted>", "\u200eimage omitted", "[貼圖]", "<省略多媒體檔案>"])
    def test_what_stands_for_a_picture_says_nothing(self, omitted: str) -> None:
        chat = of_text(f"[15/03/24, 18:37:00] Alice: hi\n[15/03/24, 18:38:00] Bob: {omitted}\n")
        assert said(chat) == [("Alice", "hi"), ("Bob", "")]

    def test_marks_of_direction_and_odd_blanks_are_no_letters(self) -> None:
        chat = of_text("\u200e[15/03/24, 6:37:00\u202fPM] ~\u202fAlice: hello\n[15/03/24, 6:38:00\u202fPM] Bob: hey\n")
        assert (said(chat), times(chat)) == ([("Alice", "hello"), ("Bob", "hey")], THREE[:2])

    def test_days_change_where_a_heading_says_so(self) -> None:
        text = (
            "[LINE] 與小美的聊天記錄\n儲存日期：2026/03/20 10:00\n\n2026/03/03（二）\n09:12\t小美\t早安，今天部署\n"
            "下午6:37\t老闆\t好\n\n2026/03/04（三）\n09:00\t小美\t完成了\n"
        )
        chat = of_text(text)
        assert said(chat) == [("小美", "早安，今天部署"), ("老闆", "好"), ("小美", "完成了")]
        assert times(chat) == ["2026-03-03T09:12", "2026-03-03T18:37", "2026-03-04T09:00"]

    def test_or_where_the_clock_passes_midnight(self) -> None:
        chat = of_text("Date: 2026-03-03\n[23:58] Mei: late\n[00:02] Kenji: early\n[00:05] Mei: ok\n")
        assert times(chat) == ["2026-03-03T23:58", "2026-03-04T00:02", "2026-03-04T00:05"]

    def test_without_times_the_first_message_of_a_day_begins_it(self) -> None:
        chat = of_text("日期：2026年3月3日\n\n小美：一\n老闆：二\n\n--- 2026年3月4日 ---\n小美：三\n老闆：四\n")
        assert times(chat) == ["2026-03-03T00:00", None, "2026-03-04T00:00", None]

    def test_a_clock_without_any_day_is_no_time(self) -> None:
        assert times(of_text("[18:37] Mei: hi\n[18:38] Kenji: ho\n")) == [None, None]

    @pytest.mark.parametrize(
        ("text", "days"),
        [
            ("03/04/26, 18:37 - Mei: a\n15/04/26, 18:37 - Mei: b", ["2026-04-03", "2026-04-15"]),
            ("03/04/26, 6:37 PM - Mei: a\n03/05/26, 6:37 PM - Mei: b", ["2026-03-04", "2026-03-05"]),
            ("03/04/26, 18:37 - Mei: a\n03/05/26, 18:37 - Mei: b", ["2026-04-03", "2026-05-03"]),
        ],
    )
    def test_days_in_numbers_are_read_as_the_file_tells(self, text: str, days: list[str]) -> None:
        assert [(time or "")[:10] for time in times(of_text(text))] == days

    def test_or_as_the_caller_says(self) -> None:
        text = "03/04/26, 18:37 - Mei: a\n03/05/26, 18:37 - Mei: b"
        assert [(time or "")[:10] for time in times(of_text(text, day_first=False))] == ["2026-03-04", "2026-03-05"]


class TestMatter:
    def test_the_top_of_a_file_names_its_day_its_zone_and_its_conversation(self) -> None:
        top = "---\ndate: 2026-05-24\ntimezone: America/Los_Angeles\nconversation_id: standup\ntitle: x: y\n---\n"
        chat = of_text(f"{top}**[18:37] 🤖 Zion Bot:** hello\n**[18:38] 👤 Alice:** hey\n")
        assert (chat.conversation, times(chat)) == ("standup", ["2026-05-24T18:37-07:00", "2026-05-24T18:38-07:00"])
        assert [(turn.role, turn.speaker) for turn in chat.turns] == [("assistant", "Zion Bot"), ("user", "Alice")]

    def test_else_the_conversation_is_the_file(self) -> None:
        assert of_text("User: hi\nAssistant: ho\n", "a b.txt").conversation == "a b.txt"

    def test_a_zone_that_does_not_exist_is_refused_by_its_line(self) -> None:
        with pytest.raises(InvalidValue, match=r"^chat\.txt, line 3: 'Mars' is no time zone"):
            of_text("---\ndate: 2026-05-24\ntimezone: Mars\n---\nUser: hi\nAssistant: ho\n")

    def test_the_place_of_a_message_is_its_line(self) -> None:
        chat = of_text("---\ndate: 2026-05-24\n---\n\nUser: hi\nmore\nAssistant: ho\n")
        assert [turn.place for turn in chat.turns] == ["chat.txt, line 5", "chat.txt, line 7"]


PROSE = "".join(f"This is an ordinary sentence, number {number}.\n" for number in range(20))


class TestRefusals:
    @pytest.mark.parametrize(
        "text",
        [
            PROSE,
            f"{PROSE}**Deadline** 09:15 — a quoted entry\n{PROSE}",
            f"**Attendees:** Alice, Bob\n**Date:** 2026-05-28\n**Goal:** decide\n{PROSE}",
            "Dear John: I wanted to say hello at 9:30.\nYours: Mary\n",
            "name: karte\nversion: 1\ndescription: x\n",
            "2026-03-03 09:12:00 ERROR: failed\n2026-03-03 09:12:01 INFO: x\n2026-03-03 09:12:02 ERROR: y\n",
            "date,name,amount\n2026-03-03,Alice,10\n2026-03-04,Bob,20\n",
            "def f(a):\n    if a:\n        return 1\n    else:\n        return 2\n\n    else:\n        pass\n",
            "# Notes\n\n## User\n\nThe user wants x.\n\n## Summary\n\ny\n",
            "see http://a.b\nsee http://c.d\n",
            "18:37Alice: hi\n18:38Alice: ho\n",
            "item: milk\nitem: tea\nitem: rice\n",
            f"{PROSE}[2024-03-15 18:37] Alice: a quotation\n{PROSE}",
            "Stand-up 09:15\nReview 09:30\nStand-up 09:15\nReview 09:30\n",
            "2026-03-03 Monday\nIt rained.\n\n2026-03-10 Monday\nIt snowed.\n",
            "On Mar 15, 2024, at 6:37 PM, Alice wrote:\n> hello\n",
        ],
        ids=[
            "prose",
            "entry",
            "labels",
            "letter",
            "fields",
            "log",
            "table",
            "program",
            "notes",
            "links",
            "glued",
            "list",
            "quotation",
            "schedule",
            "diary",
            "mail",
        ],
    )
    def test_what_holds_no_conversation_is_refused(self, text: str) -> None:
        with pytest.raises(UnreadableChat, match=r"^chat\.md is no chat that can be read: "):
            of_text(text, "chat.md")

    @given(st.text(st.sampled_from("AliceBob小美 \t\n:：[]()<>*#-—,/0123456789PMTZ年月日下午"), max_size=120))
    def test_any_text_is_a_chat_or_is_refused(self, text: str) -> None:
        try:
            chat = parse_chat(text.encode(), "chat.txt")
        except Incorrect:
            return
        assert any(turn.text.strip() for turn in chat.turns)


EARLY, LATE = datetime(1990, 1, 1), datetime(2030, 1, 1)  # noqa: DTZ001 - of a file without a zone
NAMES = st.sampled_from(["Alice", "Bob", "Mei Chen", "小美", "李老闆", "김민지", "佐藤健二", "Jürgen"])
WORDS = st.text(st.characters(categories=["L", "N", "P", "Zs"]), min_size=1, max_size=30).filter(
    lambda words: words.strip() == words and not words.startswith(("[", "<", "(", "（", "\u200e"))
)


@given(st.lists(st.tuples(NAMES, WORDS, st.datetimes(EARLY, LATE)), min_size=1, max_size=8))
def test_a_transcript_of_any_messages_is_read_as_it_was(messages: list[tuple[str, str, datetime]]) -> None:
    lines = [f"[{time:%Y-%m-%d %H:%M:%S}] {name}: {words}" for name, words, time in messages]
    chat = of_text("\n".join(lines))
    assert [(turn.speaker, turn.text, turn.time) for turn in chat.turns] == [
        (name, words, time.replace(microsecond=0)) for name, words, time in messages
    ]
