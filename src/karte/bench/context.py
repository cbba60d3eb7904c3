"""How fast the context of a task is put together, in a workspace full of memories and policies, beside plain searches.

Memories, rules, facts and tasks are synthetic, English and Chinese in turns; see `texts`. Each task is asked for its
context and, in turns with that, searched for by words and by all voices, so that a busy machine slows down all alike and
their ratio tells what the context adds. The vectors are of the built-in embedder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

from karte.bench.chance import Chance
from karte.bench.hybrid import EMBEDDER
from karte.bench.metrics import mean
from karte.bench.places import folder, opened
from karte.bench.progress import steps
from karte.bench.queries import AGENT, LIMIT, WARM_UP, ask
from karte.bench.results import TIMING, Better, Figure, Measured, at_least
from karte.bench.speed import size_name, texts_in
from karte.bench.stopwatch import Times
from karte.bench.timings import bound_at, timings
from karte.models.embedders import NONE
from karte.workspace import Chart, Workspace

P95: Final = {100_000: 30.0}
"""Milliseconds that a caller waits for a context at most, by how many memories there are."""

_LANGUAGES: Final = ("en", "zh")
_BATCH: Final = 1_000
_RULE: Final = 120
_MISTAKES: Final = 30
_OBSERVATIONS: Final = 20
_NOTES: Final = 1_500
_ALWAYS: Final = 20
"""Of so many policies one is for every task."""


@dataclass(frozen=True)
class Plan:
    """What is measured: so many memories of an agent, policies and facts in so many domains, and tasks."""

    size: int = 100_000
    policies: int = 200
    facts: int = 200
    domains: int = 10
    tasks: int = 100


def measure(plan: Plan, seed: int) -> Measured:
    """Fill a workspace, and ask for contexts by words alone, then with vectors, then after each write."""
    figures: list[Figure] = []
    with folder() as place:
        path = place / "bench.karte"
        bench = Bench(plan, path, _Texts(seed))
        bench.fill()
        name = f"{size_name(plan.size)} memories, {plan.policies} policies"
        figures += bench.figures(name, NONE)
        figures += bench.figures(f"{name}, vectors", EMBEDDER)
    parameters = {**vars(plan), "limit": LIMIT, "vectors": EMBEDDER}
    return Measured(parameters, tuple(figures))


class _Texts:
    """Texts of all languages in turns, and tasks about some of them."""

    def __init__(self, seed: int) -> None:
        self._languages = [texts_in(name, seed + place) for place, name in enumerate(_LANGUAGES)]
        self._seed = seed

    def __iter__(self) -> Iterator[str]:
        while True:
            yield from (language.text() for language in self._languages)

    def take(self, count: int) -> list[str]:
        """The next ones."""
        return list(islice(self, count))

    def tasks(self, texts: Sequence[str], count: int) -> list[str]:
        """So many tasks, each of words of two of these texts of a language."""
        turns = len(self._languages)
        asked = [
            ask(language, texts[place::turns], Chance(self._seed), -(-count // turns))
            for place, language in enumerate(self._languages)
        ]
        return [task for together in zip(*asked, strict=True) for task in together][:count]


@dataclass
class Bench:
    """A workspace in a file, and the times of what it was asked."""

    plan: Plan
    path: Path
    texts: _Texts
    tasks: list[str] = field(default_factory=list)

    def fill(self) -> None:
        """Keep the memories of an agent, what the workspace shares, and the agent's notes and mistakes."""
        with opened(self.path) as workspace:
            self._share(workspace)
            chart = workspace.agent(AGENT)
            texts: list[str] = []
            for start in steps(range(0, self.plan.size, _BATCH), "batches of memories"):
                texts = self.texts.take(min(_BATCH, self.plan.size - start))
                chart.store_many([{"content": text} for text in texts])
            self.tasks = self.texts.tasks(texts, self.plan.tasks)
            self._keep_in_mind(chart)

    def _share(self, workspace: Workspace) -> None:
        names = [f"domain {number}" for number in range(self.plan.domains)]
        for name in names:
            workspace.create_domain(name)
        for number, text in enumerate(steps(self.texts.take(self.plan.facts), "facts")):
            workspace.store(text, domain=names[number % len(names)])
        for number, text in enumerate(steps(self.texts.take(self.plan.policies), "policies")):
            always = number % _ALWAYS == 0
            workspace.propose_policy(names[number % len(names)], text[:_RULE], priority=number % 3, always=always)

    def _keep_in_mind(self, chart: Chart) -> None:
        chart.update_notes("\n".join(self.texts.take(100))[:_NOTES])
        for text in self.texts.take(_OBSERVATIONS):
            chart.observe(text)
        for text in self.texts.take(_MISTAKES):
            chart.record_mistake("factual", text)

    def figures(self, name: str, embedder: str) -> Iterator[Figure]:
        """Figures of contexts beside searches, then of contexts after a write each."""
        told, words, all_voices, fresh = Times(), Times(), Times(), Times()
        shown: list[tuple[int, int]] = []
        with opened(self.path, embedder) as workspace:
            workspace.embed()
            chart = workspace.agent(AGENT)
            for task in self.tasks[:WARM_UP]:
                chart.context(task)
            for task in steps(self.tasks, f"{name}, contexts"):
                chart.search(f"{task}!", limit=1)  # what has to be made of the task is made
                found = told.run(chart.context, task)
                words.run(chart.search, task, limit=LIMIT, mode="keyword")
                all_voices.run(chart.search, task, limit=LIMIT)
                shown.append((len(found.facts), len(found.policies)))
            for task in steps(self.tasks, f"{name}, contexts after a write"):
                chart.store(f"{task} {len(fresh.wall)}")
                fresh.run(chart.context, task)
        yield from timings(name, "context", told, wall=bound_at(P95, self.plan.size))
        yield from timings(name, "context after a write", fresh)
        for against, times in (("a search by words", words), ("a search by all voices", all_voices)):
            ratio = told.cpu_ms(0.5) / times.cpu_ms(0.5)
            yield Figure(name, f"context against {against}, p50", ratio, "x", None, Better.LESS, TIMING)
            yield Figure(name, f"{against} p50", times.cpu_ms(0.5), "ms cpu")
        yield Figure(name, "tasks that get facts", mean(facts > 0 for facts, _ in shown), target=at_least(1.0))
        yield Figure(name, "tasks that get rules", mean(rules > 0 for _, rules in shown), target=at_least(1.0))
