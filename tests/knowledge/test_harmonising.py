"""Harmonising: what agents hold alike becomes a belief of the workspace, what they dispute becomes one open conflict."""

from __future__ import annotations

import json
from typing import Any

import pytest

from karte.core.beliefs import copied, is_copy, mark_of
from karte.core.namespaces import Namespace, Scope
from karte.core.origins import Origin
from karte.core.results import Item
from karte.errors import MaintenanceRunning, MissingScope
from karte.workspace import Chart, Workspace
from tests.knowledge.wholes import everything, forget, holding
from tests.laws.opening import Desk

MEETING = Origin("user_direct", "chat:標會", "m1")
LUNCH = Origin("user_direct", "chat:lunch", "m7")
HALL = Origin("channel", "line:hall", "m2")
HOME: dict[str, Any] = {"subject": "Ada", "predicate": "lives in", "object": "Paris"}


def agents(desk: Desk) -> tuple[Chart, Chart, Chart]:
    return desk.chart, desk.workspace.agent("ゆき", role="lawyer"), desk.workspace.agent("민수")


def beliefs(workspace: Workspace) -> list[Item]:
    """What the workspace itself holds."""
    return sorted(workspace.list(100).memories, key=lambda item: item.content)


def figures(workspace: Workspace) -> dict[str, int]:
    """What a run did, as far as it did something."""
    return {name: count for name, count in workspace.harmonize().figures.items() if count}


