"""Finding the times that a question asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import tzinfo
from functools import cache
from typing import Final
from unicodedata import normalize

from karte.core.moments.rules import Found, Rule, apply
from karte.core.moments.stretches import Stretch
from karte.core.moments.values import Anchor, Kind, Moment
from karte.core.text.folding import fold_run
from karte.errors import InvalidTime

LONGEST_QUESTION: Final = 1_000
"""A longer query, in characters, is a text: the times in it are not what is asked for."""

_OTHER: Final = 0.5
"""The weight of a less likely reading, of a vague one, and of one that the question may count from another time."""

_QUOTED: Final = re.compile('"[^"]*"|“[^“”]*”|「[^「」]*」|『[^『』]*』|«[^«»]*»')
_SPACES: Final = {ord(char): " " for char in "\u3000\u00a0\t\n\r"}
_APOSTROPHES: Final = {ord(char): "'" for char in "\u2018\u2019\u02bc"}
_NOT_TEXT: Final = "\x00"


def find_moments(text: str, now: int, zone: tzinfo) -> tuple[Moment, ...]:
    """The times that a question asks for, in the order of the text; none in most questions.

    `now` is what relative times are counted from, in microseconds since the epoch, `zone` the one whose days are
    meant. A time with several readings gives one moment each, the likeliest with weight 1. What stands in quotes is
    not read, nor is anything in a text longer than `LONGEST_QUESTION`.
    """
    if len(text) > LONGEST_QUESTION:
        return ()
    plain = _QUOTED.sub(lambda quoted: _NOT_TEXT * len(quoted[0]), text)
    folded = plain if plain.isascii() else _folded(plain)
    anchor = Anchor.of(now, zone)
    return tuple(
        moment for found, weight in _settled(_found(folded, anchor)) for moment in _moments(found, text, weight, anchor)
    )


def _found(text: str, anchor: Anchor) -> list[Found]:
    from karte.core.moments import joining  # noqa: PLC0415 - patterns are compiled for the first question, not before

    found = apply(_rules(ascii_only=text.isascii()), text, anchor)
    whole = joining.joined(joining.narrowed(found, text), text)
    bounded = [joining.bounded(joining.counted(each, text, anchor.zone), text) for each in whole]
    return list(joining.accepted(bounded, text))


@cache
def _rules(*, ascii_only: bool) -> tuple[Rule, ...]:
    from karte.core.moments.languages import (  # noqa: PLC0415 - as above
        english_dates,
        english_relative,
        sessions,
        written,
    )

    english = (*written.RULES, *english_dates.RULES, *english_relative.RULES, *sessions.RULES)
    if ascii_only:
        return english
    from karte.core.moments.languages import (  # noqa: PLC0415 - who never writes these languages need not wait for them
        chinese,
        cjk_sessions,
        han,
        japanese,
        korean,
    )

    return (*english, *han.RULES, *chinese.RULES, *japanese.RULES, *korean.RULES, *cjk_sessions.RULES)


def _folded(text: str) -> str:
    """The text in the form that patterns are written for, character by character, of the same length."""
    chars = (char if char.isascii() or len(one := normalize("NFKC", char)) != 1 else one for char in text)
    return fold_run("".join(chars).translate(_SPACES | _APOSTROPHES))


def _settled(found: Sequence[Found]) -> Iterator[tuple[Found, float]]:
    """Each with its weight: beside a date, `last Friday` may be counted from it, and `recently` says nothing."""
    dated = any(not each.stretch or not each.stretch.relative for each in found)
    for each in found:
        vague = each.stretch is not None and each.stretch.kind is Kind.RECENT
        if not (vague and len(found) > 1):
            yield each, _OTHER if vague or (dated and each.stretch and each.stretch.relative) else 1.0


def _moments(found: Found, text: str, weight: float, anchor: Anchor) -> Iterator[Moment]:
    named = text[found.start : found.end].strip()
    if found.sessions:
        yield Moment(found.sessions.start, found.sessions.end, named, Kind.SESSION, weight)
    if found.stretch:
        readings = (found.stretch, *found.stretch.others)
        for place, reading in enumerate(readings):
            moment = _moment(reading, named, weight if place == 0 else weight * _OTHER, anchor)
            if moment:
                yield moment


def _moment(reading: Stretch, named: str, weight: float, anchor: Anchor) -> Moment | None:
    """The reading as instants; None where it lies outside of the years that have them."""
    try:
        start, end = anchor.instant(reading.start), anchor.instant(reading.end)
    except (InvalidTime, OverflowError):
        return None
    return Moment(start, end, named, reading.kind, weight, reading.relative) if start < end else None
