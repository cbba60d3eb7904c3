"""Forgetting by decay: what fades, what stays, what is purged and what others stand on; two years of it in a file."""

import math
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from karte.bootstrap import Parts, open_workspace
from karte.core.namespaces import Namespace, Scope
from karte.engine.keeping import decay
from karte.engine.remembering.turns import Chat, Turn
from karte.errors import MaintenanceRunning, MissingScope
from karte.ports import Lease
from karte.stores.sqlite import SQLiteStore
from karte.testing.parts import CountedIds, GivenClock
from karte.workspace import Chart, Workspace
from tests.stores import QUICK
from tests.unit.engine.conftest import NOW

DAYS = 86_400


def turn(chart: Chart, text: str, importance: float = 2) -> str:
    return chart.store(text, layer="episodic", importance=importance).memory_id


def archived(ws: Workspace) -> list[str]:
    """Archive what has faded; gives the ids."""
    return sorted(faded.memory_id for faded in ws.maintain().decay.faded)


class TestTheCondition:
    @pytest.mark.parametrize(("days", "gone"), [(29, False), (30, False), (30.01, True)])
    def test_a_turn_nobody_asked_for_goes_after_30_days(
        self, ws: Workspace, dudu: Chart, clock: GivenClock, days: float, *, gone: bool
    ) -> None:
        said = turn(dudu, "中午吃了拉麵")
        clock.advance(days * DAYS)
        assert archived(ws) == ([said] if gone else [])

    def test_what_holds_and_what_matters_stays(self, ws: Workspace, dudu: Chart, clock: GivenClock) -> None:
        dudu.store("Ada lives in Paris", importance=0)
        turn(dudu, "we decided to use pnpm", importance=3)
        gone = turn(dudu, "somebody coughed", importance=2.99)
        clock.advance(700 * DAYS)
        assert archived(ws) == [gone]

    def test_a_run_says_why(self, ws: Workspace, dudu: Chart, clock: GivenClock) -> None:
        said = turn(dudu, "점심은  비빔밥이었다\n" + "x" * 200)
        clock.advance(42 * DAYS)
        (shape,) = ws.maintain().to_dict()["decay"]["faded"]
        expected = {
            "memory_id": said,
            "owner": "dudu",
            "excerpt": "점심은 비빔밥이었다 " + "x" * 108 + "…",
            "age_days": 42.0,
            "idle_days": 42.0,
            "uses": 0,
            "importance": 2.0,
            "retrievability": round(math.exp(-42 / (14 * 2 / 5)), 6),
        }
        assert shape == expected

    # One use makes S = 5.6 * (1 + 0.6 ln 2) = 7.929 days, so R = 0.05 after 23.75 days.
    @pytest.mark.parametrize(("days", "gone"), [(23, False), (24, True)])
    def test_a_recall_counts_from_the_recall_on(
        self, ws: Workspace, dudu: Chart, clock: GivenClock, days: float, *, gone: bool
    ) -> None:
        said = turn(dudu, "昼にラーメンを食べた")
        clock.advance(29 * DAYS)
        assert [hit.memory.id for hit in dudu.search("ラーメン").hits] == [said]
        clock.advance(days * DAYS)
        assert archived(ws) == ([said] if gone else [])

    @pytest.mark.parametrize(("days", "gone"), [(23, False), (24, True)])
    def test_being_said_again_counts_like_a_recall(
        self, ws: Workspace, dudu: Chart, clock: GivenClock, days: float, *, gone: bool
    ) -> None:
        said = turn(dudu, "lunch was ramen")
        clock.advance(29 * DAYS)
        assert dudu.store("Lunch was ramen", layer="episodic").memory_id == said
        clock.advance(days * DAYS)
        assert archived(ws) == ([said] if gone else [])

    @pytest.mark.parametrize(("days", "gone"), [(23, False), (24, True)])
    def test_being_restored_counts_like_a_recall(
        self, ws: Workspace, dudu: Chart, clock: GivenClock, days: float, *, gone: bool
    ) -> None:
        said = turn(dudu, "lunch was ramen")
        clock.advance(40 * DAYS)
        assert archived(ws) == [said]
        dudu.restore([said])
        clock.advance(days * DAYS)
        assert archived(ws) == ([said] if gone else [])

    def test_an_old_chat_that_is_imported_today_is_not_old(self, ws: Workspace, dudu: Chart, clock: GivenClock) -> None:
        spoken = datetime(2020, 1, 1, tzinfo=UTC)
        dudu.ingest_chat(Chat("old", (Turn("user", "Mei", "I bought a bicycle", spoken),)))
        assert archived(ws) == []
        clock.advance(31 * DAYS)
        assert len(archived(ws)) == 1

    def test_what_was_withdrawn_stays_on_record(self, ws: Workspace, dudu: Chart, clock: GivenClock) -> None:
        said = turn(dudu, "lunch was ramen")
        dudu.withdraw(said, "it was rice")
        clock.advance(400 * DAYS)
        assert archived(ws) == []

    def test_defaults_let_small_things_fade_and_what_is_stated_wins(
        self, ws: Workspace, dudu: Chart, clock: GivenClock
    ) -> None:
        seen = {"layer": "episodic", "memory_type": "observation", "origin": "tool_echo:build:1"}
        small = [
            dudu.store("The build took 3 minutes", **seen).memory_id,  # type: ignore[arg-type]  # options as a mapping
            dudu.store("好的，謝謝", layer="episodic").memory_id,
        ]
        dudu.store("The build took 4 minutes", importance=6, **seen)  # type: ignore[arg-type]  # options as a mapping
        dudu.store("The build failed", layer="episodic")
        clock.advance(31 * DAYS)
        assert archived(ws) == sorted(small)


