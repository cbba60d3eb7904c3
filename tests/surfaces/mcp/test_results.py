"""What the tools give: the JSON shapes of every surface, as structure and as text, within their output schemas."""

import json
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it ships no types
import pytest

from karte.workspace import Chart, Workspace
from tests.surfaces.mcp.connecting import ALL_SCOPES, REVISIONS, Agent, Shape, connected, seated, text_of

MEMORY = {
    *("id", "owner", "layer", "content", "subject", "predicate", "object", "domain", "topic", "repo"),
    *("memory_type", "veracity", "confidence", "importance", "trust", "tags", "metadata"),
    *("valid_from", "valid_until", "ingested_at", "status", "supersedes", "superseded_by", "reaffirmed_by"),
    *(
        "mention_count",
        "access_count",
        "recall_count",
        "source_event",
        "expires_at",
        "origins",
        "derived_from",
        "marks",
    ),
}
RECEIPT = {"status", "memory_id", "chain_id", "superseded", "revived", "similar", "conflicts", "review_id"}
SEARCH = {
    *("query", "mode", "profile", "intent", "silent_voices", "degraded", "left_out", "hits"),
    *("nothing_relevant", "policies", "timings_ms"),
}
HIT = {"memory", "score", "parts", "standing", "why", "snippet", "also"}
FACT: dict[str, Any] = {"subject": "李老闆", "predicate": "prefers", "object": "高山茶"}


VERCEL = "Deploys go to Vercel from the main branch"
FLY = "Deploys go to Fly.io from the main branch"


@pytest.fixture
def shared(workspace: Workspace) -> Shape:
    """A domain in which dudu writes, two facts of it that contradict each other, and a policy; by what they are called."""
    workspace.create_domain("決策")
    workspace.grant("決策", "write", agent="dudu")
    kept = workspace.propose_fact("決策", VERCEL)
    contested = workspace.propose_fact("決策", FLY)
    policy = workspace.propose_policy("決策", "部署前先開會")
    return {"FACT": kept.memory_id, "CONFLICT": contested.conflicts[0], "POLICY": policy.memory_id}


@pytest.fixture
def tea(dudu: Agent) -> str:
    return dudu.remember("李老闆喜歡喝高山茶", **FACT, tags=["飲料"])


def calls(tea: str) -> list[tuple[str, Shape]]:
    """A call of every tool that succeeds, in an order in which none spoils another."""
    return [
        ("memory_store", {"content": "사용자는 서울에 산다", "subject": "user", "predicate": "city", "object": "서울"}),
        ("memory_store", {"content": "会議は毎週火曜日", "derived_from": [tea], "layer": "episodic"}),
        ("memory_search", {"query": "高山茶", "explain": True}),
        ("memory_search", {"query": "zeppelin"}),
        ("memory_fetch_batch", {"ids": [tea, "mem_none"]}),
        ("memory_get_history", {"subject": "李老闆", "predicate": "prefers"}),
        ("memory_get_at", {"subject": "李老闆", "predicate": "prefers"}),
        ("memory_read", {"id": tea}),
        ("memory_timeline", {"subject": "李老闆"}),
        ("memory_list", {"limit": 5}),
        ("memory_alias_add", {"canonical": "李老闆", "alias": "老闆"}),
        ("memory_alias_list", {}),
        ("memory_alias_remove", {"canonical": "李老闆", "alias": "老闆"}),
        ("memory_pending", {}),
        ("memory_stats", {}),
        ("memory_supersede", {"id": tea, "by": "李老闆改喝咖啡", "object": "咖啡"}),
        ("memory_end", {"subject": "李老闆", "predicate": "prefers"}),
        ("memory_withdraw", {"id": tea, "reason": "misheard"}),
        *shared_calls(),
        *working_calls(),
        ("memory_invalidate_by_origin", {"origin": {"kind": "agent_derived", "container": "mcp:one"}}),
    ]


