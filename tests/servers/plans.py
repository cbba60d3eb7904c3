"""Plans that a PostgreSQL server makes for statements, as it would for any values of their parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import psycopg

_PARAMETER: Final = re.compile(r"%\((\w+)\)s|%s")
_WORKSPACE: Final = "workspace"
_CONDITIONS: Final = ("Index Cond", "Recheck Cond", "Filter")
_IN_ORDER: Final = re.compile(r"INSERT INTO karte\.\w+(?: AS \w+)? (?:\(workspace_id,|SELECT\b)")
"""An INSERT whose source begins with what goes into the first column, so that one may look into it."""
_WRAPPED: Final = re.compile(r"\(.*\)", re.DOTALL)


@dataclass(frozen=True)
class Read:
    """One table as a plan reads it, the conditions for its rows, and of each index what it is asked for."""

    table: str
    alias: str
    conditions: tuple[str, ...]
    asked: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Plan:
    """What a plan reads, and for an INSERT into which table it writes and what it puts in the first column."""

    reads: tuple[Read, ...]
    inserts: str | None = None
    first_column: str | None = None

    @property
    def tables(self) -> list[str]:
        """All tables that are read or written, each as often as it stands there."""
        return sorted([read.table for read in self.reads] + ([self.inserts] if self.inserts else []))


def numbered(statement: str) -> tuple[str, list[str]]:
    """A statement with `$1` for the workspace and higher numbers for its other parameters, and their names in order."""
    names = [_WORKSPACE]

    def number(match: re.Match[str]) -> str:
        name = match[1] or f"{len(names)}"
        if name not in names:
            names.append(name)
        return f"${names.index(name) + 1}"

    return _PARAMETER.sub(number, statement), names


def plan(connection: psycopg.Connection, statement: str) -> Plan:
    """The plan of a statement for any values.

    It is made by PREPARE, which every server has, unlike EXPLAIN (GENERIC_PLAN). Settings of the transaction count.
    Raises `psycopg.Error` where a name is unknown.
    """
    text, names = numbered(statement)
    given = ", ".join(["NULL"] * len(names))
    with connection.transaction(force_rollback=True):
        connection.execute("SET LOCAL plan_cache_mode = force_generic_plan")
        connection.execute(f"PREPARE asked (bigint) AS {text}".encode())
        try:
            row = connection.execute(f"EXPLAIN (VERBOSE, FORMAT JSON) EXECUTE asked ({given})".encode()).fetchone()
        finally:
            connection.execute("DEALLOCATE asked")
    assert row is not None
    return _read(row[0][0]["Plan"], in_order=_IN_ORDER.match(text) is not None)


def _read(root: dict[str, Any], *, in_order: bool) -> Plan:
    nodes = list(_nodes(root))
    reads = tuple(_reads(node) for node in nodes if "Relation Name" in node and node["Node Type"] != "ModifyTable")
    inserting = [node for node in nodes if node.get("Operation") == "Insert"]
    if not inserting:
        return Plan(reads)
    (node,) = inserting
    source = _input(node)
    while in_order and source["Node Type"] == "Subquery Scan":
        source = _input(source)
    return Plan(reads, _table(node), source["Output"][0])


def _input(node: dict[str, Any]) -> dict[str, Any]:
    inputs: list[dict[str, Any]] = [
        child for child in node["Plans"] if child["Parent Relationship"] in {"Outer", "Subquery"}
    ]
    return inputs[0]


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("Plans", []):
        yield from _nodes(child)


def _table(node: dict[str, Any]) -> str:
    return f"{node['Schema']}.{node['Relation Name']}"


def _reads(node: dict[str, Any]) -> Read:
    conditions = tuple(node[name] for name in _CONDITIONS if name in node)
    parts = _nodes(node) if node["Node Type"] == "Bitmap Heap Scan" else iter([node])
    asked = tuple((part["Index Name"], part.get("Index Cond", "")) for part in parts if "Index Name" in part)
    return Read(_table(node), node["Alias"], conditions, asked)


def conjuncts(condition: str) -> list[str]:
    """The parts of a condition that all have to hold."""
    return _parts(condition, " AND ")


def disjuncts(condition: str) -> list[str]:
    """The parts of a condition of which one has to hold."""
    return _parts(condition, " OR ")


def _parts(condition: str, word: str) -> list[str]:
    text = unwrapped(condition)
    outside = _outside(text)
    parts, start = [], 0
    for match in re.finditer(word, outside):
        parts.append(text[start : match.start()])
        start = match.end()
    return [unwrapped(part) for part in [*parts, text[start:]]]


def unwrapped(condition: str) -> str:
    """A condition without the parentheses around the whole of it."""
    text = condition.strip()
    while _WRAPPED.fullmatch(text) and not _outside(text).strip("_"):
        text = text[1:-1].strip()
    return text


def _outside(text: str) -> str:
    """The same text with `_` in the place of everything in quotes or parentheses."""
    seen, depth, quoted = [], 0, False
    for letter in text:
        hidden = quoted or depth > 0
        if letter == "'":
            quoted = not quoted
        elif not quoted:
            depth += {"(": 1, ")": -1}.get(letter, 0)
        seen.append("_" if hidden or quoted or depth > 0 or letter in "()'" else letter)
    return "".join(seen)
