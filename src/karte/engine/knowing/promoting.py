"""Promoting: a person makes a policy of the workspace out of a rule that an agent learned.

The policy copies the text of the rule and names it, but is not derived from it: the rule belongs to the agent, and what
one agent forgets must not take a policy of all along. It stands by the word of the person.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from karte.core.memories import Layer
from karte.core.namespaces import Principal, Scope
from karte.core.results import Receipt
from karte.engine.asking import Asking, When, owners_of, present
from karte.engine.gathering import Frame
from karte.engine.knowing import policies
from karte.engine.learning.notebook import Notebook, Ruling
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.errors import UnknownMemory
from karte.ports import Reading


class PromoteOptions(TypedDict, total=False):
    """Where the policy belongs and whom it binds, as of `propose_policy`."""

    repo: str | None
    required_role: str | None
    priority: int | None
    always: bool | None


@dataclass(frozen=True)
class Promotion:
    """Which rule is to be a policy of which domain."""

    rule_id: str
    domain: str
    options: PromoteOptions


def promote(services: Services, caller: Principal, promotion: Promotion) -> Receipt:
    """Make a policy of a rule in force, whichever agent learned it.

    Needs the scope review, and no agent has it; raises `UnknownMemory` where there is no such rule, and what
    `policies.propose` raises.
    """
    caller.decide(Scope.REVIEW)
    text = _text(services, promotion.rule_id)
    options = {**promotion.options, "source_event": promotion.rule_id}
    return policies.propose(services, caller, policies.drafted(promotion.domain, text, options, caller))


@repeated
def _text(services: Services, rule_id: str) -> str:
    with services.store.reading() as unit:
        ruling = _ruling(services, unit, rule_id)
    said = ruling.standing.said[0]
    return (said.wording or ruling.standing.representative.wording).content


def _ruling(services: Services, unit: Reading, rule_id: str) -> Ruling:
    now = present(services, unit)
    for owner in owners_of(unit):
        if unit.memories.by_id(owner, [rule_id]):
            frame = Frame(unit, owner, services.tiers)
            notebook = Notebook.read(Asking(unit, frame, When(now, now), frozenset({Layer.MISTAKE})))
            for ruling in notebook.rulings:
                if ruling.id == rule_id:
                    return ruling
    raise UnknownMemory(f"There is no rule {rule_id} in force.")
