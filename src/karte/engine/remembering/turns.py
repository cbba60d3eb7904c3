"""The turns of a chat: what each is, when it was said, what names it, and how it is written down.

A turn is written as `speaker (3 March 2026): text`, in the words in which people ask for dates: measured on LoCoMo
(five conversations, 760 questions, BM25), recall@10 is 55.7 for the text alone, 59.0 with the speaker, 59.5 with an
ISO date as well, 61.0 with the month by its name.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from karte.core.assertions import digest
from karte.core.memories import LONGEST_CONTENT, check_name
from karte.errors import InvalidText, InvalidValue

ASSISTANT: Final = "assistant"
USER: Final = "user"
SYSTEM_ROLES: Final = frozenset({"system", "developer", "tool", "function"})
"""Roles whose turns are instructions, notices or the output of tools, which no person and no assistant said."""

_LONGEST_NAME: Final = 1_000
_MICROSECOND: Final = timedelta(microseconds=1)
_BORDERS: Final = ("\n\n", "\n", " ")
_VISIBLE: Final = re.compile(r"\S")

_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_HANGUL: Final = re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")
_HAN_AND_KANA: Final = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_WORD: Final = re.compile(r"[^\W\d_]+")
_OFFSET: Final = re.compile(r"(?:UTC|GMT)?(?P<sign>[+-])(?P<hours>\d{1,2})(?::?(?P<minutes>\d{2}))?")


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker said at once.

    `time` is naive where the file gives no zone, and None where it gives no time; `place` says where in the file the
    turn stands, for messages.
    """

    role: str
    speaker: str | None
    text: str
    time: datetime | None = None
    id: str | None = None
    session: str | None = None
    place: str = field(default="", compare=False)

    @property
    def said_by(self) -> str:
        """The speaker's name, without line breaks; the role of a speaker without one."""
        return " ".join((self.speaker or "").split()) or self.role


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation: its id and its turns, in order."""

    conversation: str
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """A turn with the time it takes and the item that names it in its conversation."""

    turn: Turn
    time: datetime | None
    item: str

    def written(self, zone: tzinfo) -> list[str]:
        """The turn as memories hold it, in more than one piece where it is too long for one.

        The date is the one that was read: of a naive time, and of a time in UTC, in `zone`, of any other as written.
        Raises `InvalidText` for a lone surrogate, and what `check_name` raises for the speaker.
        """
        check_name("The speaker", self.turn.said_by)
        head = self._head(zone)
        text = unicodedata.normalize("NFC", self.turn.text.strip())
        return [head + piece for piece in split(text, LONGEST_CONTENT - _size(head))]

    def _head(self, zone: tzinfo) -> str:
        speaker = self.turn.said_by
        if self.time is None:
            return f"{speaker}: "
        local = self.time if self.time.utcoffset() else in_zone(self.time, zone).astimezone(zone)
        return f"{speaker} ({_day(local, speaker + self.turn.text)}): "


def tell(turns: Iterable[Turn]) -> Iterator[Told]:
    """Give each turn its time, if need be that of the turn before it plus a microsecond, and its item.

    The item is the message's id, or else a digest of its speaker, time and text, and of how many equal turns are
    before it: a file that grows at either end keeps the items of its turns.
    """
    before: datetime | None = None
    seen = Counter[tuple[str | None, str, str]]()
    for turn in turns:
        time = turn.time or (before and before + _MICROSECOND)
        said = (turn.speaker, time.isoformat() if time else "", turn.text)
        yield Told(turn, time, printable(turn.id) if turn.id else digest(*said, seen[said]).hex())
        seen[said] += 1
        before = time


def in_zone(time: datetime, zone: tzinfo) -> datetime:
    """A naive time in the zone; any other as it is."""
    return time.replace(tzinfo=zone) if time.tzinfo is None else time


def read_zone(value: str | tzinfo) -> tzinfo:
    """Read an IANA name such as Asia/Taipei, or an offset such as +08:00; raises `InvalidValue`."""
    if isinstance(value, tzinfo):
        return value
    name = value.strip() if isinstance(value, str) else ""
    if name.upper() in ("UTC", "GMT", "Z"):
        return UTC
    offset = _OFFSET.fullmatch(name)
    try:
        return _fixed(offset) if offset else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        hint = "Use a name such as Asia/Taipei, or an offset such as +08:00."
        raise InvalidValue(f"{value!r} is no time zone.", hint=hint) from None


def _fixed(offset: re.Match[str]) -> tzinfo:
    size = timedelta(hours=int(offset["hours"]), minutes=int(offset["minutes"] or 0))
    return timezone(size if offset["sign"] == "+" else -size)


def printable(text: str) -> str:
    """A text as part of an origin, which is short and printable; a digest of any other."""
    plain = " ".join(text.split())
    return plain if plain.isprintable() and 0 < len(plain) <= _LONGEST_NAME else digest(text).hex()


def split(text: str, most: int) -> list[str]:
    """Cut a text into pieces of at most `most` bytes, at the border of a paragraph, else of a line, else at a blank."""
    if _size(text) <= most:
        return [text]
    pieces, end = [], 0
    while found := _VISIBLE.search(text, end):
        start = found.start()
        end = start + len(text[start : start + most].encode()[:most].decode(errors="ignore"))
        if end < len(text):
            cuts = (text.rfind(border, start, end + len(border)) for border in _BORDERS)
            end = next((cut for cut in cuts if cut > 0), end)
        pieces.append(text[start:end].rstrip())
    return pieces


def _size(text: str) -> int:
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        raise InvalidText from None


def _day(time: datetime, text: str) -> str:
    """The date as the language of the text writes it: Korean, Chinese and Japanese where most words are, or English."""
    year, month, day = time.year, time.month, time.day
    korean, chinese, others = _words_by_script(text)
    if korean + chinese <= others:
        return f"{day} {_MONTHS[month - 1]} {year}"
    return f"{year}년 {month}월 {day}일" if korean >= chinese else f"{year}年{month}月{day}日"


def _words_by_script(text: str) -> tuple[int, int, int]:
    """How many characters are Hangul, how many Han or kana, and how many words are neither."""
    if text.isascii():
        return 0, 0, 0
    others = sum(not _HANGUL.search(word) and not _HAN_AND_KANA.search(word) for word in _WORD.findall(text))
    return len(_HANGUL.findall(text)), len(_HAN_AND_KANA.findall(text)), others
