"""Loading an export into an empty workspace, in short transactions, so that it can be interrupted and gone on with.

Each transaction keeps some rows and moves the mark. When all rows are there, the fold and the index are made, the
workspace is dumped again and compared with the manifest, and the mark is taken away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Final, TypeVar

from karte.core.namespaces import Namespace
from karte.core.reviews import ReviewState
from karte.engine.asking import owners_of
from karte.engine.indexing import made_by
from karte.engine.moving.carried import MEMORIES, TABLES
from karte.engine.moving.deriving import derive, pages
from karte.engine.moving.dumping import following_of
from karte.engine.moving.filling import FILL
from karte.engine.moving.manifest import CarriedSet, Manifest
from karte.engine.moving.marks import Mark, mark_of
from karte.engine.moving.packing import describe
from karte.engine.moving.unpacking import Export, Vector
from karte.engine.progress import WHOLE, Progress, silent, stage
from karte.engine.repeating import repeated
from karte.engine.rows.records import Row
from karte.engine.services import Services
from karte.errors import Conflict, CopyDiffers, ExportDamaged, Incorrect, WorkspaceNotEmpty, WorkspaceUnfinished
from karte.ports import Reading, Writing

BATCH: Final = 1_000
"""So many rows are kept in one transaction."""

_KEPT: Final = 850
"""So much of the work is done when everything is there, and is to be read again."""

DERIVING: Final = "deriving"
CHECKING: Final = "checking"

Thing = TypeVar("Thing")
Act = Callable[[Writing], None]


def load(services: Services, export: Export, progress: Progress = silent) -> None:
    """Fill an empty workspace from an export, or go on where filling it from the same export was interrupted.

    What is there in the end is compared with it. The workspace stays marked until `finish`. Raises `WorkspaceNotEmpty`;
    `WorkspaceUnfinished` where it was begun with another export; `CopyDiffers`; `ExportDamaged` for rows that are none.
    """
    _Loading(services, export, stage(progress, 0, _KEPT)).run()
    if told := differences(export.manifest, described(services, stage(progress, _KEPT, WHOLE))):
        raise CopyDiffers(f"What arrived is not what {export.name} holds: {'; '.join(told)}.")


@repeated
def described(services: Services, progress: Progress = silent) -> Manifest:
    """The manifest that an export would have now."""
    with services.store.reading() as unit:
        return describe(unit, progress)


@repeated
def finish(services: Services, export: Export) -> None:
    """Take the mark away: the workspace is whole and may be opened."""
    with services.store.writing() as unit:
        complete(services, unit, export)


def complete(services: Services, unit: Writing, export: Export) -> None:
    """Do what `finish` does, in a transaction that does more."""
    _expect(unit, Mark(export.manifest.digest, CHECKING))
    unit.outdate()
    unit.set_made_with(made_by(services.tiers))


def differences(expected: Manifest, found: Manifest) -> list[str]:
    """What two manifests do not have in common, in words."""
    here = {member.name: member for member in found.members}
    told = [
        f"{member.name} has {member.rows} rows there and {here[member.name].rows} here"
        if member.rows != here[member.name].rows
        else f"{member.name} has other rows"
        for member in expected.members
        if member.name in here and here[member.name] != member
    ]
    return told or ([] if expected == found else ["the sets of vectors or the last system time differ"])


class _Loading:
    """One run: the steps that are left, each in batches that move the mark."""

    def __init__(self, services: Services, export: Export, progress: Progress) -> None:
        self._services, self._export, self._progress = services, export, progress
        self._digest = export.manifest.digest
        self._sets = {each.member: each for each in export.manifest.sets}
        self._steps = [*TABLES, *self._sets, DERIVING, CHECKING]
        self._rows = {member.name: member.rows for member in export.manifest.members}
        self._rows[DERIVING] = self._rows[MEMORIES]
        self._done = 0

    def run(self) -> None:
        """Do what is left to do."""
        written = self._begun() or self._begin()
        at = self._steps.index(written.step)
        self._done = sum(self._rows[step] for step in self._steps[:at]) + written.done
        for step in self._steps[at:-1]:
            mark = written if written.step == step else Mark(self._digest, step)
            for count, act in self._batches(step, mark.done):
                mark = mark.after(count)
                written = self._keep(written, act, mark)
                self._report(count)
        if written.step != CHECKING:
            self._keep(written, _nothing, Mark(self._digest, CHECKING))

    @repeated
    def _begun(self) -> Mark | None:
        with self._services.store.reading() as unit:
            mark = mark_of(unit)
        if mark is not None and mark.export != self._digest:
            raise WorkspaceUnfinished(
                "The workspace was filled in part with something else, or what it is filled with has changed since.",
                hint="Remove it, or take another new workspace, and run the command again.",
            )
        return mark

    @repeated
    def _begin(self) -> Mark:
        mark = Mark(self._digest, self._steps[0])
        with self._services.store.writing() as unit:
            _check_empty(unit)
            unit.set_last_learned(self._export.manifest.last_learned)
            unit.blocks.set_key(self._export.manifest.origin_key)
            mark.write(unit)
        return mark

    @repeated
    def _keep(self, written: Mark, act: Act, mark: Mark) -> Mark:
        with self._services.store.writing() as unit:
            _expect(unit, written)
            act(unit)
            mark.write(unit)
        return mark

    def _report(self, count: int) -> None:
        total = sum(self._rows.values())
        self._done = min(self._done + count, total)
        self._progress(self._done, total)

    def _batches(self, step: str, skip: int) -> Iterator[tuple[int, Act]]:
        """What is left of a step in batches: how many rows, and what keeps them."""
        if step == DERIVING:
            yield from self._derivations(skip)
        elif step in self._sets:
            yield from self._vectors(self._sets[step], skip)
        else:
            for first, table in _grouped(self._export.rows(step, skip), skip + 1):
                yield len(table), partial(self._fill, step, first, table)

    def _fill(self, step: str, first: int, table: Sequence[Row], unit: Writing) -> None:
        try:
            FILL[step](unit, table)
        except (KeyError, TypeError, ValueError, Incorrect):
            lines = f"lines {first} to {first + len(table) - 1}"
            raise ExportDamaged(f"{self._export.name}, {step}, {lines}: one of them is no row of an export.") from None

    def _vectors(self, carried: CarriedSet, skip: int) -> Iterator[tuple[int, Act]]:
        if not any(filled.vectors for filled in carried.filled):
            yield 0, partial(_add_vectors, carried, ())
        for _, rows in _grouped(self._export.vectors(carried, skip), skip):
            yield len(rows), partial(_add_vectors, carried, rows)

    def _derivations(self, skip: int) -> Iterator[tuple[int, Act]]:
        for owner, numbers in _left(self._services, skip):
            yield len(numbers), partial(_derive, self._services, owner, numbers)


@repeated
def _left(services: Services, skip: int) -> list[tuple[Namespace, range]]:
    with services.store.reading() as unit:
        return list(pages(unit, skip))


def _derive(services: Services, owner: Namespace, numbers: range, unit: Writing) -> None:
    derive(services, unit, owner, numbers)


def _add_vectors(carried: CarriedSet, rows: Sequence[Vector], unit: Writing) -> None:
    """Keep vectors, and say that their set is filled in as far as it will be: nobody looks before all of it is there."""
    number = unit.vectors.open_set(carried.identity)
    if carried.active:
        unit.vectors.activate(number)
    for filled in carried.filled:
        vectors = [(memory, vector) for agent, memory, vector in rows if agent == filled.agent]
        unit.vectors.add(Namespace(filled.agent), number, vectors, filled.reached)
        unit.vectors.set_missing(Namespace(filled.agent), number, filled.missing)


def _nothing(unit: Writing) -> None:
    """Keep nothing; the mark moves on."""
    del unit


def _grouped(things: Iterable[Thing], first: int) -> Iterator[tuple[int, list[Thing]]]:
    """Things in batches, each with the place of its first."""
    rest = iter(things)
    while batch := list(islice(rest, BATCH)):
        yield first, batch
        first += len(batch)


def _expect(unit: Reading, mark: Mark) -> None:
    if mark_of(unit) != mark:
        raise Conflict("Another program is filling this workspace, or has changed it; nothing more was written.")


def _check_empty(unit: Reading) -> None:
    """Raise `WorkspaceNotEmpty` where anything was ever kept."""
    owners = owners_of(unit)
    count = sum(unit.memories.count(owner) for owner in owners)
    if count:
        raise WorkspaceNotEmpty(f"The workspace is not empty (memories: {count}); nothing was changed.")
    if len(owners) > 1:
        raise WorkspaceNotEmpty("The workspace is not empty: it has agents; nothing was changed.")
    used = following_of(unit, owners[0]) > 1 or unit.records.has_links(owners[0]) or unit.vectors.sets()
    decided = unit.audit.last() is not None or unit.blocks.all() or unit.plans.all() or _reviewed(unit, owners[0])
    if used or decided or unit.domains.all() or unit.domains.grants():
        raise WorkspaceNotEmpty("The workspace was used before, though it is empty now; nothing was changed.")


def _reviewed(unit: Reading, owner: Namespace) -> bool:
    return bool(unit.reviews.listed(owner, tuple(ReviewState), 1))
