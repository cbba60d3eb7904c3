"""Chats as plain text: the messages of a transcript."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import Final

from karte.engine.remembering.turns import Chat, Turn, read_zone
from karte.errors import Incorrect, UnreadableChat
from karte.importers.chat.dating import Source
from karte.importers.chat.decoding import split_lines
from karte.importers.chat.heads import Head, heads_of, is_bot, speaker_of
from karte.importers.chat.roles import SYSTEM, role_of
from karte.importers.chat.styles import head_in, style_of
from karte.importers.chat.times import STAMP, Calendar, Stamp, read_stamp

_FENCE: Final = "---"
_LONGEST_MATTER: Final = 100
_KEY: Final = re.compile(r"\s*(?P<key>[^\W\d][\w -]{0,29}?)\s*[:：]\s*(?P<value>\S.*?)\s*$")
_DATES: Final = frozenset({"date", "day", "created", "日期", "日付", "날짜"})
_ZONES: Final = frozenset({"timezone", "tz", "時區", "时区"})
_CONVERSATIONS: Final = frozenset({"conversation", "conversationid", "chatid", "id"})

_RULE: Final = " \t#*=_~-–—"
_LONGEST_RULE: Final = 120
_MARKS: Final = "\u200e\u200f"
_OMITTED: Final = re.compile(
    r"[<\[(（]?\s*(?:(?:media|image|video|audio|sticker|gif|photo|document|contact card) omitted|省略多媒體檔案|已省略媒体文件"
    r"|メディアは含まれていません|貼圖|照片|图片|スタンプ|写真|사진)\s*[>\])）]?",
    re.IGNORECASE,
)
"""What stands where a picture was."""


def read_transcript(text: str, source: Source) -> Chat:
    """Read a transcript; raises `UnreadableChat` where no conversation is found in it."""
    lines = split_lines(text)
    matter = _Matter.of(lines, source)
    heads = [heads_of(line) if number >= matter.lines else [] for number, line in enumerate(lines)]
    style = style_of(lines[matter.lines :], heads[matter.lines :])
    if style is None:
        reason = "no speakers are found in it, or none of them speaks twice"
        raise UnreadableChat(f"{source.name} is no chat that can be read: {reason}.")
    transcript = _Transcript(lines, [head_in(style, candidates) for candidates in heads], matter, source)
    return Chat(matter.conversation or source.name, tuple(transcript.turns()))


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
        if top[0] == _FENCE and _FENCE in top[1:]:
            matter.lines = top.index(_FENCE, 1) + 1
            for number, line in enumerate(top[1 : matter.lines - 1], 2):
                matter.read(line, f"{source.name}, line {number}")
        return matter

    def read(self, line: str, place: str) -> None:
        """Take in one `key: value`."""
        found = _KEY.match(line)
        if not found:
            return
        key, value = re.sub(r"[\W_]", "", found["key"]).lower(), found["value"].strip("\"'")
        if key in _DATES:
            self.date = read_stamp(value) or self.date
        elif key in _CONVERSATIONS:
            self.conversation = value
        elif key in _ZONES:
            try:
                self.zone = read_zone(value)
            except Incorrect as error:
                raise type(error)(f"{place}: {error.message}", hint=error.hint) from None


@dataclass
class _Message:
    """A message as its lines are read."""

    speaker: str | None
    time: datetime | None
    line: int
    words: list[str] = field(default_factory=list)

    def turn(self, source: Source) -> Turn:
        """The turn that this message is."""
        words = "\n".join(self.words).strip().strip(_MARKS)
        text = "" if _OMITTED.fullmatch(words) else words
        place = f"{source.name}, line {self.line}"
        if self.speaker is None:
            return Turn(SYSTEM, None, text, self.time, place=place)
        speaker = speaker_of(self.speaker)
        return Turn(role_of(None, speaker, bot=is_bot(self.speaker)), speaker, text, self.time, place=place)


@dataclass
class _Transcript:
    """The lines of a file, with the head that each of them is."""

    lines: Sequence[str]
    heads: Sequence[Head | None]
    matter: _Matter
    source: Source

    def turns(self) -> Iterator[Turn]:
        """The messages as turns, in order."""
        stamps = [head.stamp for head in self.heads if head and head.stamp]
        messages = self._messages(self.source.calendar(stamps), dated=any(stamp.day for stamp in stamps))
        return (message.turn(self.source) for message in messages)

    def _messages(self, calendar: Calendar, *, dated: bool) -> Iterator[_Message]:
        """The messages; a line that is a date and nothing else names the day, unless times name their own."""
        message: _Message | None = None
        waiting = self._begin(calendar)
        for number, (line, head) in enumerate(zip(self.lines, self.heads, strict=True), 1):
            if head:
                if message:
                    yield message
                message = _Message(head.speaker, calendar.moment(head.stamp) or waiting, number, [line[head.words :]])
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
            if self.matter.date is None and line.lstrip().startswith("#"):
                self.matter.date = _date_in(line)
        calendar.zone = self.matter.zone
        return calendar.turn_to(self.matter.date)


def _heading(line: str) -> Stamp | None:
    stamp = read_stamp(line.strip(_RULE)) if len(line) <= _LONGEST_RULE else None
    return stamp if stamp and stamp.day and not stamp.clock else None


def _date_in(line: str) -> Stamp | None:
    found = STAMP.search(line)
    stamp = read_stamp(found[0]) if found else None
    return stamp if stamp and stamp.day else None
