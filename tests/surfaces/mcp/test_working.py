"""An agent's work over MCP: its notes, what it remembers for a session, its mistakes, the context of a task."""

from collections.abc import Iterator

import pytest
from mcp import MCPError

from karte.core.echo import WATERMARK
from karte.surfaces.mcp.prompts import SUMMING_UP
from karte.workspace import Workspace
from tests.surfaces.mcp.connecting import Agent, Clock, seated, text_of

INVALID_PARAMS = -32602
TASK = "把新版本部署到目標環境，先看要注意什麼"
LESSONS = ("查詢前先確認時區是台北", "查詢報表前先確認時區是台北", "先確認時區是台北再查詢")


@pytest.fixture
def momo(workspace: Workspace) -> Iterator[Agent]:
    with seated(workspace, "momo", profile="full", session="momo") as agent:
        yield agent


class TestNotes:
    def test_an_agent_reads_what_it_wrote_and_nobody_else_does(self, dudu: Agent, momo: Agent) -> None:
        written = dudu.call("update_my_notes", content="進行中：部署腳本")
        pad = dudu.call("get_my_notes")
        assert (pad["agent"], pad["content"], pad["version"]) == ("dudu", "進行中：部署腳本", written["version"])
        assert momo.call("get_my_notes")["text"] == ""

    def test_an_update_does_not_repeat_what_the_agent_has_just_written(self, dudu: Agent) -> None:
        result = dudu.result("update_my_notes", content="進行中：部署腳本")
        assert set(result.structured_content) == {"version", "updated_at", "left", "receipt"}
        assert "部署腳本" not in text_of(result)

    def test_a_lost_update_is_refused_with_the_version_that_there_is(self, dudu: Agent, clock: Clock) -> None:
        first = dudu.call("update_my_notes", content="one", expect_version=0)["version"]
        clock.move_to("2026-12-01T01:00:00Z")
        second = dudu.call("update_my_notes", content="two", expect_version=first)["version"]
        error = dudu.refusal("update_my_notes", content="three", expect_version=first)
        assert (error["category"], error["code"], str(second) in error["message"]) == (
            "conflict",
            "notes_changed",
            True,
        )
        assert dudu.call("get_my_notes")["content"] == "two"

    def test_more_than_16_kib_is_refused(self, dudu: Agent) -> None:
        assert dudu.refusal("update_my_notes", content="字" * 6_000)["code"] == "notes_too_long"

    def test_observations_stand_below_and_are_not_written_back_twice(self, dudu: Agent) -> None:
        dudu.call("update_my_notes", content="進行中")
        seen = dudu.call("record_observation", content="測試環境的連接埠是 8081", session_id="s1")["memory_id"]
        pad = dudu.call("get_my_notes")
        assert [each["id"] for each in pad["observations"]] == [seen]
        dudu.call("update_my_notes", content=pad["text"])
        again = dudu.call("get_my_notes")
        assert (again["content"], again["text"]) == ("進行中", pad["text"])
        later = dudu.remember("The test server was moved", derived_from=[seen])
        assert dudu.call("memory_read", id=later)["derived_from"] == [seen]


class TestRemembering:
    def test_it_is_found_in_its_session_until_it_expires(self, dudu: Agent, momo: Agent, clock: Clock) -> None:
        kept = dudu.call("remember", content="オフィスの合言葉は青", session_id="s1", ttl_hours=2)["memory_id"]

        def found(agent: Agent, **session: str) -> list[str]:
            return [hit["memory"]["id"] for hit in agent.call("memory_search", query="合言葉", **session)["hits"]]

        assert found(dudu, session_id="s1") == [kept]
        assert (found(dudu), found(dudu, session_id="s2"), found(momo, session_id="s1")) == ([], [], [])
        clock.move_to("2026-12-01T02:00:01Z")
        assert found(dudu, session_id="s1") == []

    def test_what_is_worth_keeping_is_kept_when_memory_is_consolidated(self, dudu: Agent) -> None:
        dudu.call("remember", content="決定改用 Fly.io", session_id="s1", memory_type="decision")
        assert dudu.call("consolidate_memory", dry_run=True)["promoted"] == 1
        assert [dudu.call("consolidate_memory")["promoted"] for _ in range(2)] == [1, 0]
        assert len(dudu.call("memory_search", query="Fly.io")["hits"]) == 1


class TestHarmonizing:
    def test_what_agents_hold_alike_becomes_a_belief_once(self, workspace: Workspace, dudu: Agent, momo: Agent) -> None:
        workspace.create_domain("部署")
        for agent in (dudu, momo):
            agent.remember("商店部署到 Fly.io", domain="部署")
        assert dudu.call("harmonize_memory", dry_run=True)["beliefs"] == 1
        (belief,) = dudu.call("harmonize_memory")["changed"]
        assert (belief["agents"], belief["domain"]) == (["dudu", "momo"], "部署")
        assert dudu.call("harmonize_memory")["changed"] == []
        assert [memory.owner for memory in workspace.list().memories] == ["workspace"]


