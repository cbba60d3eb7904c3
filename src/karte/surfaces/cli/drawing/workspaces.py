"""The workspace itself: what was made, how much it keeps, how it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.console import RenderableType

from karte.surfaces.cli.drawing.words import STRONG, indented, pairs, text, whole
from karte.surfaces.cli.output import Shape


def initialised(shape: Shape) -> Iterator[RenderableType]:
    """What was made, and what to do next."""
    workspace = shape["workspace"]
    if shape["created"]:
        yield whole(f"Made the workspace {workspace}")
        yield whole('Next: karte store "Deploys go to Vercel"')
    else:
        yield whole(f"The workspace {workspace} is there already; nothing was changed.")
    if Path(shape["used_here"]).resolve() != Path(workspace).resolve():
        yield whole(f"Commands in this folder use {shape['used_here']};")
        yield whole("name the other one with --workspace, or set KARTE_WORKSPACE to it.")


def stats(shape: Shape) -> Iterator[RenderableType]:
    """How many memories each owner keeps."""
    yield pairs([*shape["memories"].items(), ("in all", shape["total"])])


def findings(shape: Shape) -> Iterator[RenderableType]:
    """What the doctor saw."""
    yield text(f"{shape['examined']} memories examined")
    for difference in shape["differences"]:
        yield text(f"differs: {difference}")
    if shape["healthy"]:
        yield text("Everything agrees with the records.")
    elif shape["repaired"]:
        yield text("Repaired.")
    else:
        yield text("Nothing was changed; karte doctor --repair mends it.")


def embedder(shape: Shape) -> Iterator[RenderableType]:
    """Which embedder makes vectors, and how many memories wait for one."""
    if shape["name"] is None:
        yield text("No embedder is set: a search goes by words, times and the graph.")
    else:
        yield text(f"{shape['name']} makes the vectors of this workspace.", STRONG)
    rows = [("set", shape["set"]), ("version", shape["version"]), ("dimensions", shape["dimensions"])]
    yield indented(pairs([*rows, ("installed", shape["installed"]), ("waiting", str(shape["waiting"]))]))
    if shape["waiting"]:
        yield text("Next: karte embedder fill")


def filled(shape: Shape) -> Iterator[RenderableType]:
    """How many memories got a vector."""
    yield text(f"Vectors filled in: {shape['embedded']}, waiting: {shape['waiting']}")
    if shape["passed_over"]:
        yield text(f"Passed over, because the embedder gives them none: {shape['passed_over']}")
    if shape["failure"]:
        yield text(f"The embedder failed: {shape['failure']}")