class TestAgreeing:
    """What several agents hold is a belief that their sources carry."""

    def test_what_two_agents_hold_is_a_belief_of_the_workspace(self, desk: Desk) -> None:
        dudu, yuki, minsu = agents(desk)
        dudu.store("合約由 Ada 簽", origin=MEETING, confidence=0.6)
        yuki.store("合約由 Ada 簽", origin=LUNCH, confidence=0.9)
        minsu.store("나만 아는 일")
        assert figures(desk.workspace) == {"beliefs": 1, "copied": 2}
        [item] = beliefs(desk.workspace)
        assert (item.content, [said.origin for said in item.said]) == ("合約由 Ada 簽", [MEETING, LUNCH])
        assert item.confidence == pytest.approx(0.6 + 0.4 * 1.0 * 0.3)
        assert item.details.source_event == "harmonised"

    def test_the_same_source_heard_by_two_agents_makes_it_no_surer(self, desk: Desk) -> None:
        for chart in agents(desk)[:2]:
            chart.store("合約由 Ada 簽", origin=MEETING, confidence=0.6)
        desk.workspace.harmonize()
        assert [item.confidence for item in beliefs(desk.workspace)] == [0.6]

    def test_what_one_agent_says_twice_is_no_belief(self, desk: Desk) -> None:
        for origin in (MEETING, LUNCH):
            desk.chart.store("合約由 Ada 簽", origin=origin)
        desk.chart.store("Ada 簽合約", origin=LUNCH)
        assert figures(desk.workspace) == {}

    def test_other_words_and_other_scripts_are_one_belief(self, desk: Desk) -> None:
        dudu, yuki, minsu = agents(desk)
        dudu.store("部署在東京機房執行", origin=MEETING)
        yuki.store("部署于东京机房执行", origin=LUNCH)
        minsu.store("部署在東京機房執行", origin=HALL, trust=0.3)
        assert figures(desk.workspace) == {"beliefs": 1, "copied": 3, "joined": 1}
        assert [item.to_dict()["mention_count"] for item in beliefs(desk.workspace)] == [3]

    def test_other_words_of_another_tier_stay_beside_it(self, desk: Desk) -> None:
        dudu, yuki, _ = agents(desk)
        dudu.store("部署在東京機房執行", origin=MEETING)
        yuki.store("部署于东京机房执行", origin=HALL)
        assert figures(desk.workspace) == {"beliefs": 1, "copied": 2}
        assert [item.trust for item in beliefs(desk.workspace)] == [0.3, 1.0]

    @pytest.mark.parametrize("text", ["A", "😀", "字" * 3_000])
    def test_a_text_that_is_not_compared_is_held_alike_in_the_same_words(self, quick: Desk, text: str) -> None:
        for chart in agents(quick)[:2]:
            chart.store(text)
        assert figures(quick.workspace) == {"beliefs": 1, "copied": 2}

    def test_one_subject_predicate_and_object_is_one_belief_whatever_the_words(self, desk: Desk) -> None:
        dudu, yuki, _ = agents(desk)
        dudu.store("Ada lives in Paris", origin=MEETING, **HOME)
        yuki.store("Ada's home is Paris", origin=LUNCH, **{**HOME, "subject": "ADA"})
        assert figures(desk.workspace) == {"beliefs": 1, "copied": 2, "joined": 1}
        [item] = desk.workspace.at("Ada", "lives in").memories
        assert {said.origin for said in item.said} == {MEETING, LUNCH}

    def test_a_belief_has_the_times_of_its_sources_and_no_more_trust(self, desk: Desk) -> None:
        dudu, yuki, _ = agents(desk)
        dudu.store("A", origin=MEETING, trust=0.7, observed_at="2026-12-01", valid_from="2026-11-01")
        yuki.store("A", origin=HALL, observed_at="2026-12-05")
        desk.workspace.harmonize()
        [item] = beliefs(desk.workspace)
        shape = item.to_dict()
        assert (shape["trust"], shape["valid_from"]) == (0.7, "2026-11-01T00:00:00Z")
        assert [said["observed_at"] for said in shape["origins"]] == ["2026-12-01T00:00:00Z", "2026-12-05T00:00:00Z"]

    def test_what_was_derived_is_believed_no_further_than_what_it_was_derived_from(self, desk: Desk) -> None:
        dudu, yuki, _ = agents(desk)
        heard = dudu.store("有人在群裡說", origin=HALL)
        dudu.store("合約由 Ada 簽", origin=MEETING, derived_from=[heard.memory_id])
        yuki.store("合約由 Ada 簽", origin=Origin("channel", "line:other"), trust=0.2)
        desk.workspace.harmonize()
        assert [item.trust for item in beliefs(desk.workspace)] == [0.3]

    def test_what_happened_or_does_not_hold_or_is_no_belief_is_left_alone(self, desk: Desk) -> None:
        dudu, yuki, _ = agents(desk)
        for chart in (dudu, yuki):
            chart.store("開了會", layer="episodic")
            chart.store("去年的事", valid_from="2026-01-01", valid_until="2026-06-01")
            chart.store("明年的事", valid_from="2027-06-01")
            chart.withdraw(chart.store("收回的事").memory_id)
            chart.remember("這場的事", "s1", memory_type="decision")
            chart.observe("看到的事")
            chart.update_notes("備忘的事")
        assert figures(desk.workspace) == {}

    def test_what_expires_expires_as_a_belief(self, desk: Desk) -> None:
        for chart in agents(desk)[:2]:
            chart.store("今天放假", ttl_hours=1)
        assert figures(desk.workspace) == {"beliefs": 1, "copied": 2}
        desk.clock.advance(3_601)
        assert beliefs(desk.workspace) == []
        assert desk.workspace.harmonize().beliefs == 0


