"""A person makes a policy of the workspace out of a rule that an agent learned."""

from collections.abc import Iterator

import pytest

from karte.core.namespaces import Scope
from karte.core.results import Outcome
from karte.errors import InvalidValue, MissingScope, NoPerson, UnknownDomain, UnknownMemory
from tests.knowledge.test_mistakes import TALK, record
from tests.knowledge.test_rules import INVOICES, made
from tests.knowledge.wholes import forget
from tests.laws.opening import Desk, opened
from tests.stores import STORES


@pytest.fixture(params=STORES)
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    with opened(STORES[request.param]) as desk:
        desk.workspace.create_domain("財務")
        yield desk


@pytest.fixture
def rule(desk: Desk) -> str:
    record(desk, INVOICES[0], origin=TALK)
    record(desk, *INVOICES[1:])
    (rule,) = made(desk.chart.reflect())
    return rule


def test_the_policy_has_the_text_of_the_rule_names_it_and_is_of_the_person(desk: Desk, rule: str) -> None:
    receipt = desk.workspace.promote_rule(rule, "財務", priority=10, required_role="accountant")
    (policy,) = desk.workspace.policies(all=True)
    shape = policy.to_dict()
    assert (receipt.status, policy.rule) == (Outcome.STORED, desk.chart.read(rule).content)
    assert (shape["id"], shape["domain"], shape["priority"]) == (receipt.memory_id, "財務", 10)
    assert (shape["required_role"], shape["trust"], shape["source_fact_ids"]) == ("accountant", 1.0, [])
    assert [origin["kind"] for origin in shape["origins"]] == ["operator"]


def test_it_stands_by_the_word_of_the_person_whatever_becomes_of_the_rule(desk: Desk, rule: str) -> None:
    desk.workspace.promote_rule(rule, "財務")
    forget(desk.workspace, TALK)
    assert (desk.chart.rules(), len(desk.workspace.policies())) == ([], 1)


def test_the_same_rule_again_makes_no_second_policy(desk: Desk, rule: str) -> None:
    first = desk.workspace.promote_rule(rule, "財務")
    desk.clock.advance(60)
    again = desk.workspace.promote_rule(rule, "財務")
    assert (again.memory_id, len(desk.workspace.policies())) == (first.memory_id, 1)


def test_no_agent_promotes_a_rule_nor_who_may_not_review(desk: Desk, rule: str) -> None:
    with pytest.raises(NoPerson):
        desk.chart.promote_rule(rule, "財務")
    with pytest.raises(MissingScope):
        desk.workspace.acting(scopes=frozenset({Scope.READ, Scope.WRITE})).promote_rule(rule, "財務")


def test_what_is_no_rule_in_force_or_no_domain_is_unknown(desk: Desk, rule: str) -> None:
    with pytest.raises(UnknownDomain):
        desk.workspace.promote_rule(rule, "法務")
    with pytest.raises(InvalidValue):
        desk.workspace.promote_rule(rule, "財務", priority=1_000)
    plain = desk.chart.store("發票要在月底前開").memory_id
    desk.chart.withdraw(rule)
    for memory_id in (plain, rule, "mem_none"):
        with pytest.raises(UnknownMemory):
            desk.workspace.promote_rule(memory_id, "財務")
