"""Agents of a workspace, and how much each keeps."""

import pytest

from karte.core.namespaces import Scope
from karte.core.periods import instant_of
from karte.errors import EmptyText, InvalidValue, MissingScope, UnknownAgent
from karte.testing.parts import GivenClock
from karte.workspace import Workspace
from tests.unit.engine.conftest import NOW


def test_an_agent_is_created_when_it_first_acts(ws: Workspace, clock: GivenClock) -> None:
    ws.agent("小雨", role="engineer")
    clock.advance(60)
    ws.agent("小雨")
    (agent,) = ws.agents()
    assert (agent.name, agent.role, agent.created_at) == ("小雨", "engineer", instant_of(NOW))


def test_agents_are_listed_by_name(ws: Workspace) -> None:
    for name in ("zoe", "ada", "小雨"):
        ws.agent(name)
    assert [agent.name for agent in ws.agents()] == ["ada", "zoe", "小雨"]


def test_another_role_is_kept_and_no_role_leaves_it(ws: Workspace) -> None:
    for role in ("engineer", "reviewer", None):
        ws.agent("dudu", role=role)
    assert [agent.role for agent in ws.agents()] == ["reviewer"]


def test_an_agent_that_must_exist_and_does_not_is_unknown(ws: Workspace) -> None:
    with pytest.raises(UnknownAgent):
        ws.agent("nobody", create=False)
    assert ws.agents() == []


def test_two_agents_keep_memories_apart(ws: Workspace) -> None:
    ws.agent("dudu").store("mine")
    assert ws.agent("ゆき").search("mine").hits == ws.search("mine").hits == ()


def test_a_chart_says_whose_it_is(ws: Workspace) -> None:
    assert [repr(chart) for chart in (ws, ws.agent("dudu"))] == ["<Workspace of workspace>", "<Chart of dudu>"]


def test_what_each_owner_keeps_is_counted_without_ends(ws: Workspace) -> None:
    ws.store("shared")
    dudu = ws.agent("dudu")
    dudu.end(dudu.store("x", valid_from="2026-01-01").memory_id)
    dudu.store("y")
    assert ws.stats().to_dict() == {"memories": {"workspace": 1, "dudu": 2}, "total": 3}


@pytest.mark.parametrize(("name", "error"), [("", EmptyText), (" x", InvalidValue), ("x" * 129, InvalidValue)])
def test_a_name_that_cannot_be_is_refused(ws: Workspace, name: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        ws.agent(name)


def test_scopes_are_asked_for(ws: Workspace) -> None:
    ws.agent("dudu")
    reader = Workspace(ws._desk, ws.acting(scopes=frozenset({Scope.READ}))._caller)
    assert reader.agent("dudu").owner == "dudu"
    with pytest.raises(MissingScope):
        reader.agent("newcomer")
    writer = Workspace(ws._desk, ws.acting(scopes=frozenset({Scope.WRITE}))._caller)
    for question in (writer.agents, writer.stats):
        with pytest.raises(MissingScope):
            question()
