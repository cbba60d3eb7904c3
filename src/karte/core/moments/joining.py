"""What stands between and around times: ranges, parts of days, since, before, after."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta, tzinfo
from typing import Final

from karte.core.moments.languages.english_relative import UNIT, unit
from karte.core.moments.numerals import COUNT, english
from karte.core.moments.rules import Found, folded
from karte.core.moments.stretches import Part, Sessions, Stretch, ago, at, part_of, possible, third
from karte.core.moments.values import BEGINNING, END, Anchor, Kind

_NEAR: Final = 40
"""So many characters before a time can say what is meant by it."""

_WEEK: Final = timedelta(days=7)
_LEAP: Final = 9
_LONG: Final = frozenset({Kind.MONTH, Kind.QUARTER, Kind.SEASON, Kind.YEAR})

_TO: Final = folded(
    r"\s*,?\s*(?:to|through|thru|until|till|up\s+to|up\s+until|[-–—~～〜]|到了?|直到|至|から|부터|에서)\s*(?:the\s+)?"
)
_AND: Final = folded(r"\s*,?\s*(?:and|和|與|跟|以及|と|와|과)\s*(?:the\s+)?")
_BETWEEN: Final = re.compile(r"\bbetween\s+(?:the\s+)?$", re.IGNORECASE)
_FROM: Final = folded(r"(?:\bfrom\s+(?:the\s+)?|從|自|由)$")
_BOTH_ENDS: Final = folded(r"\s?(?:之間|間|の間|의?\s?사이)")
_UP_TO: Final = folded(r"\s?(?:為止|まで|까지|之間|の間)")
_LISTED: Final = folded(r"\s*(?:,|、|,?\s*and|,?\s*or|&|和|與|と|や|와|과)\s*")

_PART_AFTER: Final = folded(r"\s*(?:'s\s+|,?\s*in\s+the\s+|,?\s*at\s+|的|の|,\s*)?\s*(?:early\s+|late\s+)?")
_PART_BEFORE: Final = folded(r"\s+(?:of|on)\s+(?:the\s+)?")

_PLACE: Final = re.compile(
    r"\b(?:(?P<early>early|(?:the\s+)?(?:beginning|start)\s+of)|(?P<mid>mid|(?:the\s+)?middle\s+of)"
    r"|(?P<late>late|(?:the\s+)?end\s+of))(?:\s+in)?[\s-]+$",
    re.IGNORECASE,
)
_WEEK_OF: Final = re.compile(r"\b(?:the\s+)?week\s+(?:of|starting|beginning|from)\s+(?:the\s+)?$", re.IGNORECASE)

_COUNTED_FROM: Final = re.compile(
    rf"\b(?P<count>{COUNT}|the)\s+{UNIT}\s+(?P<way>before|prior\s+to|after|following)\s+(?:the\s+)?$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Bound:
    """What a word makes of a period, before it or after it."""

    before: re.Pattern[str]
    after: re.Pattern[str]
    periods: Callable[[Stretch], Stretch | None]
    sessions: Callable[[Sessions], Sessions | None]


def _since(of: Stretch) -> Stretch:
    return Stretch(of.start, END, Kind.SPAN, of.relative)


def _before(of: Stretch) -> Stretch:
    return Stretch(BEGINNING, of.start, Kind.SPAN, of.relative)


def _until(of: Stretch) -> Stretch:
    return Stretch(BEGINNING, of.end, Kind.SPAN, of.relative)


def _after(of: Stretch) -> Stretch:
    return Stretch(of.end, END, Kind.SPAN, of.relative)


def _before_sessions(of: Sessions) -> Sessions | None:
    return None if of.start == 1 else Sessions(1, of.start)


def _after_sessions(of: Sessions) -> Sessions | None:
    return None if of.end == 0 else Sessions(of.end, 0)


_BOUNDS: Final = (
    _Bound(
        re.compile(r"\b(?:ever\s+)?since\s+(?:(?:the|our|my)\s+)?$", re.IGNORECASE),
        folded(
            r"(?:の?\s?以来|の?\s?以降|以來|至今|到現在|到今天|から(?!の)|起(?![床飛来來点點])|부터|\s?이래|\s?이후|\s+onwards?\b)"
        ),
        _since,
        lambda of: Sessions(of.start, 0),
    ),
    _Bound(
        re.compile(r"\b(?:before|prior\s+to|earlier\s+than)\s+(?:(?:the|our|my)\s+)?$", re.IGNORECASE),
        folded(r"\s?(?:より前|の?前(?![の回日])|之前|以前|이전|\s?전(?:에|의)?(?![가-힣]))"),
        _before,
        _before_sessions,
    ),
    _Bound(
        re.compile(r"\b(?:until|till|up\s+(?:to|until)|by|no\s+later\s+than)\s+(?:(?:the|our|my)\s+)?$", re.IGNORECASE),
        folded(r"(?:まで|為止|까지)"),
        _until,
        lambda of: Sessions(1, of.end),
    ),
    _Bound(
        re.compile(r"\b(?:after|later\s+than|following)\s+(?:(?:the|our|my)\s+)?$", re.IGNORECASE),
        folded(r"\s?(?:より後|の?後(?![半日悔])|之後|以後|후(?:에|의)?(?![가-힣]))"),
        _after,
        _after_sessions,
    ),
)


def narrowed(found: Sequence[Found], text: str) -> list[Found]:
    """Join days with the parts of them that are named beside them, and drop the other parts."""
    kept: list[Found] = []
    for each in found:
        last = kept[-1] if kept else None
        if last and (joined := _with_part(last, each, text[last.end : each.start])):
            kept[-1] = joined
        else:
            kept.append(each)
    return [each for each in kept if not isinstance(each.value, Part)]


def _with_part(first: Found, second: Found, gap: str) -> Found | None:
    if isinstance(second.value, Part) and _PART_AFTER.fullmatch(gap):
        return _part(first.stretch, second.value, first.start, second.end)
    if isinstance(first.value, Part) and _PART_BEFORE.fullmatch(gap):
        return _part(second.stretch, first.value, first.start, second.end)
    return None


def _part(of: Stretch | None, name: Part, start: int, end: int) -> Found | None:
    return Found(start, end, part_of(of, name)) if of and of.kind is Kind.DAY else None


def joined(found: Sequence[Found], text: str) -> list[Found]:
    """Join the two ends of each range."""
    kept: list[Found] = []
    for each in found:
        last = kept[-1] if kept else None
        if last and (together := _together(last, each, text)):
            kept[-1] = together
        else:
            kept.append(each)
    return kept


def _together(first: Found, second: Found, text: str) -> Found | None:
    before, gap, after = (
        text[max(first.start - _NEAR, 0) : first.start],
        text[first.end : second.start],
        text[second.end :],
    )
    between = _BETWEEN.search(before)
    ends = _BOTH_ENDS.match(after) if _AND.fullmatch(gap) else _UP_TO.match(after)
    if not _TO.fullmatch(gap) and not (_AND.fullmatch(gap) and (between or ends)):
        return None
    span = _span(first, second)
    opening = between or _FROM.search(before)
    start = first.start - (len(before) - opening.start() if opening else 0)
    return Found(start, second.end + (ends.end() if ends else 0), span) if span else None


def _span(first: Found, second: Found) -> Stretch | Sessions | None:
    if first.sessions and second.sessions:
        return _run(first.sessions.start, second.sessions.end)
    if not first.stretch or not second.stretch:
        return None
    start, end = _in_order(first.stretch, second.stretch)
    if end.end <= start.start:
        return None
    return Stretch(start.start, end.end, Kind.SPAN, start.relative and end.relative)


def _run(first: int, end: int) -> Sessions | None:
    comparable = (first > 0) == (end > 0)
    return None if comparable and end <= first else Sessions(first, end)


def _in_order(start: Stretch, end: Stretch) -> tuple[Stretch, Stretch]:
    """Both ends in the years that make a range of them, where one or both name no year."""
    if end.of_year and (not start.of_year or end.start < start.start):
        return start, _first(end.of_year, start.start.year, 1, lambda found: found.start >= start.start) or end
    if start.of_year and not end.of_year:
        return _first(start.of_year, end.start.year, -1, lambda found: found.start <= end.start) or start, end
    if start.relative and start.kind is Kind.DAY and end.kind is Kind.DAY and end.start < start.start:
        return start.moved(-_WEEK), end
    return start, end


def _first(of_year: Callable[[int], Stretch], year: int, step: int, fits: Callable[[Stretch], bool]) -> Stretch | None:
    """The first that fits, from a year on in steps of 1 or -1; leap days come within nine years."""
    found = (possible(of_year, year + step * each) for each in range(_LEAP))
    return next((each for each in found if each and fits(each)), None)


def counted(found: Found, text: str, zone: tzinfo) -> Found:
    """What is counted from a day: `two weeks before May 8`, `the day after May 8`; anything else stays as it is."""
    before = text[max(found.start - _NEAR, 0) : found.start]
    match = _COUNTED_FROM.search(before)
    if not match or not found.stretch or found.stretch.kind is not Kind.DAY:
        return found
    anchor, count = Anchor(found.stretch.start, zone), english(match["count"])
    earlier = match["way"].lower() in {"before", "prior to"}
    stretch = ago(anchor, unit(match), count) if earlier else at(anchor, unit(match), count[0])
    return Found(
        found.start - len(before) + match.start(), found.end, replace(stretch, relative=found.stretch.relative)
    )


def bounded(found: Found, text: str) -> Found:
    """What the words right before and after make of a time: since, before, until, after, early, the week of."""
    before, after = text[max(found.start - _NEAR, 0) : found.start], text[found.end : found.end + _NEAR]
    if found.stretch:
        found, before = _placed(found, before)
    for bound in _BOUNDS:
        opening = bound.before.search(before)
        closing = bound.after.match(after)
        if opening or closing:
            value = _limited(found, bound)
            start = found.start - (len(before) - opening.start() if opening else 0)
            return Found(start, found.end + (closing.end() if closing else 0), value)
    return found


def _limited(found: Found, bound: _Bound) -> Stretch | Sessions | None:
    if found.sessions:
        return bound.sessions(found.sessions)
    return bound.periods(found.stretch) if found.stretch else None


def _placed(found: Found, before: str) -> tuple[Found, str]:
    of = found.stretch
    place, week = _PLACE.search(before), _WEEK_OF.search(before)
    if of and place and of.kind in _LONG:
        index = 0 if place["early"] else 1 if place["mid"] else 2
        return Found(found.start - len(place[0]), found.end, third(of, index)), before[: place.start()]
    if of and week and of.kind is Kind.DAY:
        monday = of.start - timedelta(days=of.start.weekday())
        whole = Stretch(monday, monday + _WEEK, Kind.WEEK, of.relative)
        return Found(found.start - len(week[0]), found.end, whole), before[: week.start()]
    return found, before


def accepted(found: Sequence[Found], text: str) -> Iterator[Found]:
    """Those that need no word before them, have it, or stand in a list after one of their kind."""
    last: Found | None = None
    for each in found:
        if not each.value:
            continue
        before = text[max(each.start - _NEAR, 0) : each.start]
        listed = last and _same_kind(last, each) and _LISTED.fullmatch(text[last.end : each.start])
        if not each.needs or each.needs.search(before) or listed:
            last = each
            yield replace(each, needs=None)


def _same_kind(first: Found, second: Found) -> bool:
    return bool(first.stretch and second.stretch and first.stretch.kind is second.stretch.kind)