def shared_calls() -> list[tuple[str, Shape]]:
    """Calls about what a workspace shares, by whoever may write in the domain."""
    return [
        ("list_memory_domains", {}),
        ("propose_fact", {"domain": "決策", "content": "部署前先跑完整測試", "topic": "部署"}),
        ("supersede_fact", {"id": "FACT", "by": FLY}),
        ("list_memory_conflicts", {}),
        ("resolve_memory_conflict", {"id": "CONFLICT", "decision": "both_hold"}),
        ("withdraw_fact", {"id": "FACT", "reason": "misheard"}),
        ("propose_policy", {"domain": "決策", "rule": "部署前先問李老闆", "priority": 5, "always": True}),
        ("supersede_policy", {"id": "POLICY", "by": "部署前先問兩個人", "required_role": "engineer"}),
        ("list_policies", {"all": True}),
    ]


def working_calls() -> list[tuple[str, Shape]]:
    """Calls about an agent's work and what it learns."""
    return [
        ("get_my_notes", {}),
        ("update_my_notes", {"content": "進行中：部署腳本", "expect_version": 0}),
        ("record_observation", {"content": "測試環境的連接埠是 8081", "session_id": "s1"}),
        ("remember", {"content": "オフィスの合言葉は青", "session_id": "s1", "ttl_hours": 2}),
        ("record_mistake", {"category": "factual", "lesson": "查詢前先確認時區", "evidence": "tool_error"}),
        ("list_mistakes", {"task": "查詢昨天的會議"}),
        ("memory_context", {"task": "把部署腳本修好，再部署到測試環境", "budget": {"facts": 400}}),
        ("consolidate_memory", {"dry_run": True}),
        ("harmonize_memory", {"dry_run": True}),
    ]


def test_the_structured_content_of_every_tool_fits_its_output_schema_and_its_text_says_the_same(
    dudu: Agent, tea: str, shared: Shape
) -> None:
    tools = dudu.tools()
    assert {tool for tool, _ in calls(tea)} == set(tools)
    for tool, arguments in calls(tea):
        result = dudu.result(tool, **{name: named(value, shared) for name, value in arguments.items()})
        assert not result.is_error, (tool, result.content)
        jsonschema.validate(result.structured_content, tools[tool].output_schema)
        assert set(result.structured_content) >= set((tools[tool].output_schema or {})["properties"])
        told = json.loads(text_of(result))
        told.pop("recalled", None)
        assert told == result.structured_content


def named(value: Any, ids: Shape) -> Any:
    return ids.get(value, value) if isinstance(value, str) else value


def test_an_output_schema_refuses_what_is_neither_a_result_nor_an_error(dudu: Agent) -> None:
    for tool in dudu.tools().values():
        wrongs: list[object] = [{}, {"message": "no"}, [], None]
        for wrong in wrongs:
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate(wrong, tool.output_schema)


@pytest.mark.parametrize(
    ("tool", "arguments", "keys"),
    [
        ("memory_store", {"content": "x y z"}, RECEIPT),
        ("memory_search", {"query": "高山茶"}, SEARCH),
        ("memory_fetch_batch", {"ids": ["mem_1"]}, {"memories", "missing_ids", "total_found", "total_missing"}),
        ("memory_get_history", {"subject": "李老闆", "predicate": "prefers"}, {"subject", "predicate", "chain"}),
        ("memory_get_at", {"subject": "李老闆", "predicate": "prefers"}, {"memories"}),
    ],
)
def test_a_result_has_the_keys_of_the_contract(
    dudu: Agent,
    tea: str,  # noqa: ARG001 - what is asked about
    tool: str,
    arguments: Shape,
    keys: set[str],
) -> None:
    assert keys - set(dudu.call(tool, **arguments)) == set()


def test_a_memory_has_all_its_keys_wherever_it_is_shown(dudu: Agent, tea: str) -> None:
    (hit,) = dudu.call("memory_search", query="高山茶")["hits"]
    (chapter,) = dudu.call("memory_get_history", subject="李老闆", predicate="prefers")["chain"]
    shown = [
        dudu.call("memory_read", id=tea),
        *dudu.call("memory_fetch_batch", ids=[tea])["memories"],
        *dudu.call("memory_get_at", subject="李老闆", predicate="prefers")["memories"],
        *dudu.call("memory_list")["memories"],
        hit["memory"],
        chapter,
    ]
    assert [MEMORY - set(memory) for memory in shown] == [set()] * 6
    assert HIT - set(hit) == set()
    assert {"segments", "invalidated_at", "invalidated_by_event"} - set(chapter) == set()


