"""`origin`, `forget`, `block`: what sources taught, forgetting one, and keeping it out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from karte.surfaces.cli.answering import Answer
from karte.surfaces.cli.command_table import Command, Group, Section
from karte.surfaces.cli.commands.deciding import APPROVE, AUDIT, TOKEN, Digest, Question, digest_shown
from karte.surfaces.cli.drawing import forgetting, trust
from karte.surfaces.cli.options import ChartOptions, Json, Text, WorkspaceOptions, argument, option

if TYPE_CHECKING:
    from karte.engine.forgetting.planning import Plan

PlanId = Annotated[str, argument("PLAN_ID", "The id of a plan.")]


def list_origins(where: ChartOptions) -> Answer:
    """List the sources that taught something, of the whole workspace or of an agent."""
    with where.chart() as chart:
        return Answer({"origins": [each.to_dict() for each in chart.origins()]}, trust.origins)


def show_origin(
    source: Annotated[str, argument("KIND:CONTAINER:ITEM", "The source; a container has all its items.")],
    where: ChartOptions,
) -> Answer:
    """Show what a source taught, in the order in which it was learned."""
    with where.chart() as chart:
        return Answer(chart.taught_by(source).to_dict(), trust.lessons)


def plan(
    where: WorkspaceOptions,
    source: Annotated[Text, argument("KIND:CONTAINER:ITEM", "The source; a container has all its items.")] = None,
    kind: Annotated[Text, option("--kind", "KIND", "Every source of this kind, in the place of one.")] = None,
    since: Annotated[Text, option("--since", "TIME", "Of a kind, only what was learned then or later.")] = None,
) -> Answer:
    """Find out what would go if a source were forgotten, in every agent's memories. Nothing goes yet.

    The plan is good for 30 minutes. Needs the scope admin.
    """
    with where.opened() as workspace:
        made = workspace.plan_to_forget(source, kind=kind, since=since)
    remark = f"Look at it with `karte forget show {made.id} --snippets`, then `karte forget apply {made.id}`."
    return Answer(made.to_dict(), forgetting.plan, remark=remark)


def show(
    plan_id: PlanId,
    where: WorkspaceOptions,
    snippets: Annotated[bool, option("--snippets", None, "Show the texts, too.")] = False,
) -> Answer:
    """Show a plan as it would be applied now."""
    with where.opened() as workspace:
        found = workspace.plan_of(plan_id)
    return Answer({**found.to_dict(), **(_snippets(found) if snippets else {})}, forgetting.plan)


def _snippets(found: Plan) -> dict[str, list[dict[str, Any]]]:
    rows = [
        {"owner": toll.owner.owner, "memory_id": memory.id, "goes": goes, "content": memory.content}
        for toll in found.tolls
        for memories, goes in ((toll.gone, True), (toll.kept, False))
        for memory in memories
        if not memory.nothing
    ]
    return {"snippets": rows}


def apply(plan_id: PlanId, where: WorkspaceOptions, digest: Digest = None, as_json: Json = False) -> Answer:
    """Approve a plan and carry it out: afterwards it is as if the source had never been heard, down to the bytes.

    The source is blocked, so that it is not learned from again. On a terminal the plan is shown first. Elsewhere
    --digest says which one was; where anything that it names has changed, nothing goes.
    """
    with where.opened() as workspace:
        shown = digest
        if shown is None:
            found = workspace.plan_of(plan_id)
            shape, look = {**found.to_dict(), **_snippets(found)}, f"karte forget show {plan_id} --snippets"
            shown = digest_shown(shape, forgetting.plan, Question("Forget all this?", as_json), look)
        workspace.approve_plan(plan_id, shown)
        return Answer(workspace.forget(plan_id).to_dict(), forgetting.receipt)


def resume(where: WorkspaceOptions) -> Answer:
    """Do the rest of every forgetting that was interrupted: the bytes that are yet to be removed."""
    with where.opened() as workspace:
        done = workspace.resume_forgetting()
    return Answer({"receipts": [each.to_dict() for each in done]}, forgetting.receipts)


def list_receipts(where: WorkspaceOptions) -> Answer:
    """List the receipts of all that was forgotten, oldest first; they do not say what it was."""
    with where.opened() as workspace:
        return Answer({"receipts": [each.to_dict() for each in workspace.forgotten()]}, forgetting.receipts)


def list_blocks(where: WorkspaceOptions) -> Answer:
    """List the sources that are not learned from again, by the digests of their names."""
    with where.opened() as workspace:
        return Answer({"blocks": [each.to_dict() for each in workspace.blocks()]}, trust.blocks)


def unblock(
    source: Annotated[str, argument("SOURCE|DIGEST", "The source, or the digest of its block.")],
    where: WorkspaceOptions,
) -> Answer:
    """Let a blocked source be learned from again; what was forgotten does not come back by that."""
    with where.opened() as workspace:
        workspace.unblock(source)
    return Answer({"unblocked": source}, trust.unblocked)


TRUSTING = Section(
    "Trust",
    (
        Group(
            "origin",
            "The sources that taught something.",
            (Command("list", list_origins), Command("show", show_origin)),
        ),
        APPROVE,
        Group(
            "forget",
            "Forgetting a source, and all that it made Karte believe.",
            (
                Command("plan", plan),
                Command("show", show),
                Command("apply", apply),
                Command("resume", resume),
                Command("receipts", list_receipts),
            ),
        ),
        Group(
            "block",
            "Sources that are not learned from again.",
            (Command("list", list_blocks), Command("unblock", unblock)),
        ),
        TOKEN,
        AUDIT,
    ),
)