class TestDomains:
    """A belief belongs to the domain of its sources, of agents that may propose there."""

    def test_a_belief_of_a_domain_is_shared_with_who_may_read_it(self, desk: Desk) -> None:
        dudu, yuki, minsu = agents(desk)
        desk.workspace.create_domain("法務")
        for chart, origin in ((dudu, MEETING), (yuki, LUNCH)):
            chart.store("合約由 Ada 簽", domain="法務", origin=origin)
        desk.workspace.harmonize()
        [hit] = minsu.search("合約").hits
        assert (hit.memory.owner, hit.memory.memory.place.domain) == ("workspace", "法務")

    def test_a_belief_without_a_domain_is_the_workspaces_own(self, desk: Desk) -> None:
        dudu, yuki, minsu = agents(desk)
        for chart in (dudu, yuki):
            chart.store("合約由 Ada 簽")
        desk.workspace.harmonize()
        assert holding(desk.workspace) == ["合約由 Ada 簽"]
        assert minsu.search("合約").hits == ()

    def test_a_domain_that_nobody_declared_is_left_alone(self, desk: Desk) -> None:
        for chart in agents(desk)[:2]:
            chart.store("合約由 Ada 簽", domain="法務")
            chart.store("リポジトリの決まり", repo="web")
        assert figures(desk.workspace) == {}

    def test_what_is_said_in_two_domains_is_no_belief(self, desk: Desk) -> None:
        dudu, yuki, _ = agents(desk)
        for domain in ("法務", "財務"):
            desk.workspace.create_domain(domain)
        dudu.store("合約由 Ada 簽", domain="法務")
        yuki.store("合約由 Ada 簽", domain="財務")
        assert figures(desk.workspace) == {}

    def test_who_may_not_write_in_a_confidential_domain_carries_no_belief_there(self, desk: Desk) -> None:
        dudu, yuki, minsu = agents(desk)
        desk.workspace.create_domain("薪資", confidential=True)
        for chart in (dudu, yuki, minsu):
            chart.store("Ada 的月薪是 5 萬", domain="薪資")
        assert figures(desk.workspace) == {}
        desk.workspace.grant("薪資", "write", role="lawyer")
        desk.workspace.grant("薪資", "read", agent="민수")
        assert figures(desk.workspace) == {}
        desk.workspace.grant("薪資", "write", agent="민수")
        assert figures(desk.workspace) == {"beliefs": 1, "copied": 2}

    def test_a_belief_is_taken_back_from_who_lost_the_right(self, desk: Desk) -> None:
        dudu, yuki, _ = agents(desk)
        desk.workspace.create_domain("法務")
        for chart in (dudu, yuki):
            chart.store("合約由 Ada 簽", domain="法務")
        desk.workspace.harmonize()
        desk.workspace.grant("法務", "none", agent="ゆき")
        assert figures(desk.workspace) == {"withdrawn": 2}
        assert holding(desk.workspace) == []
        desk.workspace.grant("法務", "read", agent="ゆき")
        assert figures(desk.workspace) == {"beliefs": 1, "restored": 2}
        assert holding(desk.workspace) == ["合約由 Ada 簽"]


