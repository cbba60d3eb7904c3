"""Running a bench from the command line: measure, say how it can be measured again, write it down."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from rich.console import Console

from karte.bench import (
    asof,
    beam,
    charts,
    cjk,
    context,
    guard,
    locomo,
    longmemeval,
    machine,
    multihop,
    pages,
    poison,
    precision,
    restraint,
    speed,
    tables,
    temporal,
    upkeep,
)
from karte.bench.datasets import DataSets, MissingData, UnreadableData
from karte.bench.options import Beside, Output, Recalling
from karte.bench.results import Measured, Result
from karte.bootstrap import SystemClock
from karte.core.periods import write_instant
from karte.errors import InvalidValue

_SECOND: Final = 1_000_000
_ON_DATA: Final = "karte bench {name} --data DIR --split {split}"

RANKINGS: Final[Mapping[str, Callable[[DataSets, Recalling], Measured]]] = {
    "beam": beam.measure,
    "cjk": cjk.measure,
    "locomo": locomo.measure,
    "longmemeval": longmemeval.measure,
    "multihop": multihop.measure,
    "precision": precision.measure,
    "restraint": restraint.measure,
    "temporal": temporal.measure,
}
"""The benches of recall by name."""


@dataclass(frozen=True)
class Scale:
    """How large the speed bench is, as it is written on the command line."""

    size: str
    namespaces: str
    languages: str
    batch: int
    seed: int
    beside: Beside

    @property
    def command(self) -> str:
        """The command that measures this again."""
        embedder = f" --embedder {self.beside.embedder}" if self.beside.embedder else ""
        server = " --server URL" if self.beside.server else ""
        return (
            f"karte bench speed --size {self.size} --namespaces {self.namespaces} --languages {self.languages} "
            f"--batch {self.batch} --triples {self.beside.triples}{embedder}{server} --seed {self.seed}"
        )

    def plan(self) -> speed.Plan:
        """Read it; raises `InvalidValue`."""
        agents, times, each = self.namespaces.partition("x")
        if not times or not agents.isdecimal() or int(agents) == 0:
            raise InvalidValue(f"{self.namespaces!r} names no namespaces; write it as 100x1k.")
        return speed.Plan(
            tuple(speed.read_size(size) for size in self.size.split(",")),
            tuple(language.strip() for language in self.languages.split(",")),
            int(agents),
            speed.read_size(each),
            self.batch,
            triples=speed.read_size(self.beside.triples),
            embedder=self.beside.embedder,
            server=self.beside.server,
        )


@dataclass(frozen=True)
class Telling:
    """How large the bench of contexts is, as it is written on the command line."""

    size: str
    policies: int
    facts: int
    tasks: int
    seed: int

    @property
    def command(self) -> str:
        """The command that measures this again."""
        return (
            f"karte bench context --size {self.size} --policies {self.policies} --facts {self.facts} "
            f"--tasks {self.tasks} --seed {self.seed}"
        )

    def plan(self) -> context.Plan:
        """Read it; raises `InvalidValue`."""
        return context.Plan(speed.read_size(self.size), self.policies, self.facts, tasks=self.tasks)


@dataclass(frozen=True)
class Keeping:
    """How large the bench of upkeep is, as it is written on the command line."""

    size: str
    agents: int
    seed: int

    @property
    def command(self) -> str:
        """The command that measures this again."""
        return f"karte bench upkeep --size {self.size} --agents {self.agents} --seed {self.seed}"

    def plan(self) -> upkeep.Plan:
        """Read it; raises `InvalidValue`."""
        return upkeep.Plan(speed.read_size(self.size), self.agents)


def run_ranking(bench: str, data: DataSets, recalling: Recalling, output: Output) -> None:
    """Measure one of `RANKINGS`."""
    command = f"{_ON_DATA.format(name=bench, split=data.split)} {recalling.words}"
    _write(_result(bench, command, RANKINGS[bench](data, recalling)), output)


def run_poison(data: DataSets, recalling: Recalling, own: Path | None, output: Output) -> None:
    """Measure poisoning; `own` is a folder with attacks, benign texts and false facts, if there is one."""
    command = f"{_ON_DATA.format(name='poison', split=data.split)} {recalling.words}{' --own DIR' if own else ''}"
    measured = poison.measure(data, recalling, own)
    detected = tuple(guard.figures(data, own))
    _write(_result("poison", command, replace(measured, figures=(*measured.figures, *detected))), output)


def run_asof(data: Path, split: str, seed: int, output: Output) -> None:
    """Measure the YAGO intervals."""
    command = _ON_DATA.format(name="asof", split=split) + f" --seed {seed}"
    _write(_result("asof", command, asof.measure(DataSets(data, split), seed), seed), output)


def run_speed(scale: Scale, output: Output) -> None:
    """Measure speed."""
    _write(_result("speed", scale.command, speed.measure(scale.plan(), scale.seed), scale.seed), output)


def run_context(telling: Telling, output: Output) -> None:
    """Measure contexts."""
    _write(_result("context", telling.command, context.measure(telling.plan(), telling.seed), telling.seed), output)


def run_upkeep(keeping: Keeping, output: Output) -> None:
    """Measure upkeep."""
    _write(_result("upkeep", keeping.command, upkeep.measure(keeping.plan(), keeping.seed), keeping.seed), output)


def run_report(results: Path, before: Path | None, out: Path | None) -> None:
    """Write the page of the results in a folder; raises `MissingData` where there is none."""
    page = pages.page(read_results(results), read_results(before) if before else [])
    if out is None:
        sys.stdout.write(page)
    else:
        out.write_text(page, encoding="utf-8")


def read_results(folder: Path) -> list[Result]:
    """The results in a folder, by name of the file; raises `MissingData` where there is none."""
    found = sorted(folder.glob("*.json"))
    if not found:
        raise MissingData(f"There are no results in {folder}.", hint="Make some: karte bench speed --out FILE.json")
    return [_read(path) for path in found]


def _read(path: Path) -> Result:
    try:
        return Result.from_dict(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError) as error:
        raise UnreadableData(f"{path} is no result of a bench: {error!r}.") from None


def _result(bench: str, command: str, measured: Measured, seed: int | None = None) -> Result:
    now = SystemClock().now() // _SECOND * _SECOND
    return Result(bench, command, write_instant(now) or "", machine.commit(), machine.machine(), seed, measured)


def _write(result: Result, output: Output) -> None:
    text = json.dumps(result.to_dict(), ensure_ascii=False, indent=2) + "\n"
    if output.out:
        output.out.write_text(text, encoding="utf-8")
    if output.plot:
        output.plot.write_text(charts.chart(result), encoding="utf-8")
    if output.json:
        sys.stdout.write(text)
    else:
        for part in tables.drawn(result):
            Console(highlight=False).print(part)
