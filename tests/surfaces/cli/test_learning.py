"""`mistake`, `rule`, `reflect`, `consolidate`: learning from mistakes, at a terminal and in a pipe."""

from typing import Any

import pytest

import karte
from tests.surfaces.cli.running import answer, invoke

pytestmark = pytest.mark.usefixtures("workspace")

LESSONS = ("查詢前先確認時區是台北", "查詢報表前先確認時區是台北", "先確認時區是台北再查詢")


def mistaken(lesson: str, *options: str, category: str = "factual") -> Any:
    return answer("mistake", "add", lesson, "--category", category, "-a", "dudu", *options)


def learned() -> Any:
    """Three mistakes that share a lesson, and the rule that was made of them."""
    for number, lesson in enumerate(LESSONS):
        mistaken(lesson, "--session", f"s{number}", "--evidence", "tool_error")
    (rule,) = answer("reflect", "-a", "dudu")["rules"]
    return rule


class TestMistakes:
    def test_one_is_recorded_with_what_happened(self) -> None:
        options = {
            "--asked": "昨天幾點開會",
            "--answered": "九點",
            "--wrong": "時區錯了",
            "--right": "十七點",
            "--evidence": "user_correction",
            "--severity": "critical",
            "--session": "s1",
            "--observed-at": "2026-03-01",
        }
        kept = mistaken(LESSONS[0], *(word for option in options.items() for word in option))
        (told,) = answer("mistake", "list", "-a", "dudu")["mistakes"]
        expected = {
            "id": kept["memory_id"],
            "category": "factual",
            "weight": 3,
            "lesson": LESSONS[0],
            "asked": "昨天幾點開會",
            "answered": "九點",
            "wrong": "時區錯了",
            "right": "十七點",
            "evidence": ["user_correction"],
            "severity": "critical",
            "sessions": ["s1"],
            "count": 1,
            "first_at": "2026-03-01T00:00:00Z",
            "resolved_by": None,
        }
        assert {name: told[name] for name in expected} == expected

    def test_the_same_lesson_again_is_counted(self) -> None:
        mistaken(LESSONS[0])
        mistaken(LESSONS[0], "--session", "s2")
        (told,) = answer("mistake", "list", "-a", "dudu")["mistakes"]
        assert told["count"] == 2

    def test_without_a_lesson_it_is_what_went_wrong_and_what_is_right(self) -> None:
        answer("mistake", "add", "--category", "factual", "--wrong", "時區錯了", "--right", "是台北", "-a", "dudu")
        (told,) = answer("mistake", "list", "-a", "dudu")["mistakes"]
        assert ("時區錯了" in told["lesson"], "是台北" in told["lesson"]) == (True, True)
        assert invoke("mistake", "add", "--category", "factual", "-a", "dudu").code == 2

    def test_a_task_shows_those_on_its_topic(self) -> None:
        mistaken("刪除前要先備份資料庫", category="safety")
        mistaken("引用論文要附上出處", category="hallucination")
        told = answer("mistake", "list", "-a", "dudu", "--task", "清理舊的資料庫")["mistakes"]
        assert [each["lesson"] for each in told] == ["刪除前要先備份資料庫"]

    def test_a_category_that_is_none_is_refused(self) -> None:
        outcome = invoke("mistake", "add", "x", "--category", "clumsy", "-a", "dudu", "--json")
        assert (outcome.code, outcome.error["category"]) == (2, "incorrect")

    def test_they_are_drawn(self) -> None:
        answer("agent", "create", "dudu")
        assert invoke("mistake", "list", "-a", "dudu").out == "No mistakes.\n"
        mistaken(LESSONS[0], "--asked", "昨天幾點開會", "--observed-at", "2026-03-01")
        mistaken(LESSONS[0], "--session", "s2", "--observed-at", "2026-03-02", "--severity", "critical")
        _, lesson, *rest = invoke("mistake", "list", "-a", "dudu").out.splitlines()
        told = " ".join(" ".join(rest).split())
        assert lesson == LESSONS[0]
        assert ", factual, critical, 2 times, 2026-03-01T00:00:00Z to 2026-03-02T00:00:00Z" in told
        assert told.endswith("asked 昨天幾點開會")


