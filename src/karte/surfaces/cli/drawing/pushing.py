"""Policies as they are pushed, and the context of a task."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType

from karte.surfaces.cli.drawing.words import STRONG, faint, indented, period, share, status, text, whole
from karte.surfaces.cli.output import Shape


def policies(shape: Shape) -> Iterator[RenderableType]:
    """Policies, each as the line that an agent is told, and how it stands."""
    if not shape["policies"]:
        yield text("No policies.")
    for each in shape["policies"]:
        place = f"{each['domain']} of {each['repo']}" if each["repo"] else each["domain"]
        yield text(f"[{place}] {each['rule']}", STRONG if each["active"] else "")
        yield indented(faint(each["id"], *_binding(each)))
        yield indented(faint(_standing(each), f"trust {share(each['trust'])}", *map(status, each["marks"])))
        for role, other in (("in the place of", each["supersedes"]), ("gave way to", each["superseded_by"])):
            if other:
                yield indented(text(f"{role} {other}"))


def _binding(policy: Shape) -> Iterator[str | None]:
    yield f"for {policy['required_role']} alone" if policy["required_role"] else None
    yield "always" if policy["always"] else None
    yield f"priority {policy['priority']}" if policy["priority"] else None


def _standing(policy: Shape) -> str:
    return f"{status(policy['status'])} {period(policy['valid_from'], policy['valid_until'])}"


def context(shape: Shape) -> Iterator[RenderableType]:
    """The text itself, as it is put before a model."""
    yield whole(shape["text"])


def left_out(shape: Shape) -> str | None:
    """What did not fit or could not be asked, in a sentence; None where there is nothing to say."""
    left = shape["left_out"]
    counted = [f"{left[part]['count']} {part}" for part in ("policies", "facts", "mistakes") if left[part]["count"]]
    notes = [
        f"{left['notes'][what]} {what} of the notes" for what in ("characters", "observations") if left["notes"][what]
    ]
    told = [f"Left out: {', '.join([*counted, *notes])}."] if counted or notes else []
    return " ".join([*told, *(f"Degraded: {reason}." for reason in shape["degraded"])]) or None
