"""Which tools are offered, to whom, and what their definitions say and cost."""

import json
from typing import Any

import pytest

from karte.errors import InvalidValue, MissingScope, UnknownAgent
from karte.surfaces.mcp.catalogue import INSTRUCTIONS, TOOLS, Tool
from karte.surfaces.mcp.seats import Profile, take_seat
from karte.workspace import Workspace
from tests.surfaces.mcp.connecting import ALL_SCOPES, READ_AND_WRITE, Agent, seated

CORE_READ = [
    *("memory_search", "memory_fetch_batch", "memory_get_history", "memory_get_at"),
    *("memory_context", "get_my_notes"),
]
CORE_WRITE = ["memory_store", "memory_withdraw", "propose_fact", "update_my_notes"]
FULL_READ = [
    *("memory_read", "memory_timeline", "memory_list", "memory_alias_list", "memory_pending", "memory_stats"),
    *("list_memory_domains", "list_memory_conflicts", "list_policies", "list_mistakes"),
]
FULL_WRITE = [
    *("memory_supersede", "memory_end", "memory_alias_add", "memory_alias_remove"),
    *("supersede_fact", "withdraw_fact", "resolve_memory_conflict", "propose_policy", "supersede_policy"),
    *("remember", "record_observation", "record_mistake", "consolidate_memory"),
]
FULL_ADMIN = ["harmonize_memory"]
ADMIN = ["memory_invalidate_by_origin"]
EVERY = [*CORE_READ, *CORE_WRITE, *FULL_READ, *FULL_WRITE, *FULL_ADMIN, *ADMIN]

MOST_CHARACTERS = 12_000


def as_listed(tool: Tool) -> dict[str, Any]:
    return tool.definition().model_dump(mode="json", by_alias=True, exclude_none=True)


@pytest.mark.parametrize(
    ("profile", "scopes", "offered"),
    [
        ("core", READ_AND_WRITE, [*CORE_READ, *CORE_WRITE]),
        ("core", ["memory:read"], CORE_READ),
        ("core", ["memory:write"], CORE_WRITE),
        ("core", ["review"], []),
        ("core", [], []),
        ("core", ALL_SCOPES, [*CORE_READ, *CORE_WRITE]),
        ("full", READ_AND_WRITE, [*CORE_READ, *CORE_WRITE, *FULL_READ, *FULL_WRITE]),
        ("full", ["memory:read"], [*CORE_READ, *FULL_READ]),
        ("full", ["memory:write"], [*CORE_WRITE, *FULL_WRITE]),
        ("full", ALL_SCOPES, [*CORE_READ, *CORE_WRITE, *FULL_READ, *FULL_WRITE, *FULL_ADMIN]),
        ("admin", ALL_SCOPES, EVERY),
        ("admin", ["admin"], [*FULL_ADMIN, *ADMIN]),
        ("admin", ["memory:read", "admin"], [*CORE_READ, *FULL_READ, *FULL_ADMIN, *ADMIN]),
    ],
)
def test_a_tool_is_listed_if_profile_and_scope_allow_it_and_refused_if_not(
    workspace: Workspace, profile: str, scopes: list[str], offered: list[str]
) -> None:
    workspace.agent("dudu")
    with seated(workspace, profile=profile, scopes=scopes) as agent:
        refused = [tool for tool in EVERY if agent.result(tool).structured_content == refusal_of(tool, profile, scopes)]
        assert (sorted(offered), sorted(set(EVERY) - set(offered))) == (sorted(agent.tools()), sorted(refused))


def refusal_of(tool: str, profile: str, scopes: list[str]) -> dict[str, Any]:
    scope = next(
        scope
        for scope, tools in {
            "memory:read": [*CORE_READ, *FULL_READ],
            "memory:write": [*CORE_WRITE, *FULL_WRITE],
            "admin": [*FULL_ADMIN, *ADMIN],
        }.items()
        if tool in tools
    )
    if scope not in scopes:
        message, code, hint = f"{tool} needs the scope {scope}, which this server was not given.", "missing_scope", None
    else:
        holds = "admin" if tool in ADMIN else "full"
        message = f"{tool} belongs to the profile {holds}; this server was started with {profile}."
        code, hint = "refused", "Use the tools that are listed."
    return {"error": {"category": "refused", "code": code, "message": message, "hint": hint}}


def test_the_profile_admin_needs_the_scope_admin(workspace: Workspace) -> None:
    with pytest.raises(MissingScope, match="The profile admin needs the scope admin"):
        take_seat(workspace, "dudu", "one", "admin", READ_AND_WRITE)


@pytest.mark.parametrize(("profile", "scopes"), [("all", READ_AND_WRITE), ("core", ["memory:all"]), ("core", [""])])
def test_a_profile_or_scope_that_does_not_exist_is_refused(
    workspace: Workspace, profile: str, scopes: list[str]
) -> None:
    with pytest.raises(InvalidValue):
        take_seat(workspace, "dudu", "one", profile, scopes)


def test_a_new_agent_is_made_only_if_it_may_write(workspace: Workspace) -> None:
    with pytest.raises(UnknownAgent):
        take_seat(workspace, "dudu", "one", "core", ["memory:read"])
    take_seat(workspace, "dudu", "one", "core", READ_AND_WRITE)
    assert [agent.name for agent in workspace.agents()] == ["dudu"]


