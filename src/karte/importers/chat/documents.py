"""Chats in JSON: one document, or one message a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from karte.engine.remembering.turns import Chat
from karte.errors import Incorrect, UnreadableChat
from karte.importers.chat.dating import Placed, Source, chat_of
from karte.importers.chat.decoding import split_lines
from karte.importers.chat.finding import Where, conversation_of, describe, messages_in, one_message
from karte.importers.chat.messages import Fields

_OPENING: Final = ("{", "[{", "[[", "[]")


def is_document(text: str) -> bool:
    """Tell whether a text starts as a JSON document does; `[18:37] Alice: hello` does not."""
    return "".join(text[:100].split()).startswith(_OPENING)


def is_lines(text: str) -> bool:
    """Tell whether the first line is a JSON object of its own, with more lines behind it."""
    first, _, rest = text.lstrip().partition("\n")
    try:
        return bool(rest.strip()) and first.startswith("{") and isinstance(json.loads(first), dict)
    except ValueError:
        return False


def read_document(text: str, source: Source) -> Chat:
    """Read a JSON document; raises `UnreadableChat` that names line and column where it is none."""
    node = _load(text, source.name, 1)
    placed: list[Placed] = []
    try:
        for number, (message, where) in enumerate(messages_in(node, Where()), 1):
            placed.append(Placed(message, where, f"{source.name}, message {number}"))
    except Incorrect as error:
        raise type(error)(f"{source.name}: {error.message}", hint=error.hint) from None
    return chat_of(placed, conversation_of(node), source)


def read_lines(text: str, source: Source) -> Chat:
    """Read JSON lines, one message a line; the first may be an object that tells of the conversation instead.

    Raises `UnreadableChat` that names the line which is no JSON object.
    """
    where, conversation = Where(), None
    placed: list[Placed] = []
    for number, (place, node) in enumerate(_objects(text, source), 1):
        if number == 1 and not _holds_messages(node):
            where, conversation = where.told_by(describe(node)), conversation_of(node)
            continue
        try:
            placed.extend(Placed(message, inside, place) for message, inside in one_message(node, where, number))
        except Incorrect as error:
            raise type(error)(f"{place}: {error.message}", hint=error.hint) from None
    return chat_of(placed, conversation, source)


def _holds_messages(node: dict[str, Any]) -> bool:
    return Fields.of(node).says_something or next(messages_in(node, Where()), None) is not None


def _objects(text: str, source: Source) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, line in enumerate(split_lines(text), 1):
        if line.strip():
            node = _load(line, source.name, number)
            place = f"{source.name}, line {number}"
            if not isinstance(node, dict):
                raise UnreadableChat(f"{place}: a line of a chat is a JSON object, not {line.strip():.40}")
            yield place, node


def _load(text: str, name: str, first_line: int) -> object:
    try:
        node: object = json.loads(text)
    except json.JSONDecodeError as error:
        line = first_line - 1 + error.lineno
        raise UnreadableChat(f"{name}, line {line}, column {error.colno}: this is not JSON: {error.msg}.") from None
    except ValueError as error:
        raise UnreadableChat(f"{name}, line {first_line}: {error}.") from None
    return node
