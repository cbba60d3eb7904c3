"""Consolidating: sessions leave what is worth keeping, restatements become one statement, and what expired goes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from karte.core.assertions import LinkKind, Withdrawal
from karte.core.conflicts import Said
from karte.core.namespaces import Namespace, Scope
from karte.core.origins import Origin
from karte.core.restating import LONGEST, key_of, restates
from karte.engine.gathering import Frame, Refold
from karte.errors import MissingScope
from karte.workspace import Chart, Workspace
from tests.knowledge.wholes import everything, forget, holding
from tests.laws.opening import Desk

DAY = 86_400
MEETING = Origin("user_direct", "chat:標會", "m1")
LUNCH = Origin("user_direct", "chat:lunch", "m7")
HOME: dict[str, Any] = {"subject": "Ada", "predicate": "lives in", "object": "Paris"}
PAIRS = [json.loads(line) for line in Path(__file__).with_name("pairs.jsonl").read_text(encoding="utf-8").splitlines()]


def counts(chart: Chart, **options: Any) -> tuple[int, int, int]:
    """How many were promoted, merged and evicted."""
    done = chart.consolidate(**options)
    return done.promoted, done.merged, done.evicted


class TestPromoting:
    """What is worth keeping of a session becomes a memory with its sources."""

    def test_what_is_meant_to_hold_is_kept(self, desk: Desk) -> None:
        for memory_type in ("fact", "preference", "decision", "commitment", "goal", "instruction", "profile"):
            desk.chart.remember(f"{memory_type}：週五不部署", "s1", memory_type=memory_type)
        for memory_type in ("context", "event", "request", "observation", "unknown"):
            desk.chart.remember(f"{memory_type}：正在跑測試", "s1", memory_type=memory_type)
        assert counts(desk.chart) == (7, 0, 0)
        assert len(holding(desk.chart)) == 7

    def test_what_is_important_is_kept(self, desk: Desk) -> None:
        for importance in (5.9, 6, 9):
            desk.chart.remember(f"重要度 {importance}", "s1", importance=importance)
        assert counts(desk.chart) == (2, 0, 0)
        assert holding(desk.chart) == ["重要度 6", "重要度 9"]

    def test_what_came_up_in_two_sessions_is_kept_as_one_memory(self, desk: Desk) -> None:
        desk.chart.remember("オフィスは閉まっている", "s1", origin=MEETING)
        desk.chart.remember("オフィスは閉まっている", "s2", origin=LUNCH)
        desk.chart.remember("只說一次", "s2")
        desk.chart.remember("同一場說兩次", "s2")
        desk.chart.remember("同一場說兩次", "s2", origin=LUNCH)
        assert counts(desk.chart) == (2, 0, 0)
        [item] = desk.chart.list().memories
        assert (item.content, {said.origin for said in item.said}) == ("オフィスは閉まっている", {MEETING, LUNCH})

    def test_it_is_said_by_the_same_source_at_the_same_time_with_the_same_trust(self, desk: Desk) -> None:
        heard = Origin("channel", "line:會", "m3")
        desk.chart.remember(
            "Releases happen on Tuesday",
            "s1",
            memory_type="decision",
            origin=heard,
            observed_at="2026-12-30",
            tags=["release"],
        )
        desk.clock.advance(60)
        [promoted] = desk.chart.consolidate().promotions
        item = desk.chart.read(promoted.memory_id or "")
        shape = item.to_dict()
        assert [(said.origin, said.observed_at) for said in item.said] == [(heard, 1_798_588_800_000_000)]
        assert (shape["layer"], shape["trust"], shape["valid_from"]) == ("semantic", 0.3, "2026-12-30T00:00:00Z")
        assert (shape["memory_type"], shape["tags"], shape["session"], shape["expires_at"]) == (
            "decision",
            ["release"],
            None,
            None,
        )

    def test_it_is_found_without_a_session_and_the_item_in_its_session_until_that_expires(self, desk: Desk) -> None:
        item = desk.chart.remember("週五不部署", "s1", memory_type="decision").memory_id
        [promoted] = desk.chart.consolidate().promotions
        assert [hit.memory.id for hit in desk.chart.search("部署").hits] == [promoted.memory_id]
        assert [hit.memory.id for hit in desk.chart.search("部署", session="s1").hits] == [item]
        desk.clock.advance(DAY + 1)
        assert counts(desk.chart) == (0, 0, 1)
        assert holding(desk.chart) == ["週五不部署"]

    def test_what_a_memory_says_already_is_reaffirmed(self, desk: Desk) -> None:
        desk.chart.store("週五不部署", origin=LUNCH)
        desk.chart.remember("週五不部署", "s1", memory_type="decision", origin=MEETING)
        assert counts(desk.chart) == (1, 0, 0)
        [item] = desk.chart.list().memories
        assert {said.origin for said in item.said} == {LUNCH, MEETING}

    def test_what_expired_or_was_withdrawn_is_not_kept(self, desk: Desk) -> None:
        desk.chart.remember("只有一小時", "s1", memory_type="decision", ttl_hours=1)
        taken_back = desk.chart.remember("收回", "s1", memory_type="decision")
        desk.chart.withdraw(taken_back.memory_id)
        desk.clock.advance(3_601)
        assert counts(desk.chart) == (0, 0, 1)
        assert holding(desk.chart) == []

    def test_what_was_said_again_since_is_kept_once_more_by_its_new_source_alone(self, desk: Desk) -> None:
        desk.chart.remember("週五不部署", "s1", memory_type="decision", origin=MEETING)
        desk.chart.consolidate()
        desk.chart.remember("週五不部署", "s1", memory_type="decision", origin=LUNCH)
        assert counts(desk.chart) == (1, 0, 0)
        [item] = desk.chart.list().memories
        assert [said.origin for said in item.said] == [MEETING, LUNCH]

    def test_only_the_callers_own_sessions_are_gone_through(self, desk: Desk) -> None:
        desk.workspace.agent("ゆき").remember("金曜は凍結", "s1", memory_type="decision")
        assert counts(desk.chart) == counts(desk.workspace) == (0, 0, 0)


class TestForgetting:
    """A forgotten or erased text does not come back by consolidation."""

    def test_forgetting_the_source_takes_item_and_memory(self, desk: Desk) -> None:
        desk.chart.remember("週五不部署", "s1", memory_type="decision", origin=MEETING)
        desk.chart.consolidate()
        forget(desk.workspace, MEETING)
        assert counts(desk.chart) == (0, 0, 0)
        assert holding(desk.chart) == []
        assert desk.chart.list(session="s1").memories == ()

    def test_who_gave_no_reason_to_keep_it_does_not_keep_it_without_who_did(self, desk: Desk) -> None:
        desk.chart.remember("週五不部署", "s1", origin=LUNCH, observed_at="2026-12-01")
        desk.chart.remember("週五不部署", "s1", origin=MEETING, observed_at="2026-12-02", memory_type="decision")
        assert counts(desk.chart) == (1, 0, 0)
        assert {said.origin for said in desk.chart.list().memories[0].said} == {LUNCH, MEETING}
        forget(desk.workspace, MEETING)
        assert holding(desk.chart) == []

    def test_what_only_came_up_again_by_a_forgotten_source_is_not_kept(self, desk: Desk) -> None:
        desk.chart.remember("關門", "s1", origin=MEETING)
        desk.chart.remember("關門", "s2", origin=LUNCH)
        desk.chart.consolidate()
        forget(desk.workspace, LUNCH)
        assert counts(desk.chart) == (0, 0, 0)
        assert holding(desk.chart) == []
        assert [item.content for item in desk.chart.list(session="s1").memories] == ["關門"]

    def test_erasing_the_memory_takes_the_item_along(self, desk: Desk) -> None:
        item = desk.chart.remember("週五不部署", "s1", memory_type="decision").memory_id
        desk.chart.remember("週五不部署", "s2", origin=LUNCH)
        [promoted, _] = desk.chart.consolidate().promotions
        other = desk.chart.remember("週五不部署", "s3")
        erased = desk.chart.erase([promoted.memory_id or ""])
        assert item in erased.memory_ids
        assert other.memory_id not in erased.memory_ids
        assert holding(desk.chart) == []

    def test_an_erased_memory_does_not_come_back(self, desk: Desk) -> None:
        desk.chart.remember("週五不部署", "s1", memory_type="decision")
        [promoted] = desk.chart.consolidate().promotions
        desk.chart.erase([promoted.memory_id or ""])
        assert counts(desk.chart) == (0, 0, 0)
        assert holding(desk.chart) == []

    def test_a_withdrawn_memory_is_not_kept_anew(self, desk: Desk) -> None:
        desk.chart.remember("週五不部署", "s1", memory_type="decision")
        [promoted] = desk.chart.consolidate().promotions
        desk.chart.withdraw(promoted.memory_id or "")
        assert counts(desk.chart) == (0, 0, 0)
        assert holding(desk.chart) == []


class TestMerging:
    """Facts that say the same in other words are one statement; what differs in a value never is."""

    def test_restatements_become_one_statement_of_both_sources(self, desk: Desk) -> None:
        desk.chart.store("部署在東京機房執行", origin=MEETING)
        desk.chart.store("部署于东京机房执行", origin=LUNCH, confidence=0.5)
        assert counts(desk.chart) == (0, 1, 0)
        [item] = desk.chart.list().memories
        assert item.content == "部署在東京機房執行"
        assert {said.origin for said in item.said} == {MEETING, LUNCH}
        assert item.to_dict()["mention_count"] == 2

    def test_facts_with_one_subject_predicate_and_object_are_merged_whatever_their_words(self, desk: Desk) -> None:
        desk.chart.store("Ada lives in Paris", **HOME)
        desk.chart.store("Ada's home is Paris", **HOME)
        assert counts(desk.chart) == (0, 1, 0)
        assert [item.to_dict()["mention_count"] for item in desk.chart.list().memories] == [2]

    def test_three_wordings_of_one_answer_are_merged_in_one_run(self, desk: Desk) -> None:
        for text in ("Ada lives in Paris", "Ada's home is Paris", "Paris is where Ada lives"):
            desk.clock.advance()
            desk.chart.store(text, **HOME)
        assert [counts(desk.chart), counts(desk.chart)] == [(0, 2, 0), (0, 0, 0)]
        assert [item.to_dict()["mention_count"] for item in desk.chart.list().memories] == [3]

    def test_answers_that_are_over_are_left_as_they_were_told(self, desk: Desk) -> None:
        for text, value in (("Ada lives in Paris", "Paris"), ("Ada's home is Paris", "Paris"), ("台北", "Taipei")):
            desk.clock.advance()
            desk.chart.store(text, subject="Ada", predicate="lives in", object=value)
        assert counts(desk.chart) == (0, 0, 0)

    def test_what_expires_lends_its_words_to_nothing_that_stays(self, desk: Desk) -> None:
        desk.chart.store("The API listens on port 80", ttl_hours=2)
        desk.chart.store("On port 80 the API listens")
        assert counts(desk.chart) == (0, 0, 0)

    def test_but_not_where_their_texts_differ_in_a_value(self, desk: Desk) -> None:
        desk.chart.store("Ada has lived in Paris since 2019", **HOME)
        desk.chart.store("Ada has lived in Paris since 2021", **HOME)
        assert counts(desk.chart) == (0, 0, 0)

    def test_the_same_text_of_two_questions_stays_two(self, desk: Desk) -> None:
        for predicate, value in (("works at", "Acme"), ("lives in", "Paris")):
            desk.chart.store("Ada works at Acme in Paris", subject="Ada", predicate=predicate, object=value)
        assert counts(desk.chart) == (0, 0, 0)
        assert len(desk.chart.list().memories) == 2

    @pytest.mark.parametrize("options", [{"layer": "episodic"}, {"domain": "法務"}, {"valid_until": "2026-12-30"}])
    def test_what_happened_or_is_elsewhere_or_over_is_left_alone(self, quick: Desk, options: dict[str, Any]) -> None:
        quick.chart.store("The API listens on port 80", valid_from="2026-01-01")
        quick.chart.store("On port 80 the API listens", valid_from="2026-01-01", **options)
        assert counts(quick.chart) == (0, 0, 0)

    def test_a_less_trusted_restatement_is_not_joined_to_a_more_trusted_fact(self, desk: Desk) -> None:
        desk.chart.store("The API listens on port 80")
        desk.chart.store("On port 80 the API listens", origin=Origin("channel", "line:1"))
        assert counts(desk.chart) == (0, 0, 0)

    def test_many_restatements_are_one_statement(self, desk: Desk) -> None:
        texts = ("Backups run at 3:00", "at 3:00 backups run", "Backups at 3:00 run", "The backups run at 3:00")
        for number, text in enumerate(texts):
            desk.chart.store(text, origin=Origin("user_direct", f"chat:{number}"))
        assert counts(desk.chart) == (0, 3, 0)
        assert [item.to_dict()["mention_count"] for item in desk.chart.list().memories] == [4]

    @pytest.mark.parametrize("gone", [MEETING, LUNCH])
    def test_forgetting_either_source_leaves_the_other_text_as_it_was(self, desk: Desk, gone: Origin) -> None:
        texts = {MEETING: "部署在東京機房執行", LUNCH: "部署于东京机房执行"}
        for origin, text in texts.items():
            desk.chart.store(text, origin=origin)
        desk.chart.consolidate()
        forget(desk.workspace, gone)
        [item] = desk.chart.list().memories
        assert [item.content] == [text for origin, text in texts.items() if origin != gone]
        assert item.to_dict()["mention_count"] == 1

    def test_what_still_holds_both_together_when_one_of_three_sources_is_forgotten(self, desk: Desk) -> None:
        desk.chart.store("部署在東京機房執行", origin=MEETING)
        desk.chart.store("部署于东京机房执行", origin=LUNCH)
        desk.chart.store("部署在東京機房執行", origin=Origin("operator", "desk"))
        desk.chart.consolidate()
        forget(desk.workspace, MEETING)
        assert [item.to_dict()["mention_count"] for item in desk.chart.list().memories] == [2]

    def test_what_somebody_parted_is_not_joined_again(self, desk: Desk) -> None:
        desk.chart.store("The API listens on port 80", origin=MEETING)
        desk.chart.store("On port 80 the API listens", origin=LUNCH)
        desk.chart.consolidate()
        part(desk.workspace)
        assert len(desk.chart.list().memories) == 2
        assert counts(desk.chart) == (0, 0, 0)

    def test_what_is_no_longer_believed_alike_is_parted_and_joined_again_when_it_is(self, desk: Desk) -> None:
        hall = Origin("channel", "line:hall")
        desk.chart.store("The API listens on port 80", origin=LUNCH, observed_at="2026-12-01")
        desk.chart.store("The API listens on port 80", origin=hall, observed_at="2026-12-02")
        desk.chart.store("On port 80 the API listens", origin=MEETING, observed_at="2026-12-03")
        assert counts(desk.chart) == (0, 1, 0)
        forget(desk.workspace, LUNCH)
        assert desk.chart.consolidate().parted == 1
        assert [item.trust for item in desk.chart.list().memories] == [1.0, 0.3]
        assert not desk.chart.consolidate().changes
        desk.chart.store("The API listens on port 80", origin=Origin("operator", "desk"))
        assert counts(desk.chart) == (0, 1, 0)
        assert [item.to_dict()["mention_count"] for item in desk.chart.list().memories] == [3]

    def test_long_texts_are_left_alone(self, quick: Desk) -> None:
        words = " ".join(f"word{number}" for number in range(LONGEST))
        quick.chart.store(f"{words} alpha")
        quick.chart.store(f"alpha {words}")
        assert counts(quick.chart) == (0, 0, 0)

    @pytest.mark.parametrize("pair", [p for p in PAIRS if p["kind"] != "restatement"], ids=lambda pair: pair["id"])
    def test_no_two_texts_that_say_something_else_are_merged(self, pair: dict[str, str]) -> None:
        assert not restates(Said(pair["a"]), Said(pair["b"]))

    def test_most_texts_in_another_order_or_script_share_a_block_and_are_merged(self) -> None:
        same = [pair for pair in PAIRS if pair["form"] in ("reordered", "script")]
        met = [p for p in same if key_of(Said(p["a"])) == key_of(Said(p["b"])) and restates(Said(p["a"]), Said(p["b"]))]
        assert len(met) >= 0.9 * len(same) > 30


def part(workspace: Workspace) -> None:
    """Withdraw every link by which two memories of dudu are one statement, as a person does."""
    services, dudu = workspace._services, Namespace("dudu")
    with services.store.writing() as unit:
        frame = Frame(unit, dudu, services.tiers)
        now = unit.learn(services.clock.now())
        numbers = unit.memories.recent(dudu, 1_000, 100)
        keys = {kept.memory.key for kept in unit.memories.get(dudu, numbers).values()}
        for link in unit.records.memory_links(dudu, keys):
            assert link.kind is LinkKind.SAME_AS
            unit.records.add_withdrawal(dudu, Withdrawal(link.identity, MEETING, 10_000, learned_at=now))
        Refold(frame, unit, now)(numbers)


class TestEvicting:
    """What has expired of a session goes, unless something stands on it."""

    def test_only_what_has_expired_goes(self, desk: Desk) -> None:
        gone = desk.chart.remember("一小時", "s1", ttl_hours=1).memory_id
        stays = desk.chart.remember("兩小時", "s1", ttl_hours=2).memory_id
        desk.clock.advance(3_601)
        done = desk.chart.consolidate()
        assert done.evicted_ids == [gone]
        assert desk.chart.fetch([gone, stays]).missing_ids == (gone,)
        with desk.workspace._services.store.reading() as unit:
            assert set(unit.memories.by_id(Namespace("dudu"), [gone, stays])) == {stays}

    def test_what_something_was_derived_from_stays(self, desk: Desk) -> None:
        item = desk.chart.remember("一小時", "s1", ttl_hours=1).memory_id
        child = desk.chart.store("從那裡得知", derived_from=[item]).memory_id
        desk.clock.advance(3_601)
        assert counts(desk.chart) == (0, 0, 0)
        assert desk.chart.read(child).marks == ("stale",)

    def test_what_is_no_item_of_a_session_is_left_alone(self, desk: Desk) -> None:
        desk.chart.store("短命的事實", ttl_hours=1)
        desk.clock.advance(3_601)
        assert counts(desk.chart) == (0, 0, 0)


def busy(desk: Desk) -> None:
    """Something of each kind to do."""
    desk.chart.remember("過期", "s0", ttl_hours=1)
    desk.clock.advance(3_601)
    desk.chart.remember("週五不部署", "s1", memory_type="decision", origin=MEETING)
    for session in ("s1", "s2", "s3"):
        desk.chart.remember("關門", session)
    desk.chart.store("部署在東京機房執行", origin=MEETING)
    desk.chart.store("部署于东京机房执行", origin=LUNCH)
    desk.chart.store("部署于东京机房執行了", origin=LUNCH)


class TestRuns:
    """A dry run changes nothing, a run is on the record, and a second one finds nothing to do."""

    def test_a_dry_run_says_what_a_run_does_and_changes_nothing(self, desk: Desk) -> None:
        busy(desk)
        before = everything(desk.workspace)
        plan = desk.chart.consolidate(dry_run=True)
        assert everything(desk.workspace) == before
        done = desk.chart.consolidate()
        assert plan.to_dict() == {
            **done.to_dict(),
            "dry_run": True,
            "examined": plan.examined,
            "promotions": [{**each.to_dict(), "memory_id": None} for each in done.promotions],
        }
        assert (done.promoted, done.merged, done.evicted) == (4, 2, 1)

    def test_a_second_run_changes_nothing_at_all(self, desk: Desk) -> None:
        busy(desk)
        desk.chart.consolidate()
        desk.clock.advance(60)
        before = everything(desk.workspace)
        again = desk.chart.consolidate()
        assert (again.changes, again.dry_run) == (False, False)
        assert everything(desk.workspace) == before

    def test_a_run_that_changed_something_is_a_line_of_the_audit_log(self, desk: Desk) -> None:
        busy(desk)
        desk.chart.consolidate()
        desk.chart.consolidate()
        lines = [entry for entry in desk.workspace.audit() if entry.action == "memory.consolidated"]
        assert [(line.actor, line.owner, json.loads(line.detail)) for line in lines] == [
            ("agent:dudu", "dudu", {"promoted": 4, "merged": 2, "parted": 0, "evicted": 1})
        ]

    def test_progress_is_told_up_to_the_end(self, quick: Desk) -> None:
        quick.chart.store_many(
            [{"content": text} for text in ("事實 1", "The lift is out of order.", "The lift: out of order")]
        )
        told: list[tuple[int, int]] = []
        quick.chart.consolidate(progress=lambda done, total: told.append((done, total)))
        assert told == sorted(told)
        assert (told[-1], {total for _, total in told}) == ((1_000, 1_000), {1_000})

    def test_a_run_needs_the_scope_to_write_and_a_dry_run_that_to_read(self, quick: Desk) -> None:
        reader = quick.chart.acting(scopes=frozenset({Scope.READ}))
        assert reader.consolidate(dry_run=True).dry_run
        with pytest.raises(MissingScope):
            reader.consolidate()

    def test_the_doctor_finds_nothing_afterwards(self, desk: Desk) -> None:
        busy(desk)
        desk.chart.consolidate()
        assert desk.workspace.doctor().differences == ()
