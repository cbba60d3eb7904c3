"""Mutants of the write gate, of reviews and of forgetting, in the engine: mistakes that the laws of trust must catch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from karte.core import forgetting, standing, trust
from karte.core.assertions import Assertion
from karte.core.memories import Memory
from karte.core.namespaces import WORKSPACE, Namespace
from karte.core.origins import Origin
from karte.core.results import Outcome, Receipt
from karte.engine.asking import Asking
from karte.engine.deciding import reviewing
from karte.engine.drafting import Draft
from karte.engine.forgetting import applying, planning
from karte.engine.keeping import agents
from karte.engine.reading.describing import Describing
from karte.engine.remembering import storing
from karte.engine.remembering.storing import Session
from karte.engine.removing import Removing
from karte.engine.trusting import blocking
from karte.engine.trusting.holding import Holding
from tests.laws.workspace_mutants import Mutant

_hold, _reviewed, _going = Holding.hold, Session._reviewed, planning._going
_stats, _stands = agents.stats, forgetting._stands


def _removes_nothing(self: Removing, going: Any) -> list[Memory]:  # noqa: ARG001 - as it is called
    return []


def _words_stay(self: Removing, number: int, gone: Iterable[Assertion], staying: Any) -> None:  # noqa: ARG001 - as it is called
    self.unit.records.remove_assertions(self.namespace, number, [assertion.identity for assertion in gone])


def _links_left(*given: Any) -> Any:
    memories, going = _going(*given)
    return memories, replace(going, links=())


def _withdrawals_left(*given: Any) -> Any:
    memories, going = _going(*given)
    return memories, replace(going, withdrawals=())


def _own_alone(frame: Any, selected: Any) -> set[int]:  # noqa: ARG001 - as it is called
    """What the source said, and nothing that was said because of it."""
    return set(selected.numbers)


def _not_blocked(unit: Any, caller: Any, plan: Any) -> int:  # noqa: ARG001 - as it is called
    return 0


def _whole_container(self: Origin, other: Origin) -> bool:
    return (self.kind, self.container) == (other.kind, other.container)


def _let_in_too(self: Holding, memory: Memory, assertion: Assertion, judged: Any) -> Receipt:
    """What is held back is kept as well."""
    receipt = _hold(self, memory, assertion, judged)
    session = Session(self.services, self.caller, self.unit, 1)
    session.learned_at += 1
    known = self.unit.memories.by_key(self.frame.namespace, [memory.key]).get(memory.key)
    session.let_in(known or replace(memory, id=receipt.memory_id), replace(assertion, learned_at=session.learned_at))
    session.finish()
    return receipt


def _held_counted(services: Any, caller: Any) -> agents.Stats:
    counted = dict(_stats(services, caller).memories)
    with services.store.reading() as unit:
        for owner in counted:
            counted[owner] += unit.reviews.count(Namespace("" if owner == WORKSPACE else owner))
    return agents.Stats(counted)


def _burst_left(self: Holding, number: int, identity: bytes, why: Any) -> None:
    """The earlier members of a burst stay where they are."""


def _nothing_archived(self: Asking, numbers: Any) -> dict[int, int]:  # noqa: ARG001 - as it is called
    return {}


def _never(*_: Any) -> bool:
    return False


def _no_tier(*_: Any) -> int:
    return 0


def _all_count(said: Iterable[Assertion], *_: Any) -> list[Assertion]:
    return list(said)


def _asked_if_it_is_shadowed(self: Session, receipt: Receipt, assertion: Assertion) -> Receipt:
    """A person is asked only where the claim that comes is itself kept out."""
    return _reviewed(self, receipt, assertion) if receipt.status is Outcome.SHADOWED else receipt


def _hardly_trusted(_: Any) -> int:
    return trust.DEFAULT_TIERS[0] - 1


def _as_it_says(counting: Iterable[Assertion]) -> dict[bytes, int]:
    """A derived assertion is believed as far as it is trusted itself."""
    return {assertion.identity: assertion.trust for assertion in counting}


def _parents_do_not_matter(assertion: Assertion, existed: Any, exists: Any) -> bool:
    return _stands(replace(assertion, parents=()), existed, exists)


def _of_the_time_it_is_told(draft: Draft, *_: Any) -> Draft:
    return draft


def _no_lineage(self: Describing, said: Any) -> tuple[()]:  # noqa: ARG001 - as it is called
    return ()


MUTANTS: Final = (
    Mutant("forgetting removes nothing", "forgotten", Removing, "__call__", _removes_nothing),
    Mutant("the words of the source stay", "forgotten in marked programs", Removing, "_take_part", _words_stay),
    Mutant("the links of the source stay", "forgotten in marked programs", planning, "_going", _links_left),
    Mutant("the withdrawals of the source stay", "forgotten", planning, "_going", _withdrawals_left),
    Mutant("what rests on the source is not looked for", "forgotten", planning, "around", _own_alone),
    Mutant("the source is not blocked", "forgotten", applying, "block", _not_blocked),
    Mutant("a forgotten source goes on deciding", "forgotten", blocking, "is_blocked", _never),
    Mutant("an item goes with its container", "forgotten", Origin, "holds", _whole_container),
    Mutant("what is quarantined is found", "leaks", Holding, "hold", _let_in_too),
    Mutant("what is quarantined counts", "leaks", agents, "stats", _held_counted),
    Mutant("of a burst the first five stay", "leaks", Holding, "_take_back", _burst_left),
    Mutant("what is archived is found", "leaks", Asking, "archived", _nothing_archived),
    Mutant("what has expired is shown", "leaks", Describing, "expired", _never),
    Mutant("what is withdrawn counts", "leaks", standing, "counting_assertions", _all_count),
    Mutant("what is forgotten stays", "leaks", Removing, "__call__", _removes_nothing),
    Mutant("the guard is off", "overridden", trust, "tier", _no_tier),
    Mutant(
        "nobody is asked if the more trusted claim comes last",
        "overridden",
        Session,
        "_reviewed",
        _asked_if_it_is_shadowed,
    ),
    Mutant("an endorsement is hardly trusted", "overridden", reviewing, "own_trust", _hardly_trusted),
    Mutant("derived and trusted as it says", "above", standing, "believe", _as_it_says),
    Mutant("what was derived stays without its parents", "above", forgetting, "_stands", _parents_do_not_matter),
    Mutant("who said the parents is not named", "above", Describing, "_inherited", _no_lineage),
    Mutant("what was derived is of the time it is told", "above", storing, "dated", _of_the_time_it_is_told),
    Mutant("nothing is stale", "above", Describing, "_stale", _never),
)
