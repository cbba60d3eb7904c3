"""What a workspace shares: domains with their grants as a matrix, and two facts in conflict side by side."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from karte.surfaces.cli.drawing.words import (
    FAINT,
    STRONG,
    fact,
    faint,
    holds,
    indented,
    share,
    source,
    status,
    text,
    whole,
)
from karte.surfaces.cli.output import Shape

MOST_COLUMNS: Final = 5
"""So many grantees stand beside each other; further ones have a table of their own."""

_PIECES: Final = re.compile(r"[^\W\d_\u2e80-\U0003ffff]+|[\d.,:/-]+|\s+|.", re.DOTALL)
"""Words of scripts that part them, numbers with what stands inside them, and single signs of all others."""

_DECISIONS: Final = {"both_hold": "both hold", "neither": "neither holds"}


def domains(shape: Shape) -> Iterator[RenderableType]:
    """The domains, with a column for each role and agent that something was granted to."""
    if not shape["domains"]:
        yield text("No domains. Declare one: karte domain create NAME")
        return
    grantees = list(dict.fromkeys(_grantee(each) for domain in shape["domains"] for each in domain["grants"]))
    for start in range(0, max(len(grantees), 1), MOST_COLUMNS):
        yield _matrix(shape["domains"], grantees[start : start + MOST_COLUMNS])


def domain(shape: Shape) -> Iterator[RenderableType]:
    """One domain, as a row of the matrix."""
    yield from domains({"domains": [shape]})


def _matrix(rows: list[Shape], grantees: list[str]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style=FAINT)
    for heading in ("domain", "you", "others", *grantees):
        table.add_column(text(heading), overflow="fold")
    for row in rows:
        granted = {_grantee(each): each["level"] for each in row["grants"]}
        levels = (row["level"], row["default_grant"], *(granted.get(grantee, "") for grantee in grantees))
        table.add_row(_named(row), *(text(level, STRONG if level == "write" else "") for level in levels))
    return table


def _grantee(grant: Shape) -> str:
    return f"{grant['agent']} (agent)" if "agent" in grant else f"{grant['role']} (role)"


def _named(row: Shape) -> Text:
    """The name of a domain, with what there is to say of it in quiet lines below."""
    shown = text(row["name"], STRONG)
    label = row["label"] if row["label"] != row["name"] else None
    of = f"of {row['repo']}" if row["repo"] else None
    confidential = "confidential" if row["confidential"] else None
    for line in (of, label, confidential, row["description"], *_known(row)):
        if line:
            shown.append_text(text(f"\n{line}", FAINT))
    return shown


def _known(row: Shape) -> Iterator[str]:
    """How much is known in a domain, and whether a policy may follow from that."""
    if row["facts"] or row["policies"]:
        yield f"{row['facts']} facts, {row['policies']} policies"
    if row["suggest_policy"]:
        yield "a policy may follow from them"


def conflicts(shape: Shape) -> Iterator[RenderableType]:
    """Conflicts, each with its two facts side by side."""
    if not shape["conflicts"]:
        yield text("No conflicts.")
    for number, each in enumerate(shape["conflicts"]):
        if number:
            yield text("")
        yield from conflict(each)


def conflict(shape: Shape) -> Iterator[RenderableType]:
    """Two facts in conflict: the newer one on the left, what differs set off, and what was decided."""
    place = f"{shape['domain']} of {shape['repo']}" if shape["repo"] else shape["domain"]
    yield text(f"{_state(shape)}: {', '.join(shape['differs']) or place}", STRONG)
    yield indented(faint(shape["id"], place, f"found {shape['opened_at']}"))
    yield indented(_beside(*shape["facts"]))
    if shape["decided_by"]:
        yield indented(faint(f"decided by {shape['decided_by']}", shape["decided_at"], shape["note"]))
    if shape["state"] == "unresolved":
        yield whole(f"  karte conflict resolve {shape['id']} --winner ID | --both-hold | --neither", FAINT)


def _state(shape: Shape) -> str:
    if shape["state"] == "unresolved":
        return "Unresolved"
    places = dict(zip([each["id"] for each in shape["facts"]], ("left", "right"), strict=True))
    if shape["winner"]:
        return f"Resolved, the one on the {places[shape['winner']]} holds"
    return f"Resolved, {_DECISIONS[shape['decision']]}" if shape["decision"] in _DECISIONS else "Resolved"


def _beside(newer: Shape, older: Shape) -> Table:
    table = Table.grid(padding=(0, 3, 0, 0), expand=True)
    table.add_column(ratio=1, overflow="fold")
    table.add_column(ratio=1, overflow="fold")
    table.add_row(*apart(newer["content"], older["content"]))
    both = (newer, older)
    if any(fact(each) for each in both):
        table.add_row(*(fact(each) or text("") for each in both))
    for pair in zip_longest(*map(_particulars, both), fillvalue=""):
        table.add_row(*(text(cell, FAINT) for cell in pair))
    return table


def _particulars(memory: Shape) -> list[str]:
    marks = "".join(f", {status(mark)}" for mark in memory["marks"])
    said = [f"{source(origin)}, {origin['observed_at']}" for origin in memory["origins"]]
    return [memory["id"], holds(memory), f"trust {share(memory['trust'])}{marks}", *said]


def apart(one: str, other: str) -> tuple[Text, Text]:
    """Two texts, with the words and signs that differ set off in each."""
    pieces = (_PIECES.findall(one), _PIECES.findall(other))
    shown = (Text(), Text())
    for kind, *spans in SequenceMatcher(None, *pieces, autojunk=False).get_opcodes():
        style = "" if kind == "equal" else f"{STRONG} underline"
        for side, (start, end) in enumerate((spans[:2], spans[2:])):
            shown[side].append_text(text("".join(pieces[side][start:end]), style))
    return shown
