"""What nobody decided in time, and plans that were not applied in time."""

from typing import Any

import pytest

from karte.errors import MissingScope, UnknownPlan
from tests.unit.engine.trusting.worlds import EVIL, HOUR, ORDER, World


def test_a_dry_run_counts_and_changes_nothing() -> None:
    world = World()
    world.operator.agent("dudu").store(ORDER, origin=f"{EVIL}:m1")
    world.operator.plan_to_forget(EVIL)
    world.clock.advance(24 * HOUR + 1)
    for _ in range(2):
        assert world.operator.maintain(dry_run=True).trust.to_dict() == {"reviews_expired": 1, "plans_dropped": 1}


def test_a_run_writes_it_down_once() -> None:
    world = World()
    world.operator.agent("dudu").store(ORDER, origin=f"{EVIL}:m1")
    plan = world.operator.plan_to_forget(EVIL)
    world.clock.advance(24 * HOUR + 1)
    done = [world.operator.maintain().trust.to_dict() for _ in range(2)]
    assert done == [{"reviews_expired": 1, "plans_dropped": 1}, {"reviews_expired": 0, "plans_dropped": 0}]
    (shown,) = world.operator.waiting(decided=True)
    assert (shown.review.state.value, shown.review.decided_by, shown.to_dict()["trust"]) == ("expired", None, 0.1)
    line = world.operator.audit(1)[0]
    assert (line.actor, line.action, line.owner, line.target, line.detail) == (
        "operator",
        "knowledge.rejected",
        "dudu",
        shown.review.id,
        '{"event": "quarantine_reject"}',
    )
    with pytest.raises(UnknownPlan):
        world.operator.plan_of(plan.id)


def test_a_claim_in_the_shadow_stays_what_it_is_when_its_review_ends() -> None:
    world = World()
    dudu = world.operator.agent("dudu")
    names: dict[str, Any] = {"subject": "user", "predicate": "city"}
    dudu.store("lives in 台北", **names, object="台北", origin="user_direct:chat:1")
    claim = dudu.store("lives in 高雄", **names, object="高雄", origin=EVIL)
    world.clock.advance(24 * HOUR + 1)
    lines = len(world.operator.audit())
    assert world.operator.maintain().trust.reviews == 1
    assert (dudu.read(claim.memory_id).status.value, dudu.read(claim.memory_id).trust) == ("shadowed", 0.3)
    assert len(world.operator.audit()) == lines


def test_what_is_still_good_stays() -> None:
    world = World()
    world.operator.agent("dudu").store(ORDER, origin=f"{EVIL}:m1")
    plan = world.operator.plan_to_forget(EVIL)
    world.clock.advance(HOUR / 4)
    assert world.operator.maintain().trust.to_dict() == {"reviews_expired": 0, "plans_dropped": 0}
    assert (len(world.operator.waiting()), world.operator.plan_of(plan.id).digest) == (1, plan.digest)


def test_what_was_applied_is_not_dropped() -> None:
    world = World()
    world.operator.agent("dudu").store("Bob likes cats", origin=f"{EVIL}:m1")
    plan = world.operator.plan_to_forget(EVIL)
    world.operator.approve_plan(plan.id, plan.digest.hex())
    world.operator.forget(plan.id)
    world.clock.advance(HOUR)
    assert world.operator.maintain().trust.plans == 0
    assert [receipt.plan_id for receipt in world.operator.forgotten()] == [plan.id]


def test_it_needs_the_scope_admin() -> None:
    with pytest.raises(MissingScope):
        World().person("Wim", "memory:read", "memory:write").maintain()
