"""The archive: what it takes out of reading, what it leaves as it is, and what comes back."""

from collections.abc import Iterable

import pytest
from hypothesis import given

from karte.core.namespaces import Namespace, Scope
from karte.core.periods import FOREVER
from karte.errors import Incorrect, MissingScope
from karte.testing.dumping import dump
from karte.testing.parts import GivenClock
from karte.testing.programs import Program, day, programs, tell
from karte.workspace import Chart, Workspace
from tests.laws.opening import opened
from tests.stores import STORES

DUDU = Namespace("dudu")
DAYS = 86_400


def put_away(ws: Workspace, chart: Chart, ids: Iterable[str], at: int = 0) -> None:
    """Archive memories whatever their age."""
    with ws._services.store.writing() as unit:
        kept = unit.memories.by_id(chart._caller.namespace, list(ids))
        unit.archive.add(chart._caller.namespace, [k.memory.number for k in kept.values()], at)


@pytest.fixture
def paris(dudu: Chart) -> str:
    return dudu.store(
        "Ada moved to Paris", subject="Ada", predicate="lives in", object="Paris", tags=["home"]
    ).memory_id


class TestReading:
    def test_an_archived_memory_is_left_out_of_search_list_and_what_holds(
        self, ws: Workspace, dudu: Chart, paris: str
    ) -> None:
        put_away(ws, dudu, [paris])
        assert (dudu.search("Paris").hits, dudu.list().memories, dudu.at("Ada", "lives in").memories) == ((), (), ())

    def test_it_is_left_out_as_of_a_time_before_it_was_archived_too(
        self, ws: Workspace, dudu: Chart, paris: str, clock: GivenClock
    ) -> None:
        clock.advance(60)
        newer = dudu.store("Ada moved to Rome", subject="Ada", predicate="lives in", object="Rome").memory_id
        then = "2026-07-01T00:00:30Z"
        asked = [{"at": then}, {"known_at": then}, {"at": then, "known_at": then}]
        assert [[m.id for m in dudu.list(**when).memories] for when in asked] == [[paris]] * 3  # type: ignore[arg-type]  # options as a mapping
        put_away(ws, dudu, [paris])
        assert [[m.id for m in dudu.list(**when).memories] for when in asked] == [[]] * 3  # type: ignore[arg-type]  # options as a mapping
        assert [m.id for m in dudu.list().memories] == [newer]

    def test_archiving_the_present_never_revives_the_past(
        self, ws: Workspace, dudu: Chart, paris: str, clock: GivenClock
    ) -> None:
        clock.advance(60)
        newer = dudu.store("Ada moved to Rome", subject="Ada", predicate="lives in", object="Rome").memory_id
        put_away(ws, dudu, [newer])
        assert (dudu.at("Ada", "lives in").memories, dudu.list().memories) == ((), ())
        assert dudu.read(paris).status == "historical"

    def test_who_knows_its_id_or_asks_for_its_history_reads_it_with_a_mark(
        self, ws: Workspace, dudu: Chart, paris: str
    ) -> None:
        put_away(ws, dudu, [paris])
        assert (dudu.read(paris).marks, dudu.read(paris).content) == (("archived",), "Ada moved to Paris")
        assert [chapter.item.marks for chapter in dudu.history("Ada", "lives in").chain] == [("archived",)]

    def test_what_was_derived_from_it_stays_as_trusted_and_is_not_stale(
        self, ws: Workspace, dudu: Chart, paris: str
    ) -> None:
        child = dudu.store("Ada speaks French", derived_from=[paris]).memory_id
        before = dudu.read(child).to_dict()
        put_away(ws, dudu, [paris])
        assert (dudu.read(child).to_dict(), before["marks"]) == (before, [])


class TestSayingAgain:
    @pytest.mark.parametrize("text", ["Ada moved to Paris", "ada moved to  PARIS"])
    def test_what_is_said_again_is_in_recall_again(
        self, ws: Workspace, dudu: Chart, paris: str, clock: GivenClock, text: str
    ) -> None:
        put_away(ws, dudu, [paris])
        clock.advance(60)
        dudu.store(text, subject="Ada", predicate="lives in", object="Paris", origin="import:b.md")
        assert [m.id for m in dudu.at("Ada", "lives in").memories] == [paris]
        assert dudu.archived().memories == ()

    def test_another_item_that_says_the_same_brings_the_first_one_back(
        self, ws: Workspace, dudu: Chart, clock: GivenClock
    ) -> None:
        told = {"subject": "Ada", "predicate": "lives in", "object": "Paris", "layer": "episodic"}
        first = dudu.store("Ada moved", origin="import:a:1", **told).memory_id  # type: ignore[arg-type]  # options as a mapping
        put_away(ws, dudu, [first])
        clock.advance(60)
        second = dudu.store("Ada moved", origin="import:a:2", **told).memory_id  # type: ignore[arg-type]  # options as a mapping
        assert second != first
        assert (dudu.archived().memories, dudu.read(first).marks) == ((), ())

    def test_the_very_same_turn_again_changes_nothing(self, ws: Workspace, dudu: Chart) -> None:
        said = {"origin": "import:a:1", "observed_at": "2026-06-01", "layer": "episodic"}
        turn = dudu.store("晚餐吃拉麵", **said).memory_id  # type: ignore[arg-type]  # options as a mapping
        put_away(ws, dudu, [turn])
        assert dudu.store("晚餐吃拉麵", **said).status == "unchanged"  # type: ignore[arg-type]  # options as a mapping
        assert [a.memory.id for a in dudu.archived().memories] == [turn]