def test_no_tool_takes_an_agent_as_an_argument(dudu: Agent) -> None:
    taken = {name for tool in dudu.tools().values() for name in tool.input_schema["properties"]}
    assert taken & {"agent", "agent_id", "owner", "namespace", "role", "scopes", "actor", "proposed_by"} == set()


def test_every_tool_says_what_it_is_for_and_what_it_does_to_memories(dudu: Agent) -> None:
    hints = {
        name: (a.read_only_hint, a.destructive_hint, a.idempotent_hint)
        for name, tool in dudu.tools().items()
        if (a := tool.annotations)
    }
    reading = dict.fromkeys([*CORE_READ, *FULL_READ], (True, False, True))
    adding = dict.fromkeys([*CORE_WRITE, *FULL_WRITE], (False, False, False))
    taking_back = dict.fromkeys(
        ["memory_withdraw", "withdraw_fact", "memory_alias_remove", *ADMIN], (False, True, True)
    )
    repeatable = dict.fromkeys(
        ["memory_alias_add", "update_my_notes", "consolidate_memory", *FULL_ADMIN], (False, False, True)
    )
    deciding = {"resolve_memory_conflict": (False, True, False)}
    assert hints == {**reading, **adding, **taking_back, **repeatable, **deciding}
    assert {tool.annotations and tool.annotations.open_world_hint for tool in dudu.tools().values()} == {False}
    untitled = [t.name for t in dudu.tools().values() if not (t.description and t.annotations and t.annotations.title)]
    assert untitled == []


def test_every_input_schema_is_closed_and_every_output_schema_leaves_room_for_an_error(dudu: Agent) -> None:
    tools = dudu.tools().values()
    assert [tool.name for tool in tools if tool.input_schema["additionalProperties"] is not False] == []
    room = [tool.name for tool in tools if {"required": ["error"]} in (tool.output_schema or {})["anyOf"]]
    assert sorted(room) == sorted(EVERY)


def test_store_can_write_everything_that_a_memory_has(dudu: Agent) -> None:
    attributes = {
        *("content", "subject", "predicate", "object", "layer", "domain", "topic", "repo", "memory_type", "veracity"),
        *("confidence", "importance", "tags", "metadata", "source_event", "expires_at", "ttl_hours", "derived_from"),
        *("valid_from", "valid_until", "observed_at", "origin", "idempotency_key", "expect_current"),
    }
    assert attributes - set(dudu.tools()["memory_store"].input_schema["properties"]) == set()


def test_the_schemas_state_the_limits_of_the_contract(dudu: Agent) -> None:
    def taken(tool: str, name: str) -> dict[str, Any]:
        schema: dict[str, Any] = dudu.tools()[tool].input_schema["properties"][name]
        return schema

    assert taken("memory_search", "limit") == {"type": "integer", "minimum": 1, "maximum": 100, "default": 10}
    assert taken("memory_search", "mode")["enum"] == ["keyword", "semantic", "hybrid"]
    ids = taken("memory_fetch_batch", "ids")
    assert (ids["minItems"], ids["maxItems"]) == (1, 100)
    content = taken("memory_store", "content")
    assert (content["minLength"], content["maxLength"]) == (1, 65_536)
    assert (taken("memory_store", "importance")["maximum"], taken("memory_store", "confidence")["maximum"]) == (10, 1)
    assert taken("memory_store", "layer")["enum"] == ["episodic", "semantic"]
    assert len(taken("memory_store", "memory_type")["enum"]) == 17


def test_the_core_profile_is_a_list_of_ten_tools_and_at_most_12000_characters() -> None:
    core = [tool for tool in TOOLS.values() if tool.profile is Profile.CORE]
    listed = json.dumps([as_listed(tool) for tool in core], ensure_ascii=False)
    assert (len(core), len(listed) <= MOST_CHARACTERS) == (10, True), len(listed)


def test_what_is_listed_more_shortly_is_checked_in_full_and_named_alike(dudu: Agent) -> None:
    tool = TOOLS["propose_fact"]
    assert set(tool.listed_in(Profile.CORE)["properties"]) == set(tool.taken_in(Profile.CORE)["properties"])
    error = dudu.refusal("propose_fact", domain="x", content="y", origin={"channel": "x"})
    assert error["message"] == "origin has no argument 'channel'."


def test_the_budget_is_measured_on_what_a_client_is_sent(workspace: Workspace) -> None:
    with seated(workspace) as agent:
        sent = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in agent.tools().values()]
    assert sent == [as_listed(tool) for tool in TOOLS.values() if tool.profile is Profile.CORE]


def test_the_instructions_name_the_tools_of_the_core_profile_and_when_to_call_each(workspace: Workspace) -> None:
    with seated(workspace) as agent:
        told = agent.client.instructions
    assert told == INSTRUCTIONS
    named = [tool for tool in [*CORE_READ, *CORE_WRITE] if tool in INSTRUCTIONS]
    assert sorted([*named, "memory_fetch_batch"]) == sorted([*CORE_READ, *CORE_WRITE])
    assert len(INSTRUCTIONS.splitlines()) <= 10


def test_a_tool_that_does_not_exist_is_a_protocol_error_as_the_protocol_asks(dudu: Agent) -> None:
    from mcp import MCPError

    with pytest.raises(MCPError, match="There is no tool 'memory_forget_everything'") as caught:
        dudu.result("memory_forget_everything")
    assert caught.value.code == -32602
