"""From messages to turns: reading their times, which only the whole file can tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from karte.engine.remembering.turns import Chat, Turn
from karte.errors import Incorrect, InvalidTime
from karte.importers.chat.finding import Where
from karte.importers.chat.messages import Message
from karte.importers.chat.times import Calendar, Stamp, is_day_first, read_time

_NEVER: Final = object()


@dataclass(frozen=True, slots=True)
class Source:
    """The file that is read: its name, and whether its dates have the day first (None: as the file tells)."""

    name: str
    day_first: bool | None = None

    def calendar(self, stamps: Iterable[Stamp]) -> Calendar:
        """The calendar that reads these stamps."""
        return Calendar(day_first=is_day_first(stamps) if self.day_first is None else self.day_first)


@dataclass(frozen=True, slots=True)
class Placed:
    """A message with where it lies in the document, and its place in the file for error messages."""

    message: Message
    where: Where
    place: str

    @property
    def time(self) -> datetime | Stamp | None:
        """The time of the message; raises a subclass of `Incorrect` that names its place."""
        try:
            return read_time(self.message.time)
        except Incorrect as error:
            raise type(error)(f"{self.place}: {error.message}", hint=error.hint) from None

    @property
    def began(self) -> datetime | Stamp | None:
        """When the session began; None where that cannot be read."""
        try:
            return read_time(self.where.began)
        except InvalidTime:
            return None


def chat_of(placed: list[Placed], conversation: str | None, source: Source) -> Chat:
    """The chat of these messages; its id is the one given, else that of all messages, else the name of the file."""
    named = {one.message.conversation for one in placed if one.message.text}
    shared = named.pop() if len(named) == 1 else None
    return Chat(conversation or shared or source.name, tuple(_turns(placed, source)))


def _turns(placed: list[Placed], source: Source) -> Iterator[Turn]:
    times = [one.time for one in placed]
    began = [one.began for one in placed]
    calendar = source.calendar(time for time in (*times, *began) if isinstance(time, Stamp))
    before: object = _NEVER
    waiting: datetime | None = None
    for one, time, start in zip(placed, times, began, strict=True):
        calendar.zone = one.where.zone
        if one.where.began != before:
            before, waiting = one.where.began, calendar.turn_to(start)
        yield _turn(one, calendar.moment(time) or waiting)
        waiting = None


def _turn(one: Placed, moment: datetime | None) -> Turn:
    message, where = one.message, one.where
    item = message.id and where.qualifier + message.id
    session = message.session or where.session or message.conversation
    return Turn(message.role, message.speaker, message.text, moment, item, session, one.place)
