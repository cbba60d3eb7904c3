"""What the laws of recall share: a workspace with an embedder, and a search in words that tell nothing of the order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from math import isclose
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from karte.bootstrap import Parts, open_workspace
from karte.config import Settings
from karte.core.results import Hit, Item, Recall
from karte.ports import Embedder
from karte.testing.dumping import named
from karte.testing.parts import CountedIds, GivenClock
from karte.testing.programs import TOLD, Program, Telling, tell
from karte.workspace import Chart
from tests.laws.opening import Desk
from tests.stores import Making
from tests.unit.engine.embedders import WordEmbedder

CLOSE = 1e-9
"""Products of parts and factors are rounded, so scores that are worked out in another order agree to this."""

SAME = " = "
"""Between the tellings of one hit."""

Told = dict[str, float | str]


@contextmanager
def hearing(making: Making, embedder: Embedder | None = None) -> Iterator[Desk]:
    """An empty workspace with one agent and an embedder that knows tea, coffee and rain."""
    with TemporaryDirectory() as folder:
        clock = GivenClock(TOLD)
        chosen = embedder or WordEmbedder()
        parts = Parts(Settings(), making(Path(folder)), clock, CountedIds(), chosen)
        with open_workspace(":memory:", parts=parts) as workspace:
            yield Desk(workspace, clock, workspace.agent("dudu"))


def told(program: Program, desk: Desk, *, decayed: bool = False) -> dict[str, str]:
    """Tell a program, fill in vectors, and let it decay for two years if asked; gives the ids by name."""
    ids = tell(program, desk.chart, desk.clock.advance).ids
    desk.workspace.embed()
    if decayed:
        desk.clock.advance(2 * 365 * 24 * 3_600)
        desk.workspace.maintain()
    return ids


def go_on(program: Program, desk: Desk, ids: Mapping[str, str]) -> None:
    """Tell the rest of a program whose beginning gave these ids, and fill in vectors."""
    telling = Telling(desk.chart, dict(ids))
    for step in program:
        step.tell(telling)
        desk.clock.advance()
    desk.workspace.embed()


def heard(chart: Chart, query: str, **options: Any) -> Told:
    """All hits of a search, flat: what does not depend on the order of telling."""
    return in_words(chart.search(query, **options), chart)


def in_words(recall: Recall, chart: Chart) -> Told:
    """An answer as one mapping from where to what; a hit is named with its retellings."""
    found: Told = {}
    for hit in recall.hits:
        tellings = [hit.memory, *(chart.fetch(hit.also).memories if hit.also else ())]
        name = SAME.join(sorted(_name(item) for item in tellings))
        found |= {f"{name} | {place}": value for place, value in _told(hit)}
    silent = " ".join(sorted(recall.silent_voices))
    return {**found, "silent": silent, "degraded": " ".join(sorted(recall.degraded))}


def _name(item: Item) -> str:
    """A memory in words, with all who said it: turns may say the same."""
    return f"{named(item.memory)} of {sorted(str(said.origin) for said in item.said)}"


def _told(hit: Hit) -> Iterator[tuple[str, float | str]]:
    yield "score", hit.score
    for name, voice in hit.parts.items():
        for place, value in voice.to_dict().items():
            yield f"{name} {place}", value
    yield from ((f"standing {name}", factor) for name, factor in hit.standing.items())
    yield from ((f"term {term.term}", term.score) for term in hit.terms)
    yield from ((f"because of {name}", said) for name, said in hit.evidence.items())
    yield "found", str(1 + len(hit.also))
    yield "around", " / ".join(_name(item) for item in hit.around)


def differences(one: Told, other: Told) -> list[str]:
    """Where two answers differ."""
    places = sorted(one.keys() | other.keys())
    return [f"{place}: {one.get(place)} / {other.get(place)}" for place in places if not _same(one, other, place)]


def _same(one: Told, other: Told, place: str) -> bool:
    left, right = one.get(place), other.get(place)
    if isinstance(left, str) or isinstance(right, str) or left is None or right is None:
        return left == right
    return isclose(left, right, rel_tol=CLOSE, abs_tol=CLOSE)


def without(found: Told, *kinds: str) -> Told:
    """The same without what these words say."""
    return {place: value for place, value in found.items() if not any(kind in place for kind in kinds)}


def first_difference(pairs: Iterable[tuple[str, Mapping[str, Any], Told, Told]]) -> str | None:
    """The first search whose two answers differ, in words."""
    for query, options, one, other in pairs:
        if found := differences(one, other):
            return f"{query!r} {options}: {found[:4]}"
    return None
