"""What a less trusted caller asks for and may not do by itself: a person is asked, and does it or not."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from karte.bootstrap import Parts, open_workspace
from karte.core.results import Outcome
from karte.errors import UnknownReview
from karte.testing.parts import CountedIds, GivenClock
from karte.workspace import Chart, Workspace
from tests.stores import STORES
from tests.unit.engine.trusting.worlds import ORDER

UNTRUSTED = 3_000


@pytest.fixture(params=STORES)
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    parts = Parts(
        store=STORES[request.param](tmp_path), clock=GivenClock(datetime(2026, 7, 1, tzinfo=UTC)), ids=CountedIds()
    )
    with open_workspace(":memory:", parts=parts) as opened:
        yield opened


@pytest.fixture
def dudu(workspace: Workspace) -> Chart:
    return workspace.agent("dudu")


def lesser(chart: Chart) -> Chart:
    """The same agent, hardly trusted."""
    return chart.acting(trust_ceiling=UNTRUSTED)


def contents(chart: Chart) -> list[str]:
    return sorted(memory.content for memory in chart.list().memories)


def test_a_withdrawal_that_does_not_reach_is_asked_for_and_done_by_who_may(workspace: Workspace, dudu: Chart) -> None:
    told = dudu.store("辦公室在台北", origin="user_direct:chat:m1")
    withdrawn = lesser(dudu).withdraw(told.memory_id)
    assert (withdrawn.assertions, withdrawn.standing, contents(dudu)) == (0, 1, ["辦公室在台北"])
    (shown,) = workspace.waiting()
    assert (shown.review.id, shown.to_dict()["kind"]) == (withdrawn.review_id, "conflict")
    workspace.approve(shown.review.id, shown.digest)
    assert (contents(dudu), workspace.waiting()) == ([], [])


def test_a_supersession_that_does_not_reach_is_asked_for_and_done_by_who_may(workspace: Workspace, dudu: Chart) -> None:
    told = dudu.store("사무실은 서울에 있다", origin="user_direct:chat:m1")
    receipt = lesser(dudu).supersede(told.memory_id, "사무실은 부산에 있다")
    assert (receipt.status, contents(dudu)) == (Outcome.STORED, ["사무실은 부산에 있다", "사무실은 서울에 있다"])
    assert receipt.review_id is not None
    shown = workspace.review(receipt.review_id)
    decided = workspace.approve(shown.review.id, shown.digest)
    assert decided.receipt is not None
    assert (decided.receipt.status, contents(dudu)) == (Outcome.SUPERSEDED, ["사무실은 부산에 있다"])


def test_the_same_is_asked_for_once_and_nothing_happens_where_it_is_denied(workspace: Workspace, dudu: Chart) -> None:
    told = dudu.store("The office is in Taipei", origin="user_direct:chat:m1")
    first, again = (lesser(dudu).withdraw(told.memory_id) for _ in range(2))
    assert first.review_id == again.review_id
    (shown,) = workspace.waiting()
    workspace.deny(shown.review.id, shown.digest)
    assert (contents(dudu), workspace.waiting()) == (["The office is in Taipei"], [])


def test_nobody_is_asked_where_the_caller_may(workspace: Workspace, dudu: Chart) -> None:
    told = dudu.store("会社は京都にある", origin="channel:team:m1")
    assert lesser(dudu).withdraw(told.memory_id).review_id is None
    assert workspace.waiting() == []


def test_a_claim_that_a_withdrawal_brings_into_the_shadow_is_shown_to_a_person(
    workspace: Workspace, dudu: Chart
) -> None:
    told = [("Paris", "2026-01-01", "user_direct:chat:m1"), ("Rome", "2026-03-01", "user_direct:chat:m2")]
    told.append(("Oslo", "2026-02-01", "channel:team:m3"))
    kept = [
        dudu.store(city, subject="Ada", predicate="city", object=city, valid_from=since, origin=origin)
        for city, since, origin in told
    ]
    assert workspace.waiting() == []
    dudu.withdraw(kept[1].memory_id)
    (shown,) = workspace.waiting()
    assert (shown.to_dict()["kind"], shown.to_dict()["object"], shown.review.writer) == ("shadowed_fact", "Oslo", "")


def test_what_is_held_back_can_be_erased_by_its_id(workspace: Workspace, dudu: Chart) -> None:
    held = dudu.store(ORDER, origin="channel:team:m1")
    assert dudu.erase([held.memory_id, "mem_none"]).to_dict()["missing_ids"] == ["mem_none"]
    assert held.review_id is not None
    with pytest.raises(UnknownReview):
        workspace.review(held.review_id)
