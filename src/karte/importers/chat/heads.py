"""The head of a message in a transcript: who speaks, when, and where the words begin.

A line may be a head in one of a few styles, told apart by where the time stands: before the speaker, behind, alone
with the speaker above the words, or nowhere. Which style a file is written in, only the whole file can tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from karte.importers.chat.roles import ROLE_WORDS
from karte.importers.chat.times import STAMP, Stamp, read_stamp


class Style(StrEnum):
    """Where the time and the speaker stand."""

    BRACKETED = "[time] Name: words"
    LEADING = "time - Name: words"
    TABBED = "time <tab> Name <tab> words"
    TRAILING = "Name (time): words"
    DASHED = "Name time - words"
    NAMED_FIRST = "[Name] [time] words"
    ABOVE = "Name time, and the words below"
    OVER = "time Name, and the words below"
    ANGLED = "<name> words, with a time before it or without"
    HEADED = "## Role, and the words below"
    BOLD = "**Name:** words"
    PLAIN = "Name: words"


WORDS_BELOW: Final = (Style.ABOVE, Style.OVER, Style.HEADED)


@dataclass(frozen=True, slots=True)
class Head:
    """A line that may begin a message; `words` is where they begin in it. A notice has no speaker."""

    style: Style
    speaker: str | None
    stamp: Stamp | None
    words: int


_REACH: Final = 160
_LONGEST_NAME: Final = 60
_MOST_WORDS: Final = 4
# Each replacement is one character for one, so that places in the line stay what they are.
_BLANKS: Final = dict.fromkeys(
    map(ord, "\u00a0\u202f\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"), " "
)
_BOLD: Final = re.compile(r"\s*(?:[-+>]\s+)?(?P<mark>\*\*|__)(?=\S)")

_COLON: Final = r"\s*[:：](?!//|\d\d\b)\s*"
_NAMED: Final = re.compile(rf"\s*(?P<name>@[\w.=/+-]+:[\w.-]+(?::\d+)?|[^:：\t]{{1,{_LONGEST_NAME}}}?){_COLON}")
_AFTER_NAME: Final = re.compile(_COLON)
_ANGLED: Final = re.compile(rf"\s*<\s*[@+%&~]?(?P<name>[^<>\s][^<>]{{0,{_LONGEST_NAME}}}?)>(?:\s|$)")
_TAB: Final = re.compile(rf"\t\s*(?P<name>[^\t:]{{1,{_LONGEST_NAME}}})\t")
_OPEN: Final = re.compile(r"\s*[\[(（]\s*$")
_CLOSE: Final = re.compile(r"\s*[\])）]")
_DASH: Final = re.compile(r"\s*[-–—|]\s+")
_GAP: Final = re.compile(r"\s*(?:[-–—|,]\s+|\s)")
_IN_BRACKETS: Final = re.compile(r"\s*\[(?P<name>[^\[\]]+)\]\s*")
_NOTICE: Final = re.compile(r"\s*(?:-!-|\*{1,3}\s|-->|<--|⇐|→|←)")
_PLAIN: Final = re.compile(
    rf" {{0,3}}(?P<name>[^\s:：*+-][^:：\t]{{0,{_LONGEST_NAME}}}?)\s*(?:：|:(?=\s|$|[^\x00-\x7f]))\s*"
)
_HEADING: Final = re.compile(r"\s*#{1,6}\s+(?P<name>[^#]{1,40}?)\s*[:：]?\s*$")

_NOT_IN_NAMES: Final = re.compile(r"[:：\[\]<>{}\"“”«»|#=;!?！？。，、…]")
_NO_SENTENCE: Final = re.compile(r"[.,](?:\s|$)")
_ICONS: Final = re.compile("^(?:[\u2190-\u2bff\u3030\U0001f000-\U0001faff\ufe0f\u200d~]\\s*)+")
_FROM: Final = re.compile(r"From (?P<name>.+?)(?: to .+)?")
_MATRIX: Final = re.compile(r"@([\w.=/+-]+)(?::[\w.-]+(?::\d+)?)?")
_LABELS: Final = frozenset(
    [
        "action",
        "actions",
        "agenda",
        "attendees",
        "cc",
        "context",
        "date",
        "deadline",
        "debug",
        "decision",
        "decisions",
        "description",
        "due",
        "duration",
        "error",
        "example",
        "from",
        "goal",
        "goals",
        "http",
        "https",
        "info",
        "link",
        "location",
        "note",
        "notes",
        "objective",
        "organizer",
        "owner",
        "participants",
        "place",
        "present",
        "priority",
        "project",
        "purpose",
        "reference",
        "status",
        "subject",
        "summary",
        "tags",
        "time",
        "title",
        "to",
        "todo",
        "topic",
        "topics",
        "type",
        "url",
        "venue",
        "warning",
        "when",
        "where",
        "who",
        "出席",
        "地點",
        "地点",
        "主旨",
        "主題",
        "主题",
        "備註",
        "备注",
        "摘要",
        "日期",
        "時間",
        "时间",
        "标题",
        "標題",
        "議程",
        "议程",
        "附件",
        "件名",
        "参加者",
        "場所",
        "日時",
        "議題",
        "날짜",
        "시간",
        "장소",
        "제목",
        "주제",
        "참석자",
    ]
)
"""Words before a colon that label what follows; they never name a speaker."""


def heads_of(line: str) -> list[Head]:
    """The heads that a line may be, each in another style."""
    flat = line[: 2 * _REACH].translate(_BLANKS)
    bold = _BOLD.match(flat)
    start = bold.end() if bold else 0
    if bold:
        flat = " " * start + flat[start:].replace(bold["mark"], "  ", 1)
    return [head for head in (*_timed(flat), _untimed(flat, start)) if head]


def speaker_of(name: str) -> str:
    """A name without icons, address and the mark of an app."""
    name = " ".join(_ICONS.sub("", name.strip()).split())
    if matrix := _MATRIX.fullmatch(name):
        return matrix[1]
    sender = _FROM.fullmatch(name)
    return sender["name"] if sender else name.removesuffix(" APP")


def is_bot(name: str) -> bool:
    """Tell whether a name bears the icon of a robot or the mark of an app."""
    return "\U0001f916" in name or name.endswith(" APP")


def _timed(flat: str) -> Iterator[Head | None]:
    found = STAMP.search(flat, 0, _REACH)
    stamp = found and read_stamp(found[0])
    if not found or not stamp:
        return
    before, after = flat[: found.start()], found.end()
    opened = _OPEN.search(before)
    if opened:
        closed = _CLOSE.match(flat, after)
        if not closed:
            return
        before, after = before[: opened.start()], closed.end()
    if before.strip():
        yield _trailing(flat, before, after, stamp, bracketed=opened is not None)
    else:
        yield _leading(flat, after, stamp, bracketed=opened is not None)
        yield _over(flat, after, stamp)


def _leading(flat: str, after: int, stamp: Stamp, *, bracketed: bool) -> Head | None:
    if angled := _ANGLED.match(flat, after):
        return _head(Style.ANGLED, angled, stamp)
    if not bracketed and (tab := _TAB.match(flat, after)):
        return _head(Style.TABBED, tab, stamp)
    style = Style.BRACKETED if bracketed else Style.LEADING
    gap = _DASH.match(flat, after) if bracketed else _GAP.match(flat, after)
    if not gap and not bracketed:
        return None
    start = gap.end() if gap else after
    named = _NAMED.match(flat, start)
    if named and (head := _head(style, named, stamp)):
        return head
    told = bracketed or stamp.day is not None or _NOTICE.match(flat, start)
    return Head(style, None, stamp, start) if told and flat[start:].strip() else None


def _over(flat: str, after: int, stamp: Stamp) -> Head | None:
    name = flat[after:].strip()
    return _speaking(Style.OVER, name, stamp, len(flat)) if stamp.clock and _is_short(name) else None


def _trailing(flat: str, before: str, after: int, stamp: Stamp, *, bracketed: bool) -> Head | None:
    inner = _IN_BRACKETS.fullmatch(before)
    if inner and bracketed:
        return _speaking(Style.NAMED_FIRST, inner["name"], stamp, after)
    comma = before.rstrip().endswith(",")
    name = before.rstrip().rstrip(",-–—|·•").rstrip()
    if colon := _AFTER_NAME.match(flat, after):
        return _speaking(Style.TRAILING, name, stamp, colon.end()) if bracketed or comma else None
    if dash := _DASH.match(flat, after):
        return _speaking(Style.DASHED, name, stamp, dash.end())
    return _speaking(Style.ABOVE, name, stamp, len(flat)) if not flat[after:].strip() else None


def _untimed(flat: str, start: int) -> Head | None:
    if angled := _ANGLED.match(flat):
        return _head(Style.ANGLED, angled, None)
    if heading := _HEADING.match(flat):
        return _head(Style.HEADED, heading, None) if heading["name"].strip().lower() in ROLE_WORDS else None
    named = _PLAIN.match(flat, start)
    if not named or not _is_short(named["name"]):
        return None
    return _head(Style.BOLD if start else Style.PLAIN, named, None)


def _head(style: Style, found: re.Match[str], stamp: Stamp | None) -> Head | None:
    return _speaking(style, found["name"], stamp, found.end())


def _speaking(style: Style, name: str, stamp: Stamp | None, words: int) -> Head | None:
    speaker = speaker_of(name)
    good = any(map(str.isalnum, speaker)) and len(speaker) <= _LONGEST_NAME and not _NOT_IN_NAMES.search(speaker)
    return Head(style, name.strip(), stamp, words) if good and speaker.lower() not in _LABELS else None


def _is_short(name: str) -> bool:
    """Whether a text before a colon may be a name rather than the beginning of a sentence."""
    return len(name.split()) <= _MOST_WORDS and not _NO_SENTENCE.search(name)