class TestMistakes:
    def test_a_task_shows_the_mistakes_on_its_topic_and_nobody_elses(self, dudu: Agent, momo: Agent) -> None:
        dudu.call("record_mistake", category="safety", lesson="刪除前要先備份資料庫", evidence="user_correction")
        dudu.call("record_mistake", category="hallucination", lesson="引用論文要附上出處")
        told = dudu.call("list_mistakes", task="清理舊的資料庫")["mistakes"]
        assert [(each["lesson"], each["evidence"]) for each in told] == [("刪除前要先備份資料庫", ["user_correction"])]
        assert momo.call("list_mistakes", unresolved=False)["mistakes"] == []

    def test_the_same_lesson_again_is_counted(self, dudu: Agent) -> None:
        for number in range(2):
            dudu.call("record_mistake", category="factual", lesson=LESSONS[0], session_id=f"s{number}")
        (told,) = dudu.call("list_mistakes")["mistakes"]
        assert (told["count"], told["sessions"]) == (2, ["s0", "s1"])

    def test_a_rule_resolves_them(self, workspace: Workspace, dudu: Agent) -> None:
        for lesson in LESSONS:
            dudu.call("record_mistake", category="factual", lesson=lesson)
        (made,) = workspace.agent("dudu").reflect().rules
        assert dudu.call("list_mistakes")["mistakes"] == []
        resolved = {each["resolved_by"] for each in dudu.call("list_mistakes", unresolved=False)["mistakes"]}
        assert resolved == {made.rule}


class TestContext:
    @pytest.fixture(autouse=True)
    def known(self, workspace: Workspace, dudu: Agent) -> None:
        """A rule, a note, a fact and a mistake on one topic."""
        workspace.create_domain("部署", description="部署與上線")
        workspace.propose_policy("部署", "部署前先跑完整測試")
        workspace.propose_fact("部署", "部署目標是 Fly.io 東京機房")
        dudu.call("update_my_notes", content="部署腳本改到一半")
        dudu.call("record_mistake", category="behavioral", lesson="部署前先確認目標環境")

    def test_all_of_it_is_told_in_order_as_it_is_in_python(self, workspace: Workspace, dudu: Agent) -> None:
        told = dudu.call("memory_context", task=TASK)
        places = [told["text"].index(word) for word in ("先跑完整測試", "改到一半", "東京機房", "確認目標環境")]
        assert (places, "\n## Past Mistakes to Avoid\n" in told["text"]) == (sorted(places), True)
        expected = workspace.agent("dudu").context(TASK)
        assert (told["text"], told["left_out"]) == (expected.text, expected.left_out)

    def test_a_budget_leaves_out_and_counts(self, dudu: Agent) -> None:
        told = dudu.call("memory_context", task=TASK, budget={"policies": 0, "facts": 0})
        assert ("先跑完整測試" in told["text"], told["left_out"]["policies"]["count"]) == (False, 1)
        for wrong in ({"words": 5}, {"facts": -1}, {"facts": "many"}):
            assert dudu.refusal("memory_context", task=TASK, budget=wrong)["code"] == "invalid_value"

    def test_a_domain_or_a_choice_that_is_none_is_refused(self, dudu: Agent) -> None:
        assert dudu.refusal("memory_context", task=TASK, domain="nonsense")["code"] == "unknown_domain"
        assert dudu.refusal("memory_context", task=TASK, policies="some")["code"] == "invalid_value"

    def test_it_is_a_prompt_too(self, dudu: Agent) -> None:
        given = dudu.portal.call(dudu.client.get_prompt, "memory_context", {"task": TASK})
        (message,) = given.messages
        assert message.role == "user"
        assert message.content.text == dudu.call("memory_context", task=TASK)["text"]  # type: ignore[union-attr]  # it is text

    def test_what_was_told_is_not_learned_again(self, dudu: Agent) -> None:
        text = dudu.call("memory_context", task=TASK)["text"]
        assert text.startswith(WATERMARK)
        for tool in ("memory_store", "propose_fact"):
            domain = {"domain": "部署"} if tool == "propose_fact" else {}
            assert dudu.call(tool, content=text, **domain)["status"] == "rejected"


class TestPrompts:
    def test_they_are_listed_with_what_they_take(self, dudu: Agent) -> None:
        listed = {prompt.name: prompt for prompt in dudu.portal.call(dudu.client.list_prompts).prompts}
        taken = {name: [(a.name, a.required) for a in prompt.arguments or []] for name, prompt in listed.items()}
        assert taken == {"memory_context": [("task", True)], "end_of_session_summary": []}

    def test_the_end_of_a_session_names_the_tools_that_keep_what_is_needed(self, dudu: Agent) -> None:
        given = dudu.portal.call(dudu.client.get_prompt, "end_of_session_summary")
        assert given.messages[0].content.text == SUMMING_UP  # type: ignore[union-attr]  # it is text
        named = {word.strip(".,:") for word in SUMMING_UP.split() if "_" in word}
        assert named == {"memory_store", "propose_fact", "get_my_notes", "update_my_notes"} & set(dudu.tools())

    @pytest.mark.parametrize(
        ("name", "arguments", "told"),
        [
            ("nonsense", {}, "There is no prompt 'nonsense'."),
            ("memory_context", {}, "memory_context takes the arguments task."),
            ("end_of_session_summary", {"task": "x"}, "end_of_session_summary takes no arguments."),
        ],
    )
    def test_any_other_call_is_an_error(self, dudu: Agent, name: str, arguments: dict[str, str], told: str) -> None:
        with pytest.raises(MCPError) as caught:
            dudu.portal.call(dudu.client.get_prompt, name, arguments)
        assert (caught.value.code, caught.value.message) == (INVALID_PARAMS, told)

    def test_without_the_scopes_that_they_need_they_are_not_there(self, workspace: Workspace) -> None:
        with seated(workspace, scopes=["memory:write"]) as writer:
            assert writer.portal.call(writer.client.list_prompts).prompts == []
            with pytest.raises(MCPError):
                writer.portal.call(writer.client.get_prompt, "memory_context", {"task": TASK})
            assert writer.portal.call(writer.client.list_resources).resources == []
        with seated(workspace, scopes=["memory:read"]) as reader:
            assert [p.name for p in reader.portal.call(reader.client.list_prompts).prompts] == ["memory_context"]
