"""`maintain`, `archive`: what fades out of recall, and how it comes back."""

from __future__ import annotations

from typing import Annotated

from karte.errors import InvalidValue, UnknownMemory
from karte.surfaces.cli.answering import Answer
from karte.surfaces.cli.drawing import fading
from karte.surfaces.cli.options import ChartOptions, Limit, WorkspaceOptions, argument, option
from karte.surfaces.cli.output import progress


def maintain(
    where: WorkspaceOptions,
    once: Annotated[bool, option("--once", None, "Run every job once, then end.")] = False,
    dry_run: Annotated[bool, option("--dry-run", None, "Change nothing; say what a run would do.")] = False,
) -> Answer:
    """Keep the workspace in order: archive what faded, purge it after 90 days, fill in missing vectors, end old reviews.

    One run at a time: a second one is refused (exit code 5). For every day, let a scheduler call it with --once.
    """
    if not (once or dry_run):
        raise InvalidValue("Give --once or --dry-run.", hint="A scheduler such as cron can call it every day.")
    with where.opened() as workspace, progress("Maintaining") as report:
        return Answer(workspace.maintain(report, dry_run=dry_run).to_dict(), fading.maintained)


def list_archived(where: ChartOptions, limit: Limit = 20) -> Answer:
    """List what faded out of recall, those kept last first."""
    with where.chart() as chart:
        return Answer(chart.archived(limit).to_dict(), fading.archived)


def restore(
    ids: Annotated[list[str], argument("MEM_ID", "The memories to bring back.")], where: ChartOptions
) -> Answer:
    """Bring memories back from the archive, exactly as they were."""
    with where.chart() as chart:
        restored = chart.restore(ids)
    if not restored.memory_ids:
        raise UnknownMemory(
            f"Nothing was restored: {ids[0]} is not in the archive.", hint="See what is there: karte archive list."
        )
    return Answer(restored.to_dict(), fading.restored)
