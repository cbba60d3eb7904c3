"""How long consolidating and harmonising take in a workspace of several agents, and whether a second run changes anything.

Memories are synthetic, English and Chinese in turns; see `texts`. What there is to promote, to merge, to agree on and to
dispute is put there and so known beforehand: it is the target of what was done, so that a run which does nothing cannot
look fast. There are no vectors, since neither job reads any.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count, islice, pairwise
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

from rich.console import Console
from rich.progress import Progress as Bars

from karte.bench.places import folder, opened
from karte.bench.progress import steps
from karte.bench.results import TIMING, Better, Figure, Measured, Target, at_least, at_most
from karte.bench.speed import size_name, texts_in
from karte.bench.stopwatch import Times
from karte.bench.timings import bound_at
from karte.core.beliefs import LEAST
from karte.engine.learning.consolidating import Consolidated
from karte.engine.learning.harmonising import Harmonised
from karte.engine.progress import Progress
from karte.errors import InvalidValue
from karte.workspace import Chart, Workspace

SECONDS: Final = {20_000: 60.0}
"""Seconds that a first run takes at most on the wall, by how many memories there are."""

_BATCH: Final = 1_000
_DOMAIN: Final = "operations"
_FIRST_YEAR: Final = 1950
_YEARS: Final = 75
_PORTS: Final = (8080, 9090)
"""What agents answer in turns, so that there are two sides to every dispute."""

_SERVICES: Final = (("service {}", "Service {} listens on port {}."), ("服务{}", "服务{}监听端口{}。"))


@dataclass(frozen=True)
class Plan:
    """What is measured: so many memories of so many agents, and beside them what the agents keep for sessions.

    Of an agent's memories one in `alike` is held by all agents, one in `restated` restates another one of the agent, one
    in `disputed` answers a question that another agent answers otherwise; for one in `kept` there is an item of a session
    that is worth keeping and one that is not. Raises `InvalidValue` for one agent, or too few memories for all that.
    """

    size: int = 20_000
    agents: int = 4
    alike: int = 3
    restated: int = 20
    disputed: int = 100
    kept: int = 100

    def __post_init__(self) -> None:
        if self.agents < LEAST or self.own(self.agents - 1) < 1:
            raise InvalidValue(
                f"{self.size} memories of {self.agents} agents are too few.",
                hint="Take two agents or more, with four memories each at least.",
            )

    def one_in(self, many: int) -> int:
        """How many of an agent's memories one in so many is: at least one."""
        return max(self.size // self.agents // many, 1)

    def own(self, agent: int) -> int:
        """How many memories an agent has that are none of these; what is left over of `size` is among the first agents'."""
        share = self.size // self.agents + (agent < self.size % self.agents)
        return share - sum(map(self.one_in, (self.alike, self.restated, self.disputed)))


def measure(plan: Plan, seed: int) -> Measured:
    """Fill a workspace, then consolidate every agent twice and harmonise twice."""
    with folder() as place:
        path = place / "bench.karte"
        _Filling(plan, seed).fill(path)
        with opened(path) as workspace:
            charts = [workspace.agent(name) for name in _names(plan)]
            consolidated = [_consolidated(charts, title) for title in ("consolidate", "consolidate again")]
            harmonised = [_harmonised(workspace, title) for title in ("harmonise", "harmonise again")]
    group = f"{size_name(plan.size)} memories of {plan.agents} agents"
    figures = [
        *times(group, "consolidate", consolidated, bound_at(SECONDS, plan.size)),
        *merged(group, plan, consolidated[0].results),
        *times(group, "harmonise", harmonised, bound_at(SECONDS, plan.size)),
        *agreed(group, plan, harmonised[0].results[0]),
    ]
    return Measured(dict(vars(plan)), tuple(figures))


def _names(plan: Plan) -> list[str]:
    return [f"agent {number}" for number in range(plan.agents)]


class _Sayings:
    """Endless texts in two wordings each that say the same, of both languages in turns."""

    def __init__(self, seed: int) -> None:
        self._english, self._chinese = texts_in("en", seed), texts_in("zh", seed + 1)
        self._pairs = self._drawn()

    def _drawn(self) -> Iterator[tuple[str, str]]:
        for number in count():
            year = _FIRST_YEAR + number % _YEARS
            english, chinese = self._english.text(), self._chinese.text()
            yield f"In {year}, {english[0].lower()}{english[1:]}", f"{english[:-1]} in {year}."
            yield f"{year}年{chinese}", f"{chinese[:-1]}，{year}年。"

    def take(self, number: int) -> list[tuple[str, str]]:
        """The next ones."""
        return list(islice(self._pairs, number))


@dataclass
class _Filling:
    """What the agents are told."""

    plan: Plan
    seed: int

    def fill(self, path: Path) -> None:
        """Make the workspace, and let every agent keep its memories and what it needs for its sessions."""
        plan, sayings = self.plan, _Sayings(self.seed)
        alike = sayings.take(plan.one_in(plan.alike))
        with opened(path) as workspace:
            workspace.create_domain(_DOMAIN)
            for number, name in enumerate(_names(plan)):
                chart = workspace.agent(name)
                items = self._told(number, alike, sayings.take(plan.own(number)))
                for start in steps(range(0, len(items), _BATCH), f"memories of {name}"):
                    chart.store_many(items[start : start + _BATCH])
                self._remember(chart, [text for text, _ in sayings.take(2 * plan.one_in(plan.kept))])

    def _told(
        self, agent: int, alike: Sequence[tuple[str, str]], own: Sequence[tuple[str, str]]
    ) -> list[dict[str, Any]]:
        """The memories of an agent; of what it says again, half is held alike by all."""
        again = self.plan.one_in(self.plan.restated)
        restated = [*alike[: again // 2], *own[: again - again // 2]]
        texts = [*(text for text, _ in alike), *(text for text, _ in own), *(text for _, text in restated)]
        answers = [_answer(question, agent) for question in range(self.plan.one_in(self.plan.disputed))]
        return [*({"content": text} for text in texts), *answers]

    def _remember(self, chart: Chart, texts: Sequence[str]) -> None:
        for number, text in enumerate(steps(texts, f"sessions of {chart.owner}")):
            chart.remember(text, f"session {number // 10}", memory_type="context" if number % 2 else "decision")


def _answer(question: int, agent: int) -> dict[str, Any]:
    """What an agent says of a question that is asked in the shared domain."""
    port, (service, words) = _PORTS[agent % len(_PORTS)], _SERVICES[question % len(_SERVICES)]
    triple = {"subject": service.format(question), "predicate": "listens on", "object": f"port {port}"}
    return {"content": words.format(question, port), "domain": _DOMAIN, **triple}


class _Done(Protocol):
    """What upkeep did."""

    @property
    def changes(self) -> bool:
        """Whether there was anything to do."""


T = TypeVar("T", bound=_Done)


@dataclass
class Ran(Generic[T]):
    """Runs of one job, how often they told of their progress, and the longest time between that, in seconds."""

    times: Times = field(default_factory=Times)
    results: list[T] = field(default_factory=list)
    told: int = 0
    silence: float = 0.0


@contextmanager
def _watched(title: str, ran: Ran[T]) -> Iterator[Progress]:
    """A bar on a terminal, nothing on a pipe; how long it stood still at most is noted."""
    console = Console(stderr=True)
    told = [time.perf_counter()]
    with Bars(console=console, transient=True, disable=not console.is_terminal, refresh_per_second=2) as bars:
        bar = bars.add_task(title, total=None)

        def tell(done: int, total: int) -> None:
            ran.told += 1
            told.append(time.perf_counter())
            bars.update(bar, completed=done, total=total)

        yield tell
    told.append(time.perf_counter())
    ran.silence = max(ran.silence, *(after - before for before, after in pairwise(told)))


def _consolidated(charts: Sequence[Chart], title: str) -> Ran[Consolidated]:
    """Consolidate the memories of each agent."""
    ran = Ran[Consolidated]()
    for chart in charts:
        with _watched(f"{title}: {chart.owner}", ran) as progress:
            ran.results.append(ran.times.run(chart.consolidate, progress=progress))
    return ran


def _harmonised(workspace: Workspace, title: str) -> Ran[Harmonised]:
    """Harmonise once."""
    ran = Ran[Harmonised]()
    with _watched(title, ran) as progress:
        ran.results.append(ran.times.run(workspace.harmonize, progress=progress))
    return ran


def times(group: str, job: str, runs: Sequence[Ran[T]], bound: Target | None) -> Iterator[Figure]:
    """Seconds of the first run and of the second one, all agents together; and how many runs changed something again."""
    first, second = runs
    for name, ran, target in ((f"{job}, first run", first, bound), (f"{job}, second run", second, None)):
        yield Figure(group, f"{name}, wall", sum(ran.times.wall), "s", target, Better.LESS, TIMING)
        yield Figure(group, name, sum(ran.times.cpu), "s cpu", None, Better.LESS, TIMING)
    yield Figure(group, f"{job}, progress told", first.told, "times", at_least(len(first.results)))
    yield Figure(group, f"{job}, longest without progress", first.silence, "s", None, Better.LESS, TIMING)
    changed = sum(done.changes for done in second.results)
    yield Figure(group, f"{job}, changes the second time", changed, "runs", at_most(0))


def merged(group: str, plan: Plan, done: Sequence[Consolidated]) -> Iterator[Figure]:
    """What consolidating did, against what there was to do."""
    examined, promoted, joined = (sum(getattr(one, n) for one in done) for n in ("examined", "promoted", "merged"))
    kept, again = (plan.agents * plan.one_in(many) for many in (plan.kept, plan.restated))
    yield Figure(group, "consolidate, examined", examined, "memories", at_least(plan.size))
    yield Figure(group, "consolidate, promoted", promoted, "items", at_least(kept))
    yield Figure(group, "consolidate, merged", joined, "pairs", at_least(again))


def agreed(group: str, plan: Plan, done: Harmonised) -> Iterator[Figure]:
    """What harmonising did, against what there was to do."""
    yield Figure(group, "harmonise, examined", done.examined, "memories", at_least(plan.size))
    yield Figure(group, "harmonise, beliefs", done.beliefs, "statements", at_least(plan.one_in(plan.alike)))
    yield Figure(group, "harmonise, disputes", done.disputes, "questions", at_least(plan.one_in(plan.disputed)))
