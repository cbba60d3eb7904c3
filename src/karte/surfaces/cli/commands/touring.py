"""`tour`: a filled workspace to look at, and four questions to it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from rich.console import RenderableType

from karte.surfaces.cli.answering import Answer, Drawing
from karte.surfaces.cli.command_table import Command, Section
from karte.surfaces.cli.drawing import hits, lanes, receipts
from karte.surfaces.cli.drawing.words import FAINT, STRONG, text, whole
from karte.surfaces.cli.options import WorkspaceOptions
from karte.surfaces.cli.output import Shape, progress

if TYPE_CHECKING:
    from karte.workspace import Chart

WORKSPACE: Final = ".karte-demo/tour.karte"
AGENT: Final = "dudu"
OWNER: Final = "李志旭"
OTHER_NAMES: Final = ("老闆", "李老闆", "zhixu")


@dataclass(frozen=True)
class Stop:
    """One stop of the tour: a command as one would type it, what it asks, and how its answer is drawn."""

    command: tuple[str, ...]
    ask: Callable[[Chart], Any]
    draw: Drawing


STOPS: Final = (
    Stop(
        ("search", "Where is the storefront deployed?", "--limit", "2", "--explain"),
        lambda chart: chart.search("Where is the storefront deployed?", limit=2, explain=True),
        hits.explained,
    ),
    Stop(
        ("search", "週報要怎麼寫？", "--limit", "2"), lambda chart: chart.search("週報要怎麼寫？", limit=2), hits.recall
    ),
    Stop(
        ("search", "4月14日に何があった？", "--now", "2026-06-30", "--limit", "1", "--explain"),
        lambda chart: chart.search("4月14日に何があった？", now="2026-06-30", limit=1, explain=True),
        hits.explained,
    ),
    Stop(
        ("history", "storefront", "deploy_target"),
        lambda chart: chart.history("storefront", "deploy_target"),
        lanes.history,
    ),
)


def tour(where: WorkspaceOptions) -> Answer:
    """Look around: fills .karte-demo/tour.karte here with a team's half year, searches it, and draws a fact's history.

    The team sells tea and writes in four languages. Taking the tour again changes nothing.
    """
    from karte.surfaces.cli.opening import chosen_location

    chosen = where.workspace or WORKSPACE
    place = str(chosen_location(chosen))
    with WorkspaceOptions(chosen).opened(create=True) as workspace:
        chart = workspace.agent(AGENT)
        ingested = _fill(chart)
        with progress("Filling in vectors") as report:
            workspace.embed(report)
        steps = [{"command": _typed(stop, place), "answer": stop.ask(chart).to_dict()} for stop in STOPS]
    return Answer({"workspace": place, "ingested": ingested, "steps": steps}, _drawn)


def _fill(chart: Chart) -> Shape:
    from karte.importers.chat import parse_chat

    samples = files("karte") / "samples"
    facts = (samples / "facts.jsonl").read_text(encoding="utf-8").splitlines()
    chart.store_many([json.loads(line) for line in facts])
    for name in OTHER_NAMES:
        chart.add_alias(OWNER, name)
    chat = parse_chat((samples / "conversation.jsonl").read_bytes(), "conversation.jsonl")
    return chart.ingest_chat(chat).to_dict()


def _typed(stop: Stop, place: str) -> str:
    return shlex.join(["karte", *stop.command, "--agent", AGENT, "--workspace", place])


def _drawn(shape: Shape) -> Iterator[RenderableType]:
    yield whole(f"A workspace to look at: {shape['workspace']}", STRONG)
    yield from receipts.ingested(shape["ingested"])
    for stop, step in zip(STOPS, shape["steps"], strict=True):
        yield text("")
        yield whole(f"$ {step['command']}", FAINT)
        yield from stop.draw(step["answer"])
    yield text("")
    yield text("Next: karte init makes a workspace of your own; karte connect claude-code gives it to an agent.")


TOURING = Section("Start", (Command("tour", tour),))