class TestDisputing:
    """What agents say of one question of a shared domain, and cannot both be right about, is one open conflict."""

    @pytest.fixture
    def law(self, desk: Desk) -> Desk:
        desk.workspace.create_domain("法務")
        return desk

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ({"content": "The API listens on port 80"}, {"content": "The API listens on port 81"}),
            ({"content": "上線日是 3 月 5 日"}, {"content": "上線日是 3 月 8 日"}),
            ({"content": "Ada lives in Paris", **HOME}, {"content": "Ada lives in Oslo", **HOME, "object": "Oslo"}),
        ],
    )
    def test_it_is_filed_once(self, law: Desk, one: dict[str, Any], other: dict[str, Any]) -> None:
        dudu, yuki, _ = agents(law)
        dudu.store(**one, domain="法務", origin=MEETING)
        yuki.store(**other, domain="法務", origin=LUNCH)
        assert figures(law.workspace) == {"disputes": 1, "copied": 2, "filed": 1}
        [conflict] = law.workspace.conflicts()
        assert sorted(fact.content for fact in conflict.facts) == sorted([one["content"], other["content"]])
        assert figures(law.workspace) == {"disputes": 1}
        assert len(law.workspace.conflicts()) == 1

    def test_both_sides_hold_and_are_contested_until_somebody_decides(self, law: Desk) -> None:
        dudu, yuki, minsu = agents(law)
        for chart, place in ((dudu, "Paris"), (yuki, "Oslo"), (minsu, "Paris")):
            law.clock.advance()
            chart.store(f"Ada lives in {place}", **{**HOME, "object": place}, domain="法務")
        assert figures(law.workspace) == {"beliefs": 1, "disputes": 1, "copied": 3, "filed": 1}
        assert [(item.content, item.marks) for item in beliefs(law.workspace)] == [
            ("Ada lives in Oslo", ("contested",)),
            ("Ada lives in Paris", ("contested",)),
        ]

    def test_what_is_no_longer_disputed_is_a_belief_that_answers_the_question(self, law: Desk) -> None:
        dudu, yuki, minsu = agents(law)
        dudu.store("Ada lives in Paris", **HOME, domain="法務")
        minsu.store("Ada lives in Paris", **HOME, domain="法務")
        wrong = yuki.store("Ada lives in Oslo", **{**HOME, "object": "Oslo"}, domain="法務")
        law.workspace.harmonize()
        assert law.workspace.list().memories[0].object is None
        yuki.withdraw(wrong.memory_id)
        assert figures(law.workspace) == {"beliefs": 1, "copied": 2, "withdrawn": 3}
        assert [item.content for item in law.workspace.at("Ada", "lives in").memories] == ["Ada lives in Paris"]

    def test_three_answers_to_one_question_are_one_open_conflict(self, law: Desk) -> None:
        for chart, place in zip(agents(law), ("Paris", "Oslo", "台北"), strict=True):
            chart.store(f"Ada lives in {place}", **{**HOME, "object": place}, domain="法務")
        assert figures(law.workspace) == {"disputes": 3, "copied": 3, "filed": 1}
        assert figures(law.workspace) == {"disputes": 3}

    def test_a_resolved_conflict_is_not_filed_again(self, law: Desk) -> None:
        dudu, yuki, _ = agents(law)
        dudu.store("The API listens on port 80", domain="法務")
        yuki.store("The API listens on port 81", domain="法務")
        law.workspace.harmonize()
        [conflict] = law.workspace.conflicts()
        law.workspace.resolve_conflict(conflict.review.id, "both_hold", note="兩台")
        assert figures(law.workspace) == {"disputes": 1}
        assert law.workspace.conflicts() == []

    def test_private_memories_dispute_nothing(self, desk: Desk) -> None:
        dudu, yuki, _ = agents(desk)
        dudu.store("Ada lives in Paris", **HOME)
        yuki.store("Ada lives in Oslo", **{**HOME, "object": "Oslo"})
        assert figures(desk.workspace) == {}

    def test_a_predicate_of_many_values_disputes_nothing(self, law: Desk) -> None:
        dudu, yuki, _ = agents(law)
        yuki.set_predicate("likes", multi_valued=True)
        for chart, thing in ((dudu, "茶"), (yuki, "咖啡")):
            chart.store(f"Ada 喜歡{thing}", subject="Ada", predicate="likes", object=thing, domain="法務")
        assert figures(law.workspace) == {}

    def test_a_dispute_that_is_over_takes_back_what_it_shared(self, law: Desk) -> None:
        dudu, yuki, _ = agents(law)
        dudu.store("The API listens on port 80", domain="法務")
        mine = yuki.store("The API listens on port 81", domain="法務")
        law.workspace.harmonize()
        yuki.withdraw(mine.memory_id)
        assert figures(law.workspace) == {"withdrawn": 2}
        assert holding(law.workspace) == []


