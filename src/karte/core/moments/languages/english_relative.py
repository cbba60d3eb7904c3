"""English times counted from now: `yesterday`, `3 days ago`, `last Tuesday`, `over the last two weeks`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from karte.core.moments import stretches
from karte.core.moments.numerals import COUNT, english
from karte.core.moments.rules import NOTHING, Match, Rule, rule
from karte.core.moments.stretches import Part, Stretch, Unit, ago, at, part_of, recent, rolling
from karte.core.moments.values import Anchor, Kind

UNIT: Final = "(?P<unit>minute|hour|day|weekend|week|month|quarter|year)s?"
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY: Final = rf"(?P<weekday>{'|'.join(_WEEKDAYS)})\b"
_PARTS: Final = {
    "morning": Part(0, 12),
    "noon": Part(11, 13),
    "lunchtime": Part(11, 14),
    "afternoon": Part(12, 18),
    "evening": Part(17, 24),
    "night": Part(18, 30),
}
_PART: Final = rf"(?P<part>{'|'.join(_PARTS)})"
_BACK: Final = frozenset({"last", "past", "previous"})
_TODAY: Final = {"day before yesterday": -2, "yesterday": -1, "today": 0, "tomorrow": 1, "day after tomorrow": 2}

_OVER: Final = re.compile(r"(?:^\s*|\b(?:over|during|in|within|for|from|of)\s+)$", re.IGNORECASE)
"""Without these, `last three days` may well be a verb and a duration."""


def _until_now(anchor: Anchor, found: Stretch) -> Stretch:
    """What of a period is over; the whole of one that has not begun."""
    return replace(found, end=min(found.end, anchor.now), others=()) if found.start < anchor.now else found


def unit(match: Match) -> Unit:
    """The unit that is counted."""
    return Unit(match["unit"].lower())


def _ago(match: Match, anchor: Anchor) -> Stretch:
    return ago(anchor, unit(match), english(match["count"]))


def _from_now(match: Match, anchor: Anchor) -> Stretch:
    return at(anchor, unit(match), english(match["count"])[0])


def _half_ago(match: Match, anchor: Anchor) -> Stretch:
    return at(anchor, Unit.MONTH, -6) if unit(match) is Unit.YEAR else at(anchor, Unit.DAY, -15)


def _rolling(match: Match, anchor: Anchor) -> Stretch:
    count = english(match["count"])[1] if match["count"] else 1
    return rolling(anchor, unit(match), count if match["which"].lower() in _BACK else -count)


def _calendar(match: Match, anchor: Anchor) -> Stretch:
    which = match["which"].lower()
    offset = -1 if which in _BACK else 0 if which in {"this", "current"} else 1
    return at(anchor, unit(match), offset)


def _named(match: Match, anchor: Anchor) -> Stretch:
    return at(anchor, Unit.DAY, _TODAY[" ".join(match["day"].lower().split())])


def _this_part(match: Match, anchor: Anchor) -> Stretch:
    return part_of(at(anchor, Unit.DAY, 0), _PARTS[match["part"].lower()])


def _last_night(_match: Match, anchor: Anchor) -> Stretch:
    return part_of(at(anchor, Unit.DAY, -1), _PARTS["night"])


def _tonight(_match: Match, anchor: Anchor) -> Stretch:
    return part_of(at(anchor, Unit.DAY, 0), _PARTS["night"])


def _earlier(match: Match, anchor: Anchor) -> Stretch:
    named = match.groupdict()
    if named["part"]:
        return _until_now(anchor, _this_part(match, anchor))
    return _until_now(anchor, at(anchor, unit(match) if named["unit"] else Unit.DAY, 0))


def _later(_match: Match, anchor: Anchor) -> Stretch:
    return replace(at(anchor, Unit.DAY, 0), start=anchor.now, kind=Kind.HOURS)


def _other_day(_match: Match, anchor: Anchor) -> Stretch:
    return replace(rolling(anchor, Unit.WEEK, 1), end=anchor.today)


def _recent(_match: Match, anchor: Anchor) -> Stretch:
    return recent(anchor)


def _weekday(match: Match, anchor: Anchor) -> Stretch:
    number = _WEEKDAYS.index(match["weekday"].lower())
    which = (match.groupdict().get("which") or "").lower().split()[-1:]
    if not which:
        return stretches.any_weekday(anchor, number)
    if which[0] in _BACK:
        return stretches.last_weekday(anchor, number)
    return stretches.weekday(anchor, number, 0) if which[0] == "this" else stretches.next_weekday(anchor, number)


def _weekday_of_week(match: Match, anchor: Anchor) -> Stretch:
    number, which = _WEEKDAYS.index(match["weekday"].lower()), match["which"].lower()
    return stretches.weekday(anchor, number, -1 if which in _BACK else 0 if which == "this" else 1)


def _part(match: Match, _anchor: Anchor) -> Part:
    return _PARTS[match["part"].lower()]


RULES: Final[tuple[Rule, ...]] = (
    rule(rf"\b(?P<count>{COUNT})\s+{UNIT}\s+(?:ago|back|before\s+now)\b", _ago),
    rule(r"\bhalf\s+an?\s+(?P<unit>month|year)\s+ago\b", _half_ago),
    rule(rf"\b(?:in\s+)?(?P<count>{COUNT})\s+{UNIT}\s+(?:from\s+now|hence)\b", _from_now),
    rule(rf"\bin\s+(?P<count>{COUNT})\s+{UNIT}'\s*time\b", _from_now),
    rule(rf"\b(?:the|these|this)\s+(?P<which>last|next|following)\s+(?P<count>{COUNT})\s+{UNIT}\b", _rolling),
    rule(rf"\b(?:the\s+)?(?P<which>past|previous|coming)\s+(?P<count>{COUNT})\s+{UNIT}\b", _rolling),
    rule(rf"\b(?P<which>last|next)\s+(?P<count>{COUNT})\s+{UNIT}\b", _rolling, _OVER),
    rule(r"\b(?:the|this)\s+(?P<which>last|past)\s+(?P<count>)(?P<unit>week|month|quarter|year)\b", _rolling),
    rule(r"\bthis\s+(?P<which>previous)\s+(?P<count>)(?P<unit>week|month|quarter|year)\b", _rolling),
    rule(r"\b(?P<which>past)\s+(?P<count>)(?P<unit>day|week|month|quarter|year)\b", _rolling),
    rule(
        r"\b(?P<which>last|previous|this|current|next|coming|upcoming|following)\s+"
        r"(?P<unit>weekend|week|month|quarter|year)\b",
        _calendar,
    ),
    rule(
        r"\b(?:over|on|at|during)\s+the\s+(?P<unit>weekend)(?P<which>)\b",
        lambda _, anchor: at(anchor, Unit.WEEKEND, -1),
    ),
    rule(r"\b(?:the\s+)?(?P<day>day\s+before\s+yesterday|day\s+after\s+tomorrow|yesterday|today|tomorrow)\b", _named),
    rule(rf"\bthis\s+{_PART}\b", _this_part),
    rule(r"\blast\s+night\b", _last_night),
    rule(r"\btonight\b", _tonight),
    rule(rf"\bearlier\s+(?:today|(?:this|in\s+the)\s+(?:{_PART}|{UNIT}))\b", _earlier),
    rule(r"\blater\s+today\b", _later),
    rule(r"\bthe\s+other\s+day\b", _other_day),
    rule(r"\b(?:recently|lately|these\s+days|not\s+long\s+ago)\b", _recent),
    rule(
        rf"\b(?:every|each|black|good|holy|maundy|ash|palm|easter|cyber|super|fat|casual)\s+(?:other\s+)?{_WEEKDAY}",
        NOTHING,
    ),
    rule(rf"\b(?P<which>(?:this\s+)?(?:last|past|previous|next|coming)|this)\s+{_WEEKDAY}", _weekday),
    rule(rf"\b{_WEEKDAY}\s+(?:of\s+)?(?P<which>last|this|next)\s+week\b", _weekday_of_week),
    rule(rf"\b(?P<which>last|this|next)\s+week(?:'s)?\s+(?:on\s+)?{_WEEKDAY}", _weekday_of_week),
    rule(rf"\b{_WEEKDAY}(?!\.\w)", _weekday),
    rule(rf"\b{_PART}\b", _part),
)
