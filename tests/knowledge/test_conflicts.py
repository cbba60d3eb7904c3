"""Conflicts of shared facts: found when the second is written, decided by the fold or by somebody, never filed twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from karte.bootstrap import import_workspace
from karte.core.origins import Origin
from karte.core.results import Outcome, Receipt
from karte.errors import AlreadyDecided, HigherTier, InvalidValue, UnknownConflict
from karte.workspace import Chart
from tests.knowledge.wholes import forget
from tests.laws.opening import Desk

PORT = "測試資料庫的連接埠是 {}"


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """A desk with domains."""
    desk.workspace.create_domain("架構", default_grant="write")
    return desk


def agent(desk: Desk, name: str, container: str = "run", kind: str = "agent_derived") -> Chart:
    desk.clock.advance(60)
    return desk.workspace.agent(name).acting(origin=Origin(kind, f"{container}-{name}"))


def person(desk: Desk) -> Chart:
    desk.clock.advance(60)
    return desk.workspace.acting(origin=Origin("user_direct", "meeting-7"))


def propose(chart: Chart, content: str) -> Receipt:
    return chart.propose_fact("架構", content, topic="資料庫")


def in_force(chart: Chart) -> set[str]:
    return {item.content for item in chart.list(100, domain="架構").memories}


def contested(desk: Desk) -> tuple[Receipt, Receipt]:
    """Two facts of which nobody can say by itself which holds: the newer one weighs less."""
    older = propose(person(desk), PORT.format(5432))
    newer = propose(agent(desk, "dudu"), PORT.format(5433))
    assert newer.status is Outcome.CONTESTED
    return older, newer


def test_a_newer_value_of_the_same_weight_takes_over(desk: Desk) -> None:
    older = propose(agent(desk, "dudu"), PORT.format(5432))
    newer = propose(agent(desk, "ゆき"), PORT.format(5433))
    assert (newer.status, newer.superseded) == (Outcome.SUPERSEDED, (older.memory_id,))
    assert in_force(agent(desk, "dudu")) == {PORT.format(5433)}


def test_what_the_fold_decided_is_on_record_with_winner_and_loser(desk: Desk) -> None:
    propose(agent(desk, "dudu"), PORT.format(5432))
    newer = propose(agent(desk, "ゆき"), PORT.format(5433))
    assert desk.workspace.conflicts() == []
    (conflict,) = desk.workspace.conflicts(unresolved_only=False)
    shape = conflict.to_dict()
    assert (shape["id"], shape["state"], shape["winner"], shape["decided_by"]) == (
        newer.conflicts[0],
        "resolved",
        newer.memory_id,
        "karte",
    )


def test_a_weaker_claim_is_contested_and_both_stay_in_force(desk: Desk) -> None:
    contested(desk)
    listed = agent(desk, "ゆき").list(100, domain="架構").memories
    assert {item.content: "contested" in item.marks for item in listed} == {
        PORT.format(5432): True,
        PORT.format(5433): True,
    }


def test_an_untrusted_claim_waits_in_the_shadow_of_a_trusted_one(desk: Desk) -> None:
    propose(agent(desk, "dudu"), PORT.format(5432))
    claim = propose(agent(desk, "ゆき", kind="channel"), PORT.format(9999))
    assert claim.status is Outcome.SHADOWED
    assert claim.review_id is not None
    assert in_force(agent(desk, "dudu")) == {PORT.format(5432)}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The port of the billing service is 8080", "The port of the search service is 8081"),
        ("小林の誕生日は3月5日です", "田中の誕生日は4月6日です"),
        ("2025 年的預算是 100 萬", "2026 年的預算是 120 萬"),
        ("서버 A의 메모리는 32GB이다", "서버 B의 메모리는 64GB이다"),
    ],
)
def test_what_is_said_of_something_else_is_no_conflict(desk: Desk, one: str, other: str) -> None:
    propose(agent(desk, "dudu"), one)
    assert propose(agent(desk, "ゆき"), other).conflicts == ()


def test_nothing_is_compared_across_domains(desk: Desk) -> None:
    desk.workspace.create_domain("營運", default_grant="write")
    propose(agent(desk, "dudu"), PORT.format(5432))
    assert agent(desk, "ゆき").propose_fact("營運", PORT.format(5433)).conflicts == ()


def test_what_the_operator_stores_in_a_domain_is_compared_too(desk: Desk) -> None:
    propose(agent(desk, "dudu"), PORT.format(5432))
    desk.clock.advance(60)
    assert desk.workspace.store(PORT.format(5433), domain="架構").status is Outcome.SUPERSEDED


def test_the_same_conflict_is_not_filed_again(desk: Desk) -> None:
    contested(desk)
    again = propose(agent(desk, "阿明"), PORT.format(5433))
    assert (again.status, again.conflicts) == (Outcome.REAFFIRMED, ())
    assert len(desk.workspace.conflicts(unresolved_only=False)) == 1


def test_the_winner_takes_over_from_now_on(desk: Desk) -> None:
    older, newer = contested(desk)
    desk.clock.advance(60)
    resolved = desk.workspace.resolve_conflict(newer.conflicts[0], "winner", winner=newer.memory_id, note="會議決定")
    assert (resolved.to_dict()["winner"], resolved.to_dict()["note"]) == (newer.memory_id, "會議決定")
    assert in_force(person(desk)) == {PORT.format(5433)}
    assert desk.workspace.read(older.memory_id).validity.superseded_by == newer.memory_id


def test_both_may_hold(desk: Desk) -> None:
    _, newer = contested(desk)
    desk.workspace.resolve_conflict(newer.conflicts[0], "both_hold")
    assert desk.workspace.conflicts() == []
    assert {item.marks for item in desk.workspace.list(100, domain="架構").memories} == {()}


def test_neither_may_hold(desk: Desk) -> None:
    _, newer = contested(desk)
    desk.workspace.resolve_conflict(newer.conflicts[0], "neither")
    assert in_force(person(desk)) == set()


def test_what_the_fold_decided_can_be_parted_again(desk: Desk) -> None:
    propose(agent(desk, "dudu"), PORT.format(5432))
    newer = propose(agent(desk, "ゆき"), PORT.format(5433))
    desk.clock.advance(60)
    desk.workspace.resolve_conflict(newer.conflicts[0], "both_hold")
    assert in_force(person(desk)) == {PORT.format(5432), PORT.format(5433)}


DECISIONS = ("winner newer", "winner older", "both_hold", "neither")


def decide(desk: Desk, facts: tuple[Receipt, Receipt], decision: str) -> dict[str, Any]:
    older, newer = facts
    desk.clock.advance(60)
    named, _, which = decision.partition(" ")
    winner = {"newer": newer.memory_id, "older": older.memory_id}.get(which)
    return desk.workspace.resolve_conflict(newer.conflicts[0], named, winner=winner).to_dict()


@pytest.mark.parametrize("other", DECISIONS)
@pytest.mark.parametrize("decision", DECISIONS)
def test_what_a_person_decided_is_not_decided_again(desk: Desk, decision: str, other: str) -> None:
    facts = contested(desk)
    first = decide(desk, facts, decision)
    before = (in_force(person(desk)), len(desk.workspace.audit()))
    if other == decision:
        assert decide(desk, facts, other) == first
    else:
        with pytest.raises(AlreadyDecided, match=rf"was decided by operator: {decision.split(maxsplit=1)[0]}\b"):
            decide(desk, facts, other)
    assert (in_force(person(desk)), len(desk.workspace.audit())) == before
    assert desk.workspace.conflicts(unresolved_only=False)[0].to_dict() == first


def test_what_the_fold_decided_is_decided_by_a_person_once(desk: Desk) -> None:
    facts = propose(agent(desk, "dudu"), PORT.format(5432)), propose(agent(desk, "ゆき"), PORT.format(5433))
    assert decide(desk, facts, "neither")["decided_by"] == "operator"
    with pytest.raises(AlreadyDecided):
        decide(desk, facts, "both_hold")
    assert in_force(person(desk)) == set()


def test_what_lost_and_was_said_again_is_decided_anew(desk: Desk) -> None:
    facts = contested(desk)
    decide(desk, facts, "neither")
    for value in (5432, 5433):
        propose(person(desk), PORT.format(value))
    assert PORT.format(5433) in in_force(person(desk))
    assert decide(desk, facts, "winner older")["winner"] == facts[0].memory_id
    assert in_force(person(desk)) == {PORT.format(5432)}


def test_an_untrusted_agent_does_not_let_its_own_claim_win(desk: Desk) -> None:
    older, newer = contested(desk)
    weak = agent(desk, "x", kind="channel")
    with pytest.raises(HigherTier):
        weak.resolve_conflict(newer.conflicts[0], "winner", winner=newer.memory_id)
    assert in_force(person(desk)) == {PORT.format(5432), PORT.format(5433)}
    assert [conflict.to_dict()["state"] for conflict in desk.workspace.conflicts()] == ["unresolved"]
    assert older.memory_id


def test_a_decision_names_one_of_the_two_facts_just_where_it_needs_it(desk: Desk) -> None:
    _, newer = contested(desk)
    for decision, winner in (("winner", None), ("both_hold", newer.memory_id), ("winner", "mem_x"), ("maybe", None)):
        with pytest.raises(InvalidValue):
            desk.workspace.resolve_conflict(newer.conflicts[0], decision, winner=winner)
    with pytest.raises(UnknownConflict):
        desk.workspace.resolve_conflict("rev_none", "both_hold")


def test_forgetting_either_source_takes_the_conflict_along(desk: Desk) -> None:
    contested(desk)
    forget(desk.workspace, Origin("user_direct", "meeting-7"))
    assert desk.workspace.conflicts(unresolved_only=False) == []
    assert {item.marks for item in desk.workspace.list(100, domain="架構").memories} == {()}


def test_forgetting_the_newer_source_brings_the_older_fact_back(desk: Desk) -> None:
    propose(agent(desk, "dudu"), PORT.format(5432))
    propose(agent(desk, "ゆき"), PORT.format(5433))
    forget(desk.workspace, Origin("agent_derived", "run-ゆき"))
    assert in_force(agent(desk, "dudu")) == {PORT.format(5432)}


def test_conflicts_and_grants_are_moved_with_their_workspace(desk: Desk, tmp_path: Path) -> None:
    contested(desk)
    desk.workspace.export(tmp_path / "all.karte")
    import_workspace(tmp_path / "all.karte", tmp_path / "copy.karte")
    from karte import open as open_workspace

    with open_workspace(tmp_path / "copy.karte") as copy:
        assert [conflict.to_dict()["facts"] for conflict in copy.conflicts()] == [
            conflict.to_dict()["facts"] for conflict in desk.workspace.conflicts()
        ]
        assert [domain.to_dict() for domain in copy.domains()] == [d.to_dict() for d in desk.workspace.domains()]


def test_a_conflict_waits_among_the_reviews_and_is_resolved_by_its_own_command(desk: Desk) -> None:
    older, newer = contested(desk)
    (waiting,) = desk.workspace.waiting()
    shape = waiting.to_dict()
    assert (shape["kind"], shape["memory_id"], shape["against"]) == ("contradiction", newer.memory_id, older.memory_id)
    for decide in (desk.workspace.approve, desk.workspace.deny):
        with pytest.raises(InvalidValue) as refused:
            decide(waiting.review.id, waiting.digest)
        assert refused.value.hint == f"karte conflict resolve {waiting.review.id}"


def test_a_retry_gives_the_receipt_that_was_given_first(desk: Desk) -> None:
    propose(person(desk), PORT.format(5432))
    speaking = agent(desk, "dudu")
    first = speaking.propose_fact("架構", PORT.format(5433), topic="資料庫", idempotency_key="k1")
    assert (first.status, len(first.conflicts)) == (Outcome.CONTESTED, 1)
    assert speaking.propose_fact("架構", PORT.format(5433), topic="資料庫", idempotency_key="k1") == first
    assert len(desk.workspace.conflicts()) == 1
