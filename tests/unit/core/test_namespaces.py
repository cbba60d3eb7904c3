"""Owners and callers."""

import pytest

from karte.core.namespaces import AGENT_KINDS, Credential, Namespace, Principal, Scope
from karte.core.origins import Origin, OriginKind
from karte.errors import ForeignAgent, InvalidValue, MissingScope, NoPerson, OriginNotAllowed

OPERATOR = Origin("operator", "python")


@pytest.mark.parametrize(("agent", "owner"), [("", "workspace"), ("dudu", "dudu"), ("小雨", "小雨")])
def test_the_owner_is_the_agent_or_the_workspace(agent: str, owner: str) -> None:
    assert Namespace(agent).owner == owner


@pytest.mark.parametrize("agent", [" dudu", "dudu ", "a\nb", "x" * 129])
def test_a_name_without_blanks_around_and_of_bounded_length_is_asked_for(agent: str) -> None:
    with pytest.raises(InvalidValue):
        Namespace(agent)


def test_a_caller_may_do_everything_unless_it_is_told_otherwise() -> None:
    caller = Principal(Namespace("dudu"), OPERATOR)
    assert caller.scopes == set(Scope)
    for scope in Scope:
        caller.require(scope)


def test_a_caller_without_a_scope_is_refused_by_its_name() -> None:
    caller = Principal(Namespace("dudu"), OPERATOR, scopes=frozenset({Scope.READ}))
    with pytest.raises(MissingScope, match="memory:write"):
        caller.require(Scope.WRITE)


def test_a_caller_speaks_in_its_own_name_or_in_one_that_it_may_claim() -> None:
    caller = Principal(Namespace("dudu"), OPERATOR)
    assert (caller.speak_as(None), caller.speak_as(Origin("import", "a"))) == (OPERATOR, Origin("import", "a"))


def test_a_kind_of_origin_that_the_caller_may_not_claim_is_refused() -> None:
    caller = Principal(Namespace("dudu"), Origin("channel", "x"), origin_kinds=frozenset({OriginKind.CHANNEL}))
    with pytest.raises(OriginNotAllowed, match="operator"):
        caller.speak_as(OPERATOR)


ALL = frozenset(Scope)
AGENT = Principal(
    Namespace("dudu"),
    Origin("agent_derived", "mcp:one"),
    scopes=frozenset({Scope.READ, Scope.WRITE}),
    origin_kinds=AGENT_KINDS,
    trust_ceiling=6_000,
    name="dudu's",
    credential=Credential.AGENT,
)
PERSON = Principal(Namespace(), OPERATOR, scopes=ALL, name="Mei", credential=Credential.PERSON)


class TestActing:
    def test_who_opened_a_workspace_without_a_token_may_take_any_powers(self) -> None:
        caller = Principal(Namespace("dudu"), OPERATOR, scopes=frozenset())
        acting = caller.acting(scopes=ALL, trust_ceiling=10_000, namespace=Namespace("momo"))
        assert (acting.scopes, acting.namespace) == (ALL, Namespace("momo"))

    def test_whoever_is_known_by_a_token_can_only_lower_their_powers(self) -> None:
        more = AGENT.acting(
            scopes=ALL,
            origin_kinds=frozenset(OriginKind),
            trust_ceiling=10_000,
            namespace=Namespace("momo"),
            name="operator",
            credential=Credential.NONE,
        )
        assert more == AGENT
        fewer = AGENT.acting(scopes=frozenset({Scope.READ, Scope.ADMIN}), trust_ceiling=3_000)
        assert (fewer.scopes, fewer.trust_ceiling) == (frozenset({Scope.READ}), 3_000)

    def test_an_origin_that_the_token_may_not_claim_is_refused(self) -> None:
        assert AGENT.acting(origin=Origin("channel", "x")).origin == Origin("channel", "x")
        with pytest.raises(OriginNotAllowed):
            AGENT.acting(origin=OPERATOR)


class TestActor:
    def test_it_is_the_agent_unless_a_token_says_which_person_works_on_its_memories(self) -> None:
        unnamed = Principal(Namespace("dudu"), OPERATOR)
        at_work = Principal(Namespace("dudu"), OPERATOR, name="Mei", credential=Credential.PERSON)
        assert [each.actor for each in (unnamed, AGENT, at_work, PERSON)] == ["agent:dudu", "agent:dudu", "Mei", "Mei"]

    def test_nobody_decides_for_an_agent(self) -> None:
        PERSON.decide(Scope.REVIEW)
        for caller in (Principal(Namespace("dudu"), OPERATOR), Principal(Namespace("dudu"), OPERATOR, name="Mei")):
            with pytest.raises(NoPerson):
                caller.decide(Scope.REVIEW)

    def test_the_token_of_an_agent_is_for_that_one_and_oversees_nothing(self) -> None:
        AGENT.act_as("dudu")
        PERSON.act_as("momo")
        with pytest.raises(ForeignAgent):
            AGENT.act_as("momo")
        with pytest.raises(ForeignAgent):
            AGENT.oversee(Scope.READ)
        PERSON.oversee(Scope.ADMIN)
