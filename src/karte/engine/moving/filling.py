"""Putting the rows of an export into a store, table by table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from karte.core.namespaces import Namespace
from karte.engine.moving import carried
from karte.engine.moving.deriving import UNFOLDED
from karte.engine.rows import decisions, knowing, records
from karte.engine.rows.records import Row, owner_of, read_time
from karte.ports import Agent, Kept, Usage, Writing

Fill = Callable[[Writing, Sequence[Row]], None]
"""Keeps rows of one table; raises `KeyError`, `TypeError`, `ValueError` or `Incorrect` for what is no row of it."""


def _owners(unit: Writing, table: Sequence[Row]) -> None:
    for row in table:
        owner = owner_of(row)
        if owner.agent:
            unit.agents.add(Agent(owner.agent, row["role"], read_time(row["created_at"])))
        if row["next_number"] > 1:
            unit.memories.reserve(owner, row["next_number"] - 1)


def _memories(unit: Writing, table: Sequence[Row]) -> None:
    for row in table:
        memory = records.read_memory(row)
        unit.memories.add(owner_of(row), Kept(memory, memory.number, memory.number), UNFOLDED)


def _assertions(unit: Writing, table: Sequence[Row]) -> None:
    for owner, numbers in _numbers(table).items():
        kept = unit.memories.get(owner, numbers)
        for row in (row for row in table if owner_of(row) == owner):
            number = row["number"]
            unit.records.add_assertion(owner, number, records.read_assertion(kept[number].memory.key, row))


def _numbers(table: Sequence[Row]) -> Mapping[Namespace, set[int]]:
    numbers = defaultdict(set)
    for row in table:
        numbers[owner_of(row)].add(row["number"])
    return numbers


def _links(unit: Writing, table: Sequence[Row]) -> None:
    for row in table:
        unit.records.add_link(owner_of(row), records.read_link(row))


def _withdrawals(unit: Writing, table: Sequence[Row]) -> None:
    for row in table:
        unit.records.add_withdrawal(owner_of(row), records.read_withdrawal(row))


def _likenesses(unit: Writing, table: Sequence[Row]) -> None:
    for row in table:
        unit.likenesses.link(owner_of(row), records.read_likeness(row))


def _receipts(unit: Writing, table: Sequence[Row]) -> None:
    for row in table:
        unit.receipts.keep(owner_of(row), row["key"], records.read_receipt(row), row["number"])


def _usages(unit: Writing, table: Sequence[Row]) -> None:
    counted: dict[Namespace, dict[int, Usage]] = defaultdict(dict)
    for row in table:
        counted[owner_of(row)][row["number"]] = records.read_usage(row)
    for owner, usages in counted.items():
        unit.usages.put(owner, usages)


def _archived(unit: Writing, table: Sequence[Row]) -> None:
    for row in table:
        unit.archive.add(owner_of(row), [row["number"]], records.read_archived(row))


def _reviews(unit: Writing, table: Sequence[Row]) -> None:
    for row in table:
        unit.reviews.add(owner_of(row), decisions.read_review(row))


def _blocks(unit: Writing, table: Sequence[Row]) -> None:
    for row in table:
        unit.blocks.add(decisions.read_block(row))


def _plans(unit: Writing, table: Sequence[Row]) -> None:
    for row in table:
        unit.plans.keep(decisions.read_plan(row))


def _audit(unit: Writing, table: Sequence[Row]) -> None:
    for row in table:
        unit.audit.append(decisions.read_audit(row))


def _domains(unit: Writing, table: Sequence[Row]) -> None:
    for row in table:
        unit.domains.keep(knowing.read_domain(row))


def _grants(unit: Writing, table: Sequence[Row]) -> None:
    for row in table:
        unit.domains.grant(knowing.read_grant(row))


FILL: Final[Mapping[str, Fill]] = {
    carried.OWNERS: _owners,
    carried.MEMORIES: _memories,
    carried.ASSERTIONS: _assertions,
    carried.LINKS: _links,
    carried.WITHDRAWALS: _withdrawals,
    carried.LIKENESSES: _likenesses,
    carried.RECEIPTS: _receipts,
    carried.USAGE: _usages,
    carried.ARCHIVED: _archived,
    carried.REVIEWS: _reviews,
    carried.BLOCKS: _blocks,
    carried.PLANS: _plans,
    carried.AUDIT: _audit,
    carried.DOMAINS: _domains,
    carried.GRANTS: _grants,
}
"""How the rows of each table are kept."""