class TestPurging:
    @pytest.fixture
    def london(self, dudu: Chart) -> str:
        stored = dudu.store("Ada lives in London", subject="Ada", predicate="lives in", object="London")
        return stored.memory_id

    @pytest.mark.parametrize(("days", "purged"), [(89.9, 0), (90, 1)])
    def test_after_90_days_in_the_archive_it_is_gone(
        self, ws: Workspace, dudu: Chart, clock: GivenClock, days: float, purged: int
    ) -> None:
        said = turn(dudu, "lunch was ramen")
        clock.advance(40 * DAYS)
        ws.maintain()
        clock.advance(days * DAYS)
        done = ws.maintain().decay
        assert (done.purged, done.purged_ids, dudu.fetch([said]).missing_ids) == (
            purged,
            [said] * purged,
            (said,) * purged,
        )

    def test_a_source_of_something_else_is_held_as_long_as_that_stays(
        self, ws: Workspace, dudu: Chart, clock: GivenClock
    ) -> None:
        said = turn(dudu, "Mei: I moved to Rome")
        child = dudu.store("Mei lives in Rome", derived_from=[said]).memory_id
        before = dudu.read(child).to_dict()
        for _ in range(2):
            clock.advance(100 * DAYS)
            done = ws.maintain().decay
        assert (done.purged, done.held, dudu.read(said).marks) == (0, 1, ("archived",))
        assert dudu.read(child).to_dict() == before
        dudu.erase([child])
        assert ws.maintain().decay.purged == 1

    def test_what_is_derived_goes_along_once_it_is_due_too(self, ws: Workspace, dudu: Chart, clock: GivenClock) -> None:
        said = turn(dudu, "Mei: I moved to Rome")
        clock.advance(10 * DAYS)
        child = dudu.store("a note on Rome", layer="episodic", importance=1, derived_from=[said]).memory_id
        clock.advance(35 * DAYS)
        ws.maintain()
        clock.advance(90 * DAYS)
        done = ws.maintain().decay
        assert (done.purged, done.held, sorted(done.purged_ids)) == (2, 0, sorted([said, child]))
        assert ws.doctor().differences == ()

    def test_a_linked_text_is_held_with_what_it_is_linked_to(
        self, ws: Workspace, dudu: Chart, clock: GivenClock
    ) -> None:
        old = turn(dudu, "standup is at nine")
        newer = dudu.store("standup is at ten", layer="episodic").memory_id
        dudu.supersede(old, newer)
        for _ in range(2):
            clock.advance(100 * DAYS)
            done = ws.maintain().decay
        assert (done.purged, done.held) == (0, 1)
        assert [m.id for m in dudu.list().memories] == [newer]

    def test_where_it_displaced_something_an_empty_period_stays_and_no_word_of_it(
        self, ws: Workspace, dudu: Chart, clock: GivenClock, london: str
    ) -> None:
        clock.advance(10)
        moved = dudu.store(
            "Ada moved to Paris", subject="Ada", predicate="lives in", object="Paris", layer="episodic", importance=2
        )
        clock.advance(10)
        dudu.store("Ada lives in Rome", subject="Ada", predicate="lives in", object="Rome")
        for _ in range(2):
            clock.advance(100 * DAYS)
            done = ws.maintain().decay
        assert done.purged_ids == [moved.memory_id]
        asked = ("2026-07-01T00:00:05Z", "2026-07-01T00:00:15Z", "2026-07-01T00:00:25Z")
        held = [[m.object for m in dudu.at("Ada", "lives in", at).memories] for at in asked]
        assert held == [["London"], [], ["Rome"]]
        assert dudu.at("Ada", "lives in", known_at="2026-07-01T00:00:15Z").memories == ()
        assert dudu.read(london).valid_until == NOW + timedelta(seconds=10)
        assert "Paris" not in str(dudu.history("Ada", "lives in").to_dict())
        assert ws.doctor().differences == ()

    def test_of_a_predicate_of_many_values_only_that_value_is_empty(
        self, ws: Workspace, dudu: Chart, clock: GivenClock
    ) -> None:
        dudu.set_predicate("likes", multi_valued=True)
        tea = {"subject": "小雨", "predicate": "likes", "object": "茶"}
        dudu.store("小雨喜歡喝茶", **tea)  # type: ignore[arg-type]  # options as a mapping
        dudu.store("小雨喜歡咖啡", subject="小雨", predicate="likes", object="咖啡")
        clock.advance(10)
        dudu.store("小雨今天又喝茶", layer="episodic", importance=2, **tea)  # type: ignore[arg-type]  # options as a mapping
        for _ in range(2):
            clock.advance(100 * DAYS)
            done = ws.maintain().decay
        assert done.purged == 1
        assert [m.object for m in dudu.at("小雨", "likes").memories] == ["咖啡"]
        assert ws.doctor().differences == ()


