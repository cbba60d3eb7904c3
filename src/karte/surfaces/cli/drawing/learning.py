"""Mistakes, and the rules that they became."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType

from karte.surfaces.cli.drawing.words import STRONG, faint, indented, pairs, share, status, text
from karte.surfaces.cli.output import Shape


def mistakes(shape: Shape) -> Iterator[RenderableType]:
    """Mistakes, each with its lesson, how often it happened, and what there is to tell of it."""
    if not shape["mistakes"]:
        yield text("No mistakes.")
    for each in shape["mistakes"]:
        yield text(each["lesson"], STRONG)
        yield indented(faint(each["id"], each["category"], _severity(each), _often(each), *map(status, each["marks"])))
        yield indented(pairs((name, each[name]) for name in ("asked", "answered", "wrong", "right", "evidence")))
        if each["resolved_by"]:
            yield indented(text(f"resolved by {each['resolved_by']}"))
        elif each["recurrences"]:
            yield indented(text(f"happened {_times(each['recurrences'])} since the rule {each['rule']}"))


def _severity(mistake: Shape) -> str | None:
    return mistake["severity"] if mistake["severity"] != "significant" else None


def _often(mistake: Shape) -> str:
    return _times(mistake["count"]) + (
        f", {mistake['first_at']} to {mistake['last_at']}" if mistake["count"] > 1 else f", {mistake['last_at']}"
    )


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def rules(shape: Shape) -> Iterator[RenderableType]:
    """Rules, each with how often its mistake happened before it and since."""
    if not shape["rules"]:
        yield text("No rules.")
    for each in shape["rules"]:
        yield text(each["content"], STRONG)
        yield indented(
            faint(each["id"], each["category"], f"trust {share(each['trust'])}", *map(status, each["marks"]))
        )
        yield indented(text(f"{_times(each['before'])} before, {_since(each)}"))


def _since(rule: Shape) -> str:
    since = f"{_times(rule['after'])} since {rule['made_at']}" if rule["after"] else f"never since {rule['made_at']}"
    return f"{since}: it did not help" if rule["flagged"] else since


def reflected(shape: Shape) -> Iterator[RenderableType]:
    """The rules that were made or would be, and the lessons that are too few for one."""
    would = "would be " if shape["dry_run"] else ""
    if not shape["rules"]:
        yield text("No lesson has enough mistakes for a rule.")
    for each in shape["rules"]:
        done = "extended" if each["extends"] else "made"
        yield text(f"Rule {would}{done}: {each['rule'] or each['category']}", STRONG)
        yield indented(text(each["content"]))
        if each["review_id"]:
            yield indented(text(f"a person can decide: karte approve show {each['review_id']}"))
    for each in shape["waiting"]:
        lessons = "; ".join(each["lessons"])
        yield faint(f"{each['count']} of {shape['threshold']} for a rule: {each['category']}: {lessons}")


def consolidated(shape: Shape) -> Iterator[RenderableType]:
    """What was kept of sessions, what was joined, and what was removed."""
    would = "would be " if shape["dry_run"] else ""
    names = ("promoted", "merged", "evicted")
    yield text(f"Memories of {shape['owner']} gone through: {shape['examined']}")
    yield indented(pairs((f"{would}{name}", str(shape[name])) for name in names))
    for each in shape["promotions"]:
        yield indented(faint(f"{each['memory_id'] or each['item_id']} is kept, because of its {each['why']}"))
    for kept, other in shape["merges"]:
        yield indented(faint(f"{kept} and {other} say the same"))


def harmonized(shape: Shape) -> Iterator[RenderableType]:
    """What several agents hold alike, and what they dispute."""
    would = "would be " if shape["dry_run"] else ""
    yield text(f"Memories of agents gone through: {shape['examined']}")
    yield indented(pairs([("beliefs", str(shape["beliefs"])), ("disputes", str(shape["disputes"]))]))
    done = {
        "shared": "copied",
        "taken back": "withdrawn",
        "shared again": "restored",
        "joined": "joined",
        "filed": "filed",
    }
    yield indented(pairs((f"{would}{name}", str(shape[key])) for name, key in done.items() if shape[key]))
    for each in shape["changed"]:
        place = each["domain"] or "the workspace's own"
        yield indented(faint(f"{place}: held alike by {', '.join(each['agents'])}"))
    for each in shape["conflicts"]:
        yield indented(faint(f"disputed: karte conflict resolve {each}"))
