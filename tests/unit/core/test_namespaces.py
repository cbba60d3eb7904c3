"""Owners and callers."""

import pytest

from karte.core.namespaces import Namespace, Principal, Scope
from karte.core.origins import Origin, OriginKind
from karte.errors import InvalidValue, MissingScope, OriginNotAllowed

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