@pytest.fixture
def chart(workspace: Workspace) -> Chart:
    return workspace.agent("dudu")


def test_the_same_question_gives_the_same_answer_as_in_python(dudu: Agent, tea: str, chart: Chart) -> None:
    def untimed(shape: Shape) -> Shape:
        return {name: value for name, value in shape.items() if name != "timings_ms"}

    dudu.remember("李老闆的咖啡不加糖")
    asked: dict[str, Any] = {"query": "李老闆", "limit": 5, "explain": True}
    assert untimed(dudu.call("memory_search", **asked)) == untimed(chart.search(**asked).to_dict())
    assert dudu.call("memory_fetch_batch", ids=[tea]) == chart.fetch([tea]).to_dict()
    assert dudu.call("memory_list") == chart.list().to_dict()
    names = {"subject": "李老闆", "predicate": "prefers"}
    assert dudu.call("memory_get_history", **names) == chart.history(**names).to_dict()
    assert dudu.call("memory_get_at", **names) == chart.at(**names).to_dict()
    assert dudu.call("memory_timeline", subject="李老闆") == chart.timeline("李老闆").to_dict()


def test_a_memory_keeps_all_that_it_was_stored_with(dudu: Agent, tea: str) -> None:
    given: dict[str, Any] = {
        "content": "李老闆 signs the lease for the Taichung office",
        "subject": "李老闆",
        "predicate": "signs",
        "object": "台中租約",
        "layer": "semantic",
        "domain": "決策",
        "topic": "offices",
        "repo": "main",
        "memory_type": "decision",
        "veracity": "tool",
        "confidence": 0.25,
        "importance": 8,
        "metadata": {"page": 3, "名": "租約"},
        "source_event": "meeting",
        "tags": ["lease", "台中"],
        "derived_from": [tea],
    }
    times = {
        "valid_from": "2026-03-01T08:00:00+08:00",
        "valid_until": "2026-09-01",
        "observed_at": "2026-02-27T10:00:00Z",
        "expires_at": "2027-01-01T00:00:00Z",
    }
    origin = {"kind": "channel", "container": "discord:7", "item": "m1"}
    memory = dudu.call("memory_read", id=dudu.remember(**given, **times, origin=origin, session_id="s9", trust=0.2))
    assert {name: memory[name] for name in given} == given
    assert (memory["valid_from"], memory["valid_until"]) == ("2026-03-01T00:00:00Z", "2026-09-01T00:00:00Z")
    assert (memory["expires_at"], memory["session"], memory["trust"]) == ("2027-01-01T00:00:00Z", "s9", 0.2)
    assert memory["origins"][0] == {**origin, "observed_at": "2026-02-27T10:00:00Z"}


def test_a_memory_expires_after_its_time_to_live(dudu: Agent, clock: Any) -> None:
    kept = dudu.remember("The guest network is open", ttl_hours=2)
    clock.move_to("2026-12-01T01:59:00Z")
    assert dudu.call("memory_fetch_batch", ids=[kept])["total_found"] == 1
    clock.move_to("2026-12-01T02:00:01Z")
    assert dudu.call("memory_fetch_batch", ids=[kept])["missing_ids"] == [kept]
    assert dudu.call("memory_search", query="guest network")["nothing_relevant"] is True


