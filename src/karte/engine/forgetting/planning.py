"""Planning: exactly what would go if a source were forgotten, without its content; nothing is changed.

A plan is canonical JSON; its SHA-256 names exactly what a person approves. It is good for 30 minutes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from karte.core.forgetting import Fallen, bereft, fallen
from karte.core.memories import Memory
from karte.core.namespaces import Namespace, Principal, Scope
from karte.core.origins import Origin
from karte.core.periods import SECOND, write_instant
from karte.core.reviews import Review
from karte.core.standing import Records, Tiers, resolve
from karte.core.timeline import in_force
from karte.engine.asking import every_review, owners_of, present
from karte.engine.forgetting.selecting import Selected, Selector, around, select
from karte.engine.gathering import Frame, gather
from karte.engine.removing import Going
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.engine.trusting import auditing
from karte.engine.trusting.holding import Held
from karte.errors import PlanExpired, PlanTooLarge, UnknownOrigin, UnknownPlan
from karte.ports import KeptPlan, Reading

PLAN_PREFIX: Final = "fgt_"
GOOD_FOR: Final = 1_800 * SECOND
MOST: Final = 200_000
"""So many assertions a plan may hold; a larger one is refused, never cut."""

PLANNED: Final = "planned"
APPROVED: Final = "approved"
APPLIED: Final = "applied"
DONE: Final = "done"


@dataclass(frozen=True)
class Toll:
    """What goes in one namespace."""

    owner: Namespace
    going: Going
    gone: tuple[Memory, ...]
    kept: tuple[Memory, ...]
    reviews: tuple[Review, ...]
    revived: tuple[str, ...]
    lapsed: tuple[str, ...]
    origins: frozenset[Origin]

    @property
    def shape(self) -> Mapping[str, Any]:
        """It as plain values in a fixed order: ids and identities, never content."""
        return {
            "owner": self.owner.owner,
            "assertions": sorted(identity.hex() for ids in self.going.assertions.values() for identity in ids),
            "links": sorted(link.identity.hex() for link in self.going.links),
            "withdrawals": sorted(w.target.hex() for w in self.going.withdrawals),
            "memories_gone": sorted(memory.id for memory in self.gone),
            "memories_kept": sorted(memory.id for memory in self.kept),
            "reviews": sorted(review.id for review in self.reviews),
            "revived": sorted(self.revived),
            "lapsed": sorted(self.lapsed),
        }


@dataclass(frozen=True)
class Plan:
    """A plan as made: its id, the source, what goes by owner; `digest` is that of the canonical JSON."""

    id: str
    selector: Selector
    tolls: tuple[Toll, ...]
    made_at: int
    state: str = PLANNED

    @property
    def canonical(self) -> str:
        """The plan as canonical JSON."""
        shape = {"selector": self.selector.to_dict(), "owners": [toll.shape for toll in self.tolls]}
        return json.dumps(shape, sort_keys=True, ensure_ascii=False, separators=(",", ":"))

    @property
    def digest(self) -> bytes:
        """The SHA-256 of the canonical JSON."""
        return hashlib.sha256(self.canonical.encode()).digest()

    @property
    def counts(self) -> dict[str, int]:
        """How much goes of each kind, over all owners."""
        shapes = [toll.shape for toll in self.tolls]
        names = [name for name in shapes[0] if name != "owner"] if shapes else []
        return {name: sum(len(shape[name]) for shape in shapes) for name in names}

    def to_dict(self) -> dict[str, Any]:
        """id, digest, state, selector, counts, owners, made_at, expires_at."""
        return {
            "id": self.id,
            "digest": self.digest.hex(),
            "state": self.state,
            "selector": self.selector.to_dict(),
            "counts": self.counts,
            "owners": [dict(toll.shape) for toll in self.tolls],
            "made_at": write_instant(self.made_at),
            "expires_at": write_instant(self.made_at + GOOD_FOR),
        }


@repeated
def plan(services: Services, caller: Principal, selector: Selector) -> Plan:
    """Find out what would go, and keep the plan. Needs the scope admin.

    Raises `UnknownOrigin` where nothing came from the source, `PlanTooLarge`.
    """
    caller.require(Scope.ADMIN)
    with services.store.writing() as unit:
        unit.learn(services.clock.now())
        made = Plan(services.ids.new(PLAN_PREFIX), selector, tolls(services, unit, selector), present(services, unit))
        if not made.tolls:
            raise UnknownOrigin("Nothing was learned from that source here.")
        for old in outdated(unit, made.made_at):
            unit.plans.remove(old.id)
        expires_at = made.made_at + GOOD_FOR
        unit.plans.keep(KeptPlan(made.id, made.digest, made.canonical, PLANNED, made.made_at, expires_at, caller.actor))
        auditing.record(unit, caller, auditing.FORGET_PLANNED, made.id)
        return made


def outdated(unit: Reading, now: int) -> list[KeptPlan]:
    """The plans that were never applied and are good no more; they still name their sources."""
    return [kept for kept in unit.plans.all() if kept.state in (PLANNED, APPROVED) and kept.expires_at <= now]


@repeated
def show(services: Services, caller: Principal, plan_id: str) -> Plan:
    """A plan as it would be applied now; raises `UnknownPlan`, also where it is applied already, `PlanExpired`."""
    caller.require(Scope.ADMIN)
    with services.store.reading() as unit:
        kept = open_plan(unit, plan_id, present(services, unit))
        selector = Selector.read(json.loads(kept.plan)["selector"])
        return Plan(kept.id, selector, tolls(services, unit, selector), kept.made_at, kept.state)


def open_plan(unit: Reading, plan_id: str, now: int) -> KeptPlan:
    """A plan that can still be applied."""
    kept = unit.plans.find(plan_id)
    if kept is None or kept.state not in (PLANNED, APPROVED):
        raise UnknownPlan(f"There is no plan {plan_id} that waits to be applied.")
    if kept.expires_at <= now:
        raise PlanExpired
    return kept


def tolls(services: Services, unit: Reading, selector: Selector) -> tuple[Toll, ...]:
    """What would go in each namespace in which the source said anything."""
    owners = owners_of(unit)
    found = (_toll(services, unit, owner, selector) for owner in owners)
    return tuple(toll for toll in found if toll is not None)


def _toll(services: Services, unit: Reading, owner: Namespace, selector: Selector) -> Toll | None:
    selected = select(unit, owner, selector)
    if selected.empty:
        return None
    frame = Frame(unit, owner, services.tiers)
    records = gather(frame, around(frame, selected))
    falling = fallen(records, selector.holds, services.tiers)
    if len(falling.assertions) > MOST:
        raise PlanTooLarge
    memories, going = _going(unit, frame, records, falling, selected)
    revived, lapsed = _changes(records, falling, services.tiers, present(services, unit))
    gone = {memory.id for memory in memories[0]}
    return Toll(
        owner,
        going,
        *memories,
        _reviews(unit, owner, records, falling, selected),
        tuple(revived),
        tuple(memory_id for memory_id in lapsed if memory_id not in gone),
        frozenset(_origins(records, falling, selected, selector)),
    )


def _going(
    unit: Reading, frame: Frame, records: Records, falling: Fallen, selected: Selected
) -> tuple[tuple[tuple[Memory, ...], tuple[Memory, ...]], Going]:
    """The memories that go and those that only lose something, and the records that go."""
    by_key = {memory.key: memory for memory in records.memories}
    said: dict[bytes, list[bytes]] = {}
    staying: set[bytes] = set()
    for assertion in records.assertions:
        if assertion.identity in falling.assertions:
            said.setdefault(assertion.key, []).append(assertion.identity)
        else:
            staying.add(assertion.key)
    missing = [key for key in said if key not in by_key]
    if missing:
        kept = unit.memories.by_key(frame.namespace, missing)
        by_key |= {key: found.memory for key, found in kept.items()}
    links = {link.identity: link for link in (*records.links, *selected.links)}
    gone_links = [link for i, link in links.items() if i in falling.links or link in selected.links]
    going = Going(
        {by_key[key].number: identities for key, identities in said.items()},
        gone_links,
        tuple({*falling.withdrawals, *selected.withdrawals}),
    )
    gone = tuple(by_key[key] for key in said if key not in staying)
    return (gone, tuple(by_key[key] for key in said if key in staying)), going


def _changes(records: Records, falling: Fallen, tiers: Tiers, now: int) -> tuple[list[str], list[str]]:
    """The ids of what is in force only afterwards, and of what is only before."""
    before, after = (set(_holding(some, tiers, now)) for some in (records, falling.without(records)))
    return sorted(after - before), sorted(before - after)


def _holding(records: Records, tiers: Tiers, now: int) -> Iterable[str]:
    for timeline in resolve(records, tiers):
        segment = in_force(timeline.segments, now)
        if segment is not None and not segment.expired(now):
            memory = timeline.standings[segment.statement].representative
            if not memory.nothing:
                yield memory.id


def _reviews(
    unit: Reading, owner: Namespace, records: Records, falling: Fallen, selected: Selected
) -> tuple[Review, ...]:
    """The reviews of the source, those about something that goes, and what is held back that rests on that."""
    losing = {a.key for a in records.assertions if a.identity in falling.assertions}
    staying = {a.key for a in records.assertions if a.identity not in falling.assertions}
    numbers = {memory.number: memory.key in staying for memory in records.memories if memory.key in losing}
    found_about = unit.reviews.about(owner, numbers)
    about = [r for r in found_about if r.target in falling.assertions or not numbers.get(r.number or 0, True)]
    held = {r.id: r for r in every_review(unit, owner) if r.held}
    apart = {review_id: Held.read(review.held).assertion for review_id, review in held.items() if review.held}
    resting = bereft(records, falling, apart.values())
    lost = [held[review_id] for review_id, assertion in apart.items() if assertion.identity in resting]
    found = {review.id: review for review in (*selected.reviews, *about, *lost)}
    return tuple(review for _, review in sorted(found.items()))


def _origins(records: Records, falling: Fallen, selected: Selected, selector: Selector) -> Iterable[Origin]:
    """The origins that are blocked afterwards: the one that is named, or all of a kind that said something."""
    if selector.origin is not None:
        return [selector.origin]
    said = [
        a for a in records.assertions if a.identity in falling.assertions and selector.holds(a.origin, a.learned_at)
    ]
    decided = [record.origin for records in (selected.links, selected.withdrawals) for record in records]
    return {*(a.origin for a in said), *decided, *(review.origin for review in selected.reviews)}
