"""One agent in the midst of others, against the same memories alone in a file: by words, and by all voices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from karte.bench.chance import Chance
from karte.bench.hybrid import EMBEDDER
from karte.bench.places import folder, opened
from karte.bench.progress import steps
from karte.bench.queries import AGENT, LIMIT, WARM_UP, ask
from karte.bench.results import TIMING, Figure, at_most
from karte.bench.stopwatch import Times
from karte.bench.texts import Texts
from karte.models.embedders import NONE

_MOST: Final = 1.3


@dataclass(frozen=True)
class Side:
    """A file, and the agent in it who is asked."""

    path: Path
    agent: str

    def embed(self) -> None:
        """Fill in the vectors of the whole file."""
        with opened(self.path, EMBEDDER) as workspace:
            workspace.embed()


@dataclass(frozen=True)
class Neighbours:
    """So many agents with so many memories each; the one in the middle is asked so many queries."""

    language: Texts
    agents: int
    each: int
    queries: int

    def figures(self, group: str, chance: Chance) -> Iterator[Figure]:
        """Store all of them in one file and those of one in another, and search both in turns."""
        with folder() as place:
            sides = Side(place / "many.karte", _agent(self.agents // 2)), Side(place / "one.karte", AGENT)
            texts = self._store(*sides)
            queries = ask(self.language, texts, chance, self.queries)
            yield from _compared(group, "search p50", _by_words(sides, queries))
            yield from _compared(group, "hybrid search p50", _by_all_voices(sides, queries))

    def _store(self, beside: Side, alone: Side) -> list[str]:
        """Give all of them their memories; gives the texts of the one who is asked."""
        texts: list[str] = []
        with opened(beside.path) as many:
            for number in steps(range(self.agents), "namespaces"):
                drawn = [self.language.text() for _ in range(self.each)]
                many.agent(_agent(number)).store_many([{"content": text} for text in drawn])
                texts = drawn if _agent(number) == beside.agent else texts
        with opened(alone.path) as one:
            one.agent(alone.agent).store_many([{"content": text} for text in texts])
        return texts


def _agent(number: int) -> str:
    return f"agent {number}"


def _by_words(sides: Sequence[Side], queries: Sequence[str]) -> list[Times]:
    _, times = _in_turns(sides, NONE, "keyword", [queries[:WARM_UP], queries])
    return times


def _by_all_voices(sides: Sequence[Side], queries: Sequence[str]) -> list[Times]:
    """Each query is asked once before, so that its vector is known."""
    for side in sides:
        side.embed()
    _, times = _in_turns(sides, EMBEDDER, "hybrid", [queries, queries])
    return times


def _in_turns(sides: Sequence[Side], embedder: str, mode: str, rounds: Sequence[Sequence[str]]) -> list[list[Times]]:
    """Ask each query of all sides, one after the other; gives the times of each round, side by side."""
    measured = [[Times() for _ in sides] for _ in rounds]
    with ExitStack() as open_files:
        files = [open_files.enter_context(opened(side.path, embedder)) for side in sides]
        charts = [file.agent(side.agent) for file, side in zip(files, sides, strict=True)]
        for times, queries in zip(measured, rounds, strict=True):
            for query in queries:
                for chart, each in zip(charts, times, strict=True):
                    each.run(chart.search, query, limit=LIMIT, mode=mode)
    return measured


def _compared(group: str, name: str, times: Sequence[Times]) -> Iterator[Figure]:
    beside, alone = (each.cpu_ms(0.5) for each in times)
    yield Figure(group, f"{name} against alone in its file", beside / alone, "x", at_most(_MOST), noise=TIMING)
    yield Figure(group, name, beside, "ms cpu", noise=TIMING)
    yield Figure(group, f"{name} alone", alone, "ms cpu", noise=TIMING)
