"""Restoring a backup in the place of a workspace, without bringing back what was forgotten since the backup was made.

The backup fills a staged workspace first. What must outlive the workspace that is replaced goes into it: blocks, receipts
of what was forgotten, tokens, the audit log. Then every source that is blocked is forgotten there, and only then it takes
the place. Interrupted before, nothing has changed there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from karte.core.namespaces import Principal, Scope
from karte.engine.forgetting.reapplying import reapply
from karte.engine.moving.carried import TABLES
from karte.engine.moving.copying import copy
from karte.engine.moving.exporting import contents
from karte.engine.moving.loading import complete, described, load
from karte.engine.moving.manifest import Manifest
from karte.engine.moving.marks import Mark, mark_of
from karte.engine.moving.unpacking import Export
from karte.engine.progress import Progress, silent
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.engine.trusting import auditing
from karte.engine.trusting.outside import Outside
from karte.errors import LogsDiffer, OtherWorkspace, WorkspaceDamaged
from karte.ports import AuditEntry, Block, KeptPlan, Token, Writing

_EVERYTHING: Final = 2**31 - 1


@dataclass(frozen=True)
class Recovered:
    """What was restored: what the backup holds, how many sources are blocked, and how many of them it still held.

    `scrubbed` tells whether the bytes of what was replaced are gone from the files.
    """

    manifest: Manifest
    blocks: int
    forgotten: int
    scrubbed: bool

    def to_dict(self) -> dict[str, Any]:
        """digest, rows (those of the backup), blocks, forgotten, scrubbed."""
        return {
            **contents(self.manifest),
            "blocks": self.blocks,
            "forgotten": self.forgotten,
            "scrubbed": self.scrubbed,
        }


@dataclass(frozen=True)
class Present:
    """What of the workspace that is replaced goes on in the one that takes its place."""

    key: bytes
    blocks: Sequence[Block] = ()
    plans: Sequence[KeptPlan] = ()
    tokens: Sequence[Token] = ()
    log: list[AuditEntry] = field(default_factory=list)
    last_learned: int = 0


@repeated
def present_of(services: Services) -> Present | None:
    """What goes on of a workspace; None where it is damaged."""
    try:
        with services.store.reading() as unit:
            return Present(
                unit.blocks.key(),
                unit.blocks.all(),
                [plan for plan in unit.plans.all() if plan.receipt is not None],
                unit.tokens.all(),
                list(unit.audit.after(0, _EVERYTHING)),
                unit.last_learned(),
            )
    except WorkspaceDamaged:
        return None


@dataclass(frozen=True)
class Staging:
    """Makes the workspace that will take the place, in `staged`: a store of its own."""

    staged: Services
    export: Export
    caller: Principal

    @property
    def is_begun(self) -> bool:
        """Whether filling it from this backup was interrupted."""
        mark = _mark(self.staged)
        return mark is not None and mark.export == self.export.manifest.digest

    @property
    def is_whole(self) -> bool:
        """Whether it was made from this backup, to the end."""
        return _mark(self.staged) is None and _restored(self.staged) == self.export.manifest.digest

    def fill(self, present: Present | None, listed: Outside, progress: Progress = silent) -> None:
        """Make it from the backup, or go on with that.

        `listed` are the blocks that are kept beside the place. Raises what `load` raises, `OtherWorkspace` where the
        backup is of another workspace than the one whose blocks it would replace, `LogsDiffer`.
        """
        self.caller.decide(Scope.ADMIN)
        load(self.staged, self.export, progress)
        self._finish(present, listed)
        self.staged.store.scrub()

    @repeated
    def _finish(self, present: Present | None, listed: Outside) -> None:
        with self.staged.store.writing() as unit:
            self._take_over(unit, present, listed)
            gone = reapply(self.staged, unit)
            unit.learn(self.staged.clock.now())
            told = {"backup": self.export.manifest.digest, "blocks": len(unit.blocks.all()), "forgotten": gone}
            auditing.record(unit, self.caller, auditing.RESTORED, **told)
            complete(self.staged, unit, self.export)

    def _take_over(self, unit: Writing, present: Present | None, listed: Outside) -> None:
        key = unit.blocks.key()
        blocks = list(listed.of(key).values())
        if present is not None:
            if present.key != key and present.blocks:
                raise OtherWorkspace
            unit.set_last_learned(max(unit.last_learned(), present.last_learned))
            for token in present.tokens:
                unit.tokens.keep(token)
        if present is not None and present.key == key:
            blocks += present.blocks
            _take_over_receipts(unit, present.plans)
            _take_over_log(unit, present.log)
        for block in blocks:
            unit.blocks.add(block)

    def recovered(self, *, scrubbed: bool) -> Recovered:
        """What was done, as the last line of the log says."""
        told = _told(self.staged)
        return Recovered(self.export.manifest, told["blocks"], told["forgotten"], scrubbed)


@repeated
def _mark(services: Services) -> Mark | None:
    with services.store.reading() as unit:
        return mark_of(unit)


def _restored(services: Services) -> str | None:
    return _told(services).get("backup")


@repeated
def _told(services: Services) -> Mapping[str, Any]:
    """What the last line of the log tells of a restoring."""
    with services.store.reading() as unit:
        last = unit.audit.last()
    return auditing.detail_of(last) if last is not None and last.action == auditing.RESTORED else {}


def _take_over_receipts(unit: Writing, plans: Sequence[KeptPlan]) -> None:
    for plan in plans:
        if unit.plans.find(plan.id) is None:
            unit.plans.keep(plan)


def _take_over_log(unit: Writing, log: list[AuditEntry]) -> None:
    """Let the longer log go on, where one continues the other."""
    kept = list(unit.audit.after(0, _EVERYTHING))
    common = min(len(kept), len(log))
    if not auditing.checked(kept).whole or (auditing.checked(log).whole and kept[:common] != log[:common]):
        raise LogsDiffer
    for entry in log[common:] if auditing.checked(log).whole else ():
        unit.audit.append(entry)


def put_into_database(staged: Services, target: Services, caller: Principal, progress: Progress = silent) -> None:
    """Fill a workspace of a database with the staged one, or go on with that, once its own rows are removed."""
    manifest = described(staged)
    mark = _mark(target)
    if mark is None or mark.export != manifest.digest:
        _empty(target, manifest)
    copy(staged, target, caller, progress)


@repeated
def _empty(target: Services, manifest: Manifest) -> None:
    with target.store.writing() as unit:
        Mark(manifest.digest, TABLES[0]).write(unit)
        unit.empty()
        unit.set_last_learned(manifest.last_learned)
        unit.blocks.set_key(manifest.origin_key)
