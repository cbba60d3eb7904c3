"""What an agent reads: its own memories and the facts that it may see, in one answer."""

from typing import Any

import pytest

from karte.core.origins import Origin
from karte.errors import Incorrect, UnknownDomain, UnknownFact, UnknownMemory
from tests.laws.opening import Desk


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """A desk with domains."""
    desk.workspace.create_domain("慣例")
    desk.workspace.create_domain("慣例", repo="karte")
    return desk


def fact(desk: Desk, content: str, **options: Any) -> str:
    desk.clock.advance(60)
    return desk.workspace.propose_fact("慣例", content, **options).memory_id


def contents(desk: Desk, query: str, **options: Any) -> list[str]:
    return [hit.memory.content for hit in desk.chart.search(query, floor=0, **options).hits]


def test_own_memories_and_shared_facts_are_found_together(desk: Desk) -> None:
    desk.chart.store("提交訊息我習慣先寫英文")
    fact(desk, "提交訊息要說明為什麼")
    assert set(contents(desk, "提交訊息")) == {"提交訊息我習慣先寫英文", "提交訊息要說明為什麼"}


def test_hits_of_both_are_in_the_order_of_their_scores(desk: Desk) -> None:
    desk.chart.store("Deploys to the staging cluster start at noon")
    fact(desk, "Deploys to the production cluster need two approvals")
    desk.chart.store("The cluster has nine nodes")
    scores = [hit.score for hit in desk.chart.search("deploys production cluster", floor=0, mode="keyword").hits]
    assert scores == sorted(scores, reverse=True)
    assert contents(desk, "deploys production cluster", mode="keyword")[0].startswith("Deploys to the production")


def test_limit_and_budget_hold_for_both_together(desk: Desk) -> None:
    for number in range(4):
        desk.chart.store(f"own note {number} about the release train")
        fact(desk, f"shared note {number} about the release train")
    assert len(contents(desk, "release train", limit=3)) == 3
    assert sum(map(len, contents(desk, "release train", budget=80))) <= 80


def test_what_the_workspace_keeps_without_a_domain_is_not_shared(desk: Desk) -> None:
    kept = desk.workspace.store("提交訊息的草稿").memory_id
    undeclared = desk.workspace.store("提交訊息的想法", domain="雜記").memory_id
    assert contents(desk, "提交訊息") == []
    assert desk.chart.fetch([kept, undeclared]).missing_ids == (kept, undeclared)


def test_another_agents_memories_are_not_shared_whatever_domain_they_name(desk: Desk) -> None:
    mine = desk.workspace.agent("ゆき").store("コミットは英語で書く", domain="慣例").memory_id
    assert contents(desk, "コミット") == []
    with pytest.raises(UnknownMemory):
        desk.chart.read(mine)


def test_a_fact_is_read_by_id_and_by_its_course(desk: Desk) -> None:
    first = fact(desk, "CI 用 Python 3.11", subject="CI", predicate="python", object="3.11")
    second = fact(desk, "CI 用 Python 3.12", subject="CI", predicate="python", object="3.12")
    assert [item.id for item in desk.chart.fetch([second, "mem_none", first]).memories] == [second, first]
    assert [chapter.item.id for chapter in desk.chart.history("ci", "python").chain] == [first, second]
    assert [item.id for item in desk.chart.at("CI", "python").memories] == [second]
    assert [history.predicate for history in desk.chart.timeline("CI").chains] == ["python"]


def test_the_course_of_a_fact_has_what_both_know(desk: Desk) -> None:
    desk.chart.store("CI は速い", subject="CI", predicate="速度", object="速い")
    fact(desk, "CI 用 Python 3.12", subject="CI", predicate="python", object="3.12")
    assert [history.predicate for history in desk.chart.timeline("CI").chains] == ["python", "速度"]
    with pytest.raises(UnknownFact):
        desk.chart.history("CI", "owner")