class TestListing:
    def test_the_archive_tells_since_when_and_until_when(self, ws: Workspace, dudu: Chart, paris: str) -> None:
        tea = dudu.store("小雨喜歡喝茶").memory_id
        put_away(ws, dudu, [paris, tea], at=1_767_225_600_000_000)
        shapes = dudu.archived().to_dict()["memories"]
        assert [(m["id"], m["archived_at"], m["purge_at"]) for m in shapes] == [
            (tea, "2026-01-01T00:00:00Z", "2026-04-01T00:00:00Z"),
            (paris, "2026-01-01T00:00:00Z", "2026-04-01T00:00:00Z"),
        ]
        assert [a.memory.id for a in dudu.archived(1).memories] == [tea]

    def test_everybody_has_an_archive_of_their_own(self, ws: Workspace, dudu: Chart, paris: str) -> None:
        put_away(ws, dudu, [paris])
        assert (ws.archived().memories, ws.agent("yuki").archived().memories) == ((), ())

    @pytest.mark.parametrize("limit", [0, 1_001, True, "3"])
    def test_a_limit_out_of_range_is_refused(self, dudu: Chart, limit: int) -> None:
        with pytest.raises(Incorrect):
            dudu.archived(limit)


class TestRestoring:
    def test_what_was_restored_is_what_was_there(self, ws: Workspace, dudu: Chart, paris: str) -> None:
        before = dudu.read(paris).to_dict()
        put_away(ws, dudu, [paris])
        assert dudu.restore([paris]).to_dict() == {"memory_ids": [paris], "missing_ids": []}
        assert dudu.read(paris).to_dict() == {**before, "access_count": 1, "recall_count": 1}
        assert [hit.memory.id for hit in dudu.search("Paris").hits] == [paris]

    def test_what_is_not_in_the_archive_is_named(self, ws: Workspace, dudu: Chart, paris: str) -> None:
        tea = dudu.store("小雨喜歡喝茶").memory_id
        other = ws.store("the workspace's own").memory_id
        put_away(ws, dudu, [tea])
        put_away(ws, ws, [other])
        restored = dudu.restore([paris, tea, "mem_x", other, tea])
        assert (restored.memory_ids, restored.missing_ids) == ((tea,), (paris, "mem_x", other))
        assert [a.memory.id for a in ws.archived().memories] == [other]

    def test_it_needs_ids_and_the_scope_to_write(self, dudu: Chart) -> None:
        for ids in ([], "mem_x", [7]):
            with pytest.raises(Incorrect):
                dudu.restore(ids)  # type: ignore[arg-type]  # what a caller may hand in
        with pytest.raises(MissingScope):
            dudu.acting(scopes=frozenset({Scope.READ})).restore(["mem_x"])


def unmarked(words: str) -> str:
    """A statement in words without the mark of the archive."""
    return words.replace("['archived', ", "[").replace("['archived']", "[]")


@pytest.mark.parametrize("store", STORES)
@given(programs())
def test_archiving_everything_changes_no_record_and_no_fold_and_restoring_is_exact(
    store: str, program: Program
) -> None:
    asked = (day(1.5), day(9))
    with opened(STORES[store]) as desk:
        ids = tell(program, desk.chart, desk.clock.advance).ids
        before = dump(desk.chart, ids, asked)
        put_away(desk.workspace, desk.chart, ids.values())
        away = dump(desk.chart, ids, asked)
        assert {frozenset(map(unmarked, chain)) for chain in away.chains} == before.chains
        assert away.holding == dict.fromkeys(asked, ())
        assert desk.workspace.doctor().differences == ()
        if ids:
            desk.chart.restore(list(ids.values()))
        assert dump(desk.chart, ids, asked) == before
        with desk.workspace._services.store.reading() as unit:
            assert unit.archive.entered(DUDU, FOREVER, FOREVER, 1) == []
