"""What an agent remembers for one session is found there at once, and nowhere else; then it expires."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from karte.bootstrap import Parts, import_workspace, open_workspace
from karte.core.origins import Origin
from karte.core.results import Outcome
from karte.errors import EmptyText, InvalidValue, UnknownMemory
from karte.models.embedders import open_embedder
from karte.testing.parts import CountedIds, GivenClock
from karte.testing.programs import TOLD
from karte.workspace import Chart, Workspace
from tests.laws.opening import Desk, opened
from tests.stores import STORES

HOUR = 3_600
MODES = ("keyword", "semantic", "hybrid")
MEETING = Origin("user_direct", "chat:標會", "m1")


@pytest.fixture(params=STORES)
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    """A workspace with an embedder, so that all modes of search have a voice."""
    clock = GivenClock(TOLD)
    store = STORES[request.param](tmp_path)
    parts = Parts(store=store, clock=clock, ids=CountedIds(), embedder=open_embedder("hash"))
    with open_workspace(":memory:", parts=parts) as workspace:
        yield Desk(workspace, clock, workspace.agent("dudu"))


@pytest.fixture
def quick() -> Iterator[Desk]:
    with opened(STORES["memory"]) as made:
        yield made


def found(workspace: Workspace, chart: Chart, session: str | None = None) -> dict[str, list[str]]:
    """What each way of looking finds of the text that is remembered."""
    workspace.embed()
    texts = {mode: chart.search("週五 部署 凍結", mode=mode, floor=0, session=session).hits for mode in MODES}
    hits = {mode: [hit.memory.content for hit in each] for mode, each in texts.items()}
    return {**hits, "list": [item.content for item in chart.list(session=session).memories]}


def everywhere(*texts: str) -> dict[str, list[str]]:
    return {name: list(texts) for name in (*MODES, "list")}


class TestWhereItIsFound:
    """In its own session, of its own agent, until it expires."""

    def test_it_is_found_in_its_session_at_once(self, desk: Desk) -> None:
        desk.chart.remember("週五部署凍結", "s1")
        assert found(desk.workspace, desk.chart, "s1") == everywhere("週五部署凍結")

    def test_it_is_found_neither_without_a_session_nor_in_another_one(self, desk: Desk) -> None:
        desk.chart.remember("週五部署凍結", "s1")
        assert found(desk.workspace, desk.chart) == everywhere()
        assert found(desk.workspace, desk.chart, "s2") == everywhere()

    def test_it_is_found_by_no_other_agent_and_not_by_the_workspace_itself(self, desk: Desk) -> None:
        desk.chart.remember("週五部署凍結", "s1")
        assert found(desk.workspace, desk.workspace.agent("ゆき"), "s1") == everywhere()
        assert found(desk.workspace, desk.workspace, "s1") == everywhere()

    def test_it_is_not_found_after_it_expired(self, desk: Desk) -> None:
        desk.chart.remember("週五部署凍結", "s1", ttl_hours=2)
        desk.clock.advance(2 * HOUR - 1)
        assert found(desk.workspace, desk.chart, "s1") == everywhere("週五部署凍結")
        desk.clock.advance(2)
        assert found(desk.workspace, desk.chart, "s1") == everywhere()

    def test_it_lasts_a_day_unless_said_otherwise(self, desk: Desk) -> None:
        receipt = desk.chart.remember("週五部署凍結", "s1")
        desk.clock.advance(24 * HOUR - 1)
        assert desk.chart.read(receipt.memory_id).content == "週五部署凍結"
        desk.clock.advance(2)
        with pytest.raises(UnknownMemory):
            desk.chart.read(receipt.memory_id)

    def test_the_same_text_in_two_sessions_is_found_in_both(self, desk: Desk) -> None:
        first, second = (desk.chart.remember("週五部署凍結", session) for session in ("s1", "s2"))
        assert (first.status, second.status) == (Outcome.STORED, Outcome.STORED)
        assert first.memory_id != second.memory_id
        for session in ("s1", "s2"):
            assert found(desk.workspace, desk.chart, session) == everywhere("週五部署凍結")

    def test_what_was_told_in_a_session_as_a_memory_is_found_beside_it(self, desk: Desk) -> None:
        desk.chart.store("週五的部署由 Ada 做", session="s1", layer="episodic")
        desk.chart.remember("週五部署凍結", "s1")
        listed = [item.content for item in desk.chart.list(session="s1").memories]
        assert listed == ["週五部署凍結", "週五的部署由 Ada 做"]


class TestSayingItAgain:
    """The same text again in one session is one memory that is said twice."""

    def test_it_is_reaffirmed_and_lasts_longer(self, desk: Desk) -> None:
        first = desk.chart.remember("週五部署凍結", "s1", ttl_hours=2)
        desk.clock.advance(HOUR)
        again = desk.chart.remember("週五部署凍結", "s1", ttl_hours=2)
        assert (again.status, again.memory_id) == (Outcome.REAFFIRMED, first.memory_id)
        desk.clock.advance(1.5 * HOUR)
        assert found(desk.workspace, desk.chart, "s1") == everywhere("週五部署凍結")

    def test_a_retry_with_its_key_is_answered_by_the_first_receipt(self, desk: Desk) -> None:
        first = desk.chart.remember("週五部署凍結", "s1", idempotency_key="k")
        desk.clock.advance()
        assert desk.chart.remember("週五部署凍結", "s1", idempotency_key="k") == first


class TestWhatMayBeGiven:
    """A session is named, and what it takes is said in the error where something else is given."""

    @pytest.mark.parametrize("hours", [0, -1, True, "2", 10_000_000])
    def test_hours_are_a_positive_number(self, quick: Desk, hours: float) -> None:
        with pytest.raises(InvalidValue, match="ttl_hours"):
            quick.chart.remember("x", "s1", ttl_hours=hours)

    @pytest.mark.parametrize("session", ["", " "])
    def test_a_session_has_a_name(self, quick: Desk, session: str) -> None:
        with pytest.raises(EmptyText, match="session_id"):
            quick.chart.remember("x", session)

    def test_a_fact_with_a_triple_is_none_of_a_session(self, quick: Desk) -> None:
        with pytest.raises(InvalidValue, match="'predicate'"):
            quick.chart.remember("x", "s1", subject="x", predicate="is")  # type: ignore[call-arg]  # what a caller may give in spite of the types

    def test_its_type_importance_and_source_are_kept(self, quick: Desk) -> None:
        receipt = quick.chart.remember("金曜は凍結", "s1", memory_type="decision", importance=8, origin=MEETING)
        item = quick.chart.read(receipt.memory_id)
        assert (item.details.memory_type, item.details.importance, item.details.session) == ("decision", 8, "s1")
        assert [said.origin for said in item.said] == [MEETING]
        assert receipt.memory_id.startswith("mem_")


def test_it_goes_with_its_source_when_that_is_forgotten(desk: Desk) -> None:
    desk.chart.remember("週五部署凍結", "s1", origin=MEETING)
    desk.chart.remember("週五部署解凍", "s1")
    plan = desk.workspace.plan_to_forget(MEETING)
    desk.workspace.approve_plan(plan.id, plan.digest.hex())
    desk.workspace.forget(plan.id)
    assert found(desk.workspace, desk.chart, "s1") == everywhere("週五部署解凍")


@pytest.mark.parametrize("name", ["export", "backup"])
def test_it_is_carried_by_export_and_backup(tmp_path: Path, name: str) -> None:
    parts = Parts(clock=GivenClock(TOLD), ids=CountedIds(), embedder=open_embedder("hash"))
    with open_workspace(str(tmp_path / "one.karte"), parts=parts) as workspace:
        workspace.agent("dudu").remember("週五部署凍結", "s1")
        getattr(workspace, name)(tmp_path / "all.karte-export")
    import_workspace(tmp_path / "all.karte-export", str(tmp_path / "two.karte"))
    with open_workspace(str(tmp_path / "two.karte"), parts=parts) as workspace:
        dudu = workspace.agent("dudu")
        assert found(workspace, dudu, "s1") == everywhere("週五部署凍結")
        assert dudu.remember("週五部署凍結", "s1").status is Outcome.REAFFIRMED
