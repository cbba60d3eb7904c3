"""Applying: a plan that a person approved is carried out in one transaction, and the source is blocked.

Then the bytes are scrubbed. Interrupted in between, every path already reads as if the source had never been heard;
`resume` does the rest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from karte.core.namespaces import Principal, Scope
from karte.core.periods import write_instant
from karte.engine.asking import present
from karte.engine.forgetting.planning import (
    APPLIED,
    APPROVED,
    DONE,
    PLANNED,
    Plan,
    open_plan,
    tolls,
)
from karte.engine.forgetting.selecting import Selector
from karte.engine.forgetting.verifying import texts_of, unsaid
from karte.engine.remembering.erasing import scrub_files
from karte.engine.removing import Removing
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.engine.trusting import auditing, outside
from karte.engine.trusting.blocking import digest_of
from karte.errors import PlanStale, ShownDiffers, UnknownPlan
from karte.ports import Block, KeptPlan, Writing

OUT_OF_REACH: Final = (
    "transcripts, exports and backups that were made before and lie outside the workspace",
    "what programs that read the workspace keep themselves",
)
SHARED_OUT_OF_REACH: Final = (
    "dead rows, until `karte postgres scrub` has run",
    "the write-ahead log of the server, until it is recycled after the next checkpoints, and its archive",
    "replicas, until they have replayed the same, and base backups",
)


@dataclass(frozen=True)
class Forgotten:
    """The receipt of a forgetting: what went, by layer, in figures; no content, and not which source it was.

    `scrubbed` tells whether the bytes are gone from the files; `traces` in how many of the forgotten texts they were
    still found by looking, None where nobody could look.
    """

    plan_id: str
    digest: str
    state: str
    counts: Mapping[str, int]
    blocks: int
    approved_by: str | None
    applied_at: str | None
    scrubbed: bool
    traces: int | None
    out_of_reach: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """plan_id, digest, state, counts, blocks, approved_by, applied_at, scrubbed, traces, out_of_reach."""
        return {
            "plan_id": self.plan_id,
            "digest": self.digest,
            "state": self.state,
            "counts": dict(self.counts),
            "blocks": self.blocks,
            "approved_by": self.approved_by,
            "applied_at": self.applied_at,
            "scrubbed": self.scrubbed,
            "traces": self.traces,
            "out_of_reach": list(self.out_of_reach),
        }

    @classmethod
    def read(cls, shape: Mapping[str, Any]) -> Forgotten:
        """Read what `to_dict` gives."""
        return cls(**{**shape, "out_of_reach": tuple(shape["out_of_reach"])})


@repeated
def approve(services: Services, caller: Principal, plan_id: str, digest: str) -> None:
    """Approve a plan exactly as it was shown under `digest`: a person with the scope admin does.

    Raises `UnknownPlan`, `PlanExpired`, `ShownDiffers`.
    """
    caller.decide(Scope.ADMIN)
    with services.store.writing() as unit:
        kept = open_plan(unit, plan_id, present(services, unit))
        if kept.digest.hex() != digest:
            raise ShownDiffers
        unit.learn(services.clock.now())
        unit.plans.keep(replace(kept, state=APPROVED, approved_by=caller.actor))
        auditing.record(unit, caller, auditing.FORGET_APPROVED, plan_id)


def apply(services: Services, caller: Principal, plan_id: str) -> Forgotten:
    """Carry out an approved plan, scrub the files and look for what was forgotten; gives the receipt.

    Raises `UnknownPlan` where none is approved, `PlanExpired`, `PlanStale` where anything that it names has changed:
    then nothing is forgotten.
    """
    caller.decide(Scope.ADMIN)
    receipt, texts = _carry_out(services, caller, plan_id)
    outside.keep(services)
    return _scrub(services, caller, receipt, texts)


@repeated
def _carry_out(services: Services, caller: Principal, plan_id: str) -> tuple[Forgotten, frozenset[str]]:
    with services.store.writing() as unit:
        kept = open_plan(unit, plan_id, present(services, unit))
        if kept.state == PLANNED:
            raise UnknownPlan(f"The plan {plan_id} is not approved yet.")
        selector = Selector.read(json.loads(kept.plan)["selector"])
        plan = Plan(kept.id, selector, tolls(services, unit, selector), kept.made_at, kept.state)
        if plan.digest != kept.digest:
            raise PlanStale
        texts = texts_of(unit, plan)
        forget(services, unit, plan)
        blocks = block(unit, caller, plan)
        receipt = _receipt(services, unit, kept, plan, blocks)
        _keep(unit, kept, receipt)
        auditing.record(unit, caller, auditing.FORGOTTEN, plan_id, **plan.counts)
        return receipt, texts


def forget(services: Services, unit: Writing, plan: Plan) -> None:
    """Remove all that a plan names."""
    for toll in plan.tolls:
        unit.reviews.remove(toll.owner, [review.id for review in toll.reviews])
        Removing(services, toll.owner, unit)(toll.going)


def block(unit: Writing, caller: Principal, plan: Plan) -> int:
    """Block the sources of a plan; gives how many there are."""
    key, at = unit.blocks.key(), unit.last_learned()
    origins = {origin for toll in plan.tolls for origin in toll.origins}
    for origin in origins:
        unit.blocks.add(Block(digest_of(key, origin), origin.kind.value, plan.id, caller.actor, at))
    return len(origins)


def _receipt(services: Services, unit: Writing, kept: KeptPlan, plan: Plan, blocks: int) -> Forgotten:
    shared = services.store.shared
    return Forgotten(
        kept.id,
        kept.digest.hex(),
        APPLIED,
        plan.counts,
        blocks,
        kept.approved_by,
        write_instant(unit.last_learned()),
        scrubbed=False,
        traces=None,
        out_of_reach=(*SHARED_OUT_OF_REACH, *OUT_OF_REACH) if shared else OUT_OF_REACH,
    )


def _keep(unit: Writing, kept: KeptPlan, receipt: Forgotten) -> None:
    """Keep the receipt in the place of the plan, which named the source."""
    text = json.dumps(receipt.to_dict(), sort_keys=True, ensure_ascii=False)
    unit.plans.keep(replace(kept, plan="{}", state=receipt.state, receipt=text))


def _scrub(services: Services, caller: Principal, receipt: Forgotten, texts: frozenset[str] | None) -> Forgotten:
    scrubbed = scrub_files(services)
    traces = None if texts is None or not scrubbed else _traces(services, texts)
    state = DONE if scrubbed or services.store.shared else APPLIED
    return _settle(services, caller, replace(receipt, state=state, scrubbed=scrubbed, traces=traces))


@repeated
def _traces(services: Services, texts: frozenset[str]) -> int | None:
    """In how many of these texts the forgotten ones are still there; not those that somebody else wrote as well."""
    found = services.store.traces(texts)
    if not found:
        return None if found is None else 0
    with services.store.reading() as unit:
        return len(unsaid(unit, found))


@repeated
def _settle(services: Services, caller: Principal, receipt: Forgotten) -> Forgotten:
    with services.store.writing() as unit:
        kept = unit.plans.find(receipt.plan_id)
        if kept is not None:
            _keep(unit, kept, receipt)
            auditing.record(unit, caller, auditing.SCRUBBED, receipt.plan_id, scrubbed=receipt.scrubbed)
    return receipt


def resume(services: Services, caller: Principal) -> list[Forgotten]:
    """Do the rest of every forgetting that was interrupted, or whose files could not be scrubbed then."""
    caller.decide(Scope.ADMIN)
    waiting = [receipt for receipt in receipts(services, caller) if receipt.state == APPLIED]
    if waiting:
        outside.keep(services)
    return [_scrub(services, caller, receipt, None) for receipt in waiting]


@repeated
def receipts(services: Services, caller: Principal) -> list[Forgotten]:
    """The receipts of all that was forgotten, oldest first. Needs the scope admin."""
    caller.require(Scope.ADMIN)
    with services.store.reading() as unit:
        kept = unit.plans.all()
    return [Forgotten.read(json.loads(plan.receipt)) for plan in kept if plan.receipt is not None]