class TestGoing:
    """A belief goes with what it rests on."""

    @pytest.fixture
    def agreed(self, desk: Desk) -> Desk:
        """Three agents agree, two of them in other words than the third."""
        dudu, yuki, minsu = agents(desk)
        dudu.store("部署在東京機房執行", origin=MEETING)
        yuki.store("部署于东京机房执行", origin=LUNCH)
        minsu.store("部署于东京机房执行", origin=Origin("operator", "desk"))
        desk.workspace.harmonize()
        return desk

    @pytest.mark.parametrize("gone", [MEETING, LUNCH])
    def test_a_forgotten_source_carries_nothing_and_the_others_stay(self, agreed: Desk, gone: Origin) -> None:
        forget(agreed.workspace, gone)
        [item] = beliefs(agreed.workspace)
        assert gone not in {said.origin for said in item.said}
        assert len(item.said) == 2
        assert figures(agreed.workspace) == {"beliefs": 1}

    def test_when_one_agent_alone_is_left_the_belief_is_gone_at_once(self, agreed: Desk) -> None:
        forget(agreed.workspace, MEETING)
        forget(agreed.workspace, LUNCH)
        assert beliefs(agreed.workspace) == []
        assert figures(agreed.workspace) == {}

    def test_erasing_a_source_takes_its_copy_along(self, desk: Desk) -> None:
        dudu, yuki, minsu = agents(desk)
        mine = dudu.store("合約由 Ada 簽", origin=MEETING).memory_id
        yuki.store("合約由 Ada 簽", origin=LUNCH)
        minsu.store("合約由 Ada 簽", origin=HALL)
        desk.workspace.harmonize()
        dudu.erase([mine])
        assert [{said.origin for said in item.said} for item in beliefs(desk.workspace)] == [{LUNCH, HALL}]
        yuki.erase_everything()
        assert beliefs(desk.workspace) == []

    def test_what_was_derived_from_a_forgotten_source_goes_at_once(self, desk: Desk) -> None:
        dudu, yuki, _ = agents(desk)
        heard = dudu.store("有人在群裡說", origin=HALL)
        dudu.store("合約由 Ada 簽", origin=MEETING, derived_from=[heard.memory_id])
        yuki.store("合約由 Ada 簽", origin=LUNCH)
        desk.workspace.harmonize()
        forget(desk.workspace, HALL)
        assert beliefs(desk.workspace) == []

    def test_what_the_workspace_says_itself_stays(self, desk: Desk) -> None:
        dudu, yuki, _ = agents(desk)
        desk.workspace.store("合約由 Ada 簽", origin=HALL)
        dudu.store("合約由 Ada 簽", origin=MEETING)
        yuki.store("合約由 Ada 簽", origin=LUNCH)
        desk.workspace.harmonize()
        forget(desk.workspace, LUNCH)
        assert [{said.origin for said in item.said} for item in beliefs(desk.workspace)] == [{HALL}]

    def test_what_an_agent_withdraws_is_taken_back_by_the_next_run(self, desk: Desk) -> None:
        dudu, yuki, _ = agents(desk)
        mine = dudu.store("合約由 Ada 簽", origin=MEETING).memory_id
        yuki.store("合約由 Ada 簽", origin=LUNCH)
        desk.workspace.harmonize()
        dudu.withdraw(mine)
        assert figures(desk.workspace) == {"withdrawn": 2}
        assert beliefs(desk.workspace) == []
        assert figures(desk.workspace) == {}

    def test_what_an_agent_says_again_is_a_belief_again(self, desk: Desk) -> None:
        dudu, yuki, _ = agents(desk)
        mine = dudu.store("合約由 Ada 簽", origin=MEETING).memory_id
        yuki.store("合約由 Ada 簽", origin=LUNCH)
        desk.workspace.harmonize()
        dudu.withdraw(mine)
        desk.workspace.harmonize()
        desk.clock.advance()
        dudu.store("合約由 Ada 簽", origin=HALL, trust=0.3)
        assert figures(desk.workspace) == {"beliefs": 1, "copied": 1, "restored": 1}
        assert [{said.origin for said in item.said} for item in beliefs(desk.workspace)] == [{LUNCH, HALL}]

    def test_what_a_person_withdraws_stays_withdrawn(self, desk: Desk) -> None:
        dudu, yuki, _ = agents(desk)
        for chart in (dudu, yuki):
            chart.store("合約由 Ada 簽")
        desk.workspace.harmonize()
        desk.workspace.withdraw(beliefs(desk.workspace)[0].id)
        assert figures(desk.workspace) == {"beliefs": 1}
        assert beliefs(desk.workspace) == []

    def test_what_somebody_only_calls_harmonised_is_no_copy(self, desk: Desk) -> None:
        desk.workspace.store("合約由 Ada 簽", source_event="harmonised", origin=MEETING)
        desk.workspace.store("合約由 Ada 簽", origin=LUNCH)
        assert figures(desk.workspace) == {}
        forget(desk.workspace, LUNCH)
        assert holding(desk.workspace) == ["合約由 Ada 簽"]


