"""A workspace as a whole: every row of it, forgetting, and what is in force."""

from __future__ import annotations

from karte.core.origins import Origin
from karte.engine.moving.dumping import Dump
from karte.workspace import Chart, Workspace


def everything(workspace: Workspace) -> dict[str, list[bytes]]:
    """All rows of a workspace, by table."""
    with workspace._services.store.reading() as unit:
        return {name: list(lines) for name, lines in Dump(unit).members()}


def forget(workspace: Workspace, origin: Origin) -> None:
    """Forget a source as a person does."""
    plan = workspace.plan_to_forget(origin)
    workspace.approve_plan(plan.id, plan.digest.hex())
    workspace.forget(plan.id)


def holding(chart: Chart) -> list[str]:
    """The texts in force of an owner."""
    return sorted(item.content for item in chart.list(1_000).memories)
