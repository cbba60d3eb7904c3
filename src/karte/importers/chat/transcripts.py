"""Chats as plain text: which style a file is written in, and the messages it holds in that style.

A line that looks like a head may be part of a message or of ordinary prose. So the style is that of most heads, and
there must be a conversation in it: somebody speaks more than once, or nearly every line is a head with a time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import Final

from karte.engine.remembering.turns import Chat, Turn, read_zone
from karte.errors import Incorrect, UnreadableChat
from karte.importers.chat.dating import Source
from karte.importers.chat.decoding import split_lines
from karte.importers.chat.heads import UNTIMED, Head, Style, heads_of, is_bot, speaker_of
from karte.importers.chat.roles import ROLE_WORDS, SYSTEM, role_of
from karte.importers.chat.times import STAMP, Calendar, Stamp, read_stamp

_FENCE: Final = "---"
_LONGEST_MATTER: Final = 100
_KEY: Final = re.compile(r"\s*(?P<key>[\w -]{1,30}?)\s*[:：]\s*(?P<value>\S.*?)\s*$")
_RULE: Final = " \t#*=_~-–—"
_LONGEST_RULE: Final = 120
_OMITTED: Final = re.compile(
    r"[<\[(（]?\s*(?:(?:media|image|video|audio|sticker|gif|photo|document|contact card) omitted|省略多媒體檔案|已省略媒体文件"
    r"|メディアは含まれていません|貼圖|照片|图片|スタンプ|写真|사진)\s*[>\])）]?",
    re.IGNORECASE,
)


def read_transcript(text: str, source: Source) -> Chat:
    """Read a transcript; raises `UnreadableChat` where no conversation is found in it."""
    lines = split_lines(text)
    matter = _Matter.of(lines, source)
    heads = [heads_of(line) if number >= matter.lines else [] for number, line in enumerate(lines)]
    style = _style(lines[matter.lines :], [head for line in heads for head in line])
    if style is None:
        raise UnreadableChat(f"{source.name} is no chat that can be read: no speakers are named in it.")
    chosen = [next((head for head in line if head.style is style), None) for line in heads]
    turns = _Transcript(lines, chosen, matter, source).turns()
    return Chat(matter.conversation or source.name, tuple(turns))


@dataclass
class _Matter:
    """What the top of a file says of the whole: its date, its time zone, the id of the conversation."""

    lines: int = 0
    date: Stamp | None = None
    zone: tzinfo | None = None
    conversation: str | None = None

    @classmethod
    def of(cls, lines: Sequence[str], source: Source) -> _Matter:
        """Read the front matter, between two lines of `---`; raises `InvalidValue` for a zone that does not exist."""
        matter = cls()
        top = [line.strip() for line in lines[:_LONGEST_MATTER]]
        if top and top[0] == _FENCE and _FENCE in top[1:]:
            matter.lines = top.index(_FENCE, 1) + 1
            for number, line in enumerate(top[1 : matter.lines - 1], 2):
                matter.read(line, f"{source.name}, line {number}")
        return matter

    def read(self, line: str, place: str) -> None:
        """Take in one `key: value`."""
        found = _KEY.match(line)
        if not found:
            return
        key, value = found["key"].lower().replace("_", "").replace(" ", ""), found["value"].strip("\"'")
        if key in ("date", "日期", "日付", "날짜", "day", "created"):
            self.date = read_stamp(value) or self.date
        elif key in ("conversation", "conversationid", "chatid", "id"):
            self.conversation = value
        elif key in ("timezone", "tz", "時區", "时区"):
            try:
                self.zone = read_zone(value)
            except Incorrect as error:
                raise type(error)(f"{place}: {error.message}", hint=error.hint) from None


def _style(lines: Sequence[str], heads: Sequence[Head]) -> Style | None:
    """The style of most heads among those that hold a conversation; with a time before one without."""
    said = sum(bool(line.strip()) for line in lines)
    found: dict[Style, list[Head]] = {}
    for head in heads:
        found.setdefault(head.style, []).append(head)
    talking = {style: len(heads) for style, heads in found.items() if _is_conversation(style, heads, said)}
    order = list(Style)
    return max(talking, key=lambda style: (style not in UNTIMED, talking[style], -order.index(style)), default=None)


def _is_conversation(style: Style, heads: Sequence[Head], said: int) -> bool:
    names = [speaker_of(head.speaker) for head in heads if head.speaker]
    if not names:
        return False
    if max(Counter(names).values()) > 1 or any(name.lower() in ROLE_WORDS for name in names):
        return True
    lines = 2 if style is Style.ABOVE else 1
    return style not in UNTIMED and any(head.stamp for head in heads) and 2 * lines * len(heads) >= said


@dataclass
class _Message:
    """A message as its lines are read."""

    speaker: str | None
    time: datetime | None
    line: int
    words: list[str] = field(default_factory=list)


@dataclass
class _Transcript:
    """The lines of a file, with the head that each of them is."""

    lines: Sequence[str]
    heads: Sequence[Head | None]
    matter: _Matter
    source: Source

    def turns(self) -> Iterator[Turn]:
        """The messages, in order."""
        stamps = [head.stamp for head in self.heads if head and head.stamp]
        calendar = self.source.calendar(stamps)
        dated = any(stamp.day for stamp in stamps)
        for message in self._messages(calendar, dated=dated):
            yield self._turn(message)

    def _messages(self, calendar: Calendar, *, dated: bool) -> Iterator[_Message]:
        message: _Message | None = None
        waiting = self._begin(calendar)
        for number, (line, head) in enumerate(zip(self.lines, self.heads, strict=True)):
            if head:
                if message:
                    yield message
                message = _Message(head.speaker, calendar.moment(head.stamp) or waiting, number + 1, [line[head.words :]])
                waiting = None
            elif not dated and (heading := _heading(line)):
                waiting = calendar.turn_to(heading)
            elif message:
                message.words.append(line)
        if message:
            yield message

    def _begin(self, calendar: Calendar) -> datetime | None:
        """Go to the date of the file: of its front matter, else of what stands before the first message."""
        first = next(number for number, head in enumerate(self.heads) if head)
        for number in range(self.matter.lines, first):
            line = self.lines[number]
            self.matter.read(line, f"{self.source.name}, line {number + 1}")
            if self.matter.date is None and line.lstrip().startswith("#") and (dated := _date_in(line)):
                self.matter.date = dated
        calendar.zone = self.matter.zone
        return calendar.turn_to(self.matter.date) if self.matter.date else None

    def _turn(self, message: _Message) -> Turn:
        words = "\n".join(message.words).strip()
        text = "" if _OMITTED.fullmatch(words) else words
        speaker = message.speaker and speaker_of(message.speaker)
        role = role_of(None, speaker, bot=is_bot(message.speaker)) if message.speaker else SYSTEM
        return Turn(role, speaker, text, message.time, place=f"{self.source.name}, line {message.line}")


def _heading(line: str) -> Stamp | None:
    """The day that a line names, if it says nothing else."""
    stamp = read_stamp(line.strip(_RULE)) if len(line) <= _LONGEST_RULE else None
    return stamp if stamp and stamp.day and not stamp.clock else None


def _date_in(line: str) -> Stamp | None:
    found = STAMP.search(line)
    stamp = found and read_stamp(found[0])
    return stamp if stamp and stamp.day else None
