"""Foreign is the same as missing: whatever an agent calls, another agent's memories cannot be told from none."""

from collections.abc import Iterator
from typing import Any

import pytest

from karte.workspace import Workspace
from tests.surfaces.mcp.connecting import ALL_SCOPES, Agent, Shape, seated

FACT = {"subject": "user", "predicate": "city", "object": "台北"}
MADE_UP = "mem_00000000000000000000000000000000"

BY_ID: list[tuple[str, dict[str, Any]]] = [
    ("memory_fetch_batch", {"ids": ["ID"]}),
    ("memory_read", {"id": "ID"}),
    ("memory_withdraw", {"id": "ID"}),
    ("memory_supersede", {"id": "ID", "by": "newer"}),
    ("memory_end", {"id": "ID"}),
    ("memory_store", {"content": "x", "derived_from": ["ID"]}),
    ("memory_store", {"content": "x", **FACT, "expect_current": "ID"}),
    ("supersede_fact", {"id": "ID", "by": "newer"}),
    ("withdraw_fact", {"id": "ID"}),
    ("resolve_memory_conflict", {"id": "ID", "decision": "both_hold"}),
    ("supersede_policy", {"id": "ID", "by": "newer"}),
]
BY_NAME: list[tuple[str, dict[str, Any]]] = [
    ("memory_search", {"query": "台北 momo secret", "explain": True}),
    ("memory_get_at", {"subject": "user", "predicate": "city"}),
    ("memory_get_history", {"subject": "user", "predicate": "city"}),
    ("memory_timeline", {"subject": "user"}),
    ("memory_list", {}),
    ("memory_alias_list", {}),
    ("memory_end", {"subject": "user", "predicate": "city"}),
    ("memory_alias_remove", {"canonical": "momo", "alias": "mo"}),
    ("memory_invalidate_by_origin", {"origin": {"kind": "agent_derived", "container": "mcp:momo"}}),
    ("memory_search", {"query": "台北 momo secret", "session_id": "s1"}),
    ("get_my_notes", {}),
    ("list_mistakes", {"unresolved": False}),
    ("memory_context", {"task": "momo secret: what does momo keep in 台北?", "session_id": "s1"}),
]


@pytest.fixture
def foreign(workspace: Workspace) -> Iterator[str]:
    """The id of a memory of another agent, whose names, alias and origin the first one asks for."""
    with seated(workspace, "momo", profile="full", session="momo") as momo:
        momo.call("memory_alias_add", canonical="momo", alias="mo")
        yield momo.remember("momo secret: lives in 台北", **FACT)


def answered(agent: Agent, tool: str, arguments: dict[str, Any], memory_id: str) -> str:
    """What a tool says, with the id that was asked about left out."""

    def named(value: Any) -> Any:
        if isinstance(value, list):
            return [named(entry) for entry in value]
        return memory_id if value == "ID" else value

    result = agent.result(tool, **{name: named(value) for name, value in arguments.items()})
    return f"{result.is_error} {_untimed(result.structured_content)}".replace(memory_id, "ID")


def _untimed(shape: Shape) -> Shape:
    return {name: value for name, value in shape.items() if name != "timings_ms"}


@pytest.mark.parametrize(("tool", "arguments"), BY_ID)
def test_an_id_of_another_agent_cannot_be_told_from_one_that_does_not_exist(
    dudu: Agent, foreign: str, tool: str, arguments: dict[str, Any]
) -> None:
    assert len(foreign) == len(MADE_UP)
    assert answered(dudu, tool, arguments, foreign) == answered(dudu, tool, arguments, MADE_UP)
    assert dudu.call("memory_stats")["total"] == 0


@pytest.mark.parametrize(("tool", "arguments"), BY_NAME)
def test_what_another_agent_knows_by_these_names_changes_no_answer(
    workspace: Workspace, dudu: Agent, tool: str, arguments: dict[str, Any]
) -> None:
    before = answered(dudu, tool, arguments, MADE_UP)
    with seated(workspace, "momo", profile="full", session="momo") as momo:
        momo.call("memory_alias_add", canonical="momo", alias="mo")
        momo.remember("momo secret: lives in 台北", **FACT)
        momo.call("update_my_notes", content="momo secret: 台北")
        momo.call("record_observation", content="momo secret: 台北 again")
        momo.call("remember", content="momo secret: 台北 today", session_id="s1")
        momo.call("record_mistake", category="safety", lesson="momo secret: not in 台北")
        assert answered(dudu, tool, arguments, MADE_UP) == before


def test_a_batch_names_own_memories_and_lists_foreign_ones_as_missing(dudu: Agent, foreign: str) -> None:
    own = dudu.remember("dudu lives in 高雄")
    assert dudu.call("memory_fetch_batch", ids=[foreign, own, MADE_UP, own, foreign]) == {
        "memories": [dudu.call("memory_read", id=own)],
        "missing_ids": [foreign, MADE_UP],
        "total_found": 1,
        "total_missing": 2,
    }


def test_the_same_text_of_two_agents_is_two_memories(workspace: Workspace, dudu: Agent, foreign: str) -> None:
    receipt = dudu.call("memory_store", content="momo secret: lives in 台北", **FACT)
    assert (receipt["status"], receipt["memory_id"] != foreign) == ("stored", True)
    with seated(workspace, "momo", profile="full") as momo:
        assert momo.call("memory_read", id=foreign)["mention_count"] == 1


def test_nothing_an_agent_did_to_a_foreign_id_changed_it(workspace: Workspace, dudu: Agent, foreign: str) -> None:
    with seated(workspace, "momo", profile="full") as momo:
        before = momo.call("memory_read", id=foreign)
        for tool, arguments in BY_ID:
            answered(dudu, tool, arguments, foreign)
        assert momo.call("memory_read", id=foreign) == before


def test_the_resource_of_a_foreign_id_is_the_same_as_of_none(dudu: Agent, foreign: str) -> None:
    from mcp import MCPError

    told = []
    for memory_id in (foreign, MADE_UP):
        with pytest.raises(MCPError) as caught:
            dudu.read_resource(f"karte://memory/{memory_id}")
        told.append(f"{caught.value.code} {caught.value.message} {caught.value.data}".replace(memory_id, "ID"))
    assert told[0] == told[1]


def test_scopes_are_of_the_process_and_not_of_the_agent(workspace: Workspace, dudu: Agent) -> None:
    kept = dudu.remember("Ada lives in London")
    with seated(workspace, "dudu", profile="full", scopes=["memory:read"]) as reader:
        assert reader.call("memory_read", id=kept)["content"] == "Ada lives in London"
        assert reader.refusal("memory_withdraw", id=kept)["code"] == "missing_scope"
    with seated(workspace, "dudu", profile="full", scopes=["memory:write"]) as writer:
        assert writer.refusal("memory_read", id=kept)["code"] == "missing_scope"
        assert writer.call("memory_withdraw", id=kept)["memory_ids"] == [kept]
    with seated(workspace, "dudu", profile="admin", scopes=ALL_SCOPES) as admin:
        assert admin.call("memory_read", id=kept)["status"] == "withdrawn"
