"""`note`, `remember`, `context`: an agent's work, at a terminal and in a pipe."""

from typing import Any

import pytest

import karte
from karte.core.echo import WATERMARK
from tests.surfaces.cli.running import answer, invoke

pytestmark = pytest.mark.usefixtures("workspace")


def written(text: str, *options: str) -> Any:
    return answer("note", "set", text, "-a", "dudu", *options)


class TestNotes:
    def test_what_is_written_is_read_again_and_nobody_else_reads_it(self) -> None:
        written("正在修部署腳本")
        pad = answer("note", "show", "-a", "dudu")
        assert (pad["agent"], pad["content"], pad["text"]) == ("dudu", "正在修部署腳本", "正在修部署腳本")
        answer("agent", "create", "momo")
        assert answer("note", "show", "-a", "momo")["text"] == ""

    def test_a_lost_update_is_a_conflict_and_loses_nothing(self) -> None:
        first = written("one", "--expect-version", "0")["version"]
        written("two", "--expect-version", str(first))
        outcome = invoke("note", "set", "three", "-a", "dudu", "--expect-version", str(first), "--json")
        assert (outcome.code, outcome.error["code"]) == (5, "notes_changed")
        assert answer("note", "show", "-a", "dudu")["content"] == "two"

    def test_more_than_16_kib_is_refused_with_how_much_it_was(self) -> None:
        outcome = invoke("note", "set", "-", "-a", "dudu", "--json", given="字" * 6_000)
        assert (outcome.code, outcome.error["code"], "18,000" in outcome.error["message"]) == (
            2,
            "notes_too_long",
            True,
        )

    def test_what_was_observed_stands_below_as_a_dated_line_on_one_line(self) -> None:
        written("進行中")
        seen = answer("note", "observe", "The test server listens on port 8081 " * 5, "-a", "dudu", "--session", "s1")
        lines = invoke("note", "show", "-a", "dudu").out.splitlines()
        assert lines[:3] == [WATERMARK, "進行中", ""]
        assert (lines[3][0], lines[3].endswith(f"({seen['memory_id']})")) == ("[", True)
        assert lines[5].startswith("version ")

    def test_what_was_known_then_is_shown_as_of_then(self) -> None:
        then = written("one")["updated_at"]
        written("two")
        assert answer("note", "show", "-a", "dudu", "--known-at", then)["content"] == "one"

    def test_an_update_says_what_became_of_it(self) -> None:
        version = written("one")["version"]
        assert invoke("note", "set", "one", "-a", "dudu").out == f"Nothing new: version {version}\n"
        assert invoke("note", "set", "", "-a", "dudu").out == "Cleared: version 0\n"
        assert invoke("note", "show", "-a", "dudu").out == "No notes.\n"
        written_again = invoke("note", "set", "ノート", "-a", "dudu").out
        assert written_again.startswith("Written: version ")


class TestRemember:
    def test_it_is_found_in_its_session_and_nowhere_else(self) -> None:
        kept = answer("remember", "임시 비밀번호는 메모에 있다", "--session", "s1", "-a", "dudu")["memory_id"]

        def found(*options: str) -> list[str]:
            return [hit["memory"]["id"] for hit in answer("search", "비밀번호", "-a", "dudu", *options)["hits"]]

        assert (found("--session", "s1"), found("--session", "s2"), found()) == ([kept], [], [])
        assert [each["id"] for each in answer("list", "-a", "dudu", "--session", "s1")["memories"]] == [kept]

    def test_it_lasts_a_day_unless_said_otherwise(self) -> None:
        usual = answer("remember", "今天的代號是藍色", "--session", "s1", "-a", "dudu")
        longer = answer("remember", "本週的代號是紅色", "--session", "s1", "--ttl-hours", "168", "-a", "dudu")
        expire = [
            {each["id"]: each["expires_at"] for each in answer("list", "-a", "dudu", "--session", "s1")["memories"]}[
                kept["memory_id"]
            ]
            for kept in (usual, longer)
        ]
        assert expire[0] < expire[1]

    def test_a_session_is_needed(self) -> None:
        assert invoke("remember", "x", "-a", "dudu").code == 2


class TestContext:
    @pytest.fixture(autouse=True)
    def known(self, workspace: str) -> None:  # noqa: ARG002 - where it is known
        """A rule, a note, a fact and a mistake on one topic."""
        answer("agent", "create", "dudu", "--role", "engineer")
        answer("domain", "create", "部署", "--description", "部署與上線")
        answer("policy", "propose", "部署", "部署前先跑完整測試", "--role", "engineer")
        answer("fact", "propose", "部署", "部署目標是 Fly.io 東京機房")
        written("部署腳本改到一半")
        answer("mistake", "add", "部署前先確認目標環境", "--category", "behavioral", "-a", "dudu")

    def test_all_of_it_is_told_in_order_for_a_task(self) -> None:
        told = answer("context", "把新版本部署到目標環境，先看要注意什麼", "-a", "dudu")
        text = told["text"]
        places = [
            text.index(word) for word in ("先跑完整測試", "改到一半", "東京機房", "確認目標環境", "memory_search")
        ]
        assert places == sorted(places)
        assert "\n## Past Mistakes to Avoid\n" in text
        assert (len(told["policies"]), len(told["facts"]), len(told["mistakes"])) == (1, 1, 1)

    def test_the_text_is_drawn_as_it_is(self) -> None:
        task = "把新版本部署到目標環境，先看要注意什麼"
        assert invoke("context", task, "-a", "dudu").out == answer("context", task, "-a", "dudu")["text"] + "\n"

    def test_what_does_not_fit_is_said_beside_the_text(self) -> None:
        outcome = invoke(
            "context", "把新版本部署到目標環境", "-a", "dudu", "--budget", "policies=0", "--budget", "facts=0"
        )
        assert ("先跑完整測試" in outcome.out, outcome.err.startswith("Left out: 1 policies")) == (False, True)

    @pytest.mark.parametrize("budget", ["facts", "facts=many", "words=5", "facts=-1"])
    def test_a_budget_is_a_part_and_a_number(self, budget: str) -> None:
        outcome = invoke("context", "x", "-a", "dudu", "--budget", budget, "--json")
        assert (outcome.code, outcome.error["code"]) == (2, "invalid_value")

    def test_a_domain_that_is_not_there_is_an_error(self) -> None:
        outcome = invoke("context", "x", "-a", "dudu", "--domain", "nonsense", "--json")
        assert (outcome.code, outcome.error["code"]) == (4, "unknown_domain")

    def test_the_same_is_told_in_python(self, workspace: str) -> None:
        task = "把新版本部署到目標環境，先看要注意什麼"
        with karte.open(workspace) as opened:
            expected = opened.agent("dudu").context(task).to_dict()
        told = answer("context", task, "-a", "dudu")
        same = ("task", "text", "policies", "notes", "mistakes", "left_out", "degraded", "budgets", "used")
        assert {name: told[name] for name in same} == {name: expected[name] for name in same}
        assert set(told) == set(expected)
        with karte.open(workspace) as opened:
            assert answer("note", "show", "-a", "dudu") == opened.agent("dudu").notes().to_dict()
