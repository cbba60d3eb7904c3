"""Twenty-four transcripts of other programs: how many messages each holds, and who speaks."""

import json
from pathlib import Path

import pytest

from karte.errors import UnreadableChat
from karte.importers.chat import Chat, parse_chat, read_chat


def matter(values: dict[str, str]) -> str:
    return "".join(["---\n", *(f"{key}: {value}\n" for key, value in values.items()), "---\n"])


def read(text: str, name: str) -> Chat:
    try:
        return parse_chat(text.encode(), name)
    except UnreadableChat:
        return Chat(name, ())


@pytest.mark.parametrize("top", ["with its front matter", "without"])
def test_messages_and_participants_of_each_transcript(data_dir: Path, top: str) -> None:
    lines = (data_dir / "exports/gbrain_conversation_formats/all.jsonl").read_text(encoding="utf-8").splitlines()
    samples = [sample for sample in map(json.loads, lines) if "body" in sample]
    expected, actual = {}, {}
    for sample in samples:
        name = sample["fixture_id"]
        text = sample["body"] if top == "without" else matter(sample["frontmatter"]) + sample["body"]
        turns = read(text, name).turns
        expected[name] = (sample["expected_messages"], sorted(sample["expected_participants"]))
        actual[name] = (len(turns), sorted({turn.speaker for turn in turns if turn.speaker}))
    assert len(samples) == 24
    assert actual == expected


@pytest.mark.parametrize(
    ("path", "turns", "conversation"),
    [
        ("everos_chats/team_chat_zh.json", 510, "group_sales_ai_2025"),
        ("everos_chats/team_chat_en.json", 509, "group_sales_ai_2025"),
        ("everos_chats/solo_chat_zh.json", 104, "chat_user_001_assistant"),
        ("memorybank/cn/memory_bank_cn.json", 1_132, "memory_bank_cn.json"),
    ],
)
def test_chats_in_json(data_dir: Path, path: str, turns: int, conversation: str) -> None:
    chat = read_chat(data_dir / path)
    assert (len(chat.turns), chat.conversation, chat.turns[0].time is None) == (turns, conversation, False)
