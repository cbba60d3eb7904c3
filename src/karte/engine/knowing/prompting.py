"""Writing a prompt: each part under its heading and within its budget, and what was left out of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from typing import Any, Final

from karte.core.budgets import Room, cut, cut_before, pack
from karte.core.echo import WATERMARK
from karte.core.fencing import fenced, on_one_line
from karte.core.periods import moment_of
from karte.core.results import Item
from karte.engine.knowing.notes import Pad
from karte.engine.knowing.pushing import Pushed
from karte.engine.learning.mistakes import Mistake
from karte.engine.reading.describing import STALE

RULES: Final = "## Standing rules"
NOTES: Final = "## Working memory"
FACTS: Final = "## Facts"
MISTAKES: Final = "## Past Mistakes to Avoid"
CLOSING: Final = "Verify key points with `memory_search` before you rely on them."

_MORE: Final = "({} more rules did not fit; see `list_policies`.)"

MOST_FACTS: Final = 5
MOST_MISTAKES: Final = 3
LONGEST_FACT: Final = 200
LONGEST_MISTAKE: Final = 400
"""So large is a line at most, by the measure of the budgets."""


@dataclass(frozen=True)
class Part:
    """One part of a prompt: its text, empty where there is none, and what is in it.

    `ids` are those shown, `left_out` those that were found and did not fit, `cut` those that are shown cut.
    """

    text: str = ""
    ids: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """What was left out: count, ids, cut."""
        return {"count": len(self.left_out), "ids": list(self.left_out), "cut": list(self.cut)}


@dataclass(frozen=True)
class NotesPart:
    """The part of the pad: so many characters, and so many observations, are left out."""

    text: str = ""
    kept: str = ""
    characters: int = 0
    observations: int = 0

    def to_dict(self) -> dict[str, Any]:
        """What was left out: characters, observations."""
        return {"characters": self.characters, "observations": self.observations}


@dataclass(frozen=True)
class Writer:
    """Writes the lines of a prompt; dates are those of a zone."""

    zone: tzinfo = UTC

    def rules(self, policies: Sequence[Pushed], room: Room) -> Part:
        """The standing rules in order, those for every task taken in first."""
        lines = [self._rule(policy) for policy in policies]
        turns = sorted(range(len(lines)), key=lambda place: not policies[place].binding.always)

        def write(chosen: Sequence[int]) -> str:
            missing = len(lines) - len(chosen)
            told = [lines[place] for place in chosen]
            return "\n".join([RULES, *told, _MORE.format(missing)] if missing else [RULES, *told])

        places = pack(turns, write, room, len(lines))
        return _part([policy.id for policy in policies], places, write)

    def notes(self, pad: Pad, room: Room) -> NotesPart:
        """The pad as far back as it fits."""
        whole = pad.text
        if not whole.strip():
            return NotesPart(observations=pad.left)

        def write(kept: str) -> str:
            missing = len(whole) - len(kept)
            before = [f"({missing:,} characters before this are left out; see `get_my_notes`.)"] if missing else []
            return "\n".join([NOTES, *self._written(pad), *before, fenced(kept)])

        start = cut_before(whole, write, room)
        kept = whole[start:]
        text = write(kept) if kept.strip() else ""
        return NotesPart(text, kept, start, pad.left) if text else NotesPart("", "", len(whole), pad.left)

    def facts(self, items: Sequence[Item], room: Room) -> Part:
        """The first facts whose lines fit, at most five, each cut to what a line may be."""
        each = Room(LONGEST_FACT, room.measure)
        lines = [(item.id, *self._line(item, item.content, each)) for item in items]
        return self._fenced(FACTS, lines, room, MOST_FACTS)

    def mistakes(self, mistakes: Sequence[Mistake], room: Room) -> Part:
        """The first mistakes whose lines fit, at most three, each cut to what a line may be."""
        each = Room(LONGEST_MISTAKE, room.measure)
        lines = [(one.id, *self._line(one.item, one.entry.lesson, each, *_happened(one))) for one in mistakes]
        return self._fenced(MISTAKES, lines, room, MOST_MISTAKES)

    def _fenced(self, heading: str, lines: Sequence[tuple[str, str, bool]], room: Room, most: int) -> Part:
        def write(chosen: Sequence[int]) -> str:
            block = "\n".join(lines[place][1] for place in chosen)
            return f"{heading}\n{fenced(block)}"

        places = pack(range(len(lines)), write, room, most)
        part = _part([memory_id for memory_id, _, _ in lines], places, write)
        return replace(part, cut=tuple(lines[place][0] for place in places if lines[place][2]))

    def _rule(self, policy: Pushed) -> str:
        place, brief = policy.place, policy.brief
        domain = f"{place.repo}/{place.domain}" if place.repo else place.domain
        signed = _signed(brief.id, self.date(brief.since), brief.trust, [STALE] if policy.stale else [])
        return f"- [{on_one_line(domain or '')}] {on_one_line(brief.rule)} {signed}"

    def _line(self, item: Item, text: str, room: Room, *said: str) -> tuple[str, bool]:
        """The line of a memory, and whether it is cut."""
        place = item.wording.place
        start = item.learned_at if item.validity.start is None else item.validity.start
        signed = _signed(item.id, self.date(start), item.trust, [*said, *item.marks])
        before, after = (f"- [{place.domain}] " if place.domain else "- "), f" {signed}"
        words = on_one_line(text)
        line = f"{before}{words}{after}"
        if room.fits(line):
            return line, False
        shorter = cut(words, Room(room.most, lambda kept: room.size(f"{before}{kept}{after}")))
        return (f"{before}{shorter}{after}", True) if shorter else (line, False)

    def _written(self, pad: Pad) -> list[str]:
        return [f"Your notes, last written on {self.date(pad.version)}:"] if pad.version else []

    def date(self, instant: int) -> str:
        """The day of an instant."""
        moment = moment_of(instant)
        return "" if moment is None else f"{_shifted(moment, self.zone):%Y-%m-%d}"


def _signed(memory_id: str, date: str, trust: float, said: Sequence[str]) -> str:
    """What stands at the end of a line: an id, since when it holds, how far it is to be trusted, marks."""
    return f"({', '.join([memory_id, date, f'trust {trust:.2g}', *said])})"


def _shifted(moment: datetime, zone: tzinfo) -> datetime:
    try:
        return moment.astimezone(zone)
    except OverflowError:  # the first and the last day that can be written
        return moment


def _happened(mistake: Mistake) -> list[str]:
    count = len(mistake.entry.occurrences)
    return [f"{count} times"] if count > 1 else []


def _part(ids: Sequence[str], places: Collection[int], write: Callable[[Sequence[int]], str]) -> Part:
    """The part of the lines that fit; without any it has no text."""
    shown = tuple(ids[place] for place in places)
    left_out = tuple(one for place, one in enumerate(ids) if place not in places)
    return Part(write(list(places)) if places else "", shown, left_out)


def whole(parts: Sequence[str]) -> str:
    """The prompt: its parts that have a text, under the watermark and above the closing line."""
    return "\n\n".join([WATERMARK, *(part for part in parts if part), CLOSING])