class TestRules:
    def test_three_that_share_a_lesson_become_a_rule_that_resolves_them(self) -> None:
        made = learned()
        (rule,) = answer("rule", "list", "-a", "dudu")["rules"]
        assert (rule["id"], len(rule["sources"]), rule["recurrences"], rule["helped"]) == (made["rule"], 3, 0, None)
        assert answer("mistake", "list", "-a", "dudu")["mistakes"] == []
        every = answer("mistake", "list", "-a", "dudu", "--all")["mistakes"]
        assert {each["resolved_by"] for each in every} == {rule["id"]}
        assert answer("read", rule["id"], "-a", "dudu")["source_event"] == "reflexion_consolidation"

    def test_a_second_run_changes_nothing_and_a_dry_run_nothing_at_all(self) -> None:
        for lesson in LESSONS:
            mistaken(lesson)
        planned = answer("reflect", "--dry-run", "-a", "dudu")
        assert (planned["made"], answer("rule", "list", "-a", "dudu")["rules"]) == (1, [])
        done = [answer("reflect", "-a", "dudu")["made"] for _ in range(2)]
        assert done == [1, 0]

    def test_fewer_are_said_to_be_too_few(self) -> None:
        mistaken(LESSONS[0])
        lines = invoke("reflect", "-a", "dudu").out.splitlines()
        assert lines == [
            "No lesson has enough mistakes for a rule.",
            f"1 of 3 for a rule: factual: {LESSONS[0]}",
        ]
        assert answer("reflect", "--threshold", "1", "-a", "dudu")["made"] == 1

    def test_evidence_can_be_required(self) -> None:
        for lesson in LESSONS:
            mistaken(lesson)
        assert answer("reflect", "--require-evidence", "-a", "dudu")["made"] == 0

    def test_they_are_drawn(self) -> None:
        answer("agent", "create", "dudu")
        assert invoke("rule", "list", "-a", "dudu").out == "No rules.\n"
        made = learned()
        shown = invoke("rule", "list", "-a", "dudu").out
        assert (made["rule"] in shown, "3 times before, never since 20" in shown) == (True, True)


class TestPromoting:
    def test_a_person_makes_a_policy_of_a_rule_and_its_text_names_the_rule(self) -> None:
        answer("agent", "create", "momo", "--role", "ops")
        answer("domain", "create", "報表")
        rule = learned()["rule"]
        made = answer("rule", "promote", rule, "報表", "--role", "ops", "--priority", "3")
        (policy,) = answer("policy", "list", "-a", "momo")["policies"]
        assert (policy["id"], policy["required_role"], policy["priority"]) == (made["memory_id"], "ops", 3)
        assert policy["rule"] == answer("read", rule, "-a", "dudu")["content"]

    def test_what_is_no_rule_is_not_found(self) -> None:
        answer("domain", "create", "報表")
        outcome = invoke("rule", "promote", "mem_404", "報表", "--json")
        assert (outcome.code, outcome.error["code"]) == (4, "unknown_memory")


class TestHarmonizing:
    @pytest.fixture(autouse=True)
    def agents(self, workspace: str) -> None:  # noqa: ARG002 - where they are
        """Two agents who hold the same in a domain, and dispute something else there."""
        answer("domain", "create", "部署")
        for agent, port in (("dudu", "8081"), ("momo", "8082")):
            answer("store", "商店部署到 Fly.io", "--domain", "部署", "-a", agent)
            names = ("--subject", "測試環境", "--predicate", "連接埠", "--object", port)
            answer("store", f"測試環境的連接埠是 {port}", "--domain", "部署", *names, "-a", agent)

    def test_what_they_hold_alike_becomes_a_belief_and_what_they_dispute_a_conflict(self) -> None:
        planned = answer("harmonize", "--dry-run")
        assert (planned["beliefs"], answer("list")["memories"]) == (1, [])
        done = answer("harmonize")
        (belief,) = done["changed"]
        assert (belief["agents"], belief["domain"], done["disputes"]) == (["dudu", "momo"], "部署", 1)
        assert "商店部署到 Fly.io" in [each["content"] for each in answer("list")["memories"]]
        again = answer("harmonize")
        assert (again["changed"], again["conflicts"]) == ([], [])

    def test_people_read_who_holds_it_and_what_is_to_be_decided(self) -> None:
        lines = invoke("harmonize").out.splitlines()
        assert lines[:3] == ["Memories of agents gone through: 4", "  beliefs   1", "  disputes  1"]
        assert "  部署: held alike by dudu, momo" in lines
        (conflict,) = answer("conflict", "list")["conflicts"]
        assert lines[-1] == f"  disputed: karte conflict resolve {conflict['id']}"


class TestConsolidating:
    def test_what_is_worth_keeping_of_a_session_is_kept_once(self) -> None:
        answer("remember", "決定改用 Fly.io", "--session", "s1", "--type", "decision", "-a", "dudu")
        planned = answer("consolidate", "--dry-run", "-a", "dudu")
        assert (planned["promoted"], answer("search", "Fly.io", "-a", "dudu")["hits"]) == (1, [])
        assert [answer("consolidate", "-a", "dudu")["promoted"] for _ in range(2)] == [1, 0]
        assert len(answer("search", "Fly.io", "-a", "dudu")["hits"]) == 1

    def test_people_read_what_was_done_and_why(self) -> None:
        answer("remember", "決定改用 Fly.io", "--session", "s1", "--type", "decision", "-a", "dudu")
        lines = invoke("consolidate", "-a", "dudu").out.splitlines()
        assert lines[0].startswith("Memories of dudu gone through: ")
        assert lines[1:4] == ["  promoted  1", "  merged    0", "  evicted   0"]
        assert lines[4].endswith(" is kept, because of its type")


def test_the_same_is_told_in_python(workspace: str) -> None:
    learned()
    with karte.open(workspace) as opened:
        dudu = opened.agent("dudu")
        assert answer("rule", "list", "-a", "dudu") == {"rules": [each.to_dict() for each in dudu.rules()]}
        every = [each.to_dict() for each in dudu.mistakes(unresolved=False)]
        assert answer("mistake", "list", "--all", "-a", "dudu") == {"mistakes": every}
