"""English conversations by their number: `in session 3`, `our second conversation`, `two sessions ago`."""

from __future__ import annotations

from typing import Final

from karte.core.moments.numerals import COUNT, ORDINAL, english, ordinal
from karte.core.moments.rules import Match, Rule, rule
from karte.core.moments.stretches import Sessions
from karte.core.moments.values import Anchor

_NOUN: Final = r"(?:session|conversation|discussion|dialogue|chat(?:\s+session)?)"
_ON_NOTHING: Final = r"(?!\s+(?:about|regarding|concerning|where|in\s+which)\b)"
"""The last conversation about something need not be the last one."""

_MEETING: Final = r"(?:talk|meeting|call|exchange)"
_TALKED: Final = r"(?:talk|talked|spoke|speak|chat|chatted|met|discussed|conversed)"
_NOT_THEIRS: Final = r"(?<!\bhis\s)(?<!\bher\s)(?<!\bits\s)(?<!\btheir\s)(?<!'s\s)"
_CARDINAL: Final = r"(?:\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_TO: Final = r"\s*(?:to|through|thru|until|till|up\s+to|and|[-–—~])\s*(?:the\s+)?"
_LAST: Final = r"(?:last|latest|most\s+recent|final)"


def one(number: int) -> Sessions:
    """A session by its number; raises `ValueError` for 0."""
    if number < 1:
        raise ValueError(number)
    return Sessions(number, number + 1)


def from_end(number: int) -> Sessions:
    """A session counted from the last one; raises `ValueError` for 0."""
    if number < 1:
        raise ValueError(number)
    return Sessions(-number, 1 - number)


def between(first: int, last: int) -> Sessions:
    """Sessions from one number to another; raises `ValueError` where there are none."""
    if not 1 <= first <= last:
        raise ValueError(first, last)
    return Sessions(first, last + 1)


def _numbered(match: Match, _anchor: Anchor) -> Sessions:
    return one(ordinal(match["number"]))


def _range(match: Match, _anchor: Anchor) -> Sessions:
    return between(ordinal(match["number"]), ordinal(match["until"]))


def _ago(match: Match, _anchor: Anchor) -> Sessions:
    """One session ago is the last one."""
    least, most = english(match["count"])
    return Sessions(-most, 1 - least)


def last(_match: Match, _anchor: Anchor) -> Sessions:
    """The last one."""
    return from_end(1)


def before_last(_match: Match, _anchor: Anchor) -> Sessions:
    """The one before the last one."""
    return from_end(2)


def _last_few(match: Match, _anchor: Anchor) -> Sessions:
    return Sessions(-english(match["count"])[1], 0)


def _first_few(match: Match, _anchor: Anchor) -> Sessions:
    return between(1, english(match["count"])[1])


def first(_match: Match, _anchor: Anchor) -> Sessions:
    """The first one."""
    return one(1)


RULES: Final[tuple[Rule, ...]] = (
    rule(rf"{_NOT_THEIRS}\b(?P<number>{ORDINAL})\s+{_NOUN}s?\b{_ON_NOTHING}", _numbered),
    rule(rf"\bour\s+(?P<number>{ORDINAL})\s+{_MEETING}\b", _numbered),
    rule(
        rf"\b(?:session|conversation|discussion)\s+(?:number\s+|no\.?\s*|#\s*)?(?P<number>{_CARDINAL})\b(?![.:]\d)",
        _numbered,
    ),
    rule(
        rf"\b(?:sessions?|conversations?|discussions?)\s+(?:between\s+)?(?P<number>{_CARDINAL}){_TO}(?:session\s+)?"
        rf"(?P<until>{_CARDINAL})\b",
        _range,
    ),
    rule(rf"\b(?P<number>{ORDINAL}){_TO}(?P<until>{ORDINAL})\s+{_NOUN}s?\b", _range),
    rule(rf"{_NOT_THEIRS}\b(?P<number>{ORDINAL})\s+{_NOUN}{_TO}(?P<until>{ORDINAL})\s+{_NOUN}\b", _range),
    rule(rf"\b(?P<count>{COUNT})\s+(?:{_NOUN}|{_MEETING})s?\s+(?:ago|back|before\s+now)\b", _ago),
    rule(rf"{_NOT_THEIRS}\b{_LAST}\s+{_NOUN}\b{_ON_NOTHING}", last),
    rule(rf"\bour\s+{_LAST}\s+{_MEETING}\b", last),
    rule(rf"{_NOT_THEIRS}\b{_LAST}\s+(?P<count>(?!an?\b){COUNT})\s+{_NOUN}s\b", _last_few),
    rule(rf"{_NOT_THEIRS}\bfirst\s+(?P<count>(?!an?\b){COUNT})\s+{_NOUN}s\b", _first_few),
    rule(rf"\b(?:{_NOUN}|time)\s+before\s+(?:the\s+)?last(?:\s+(?:one|{_NOUN}))?\b", before_last),
    rule(rf"\bnot\s+(?:the|our)\s+last\s+{_NOUN},?\s+(?:but\s+)?the\s+one\s+before(?:\s+(?:that|it))?\b", before_last),
    rule(rf"\b(?:penultimate|(?:second|next)[\s-]to[\s-](?:the[\s-])?last)\s+{_NOUN}\b", before_last),
    rule(rf"\b(?:second|next)[\s-]to[\s-](?:the[\s-])?last\s+time\s+we\s+{_TALKED}\b", before_last),
    rule(rf"\blast\s+{_NOUN}\s+but\s+one\b", before_last),
    rule(r"(?<!\bthe\s)(?<!\b[a-z]\s)\blast\s+time(?=\s*(?:[?.!,;]|$)|\s+(?:we|you\s+and\s+i)\b)", last),
    rule(rf"\b(?:the\s+)?last\s+time\s+(?:that\s+)?(?:we|you\s+and\s+i)\s+{_TALKED}\b", last),
    rule(rf"\bwhen\s+we\s+last\s+{_TALKED}\b", last),
    rule(rf"\b(?:the\s+)?first\s+time\s+(?:that\s+)?(?:we|you\s+and\s+i)\s+(?:ever\s+)?{_TALKED}\b", first),
    rule(rf"\bwhen\s+we\s+first\s+{_TALKED}\b", first),
)
