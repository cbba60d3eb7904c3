"""`init`, `agent`, `stats`, `doctor`, `maintain`, `archive`, `embedder`: the workspace itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from karte.errors import InvalidValue
from karte.surfaces.cli.answering import Answer
from karte.surfaces.cli.command_table import Command, Group, Section
from karte.surfaces.cli.commands.embedding import EMBEDDER
from karte.surfaces.cli.commands.fading import list_archived, maintain, restore
from karte.surfaces.cli.commands.postgres import POSTGRES
from karte.surfaces.cli.drawing import receipts, workspaces
from karte.surfaces.cli.options import Text, WorkspaceOptions, argument, option
from karte.surfaces.cli.output import progress

if TYPE_CHECKING:
    from karte.ports import Agent

NewName = Annotated[str, argument("NAME", "The name of the agent.")]


def init(
    where: WorkspaceOptions,
    place: Annotated[Text, argument("PLACE", "A folder, a file to be made, or a URL (default: this folder).")] = None,
    trust: Annotated[bool, option("--trust", None, "Use an existing one from elsewhere in its folder.")] = False,
) -> Answer:
    """Make a workspace: .karte/workspace.karte in this folder, which commands in and below this folder then use.

    With the URL of a database: makes the tables that are missing there, if it may, and the workspace.
    """
    from karte.config import trust_workspace
    from karte.surfaces.cli.opening import chosen_location, make_local

    if place is not None and where.workspace is not None:
        raise InvalidValue("Give either a place or --workspace, not both.")
    location, new = make_local(place, where.workspace)
    if isinstance(location, Path) and (new or trust):
        trust_workspace(location)
    shape = {"workspace": str(location), "created": new, "used_here": str(chosen_location(None))}
    return Answer(shape, workspaces.initialised)


def list_agents(where: WorkspaceOptions) -> Answer:
    """List the agents of the workspace."""
    with where.opened() as workspace:
        return Answer({"agents": [_shape(agent) for agent in workspace.agents()]}, receipts.agents)


def create_agent(
    name: NewName,
    where: WorkspaceOptions,
    role: Annotated[Text, option("--role", "TEXT", "What the agent is for; changes that of a known one.")] = None,
) -> Answer:
    """Make an agent; one that is there already stays."""
    with where.opened(create=True) as workspace:
        known = {agent.name for agent in workspace.agents()}
        workspace.agent(name, role)
        (made,) = (agent for agent in workspace.agents() if agent.name == name)
    return Answer({**_shape(made), "created": name not in known}, receipts.agent)


def _shape(agent: Agent) -> dict[str, Any]:
    from karte.core.periods import write_instant

    return {"name": agent.name, "role": agent.role, "created_at": write_instant(agent.created_at)}


def stats(where: WorkspaceOptions) -> Answer:
    """Count the memories of every agent."""
    with where.opened() as workspace:
        return Answer(workspace.stats().to_dict(), workspaces.stats)


def doctor(
    where: WorkspaceOptions,
    repair: Annotated[bool, option("--repair", None, "Mend what differs.")] = False,
) -> Answer:
    """Check everything that is kept for speed against the records; ends with 1 where something differs.

    A file that is damaged is told before, and repaired by nothing but a backup.
    """
    with where.opened() as workspace, progress("Examining") as report:
        findings = workspace.doctor(report, repair=repair)
    return Answer(findings.to_dict(), workspaces.findings, int(bool(findings.differences) and not findings.repaired))


KEEPING = Section(
    "Workspace",
    (
        Command("init", init),
        Group("agent", "The agents of a workspace.", (Command("list", list_agents), Command("create", create_agent))),
        Command("stats", stats),
        Command("doctor", doctor),
        Command("maintain", maintain),
        Group(
            "archive",
            "What faded out of recall, and can be brought back.",
            (Command("list", list_archived), Command("restore", restore)),
        ),
        EMBEDDER,
        POSTGRES,
    ),
)
