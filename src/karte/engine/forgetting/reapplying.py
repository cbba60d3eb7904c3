"""Applying blocks again, where an older copy of a workspace holds what was forgotten since it was made."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Final

from karte.core.namespaces import Namespace, Principal
from karte.core.origins import Origin
from karte.core.periods import FOREVER
from karte.engine.asking import every_review, owners_of
from karte.engine.forgetting.applying import forget
from karte.engine.forgetting.planning import Plan, tolls
from karte.engine.forgetting.selecting import Selector
from karte.engine.remembering.erasing import scrub_files
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.engine.trusting import auditing, outside
from karte.engine.trusting.blocking import digest_of
from karte.errors import WorkspaceReadOnly
from karte.ports import Reading, Writing

_BEGINNING: Final = -FOREVER
_NO_PLAN: Final = ""


def heed(services: Services, caller: Principal) -> int:
    """Take over the blocks that are kept beside the workspace and that it lacks; gives how many sources went by that.

    It lacks them where an older copy was put in its place. Where there are none, the list beside it is brought up to
    what the workspace has. One that cannot be written is left as it is.
    """
    if services.store.shared:
        return 0
    with suppress(WorkspaceReadOnly):
        if not _is_current(services):
            gone = _taken_over(services, caller)
            if gone:
                scrub_files(services)
            return gone
    return 0


@repeated
def _is_current(services: Services) -> bool:
    listed = outside.Outside.read(services.store.kept_outside())
    with services.store.reading() as unit:
        return listed.with_those_of(unit).to_text() == listed.to_text()


@repeated
def _taken_over(services: Services, caller: Principal) -> int:
    with services.store.writing() as unit:
        lost = outside.lost(services.store, unit)
        for block in lost:
            unit.blocks.add(block)
        gone = reapply(services, unit) if lost else 0
        if lost:
            auditing.record(unit, caller, auditing.REAPPLIED, blocks=len(lost), sources=gone)
        outside.record(services.store, unit)
    return gone


def reapply(services: Services, unit: Writing) -> int:
    """Forget every source that is blocked, as far as anything of it is here; gives how many sources that were."""
    origins = _blocked(unit)
    for origin in origins:
        selector = Selector(origin)
        forget(services, unit, Plan(_NO_PLAN, selector, tolls(services, unit, selector), unit.last_learned()))
    return len(origins)


def _blocked(unit: Reading) -> list[Origin]:
    """The blocked origins of which something is here: whole containers, and items of the others."""
    key, known = unit.blocks.key(), {block.digest for block in unit.blocks.all()}
    found: set[Origin] = set()
    for owner in owners_of(unit) if known else ():
        for whole in _containers(unit, owner):
            if digest_of(key, whole) in known:
                found.add(whole)
            else:
                found.update(item for item in _items(unit, owner, whole) if digest_of(key, item) in known)
    return sorted(found, key=lambda origin: origin.order)


def _containers(unit: Reading, owner: Namespace) -> Collection[Origin]:
    taught = {Origin(source.kind, source.container) for source in unit.records.sources(owner)}
    return taught | {Origin(one.kind, one.container) for one in _reviewed(unit, owner)}


def _items(unit: Reading, owner: Namespace, whole: Origin) -> Iterator[Origin]:
    yield from {assertion.origin for _, assertion in unit.records.said_by(owner, whole, _BEGINNING)}
    yield from (link.origin for link in unit.records.links_by(owner, whole))
    yield from (withdrawal.origin for withdrawal in unit.records.withdrawals_by(owner, whole))
    yield from (origin for origin in _reviewed(unit, owner) if whole.holds(origin))


def _reviewed(unit: Reading, owner: Namespace) -> Iterator[Origin]:
    every = every_review(unit, owner)
    return (review.origin for review in every)
