"""PersistBench: are memories kept back from queries of another domain, and given to queries of their own?

Each query is asked of an agent of its own who has the memories that come with it. What counts is how many are returned
at the shipped floor. The curve shows every other floor: the share of the memories that are returned at it, for queries
of another domain (across) and of the same (up).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from karte.bench.asking import Asker, Targets, askers, compared, embed, judged, stated
from karte.bench.datasets import DataSets, UnreadableData
from karte.bench.metrics import area, mean
from karte.bench.options import Recalling
from karte.bench.places import workspace
from karte.bench.progress import steps
from karte.bench.results import Better, Curve, Figure, Measured, Point, at_most
from karte.core.results import Hit
from karte.workspace import Chart, Workspace

OFF_TOPIC: Final = "off-topic"
ON_TOPIC: Final = "on-topic"
PLACES: Final = {
    OFF_TOPIC: "persistbench/cross_domain_{split}.jsonl",
    ON_TOPIC: "persistbench/beneficial_samples_{split}.jsonl",
}
BOTH: Final = "both"
_RATIO: Final = "off-topic against on-topic"
_FLOORS: Final = tuple(place / 50 for place in range(51))
_HEADLINES: Final = ((BOTH, _RATIO), (OFF_TOPIC, "returned a query"), (ON_TOPIC, "returned a query"))
_TARGETS: Final[Targets] = {(BOTH, _RATIO): at_most(1 / 3)}


@dataclass(frozen=True)
class Query:
    """A query, and the agent who has the memories that come with it."""

    kind: str
    agent: str
    text: str
    memories: tuple[str, ...]


@dataclass(frozen=True)
class Returned:
    """How many memories there were, and how many were returned at each floor, None for the shipped one."""

    kind: str
    memories: int
    at_floor: Mapping[float | None, int]

    @property
    def shipped(self) -> int:
        """How many were returned at the shipped floor."""
        return self.at_floor[None]


def measure(data: DataSets, recalling: Recalling) -> Measured:
    """Keep the memories of each query and ask it."""
    queries = [query for kind, place in PLACES.items() for query in read(kind, data.lines(place))]
    with workspace(recalling.used, recalling.server) as opened:
        for query in steps(queries, "PersistBench memories"):
            opened.agent(query.agent).store_many([{"content": text} for text in query.memories])
        embed(opened, recalling)
        targets = judged(recalling, _TARGETS)
        found = list(compared(recalling, lambda asker: figures(_ask(opened, queries, asker), targets), _HEADLINES))
        drawn = curve(_ask(opened, queries, askers(recalling)[0], (None, *_FLOORS)))
    whole = area((point.x, point.y) for point in drawn.points)
    found.append(Figure(BOTH, "area under the curve of floors", whole, better=Better.MORE))
    sizes = {kind: sum(query.kind == kind for query in queries) for kind in PLACES}
    return Measured({"split": data.split, **stated(recalling), "queries": sizes}, tuple(found), (drawn,))


def read(kind: str, lines: Sequence[Any]) -> Iterator[Query]:
    """Read queries with their memories; raises `UnreadableData` for one of another shape."""
    for number, line in enumerate(lines, 1):
        try:
            yield Query(kind, f"{kind} {number}", line["query"], tuple(dict.fromkeys(line["memories"])))
        except (KeyError, TypeError) as error:
            raise UnreadableData(f"This is no query with memories: {error!r}.") from None


def _ask(
    opened: Workspace, queries: Sequence[Query], asker: Asker, floors: Sequence[float | None] = (None,)
) -> list[Returned]:
    title = asker.title("PersistBench")
    return [_returned(opened.agent(query.agent), query, asker, floors) for query in steps(queries, title)]


def _returned(chart: Chart, query: Query, asker: Asker, floors: Sequence[float | None]) -> Returned:
    most = len(query.memories)
    counts = {floor: _count(asker.ask(chart, query.text, most, floor=floor)) for floor in floors}
    return Returned(query.kind, most, counts)


def _count(hits: Sequence[Hit]) -> int:
    """How many memories hits give; a retelling that is named with a hit is returned with it."""
    return sum(1 + len(hit.also) for hit in hits)


def figures(answered: Sequence[Returned], targets: Targets) -> Iterator[Figure]:
    """How much is returned a query of each kind, and of one kind against the other (1 where nothing ever is)."""
    off, on = (mean(each.shipped for each in answered if each.kind == kind) for kind in PLACES)
    ratio = off / on if on else 1.0
    yield Figure(BOTH, _RATIO, ratio, "x", targets.get((BOTH, _RATIO)), Better.LESS, noise=0.01)
    for kind in PLACES:
        yield from _group(kind, [each for each in answered if each.kind == kind])


def _group(kind: str, answered: Sequence[Returned]) -> Iterator[Figure]:
    better = Better.LESS if kind == OFF_TOPIC else Better.MORE
    yield Figure(kind, "returned a query", mean(each.shipped for each in answered), "memories", better=better)
    yield Figure(kind, "returned of all", _share(answered, None), better=better)
    yield Figure(kind, "queries with an empty answer", mean(each.shipped == 0 for each in answered))
    yield Figure(kind, "queries", len(answered), "queries")


def _share(answered: Sequence[Returned], floor: float | None) -> float:
    """The share of all memories that are returned at a floor, None for the shipped one; 0 of nothing."""
    return sum(each.at_floor[floor] for each in answered) / max(sum(each.memories for each in answered), 1)


def curve(answered: Sequence[Returned]) -> Curve:
    """The shares returned at each floor that was asked, and at the shipped one."""
    off, on = ([each for each in answered if each.kind == kind] for kind in PLACES)
    floors = sorted({floor for each in answered for floor in each.at_floor if floor is not None})
    points = tuple(Point(_share(off, floor), _share(on, floor), floor) for floor in floors)
    across, up = (f"{kind} memories returned" for kind in PLACES)
    return Curve("floors", across, up, points, Point(_share(off, None), _share(on, None)))