def test_search_filters_by_session_layer_domain_repository_tag_and_type(dudu: Agent) -> None:
    common = "Ada reviews the parser"
    marked = {
        "session_id": dudu.remember(f"{common} now", session_id="s1"),
        "layer": dudu.remember(f"{common} today", layer="episodic"),
        "domain": dudu.remember(f"{common} fully", domain="reviews"),
        "repo": dudu.remember(f"{common} again", repo="parser"),
        "tags": dudu.remember(f"{common} twice", tags=["urgent"]),
        "types": dudu.remember(f"{common} soon", memory_type="commitment"),
    }
    wanted: dict[str, Any] = {
        "session_id": "s1",
        "layer": "episodic",
        "domain": "reviews",
        "repo": "parser",
        "tags": ["urgent"],
        "types": ["commitment", "goal"],
    }
    for tool, query in (("memory_search", {"query": "Ada parser"}), ("memory_list", {})):
        for name, value in wanted.items():
            only = {"repo_only": True} if (tool, name) == ("memory_search", "repo") else {}
            answer = dudu.call(tool, **query, **{name: value}, **only)
            found = [hit["memory"] for hit in answer["hits"]] if "hits" in answer else answer["memories"]
            assert [memory["id"] for memory in found] == [marked[name]], (tool, name)


def test_search_shows_what_is_of_a_repository_first_and_the_rest_after_it(dudu: Agent) -> None:
    elsewhere = dudu.remember("Ada reviews the parser of the parser now")
    there = dudu.remember("Ada reviews a parser sometimes", repo="shop")
    found = [hit["memory"]["id"] for hit in dudu.call("memory_search", query="Ada parser", repo="shop")["hits"]]
    assert found == [there, elsewhere]


def test_search_gives_at_most_the_limit_and_ten_without_one(dudu: Agent) -> None:
    for number in range(12):
        dudu.remember(f"Server {number} runs in Taipei")
    found = [len(dudu.call("memory_search", query="Taipei", **limit)["hits"]) for limit in ({}, {"limit": 3})]
    assert found == [10, 3]


def test_search_names_the_voices_that_a_mode_asks_for_in_vain(dudu: Agent, tea: str) -> None:
    for mode in ("keyword", "semantic", "hybrid"):
        answer = dudu.call("memory_search", query="高山茶", mode=mode)
        assert (answer["mode"], [hit["memory"]["id"] for hit in answer["hits"]]) == (mode, [tea])
    assert dudu.call("memory_search", query="高山茶", mode="keyword")["silent_voices"] == []
    assert "vector" in dudu.call("memory_search", query="高山茶", mode="hybrid")["silent_voices"]


def test_explain_names_what_was_left_out_and_why(dudu: Agent, tea: str) -> None:
    dudu.call("memory_withdraw", id=tea)
    left = dudu.call("memory_search", query="高山茶", explain=True)["left_out"]
    assert [entry["memory_id"] for entry in left] == [tea]
    assert dudu.call("memory_search", query="高山茶")["left_out"] == []


def test_stats_count_the_agent_alone(workspace: Workspace, dudu: Agent, tea: str) -> None:  # noqa: ARG001 - what is counted
    workspace.agent("momo").store("momo keeps this to herself")
    workspace.store("shared by all")
    assert dudu.call("memory_stats") == {"memories": {"dudu": 1}, "total": 1}


@pytest.mark.parametrize("revision", REVISIONS)
def test_both_revisions_of_the_protocol_give_the_same_results(workspace: Workspace, revision: str) -> None:
    from karte.surfaces.mcp.seats import take_seat
    from karte.surfaces.mcp.serving import make_server

    workspace.agent("dudu").store("李老闆喜歡喝高山茶", **FACT)
    server = make_server(take_seat(workspace, "dudu", "one", "admin", ALL_SCOPES))
    with connected(server, revision) as agent, seated(workspace, profile="admin", scopes=ALL_SCOPES) as other:
        assert agent.client.protocol_version == revision
        assert agent.client.instructions == other.client.instructions
        assert agent.tools() == other.tools()
        for tool, arguments in (
            ("memory_get_at", {"subject": "李老闆", "predicate": "prefers"}),
            ("memory_read", {"id": "mem_none"}),
            ("memory_store", {"content": ""}),
        ):
            results = [who.result(tool, **arguments) for who in (agent, other)]
            assert results[0].structured_content == results[1].structured_content
            assert results[0].is_error == results[1].is_error
