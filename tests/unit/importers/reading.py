"""How the tests of chats write a file down, and what they compare."""

import json

from karte.importers.chat import Chat, parse_chat

Said = tuple[str | None, str]


def of_json(value: object, name: str = "chat.json") -> Chat:
    """Read a value as a JSON document."""
    return parse_chat(json.dumps(value, ensure_ascii=False).encode(), name)


def of_lines(*values: object, name: str = "chat.jsonl") -> Chat:
    """Read values as JSON lines."""
    return parse_chat("\n".join(json.dumps(value) for value in values).encode(), name)


def of_text(text: str, name: str = "chat.txt", *, day_first: bool | None = None) -> Chat:
    """Read a transcript."""
    return parse_chat(text.encode(), name, day_first=day_first)


def said(chat: Chat) -> list[Said]:
    """Who said what."""
    return [(turn.speaker, turn.text) for turn in chat.turns]


def times(chat: Chat) -> list[str | None]:
    """When each turn was said, to the minute."""
    return [turn.time.isoformat(timespec="minutes") if turn.time else None for turn in chat.turns]
