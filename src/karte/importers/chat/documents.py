"""Chats in JSON: finding the messages of a document wherever they lie in it.

A list that holds a message is a list of messages. An object under one of the usual names (`messages`, `turns`, ..) is
looked into; where there is none, every object and list is, and its key names the session (`session_1`,
`2026-03-03`). The date of a session is that of its object, of its key, or of a neighbour such as
`session_1_date_time`; the first message without a time takes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import Any, Final

from karte.engine.remembering.turns import Chat, Turn
from karte.errors import Incorrect, UnreadableChat
from karte.importers.chat.decoding import split_lines
from karte.importers.chat.messages import CONVERSATION, ID, SESSION, TIME, Fields, Message, Source
from karte.importers.chat.times import Calendar, Stamp, is_day_first, read_stamp, read_time

_LISTS: Final = frozenset(
    {"messages", "chat_messages", "conversation_list", "conversations", "conversation", "turns", "history"}
    | {"chat_history", "dialog", "dialogue", "dialogues", "sessions", "contents", "transcript", "utterances", "items"}
)
_DATE_OF: Final = ("_date_time", "_datetime", "_date", "_timestamp", "_time")
_BRANCHES: Final = {"parent", "children"}


@dataclass(frozen=True, slots=True)
class _Where:
    """Where a message lies: its session, what makes its id unique, when the session was, and its zone."""

    path: tuple[str, ...] = ()
    qualifier: str = ""
    began: object = None
    zone: tzinfo | None = None

    @property
    def session(self) -> str | None:
        return "/".join(self.path) or None


@dataclass(frozen=True, slots=True)
class _Found:
    """A message where it was found; `place` is for error messages."""

    message: Message
    where: _Where
    place: str


def is_lines(text: str) -> bool:
    """Tell whether the first line is a JSON object of its own, with more lines behind it."""
    first, *rest = [line for line in split_lines(text[:_PEEK]) if line.strip()][:2] or [""]
    return bool(rest) and first.lstrip().startswith("{") and _is_object(first)


def read_document(text: str, source: Source) -> Chat:
    """Read a JSON document; raises `UnreadableChat` that names line and column where it is none."""
    try:
        node = json.loads(text)
    except json.JSONDecodeError as error:
        raise UnreadableChat(f"{source.name}, line {error.lineno}, column {error.colno}: this is not JSON: {error.msg}.") from None
    except ValueError as error:
        raise UnreadableChat(f"{source.name} cannot be read as JSON: {error}.") from None
    root = Fields(node) if isinstance(node, dict) else Fields({})
    found = [
        _Found(message, where, f"{source.name}, message {number}")
        for number, (message, where) in enumerate(_walk(node, _Where(zone=root.zone)), 1)
    ]
    return _chat(found, _named(node), source)