class TestDryRun:
    def test_it_says_what_a_run_does_and_changes_nothing(self, ws: Workspace, dudu: Chart, clock: GivenClock) -> None:
        source = turn(dudu, "Mei: I moved to Rome")
        dudu.store("Mei lives in Rome", derived_from=[source])
        for number in range(3):
            turn(dudu, f"turn {number}")
        clock.advance(40 * DAYS)
        ws.maintain()
        ws.agent("yuki").store("はい", layer="episodic")
        turn(dudu, "what came later")
        clock.advance(90 * DAYS)
        before = everything(ws)
        dry = ws.maintain(dry_run=True)
        assert everything(ws) == before
        run = ws.maintain()
        assert (run.decay.archived, run.decay.purged, run.decay.held) == (2, 3, 1)
        assert (dry.dry_run, run.dry_run, run.decay.scrubbed) == (True, False, True)
        assert dry.decay.to_dict() == {**run.decay.to_dict(), "scrubbed": None}
        assert everything(ws) != before

    def test_pages_give_what_one_page_gives(
        self, ws: Workspace, dudu: Chart, clock: GivenClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        said = [turn(dudu, f"turn {number}") for number in range(5)]
        for number in range(3):
            dudu.store(f"note {number}", layer="episodic", importance=1, derived_from=[said[number]])
        monkeypatch.setattr(decay, "PAGE", 2)
        reported: list[tuple[int, int]] = []
        clock.advance(40 * DAYS)
        assert ws.maintain(lambda done, total: reported.append((done, total))).decay.archived == 8
        assert reported[:4] == [(2, 8), (4, 8), (6, 8), (8, 8)]
        clock.advance(90 * DAYS)
        dry, run = ws.maintain(dry_run=True).decay, ws.maintain().decay
        assert (run.purged, run.held) == (8, 0)
        assert dry.to_dict() == {**run.to_dict(), "scrubbed": None}
        assert ws.stats().memories["dudu"] == 0

    def test_more_than_are_named_are_counted(
        self, ws: Workspace, dudu: Chart, clock: GivenClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(decay, "MOST_NAMED", 2)
        for number in range(3):
            turn(dudu, f"turn {number}")
        clock.advance(40 * DAYS)
        done = ws.maintain().decay
        assert (done.archived, len(done.faded)) == (3, 2)
        clock.advance(90 * DAYS)
        done = ws.maintain().decay
        assert (done.purged, len(done.purged_ids)) == (3, 2)


def everything(ws: Workspace) -> str:
    """All tables of a workspace in memory, in words."""
    return str(ws._services.store._tables)  # type: ignore[attr-defined]  # the oracle's


class TestOneRunnerAtATime:
    def test_a_second_run_is_refused_while_the_first_one_works(
        self, ws: Workspace, dudu: Chart, clock: GivenClock
    ) -> None:
        turn(dudu, "lunch was ramen")
        clock.advance(40 * DAYS)
        refused: list[str] = []

        def meanwhile(_done: int, _total: int) -> None:
            with pytest.raises(MaintenanceRunning) as error:
                ws.maintain()
            refused.append(error.value.category)
            assert ws.maintain(dry_run=True).decay.archived == 0

        assert ws.maintain(meanwhile).decay.archived == 1
        assert set(refused) == {"conflict"}
        assert ws.maintain().decay.archived == 0

    # A run that died ten minutes ago is in nobody's way, nor is a lease from a clock that was set back.
    @pytest.mark.parametrize(
        ("ends_in", "free"), [(1, False), (600, False), (1_200, False), (0, True), (-1, True), (1_201, True)]
    )
    def test_a_lease_is_good_for_ten_minutes(
        self, ws: Workspace, clock: GivenClock, ends_in: int, *, free: bool
    ) -> None:
        keep_lease(ws, clock.now() + ends_in * 1_000_000)
        if free:
            assert ws.maintain().decay.examined == 0
        else:
            with pytest.raises(MaintenanceRunning):
                ws.maintain()

    def test_a_long_run_extends_its_lease_and_ends_where_another_one_took_over(
        self, ws: Workspace, dudu: Chart, clock: GivenClock
    ) -> None:
        for chart in (ws, dudu, ws.agent("yuki")):
            chart.store("a fact")

        def slow(_done: int, _total: int) -> None:
            clock.advance(400)

        assert ws.maintain(slow).decay.examined == 3

        def overtaken(_done: int, _total: int) -> None:
            clock.advance(601)
            keep_lease(ws, clock.now() + 300_000_000)

        with pytest.raises(MaintenanceRunning):
            ws.maintain(overtaken)
        with ws._services.store.reading() as unit:
            assert unit.leases.find("maintain") == Lease("run_other", clock.now() + 300_000_000)

    def test_it_needs_the_scope_admin(self, ws: Workspace) -> None:
        desk, caller = ws._desk, ws._caller
        reader = Workspace(desk, type(caller)(Namespace(), caller.origin, scopes=frozenset({Scope.WRITE})))
        for dry_run in (True, False):
            with pytest.raises(MissingScope):
                reader.maintain(dry_run=dry_run)


def keep_lease(ws: Workspace, until: int) -> None:
    with ws._services.store.writing() as unit:
        unit.leases.keep("maintain", Lease("run_other", until))


WEEKS = 104
BEGIN = datetime(2026, 1, 1, 12, tzinfo=UTC)
SAYINGS = ("the canteen served {}", "今天的午餐是{}", "今天的午饭是{}", "お昼は{}でした", "점심은 {} 였다")
FILE = "two-years.karte"


@pytest.fixture
def two_years(tmp_path: Path) -> Iterator[tuple[Workspace, GivenClock]]:
    clock = GivenClock(BEGIN)
    store = SQLiteStore(tmp_path / FILE, durability=QUICK)
    with open_workspace(FILE, parts=Parts(store=store, clock=clock, ids=CountedIds())) as workspace:
        yield workspace, clock


def word(day: int) -> str:
    """A word of its own for each day."""
    return f"dish{day:03}"


def hear(chart: Chart, day: int) -> tuple[str, str]:
    """What an agent is told in a day, by ids: a turn that means something and one that does not."""
    spoken = BEGIN + timedelta(days=day)
    text = SAYINGS[day % len(SAYINGS)].format(word(day))
    turns = (Turn("user", "Mei", text, spoken, "1"), Turn("assistant", "Dudu", "好的，謝謝", spoken, "2"))
    chart.ingest_chat(Chat(f"day {day}", turns))
    courtesy, said = chart.list(2).memories
    return said.id, courtesy.id


def first_run_after(days: float) -> int:
    """The day of the first weekly run later than so many days after the beginning."""
    return (math.floor(days / 7) + 1) * 7


@pytest.mark.slow
def test_two_years_of_an_agents_life(two_years: tuple[Workspace, GivenClock], tmp_path: Path) -> None:
    """Turns fade after 30 days and are purged 90 days later; what is recalled, holds or matters stays."""
    ws, clock = two_years
    dudu = ws.agent("dudu", role="engineer")
    dudu.store("Mei is allergic to nuts", importance=1)
    dudu.store("The kitchen burned down in spring", layer="episodic", importance=3)
    said, courtesies = dict[int, str](), dict[int, str]()
    gone_at: dict[str, int] = {}
    purged_at: dict[str, int] = {}
    for day in range(WEEKS * 7):
        if day % 7 == 0 and day:
            dry, run = ws.maintain(dry_run=True).decay, ws.maintain().decay
            assert dry.to_dict() == {**run.to_dict(), "scrubbed": run.scrubbed and None}
            gone_at |= {faded.memory_id: day for faded in run.faded}
            purged_at |= dict.fromkeys(run.purged_ids, day)
        said[day], courtesies[day] = hear(dudu, day)
        if day % 7 == 3:
            dudu.search(word(0), limit=1)
            if day < 300:
                dudu.search(word(1), limit=1)
        clock.advance(DAYS)

    last_run = (WEEKS - 1) * 7
    unasked = [*((day, said[day]) for day in said if day not in (0, 1)), *courtesies.items()]
    expected = {memory: first_run_after(day + 30) for day, memory in unasked}
    # Recalled in 43 weeks, last on day 297: S = 5.6 * (1 + 0.6 ln 44) days, and R is below 0.05 after ln 20 of these.
    expected[said[1]] = first_run_after(297 + 5.6 * (1 + 0.6 * math.log(44)) * math.log(20))
    faded = {memory: day for memory, day in expected.items() if day <= last_run}
    assert gone_at == faded
    assert purged_at == {memory: day + 91 for memory, day in faded.items() if day + 91 <= last_run}
    assert [hit.memory.id for hit in dudu.search(word(0)).hits] == [said[0]]
    assert [hit.memory.content for hit in dudu.search("allergic nuts").hits] == ["Mei is allergic to nuts"]
    assert [hit.memory.content for hit in dudu.search("kitchen burned").hits] == ["The kitchen burned down in spring"]
    assert ws.doctor().differences == ()
    ws.close()
    left = b"".join(path.read_bytes() for path in sorted(tmp_path.glob(f"{FILE}*")))
    kept = {day for day in range(WEEKS * 7) if said[day] not in purged_at}
    assert {day for day in range(WEEKS * 7) if word(day).encode() in left} == kept
    assert len(kept) == 1 + len([day for day in range(2, WEEKS * 7) if first_run_after(day + 30) + 91 > last_run])