def test_the_newest_of_both_are_listed_first(desk: Desk) -> None:
    fact(desk, "一")
    desk.clock.advance(60)
    desk.chart.store("二")
    fact(desk, "三")
    assert [item.content for item in desk.chart.list(2).memories] == ["三", "二"]


def test_what_is_of_the_repository_comes_first_and_the_rest_stays_in_reach(desk: Desk) -> None:
    fact(desk, "Tests tests tests: write the test first")
    fact(desk, "In this repository a test is named as a sentence", repo="karte")
    found = contents(desk, "write the test first", repo="karte")
    assert [text.startswith("In this repository") for text in found] == [True, False]
    assert len(contents(desk, "write the test first", repo="karte", repo_only=True)) == 1


def test_hits_count_as_recalled_where_they_are_kept(desk: Desk) -> None:
    known = fact(desk, "提交訊息要說明為什麼")
    desk.chart.search("提交訊息")
    desk.workspace.maintain()
    assert desk.workspace.read(known).recall_count == 1


@pytest.mark.parametrize("name", ["", " ", "a/b", "repo:x", "x\ty", "x\x02y"])
def test_what_cannot_name_a_domain_is_refused(desk: Desk, name: str) -> None:
    with pytest.raises(Incorrect):
        desk.workspace.create_domain(name)


def test_names_of_domains_are_told_apart_in_any_script(desk: Desk) -> None:
    desk.workspace.create_domain("決策")
    desk.workspace.create_domain("decisions")
    scopes = {shown.domain.scope for shown in desk.workspace.domains()}
    assert scopes == {"決策", "decisions", "慣例", "repo:karte/慣例"}


def test_an_unknown_domain_or_repository_is_an_error(desk: Desk) -> None:
    for domain, repo in (("沒有", None), ("慣例", "unknown")):
        with pytest.raises(UnknownDomain):
            desk.chart.propose_fact(domain, "x", repo=repo)


def test_a_fact_says_who_proposed_it_and_is_the_workspaces(desk: Desk) -> None:
    chart = desk.chart.acting(origin=Origin("agent_derived", "run-1"))
    item = desk.workspace.read(chart.propose_fact("慣例", "縮排用四個空白").memory_id)
    assert (item.owner, item.to_dict()["metadata"]) == ("workspace", {"proposed_by": "agent:dudu"})


def test_a_domain_with_facts_enough_and_no_policy_is_suggested(desk: Desk) -> None:
    told = [fact(desk, f"規則 {number} 已經寫下來") for number in range(4)]
    shown = {shown.domain.scope: shown.to_dict() for shown in desk.workspace.domains()}
    assert {scope: (s["facts"], s["suggest_policy"]) for scope, s in shown.items()} == {
        "慣例": (4, True),
        "repo:karte/慣例": (0, False),
    }
    desk.workspace.withdraw_fact(told[0])
    assert {shown.domain.scope: shown.facts for shown in desk.workspace.domains()} == {"慣例": 3, "repo:karte/慣例": 0}
    assert not any(shown.lacks_policy for shown in desk.workspace.domains())


def test_a_domain_with_a_policy_is_not_suggested(desk: Desk) -> None:
    for number in range(4):
        fact(desk, f"規則 {number} 已經寫下來")
    desk.workspace.propose_policy("慣例", "規則先讀再改")
    (shown,) = (shown for shown in desk.workspace.domains() if shown.facts)
    assert (shown.policies, shown.lacks_policy) == (1, False)


@pytest.mark.parametrize(
    "options", [{"label": " "}, {"label": "x\0"}, {"description": "x\0"}, {"description": "\ud800"}]
)
def test_what_cannot_be_kept_of_a_domain_is_refused(desk: Desk, options: dict[str, str]) -> None:
    with pytest.raises(Incorrect):
        desk.workspace.create_domain("新", **options)  # type: ignore[arg-type]  # any of the texts
    assert "新" not in {shown.domain.scope for shown in desk.workspace.domains()}
