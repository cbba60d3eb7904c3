"""Chats in JSON: finding the messages of a document wherever they lie in it.

A list that holds a message is a list of messages. An object with one of the usual keys (`messages`, `turns`, ..) is
looked into there; in any other one, everything is, and a key names the session (`session_1`, `2026-03-03`). The date
of a session is that of its object, of its key, or of a neighbour such as `session_1_date_time`; its first message
takes it where it has no time of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Any, Final

from karte.engine.remembering.turns import USER
from karte.errors import UnreadableChat
from karte.importers.chat.messages import CONVERSATION, ID, SESSION, Fields, Message, loosely
from karte.importers.chat.times import read_stamp

_LISTS: Final = frozenset(
    {"messages", "chatmessages", "conversationlist", "conversations", "conversation", "turns", "history", "items"}
    | {"chathistory", "dialog", "dialogue", "dialogues", "sessions", "contents", "transcript", "utterances"}
)
_WRAPPINGS: Final = frozenset({"data", "result", "results", "response", "payload", "export"})
_ABOUT: Final = ("meta", "metadata", "info")
_DATE_OF: Final = ("_date_time", "_datetime", "_date", "_timestamp", "_time")

_NOTHING: Final = Message(USER, None, "", None, None, None, None)


@dataclass(frozen=True, slots=True)
class Where:
    """Where a message lies: its session, what makes its id unique, when the session began (as read), its zone."""

    path: tuple[str, ...] = ()
    qualifier: str = ""
    began: object = None
    zone: tzinfo | None = None

    @property
    def session(self) -> str | None:
        """The name of the session, or None."""
        return "/".join(self.path) or None

    def told_by(self, about: Fields) -> Where:
        """This place with what an object says of the zone and the beginning."""
        return replace(self, began=about.time or self.began, zone=about.zone or self.zone)

    def inside(self, node: Mapping[str, Any], number: int) -> Where:
        """The place inside a conversation that is one of several: its id is the session, and part of the ids."""
        name = describe(node).name((*ID, *SESSION, *CONVERSATION))
        qualifier = f"{self.qualifier}{name}/" if name else self.qualifier
        return replace(self, path=(*self.path, name or str(number)), qualifier=qualifier)

    def below(self, node: Mapping[str, Any], key: str) -> Where:
        """The place under a key, which names a session and perhaps its date."""
        neighbours = (node.get(key + ending) for ending in _DATE_OF)
        stamp = read_stamp(key)
        dated = next((value for value in neighbours if value), key if stamp and stamp.day else None)
        path = self.path if loosely(key) in _WRAPPINGS else (*self.path, key)
        return replace(self, path=path, began=dated or self.began)


Found = tuple[Message, Where]


def describe(node: Mapping[str, Any]) -> Fields:
    """What an object says about the messages in it, itself or in its `meta` part."""
    parts = [value for key, value in node.items() if isinstance(value, dict) and loosely(key).endswith(_ABOUT)]
    return Fields({key: value for part in (*parts, node) for key, value in part.items()})


def conversation_of(node: object) -> str | None:
    """The id that a document gives the conversation it holds."""
    if not isinstance(node, dict) or Fields.of(node).says_something:
        return None
    return describe(node).name((*CONVERSATION, *ID, *SESSION))


def messages_in(node: object, where: Where) -> Iterator[Found]:
    """All messages of a document, in order; raises `UnreadableChat` for a list of messages with something else in it."""
    if isinstance(node, list):
        yield from _in_list(node, where)
    elif isinstance(node, dict):
        yield from _in_object(node, where)


def _in_list(items: list[Any], where: Where) -> Iterator[Found]:
    fields = [Fields.of(item) if isinstance(item, dict) else None for item in items]
    if not any(field and field.says_something for field in fields):
        for number, item in enumerate(items, 1):
            yield from messages_in(item, where.inside(item, number) if isinstance(item, dict) else where)
        return
    for number, (item, field) in enumerate(zip(items, fields, strict=True), 1):
        if field is None:
            raise UnreadableChat(f"entry {number} of a list of messages is no object: {json.dumps(item):.40}")
        yield from one_message(item, where, number)


def one_message(node: Mapping[str, Any], where: Where, number: int) -> Iterator[Found]:
    """The messages of one entry of a list; where it is none and holds none, one that says nothing."""
    fields = Fields.of(node)
    if fields.says_something:
        yield from ((message, where) for message in fields.messages())
        return
    empty = True
    for found in _in_object(node, where.inside(node, number)):
        empty = False
        yield found
    if empty:
        yield _NOTHING, where


def _in_object(node: Mapping[str, Any], where: Where) -> Iterator[Found]:
    if Fields.of(node).says_something:
        yield from ((message, where) for message in Fields.of(node).messages())
        return
    _refuse_branches(node)
    where = where.told_by(describe(node))
    if named := [
        value for key, value in node.items() if loosely(key) in _LISTS and isinstance(value, list | dict) and value
    ]:
        for value in named:
            yield from messages_in(value, where)
        return
    for key, value in node.items():
        yield from messages_in(value, where.below(node, key))


def _refuse_branches(node: Mapping[str, Any]) -> None:
    branches = node.get("mapping")
    if isinstance(branches, dict) and any(
        isinstance(one, dict) and {"parent", "children"} <= one.keys() for one in branches.values()
    ):
        raise UnreadableChat("this is an export whose conversations branch (`mapping`), which is no chat file")