def busy(desk: Desk) -> None:
    """Something of each kind to do: a belief in two wordings, one of three agents, a dispute, and one taken back."""
    dudu, yuki, minsu = agents(desk)
    desk.workspace.create_domain("法務")
    kept = [chart.store("不再相信的事").memory_id for chart in (dudu, yuki)]
    desk.workspace.harmonize()
    dudu.withdraw(kept[0])
    dudu.store("部署在東京機房執行", origin=MEETING)
    yuki.store("部署于东京机房执行", origin=LUNCH)
    for chart in (dudu, yuki, minsu):
        chart.store("合約由 Ada 簽", domain="法務")
    dudu.store("The API listens on port 80", domain="法務")
    minsu.store("The API listens on port 81", domain="法務")


class TestRuns:
    """A dry run changes nothing, a run is on the record, and a second one finds nothing to do."""

    def test_a_dry_run_says_what_a_run_does_and_changes_nothing(self, desk: Desk) -> None:
        busy(desk)
        before = everything(desk.workspace)
        plan = desk.workspace.harmonize(dry_run=True)
        assert everything(desk.workspace) == before
        done = desk.workspace.harmonize()
        assert (done.copied, done.withdrawn, done.joined, done.filed) == (7, 2, 1, 1)
        assert plan.to_dict() == {**done.to_dict(), "dry_run": True, "joined": 0, "conflicts": []}

    def test_a_second_run_changes_nothing_at_all(self, desk: Desk) -> None:
        busy(desk)
        desk.workspace.harmonize()
        desk.clock.advance(60)
        before = everything(desk.workspace)
        assert not desk.workspace.harmonize().changes
        assert everything(desk.workspace) == before

    def test_a_run_that_changed_something_is_a_line_of_the_audit_log(self, desk: Desk) -> None:
        busy(desk)
        done = desk.workspace.harmonize()
        desk.workspace.harmonize()
        line = next(entry for entry in desk.workspace.audit() if entry.action == "memory.harmonised")
        assert json.loads(line.detail) == done.figures
        assert sum(entry.action == "memory.harmonised" for entry in desk.workspace.audit()) == 2

    def test_an_agent_may_start_a_run_where_it_has_the_scope_and_it_is_the_same_run(self, quick: Desk) -> None:
        busy(quick)
        assert quick.chart.harmonize(dry_run=True).figures == quick.workspace.harmonize(dry_run=True).figures
        with pytest.raises(MissingScope):
            quick.chart.acting(scopes=frozenset({Scope.READ, Scope.WRITE})).harmonize(dry_run=True)

    @pytest.mark.parametrize("dry_run", [True, False])
    def test_progress_is_told_while_it_reads_and_while_it_writes(self, quick: Desk, *, dry_run: bool) -> None:
        busy(quick)
        told: list[tuple[int, int]] = []
        quick.workspace.harmonize(progress=lambda done, total: told.append((done, total)), dry_run=dry_run)
        assert told == sorted(told)
        assert (told[-1], len(set(told)) > 3) == ((1_000, 1_000), True)

    def test_one_run_at_a_time(self, quick: Desk) -> None:
        busy(quick)

        def again(_: int, __: int) -> None:
            with pytest.raises(MaintenanceRunning):
                quick.workspace.harmonize()

        quick.workspace.harmonize(progress=again)

    def test_the_doctor_finds_nothing_afterwards(self, desk: Desk) -> None:
        busy(desk)
        desk.workspace.harmonize()
        forget(desk.workspace, MEETING)
        assert desk.workspace.doctor().differences == ()

    def test_a_copy_names_its_source_and_its_agent(self, quick: Desk) -> None:
        for chart in agents(quick)[:2]:
            chart.store("合約由 Ada 簽", origin=MEETING)
        quick.workspace.harmonize()
        with quick.workspace._services.store.reading() as unit:
            [memory] = [k.memory for k in unit.memories.get(Namespace("dudu"), [1]).values()]
            [source] = unit.records.assertions(Namespace("dudu"), [1])
            copies = unit.records.assertions(Namespace(), [1])
        made = copied(copies[0].key, memory.wording, source, "dudu", 10_000)
        assert {copy.rests_on for copy in copies} >= {(source.identity, mark_of("dudu"))}
        assert made.identity in {copy.identity for copy in copies}
        assert all(map(is_copy, copies))
