"""Importing: what arrives is what was exported, to the last bit, on whatever store, and however often it is interrupted."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from karte.bootstrap import Parts, open_workspace
from karte.core.memories import Layer
from karte.core.namespaces import Namespace
from karte.core.origins import Origin
from karte.core.periods import instant_of
from karte.core.reviews import Review, ReviewKind, ReviewState
from karte.engine.moving import carried, deriving, dumping, loading
from karte.engine.moving.filling import FILL
from karte.engine.moving.importing import fill
from karte.engine.moving.marks import Mark, mark_of
from karte.errors import Conflict, CopyDiffers, ExportDamaged, WorkspaceNotEmpty, WorkspaceUnfinished
from karte.ports import Agent, AuditEntry, Block, KeptReceipt, Store, Usage, Writing
from karte.stores.memory import MemoryStore
from karte.testing.parts import GivenClock
from tests.stores import LASTING, STORES
from tests.unit.engine.archives import rewritten, without
from tests.unit.engine.conftest import NOW
from tests.unit.engine.moved import (
    DOMAINS,
    DUDU,
    GRANTS,
    SECRET,
    TEXTS,
    YUKI,
    counters,
    export_of,
    fill_with_everything,
    looked_at,
    moved,
    opened,
    packed,
    services_over,
)

MOMENTS = (NOW, NOW + timedelta(seconds=4), NOW + timedelta(seconds=12), NOW + timedelta(days=9))


def made(name: str, folder: Path) -> Store:
    """A new and empty store in a folder of its own."""
    folder.mkdir()
    return STORES[name](folder)


@pytest.fixture(scope="module")
def everything() -> tuple[Store, dict[str, str], bytes]:
    """A workspace of everything in memory, some of its ids, and its export."""
    store = MemoryStore()
    ids = fill_with_everything(store)
    return store, ids, packed(store)


Everything = tuple[Store, dict[str, str], bytes]


class TestWhatArrives:
    @pytest.mark.parametrize("target", STORES)
    @pytest.mark.parametrize("source", LASTING)
    def test_the_export_of_what_arrived_is_the_same_to_the_byte(
        self, source: str, target: str, everything: Everything, tmp_path: Path
    ) -> None:
        with closing(made(source, tmp_path / "source")) as here, closing(made(target, tmp_path / "target")) as there:
            fill_with_everything(here)
            assert packed(here) == everything[2]
            assert packed(moved(packed(here), there)) == everything[2]

    @pytest.mark.parametrize("target", STORES)
    def test_it_answers_as_before_at_every_instant_of_both_times(
        self, target: str, everything: Everything, tmp_path: Path
    ) -> None:
        source, ids, data = everything
        with closing(made(target, tmp_path / "target")) as there:
            assert looked_at(moved(data, there), ids, MOMENTS) == looked_at(source, ids, MOMENTS)

    @pytest.mark.parametrize("target", STORES)
    def test_what_is_carried_is_there_as_it_was(self, target: str, everything: Everything, tmp_path: Path) -> None:
        source, ids, data = everything
        with (
            closing(made(target, tmp_path / "target")) as there,
            moved(data, there).reading() as unit,
            source.reading() as before,
        ):
            kept = unit.memories.by_id(DUDU, ids.values())
            assert {k.memory.number for k in kept.values()} == {1, 3, 4, 6, 7, 8, 9, 10, 11}
            assert unit.memories.get(DUDU, [2, 5]) == {}
            assert [(agent.name, agent.role) for agent in unit.agents.all()] == [("dudu", "engineer"), ("ゆき", None)]
            assert unit.receipts.find(DUDU, "k1") == before.receipts.find(DUDU, "k1") is not None
            assert unit.receipts.find(DUDU, "erased") is None
            assert unit.archive.of(DUDU, range(1, 100)) == {8: 1_234_567}
            assert [(s.identity.name, s.active) for s in unit.vectors.sets()] == [("words", True), ("older", False)]
            assert dict(unit.vectors.since(DUDU, 2, 0)) == {1: b"\x00\x3c", 4: b"\x00\xbc"}
            assert unit.vectors.reached(DUDU, 2) == 5
            assert {k.memory.content for k in unit.memories.get(YUKI, range(1, 10)).values()} == set(TEXTS)
            assert unit.last_learned() == before.last_learned() > instant_of(NOW)
            assert counters(there) == {1: Usage(1, 77), 3: Usage(2, 99)}

    @pytest.mark.parametrize("target", STORES)
    def test_what_is_not_recalled_arrives_on_its_layer(self, target: str, tmp_path: Path) -> None:
        source = MemoryStore()
        with opened(source) as workspace:
            dudu = workspace.agent("dudu")
            for text in ("小雨の茶", "小雨のお茶"):
                dudu.update_notes(text)
            dudu.remember("the door of hall 3 is open", "s1")
        with closing(made(target, tmp_path / "target")) as there:
            moved(packed(source), there)
            with there.reading() as unit, source.reading() as before:
                layers = sorted(unit.memories.aside(DUDU).values())
                assert layers == [Layer.NOTE, Layer.NOTE, Layer.SESSION]
                assert unit.memories.aside(DUDU) == before.memories.aside(DUDU)
            with opened(there, GivenClock(NOW + timedelta(seconds=9))) as workspace:
                dudu = workspace.agent("dudu", create=False)
                assert dudu.notes().content == "小雨のお茶"
                assert [hit.memory.content for hit in dudu.search("hall 3 door", session="s1").hits] == [
                    "the door of hall 3 is open"
                ]
                assert (dudu.search("hall 3 door 小雨").hits, workspace.doctor().differences) == ((), ())

    @pytest.mark.parametrize("target", STORES)
    def test_what_persons_decided_is_there_and_blocks_still_match(
        self, target: str, everything: Everything, tmp_path: Path
    ) -> None:
        source, _, data = everything
        with (
            closing(made(target, tmp_path / "target")) as there,
            moved(data, there).reading() as unit,
            source.reading() as before,
        ):
            states = tuple(ReviewState)
            kept = [review.id for review in unit.reviews.listed(DUDU, states, 99)]
            assert kept[-3:] == ["rev_0", "rev_2", "rev_1"]
            for owner in (DUDU, YUKI, Namespace()):
                assert unit.reviews.listed(owner, states, 99) == before.reviews.listed(owner, states, 99)
            assert (unit.blocks.key(), unit.blocks.known([b"\x02" * 16, b"x"])) == (SECRET, frozenset([b"\x02" * 16]))
            assert unit.blocks.all() == before.blocks.all()
            assert unit.plans.all() == [before.plans.find("plan_1")]
            assert list(unit.audit.after(0, 99)) == list(before.audit.after(0, 99))
            assert unit.domains.all() == DOMAINS
            assert unit.domains.grants() == GRANTS
            assert [unit.receipts.find(DUDU, "with an assertion")] == [KeptReceipt(b"r", "{}", b"\x05" * 16)]
            assert [unit.vectors.missing(DUDU, number) for number in (1, 2)] == [[], [3, 5]]
            assert (unit.tokens.all(), unit.bursts.since(DUDU, b"bucket", 0)) == ([], [])

    @pytest.mark.parametrize("target", STORES)
    def test_life_goes_on_where_it_was(self, target: str, everything: Everything, tmp_path: Path) -> None:
        """Numbers, system times, receipts by key, near-duplicates, and vectors that are filled in."""
        _, ids, data = everything
        with closing(made(target, tmp_path / "target")) as there:
            moved(data, there)
            with there.reading() as unit:
                learned, following = unit.last_learned(), unit.lexicon.size(DUDU).following
            with opened(there) as workspace:
                dudu = workspace.agent("dudu", create=False)
                again = dudu.store(
                    "비가 온다", layer="episodic", ttl_hours=5_000, domain="Work", repo="karte", idempotency_key="k1"
                )
                alike = dudu.store("It follows that there is tea!")
                workspace.embed()
            with there.reading() as unit:
                new = unit.memories.by_id(DUDU, [alike.memory_id])[alike.memory_id].memory
                (said,) = unit.records.assertions(DUDU, [new.number])
                assert (again.memory_id, again.status.value) == (ids["rain"], "stored")
                assert (new.number, alike.similar) == (following + 1, (ids["derived"],))
                assert said.learned_at > learned
                assert unit.vectors.reached(DUDU, 1) == new.number
                assert set(unit.vectors.of(DUDU, 1, [9, new.number])) == {9, new.number}


class TestWhatIsLeftOut:
    """Every table is needed: without its rows, some answer is another one; receipts are answered under their key."""

    @pytest.mark.parametrize("table", sorted({*carried.TABLES[2:], "vectors"} - {carried.RECEIPTS}))
    def test_a_loss_is_noticed(self, table: str, everything: Everything, monkeypatch: pytest.MonkeyPatch) -> None:
        source, ids, data = everything
        rows = dumping.Dump._rows
        lossy: dict[str, Any] = {
            "_rows": lambda dump, name: iter(()) if name == table else rows(dump, name),
            "_vectors": lambda *_: iter(()),
        }
        attribute = "_vectors" if table == "vectors" else "_rows"
        there = MemoryStore()
        with monkeypatch.context() as patched, suppress(CopyDiffers, ExportDamaged):
            patched.setattr(dumping.Dump, attribute, lossy[attribute])
            moved(packed(source), there)
            assert looked_at(there, ids, MOMENTS) != looked_at(source, ids, MOMENTS)
        assert packed(there) != data

    def test_what_gets_lost_on_arrival_is_noticed_at_once(
        self, everything: Everything, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _, _, data = everything
        monkeypatch.setattr(loading, "FILL", {**FILL, carried.USAGE: lambda *_: None})
        with pytest.raises(CopyDiffers, match=r"usage\.ndjson has 2 rows there and 0 here"):
            moved(data, MemoryStore())


class Stopped(BaseException):
    """The program ends here."""


class Stopping:
    """A store whose program ends in its n-th transaction (counted from 0), just before or just after it is kept."""

    def __init__(self, store: Store, at: int = 2**60, *, kept: bool = False) -> None:
        self.store, self.at, self.kept, self.count = store, at, kept, 0

    def reading(self) -> Any:
        return self.store.reading()

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        with self.store.writing() as unit:
            yield unit
            if self.count == self.at and not self.kept:
                raise Stopped
        self.count += 1
        if self.count > self.at:
            raise Stopped

    def scrub(self) -> None: ...

    def close(self) -> None: ...


@pytest.fixture
def _small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "BATCH", 5)
    monkeypatch.setattr(deriving, "_PAGE", 3)


def load(data: bytes, store: Any, progress: Callable[[int, int], None] = lambda *_: None) -> None:
    export = export_of(data)
    fill(services_over(store), export, progress)


@pytest.mark.usefixtures("_small_steps")
class TestInterruptions:
    @pytest.mark.parametrize("kept", [False, True], ids=["before it is kept", "after it is kept"])
    def test_wherever_it_was_interrupted_it_goes_on_and_repeats_nothing(
        self, everything: Everything, *, kept: bool
    ) -> None:
        """Both runs together make as many transactions as one."""
        _, _, data = everything
        whole = Stopping(MemoryStore())
        load(data, whole)
        assert whole.count > 20
        for at in range(whole.count):
            first = Stopping(MemoryStore(), at, kept=kept)
            with pytest.raises(Stopped):
                load(data, first)
            if (at, kept) == (whole.count - 1, True):
                break
            second = Stopping(first.store)
            load(data, second)
            assert first.count + second.count == whole.count
            assert packed(first.store) == data

    @pytest.mark.parametrize("name", LASTING)
    @pytest.mark.parametrize("at", [0, 3, 11, 19, 23])
    def test_stores_that_last_go_on_in_another_process(
        self, name: str, at: int, everything: Everything, tmp_path: Path
    ) -> None:
        _, _, data = everything
        folder = tmp_path / "target"
        with closing(made(name, folder)) as store, pytest.raises(Stopped):
            load(data, Stopping(store, at, kept=True))
        with closing(STORES[name](folder)) as store:
            load(data, store)
            assert packed(store) == data

    def test_it_is_often_interrupted_and_still_arrives(self, everything: Everything) -> None:
        _, _, data = everything
        store = MemoryStore()
        for _ in range(200):
            try:
                load(data, Stopping(store, 1))
            except Stopped:
                continue
            break
        assert packed(store) == data

    def test_a_workspace_that_is_filled_in_part_is_opened_for_nothing_else(self, everything: Everything) -> None:
        _, _, data = everything
        store = MemoryStore()
        with pytest.raises(Stopped):
            load(data, Stopping(store, 9))
        with pytest.raises(WorkspaceUnfinished, match="interrupted"):
            open_workspace(":memory:", parts=Parts(store=store))

    def test_what_was_begun_with_another_export_is_refused(self, everything: Everything) -> None:
        _, _, data = everything
        store, other = MemoryStore(), MemoryStore()
        with opened(other) as workspace:
            workspace.store("something else")
        with pytest.raises(Stopped):
            load(data, Stopping(store, 9))
        with pytest.raises(WorkspaceUnfinished, match="something else, or what it is filled with has changed"):
            load(packed(other), store)
        load(data, store)
        assert packed(store) == data

    def test_two_programs_that_fill_one_workspace_do_not_mix(self, everything: Everything) -> None:
        _, _, data = everything
        store = MemoryStore()
        done: list[int] = []

        def meanwhile(_done: int, _total: int) -> None:
            done.append(1)
            if len(done) == 5:
                with pytest.raises(Stopped):
                    load(data, Stopping(store, 3))

        with pytest.raises(Conflict, match="Another program is filling this workspace"):
            load(data, store, meanwhile)
        load(data, store)
        assert packed(store) == data

    def test_progress_goes_on_from_where_it_was(self, everything: Everything) -> None:
        _, _, data = everything
        seen: list[tuple[int, int]] = []
        store = MemoryStore()
        with pytest.raises(Stopped):
            load(data, Stopping(store, 9), lambda done, total: seen.append((done, total)))
        stopped = seen[-1][0]
        load(data, store, lambda done, total: seen.append((done, total)))
        done = [each for each, _ in seen]
        assert done == sorted(done)
        assert seen[-1][0] == seen[-1][1]
        assert 0 < stopped < seen[-1][1]

    def test_the_mark_says_which_export_and_how_far(self, everything: Everything) -> None:
        _, _, data = everything
        store = MemoryStore()
        with pytest.raises(Stopped):
            load(data, Stopping(store, 3))
        with store.reading() as unit:
            assert mark_of(unit) == Mark(export_of(data).manifest.digest, carried.MEMORIES, 5)


def _with_a_memory(store: Store) -> None:
    with opened(store) as workspace:
        workspace.store("小雨喜歡茶")


def _with_an_agent(store: Store) -> None:
    with store.writing() as unit:
        unit.agents.add(Agent("dudu", None, 1))


def _emptied(store: Store) -> None:
    with opened(store) as workspace:
        workspace.erase([workspace.store("小雨喜歡茶").memory_id])


def _with_an_alias(store: Store) -> None:
    with opened(store) as workspace:
        workspace.add_alias("ゆき", "Yuki")


def _with_a_block(store: Store) -> None:
    with store.writing() as unit:
        unit.blocks.add(Block(b"\x01", "channel", "plan_1", "operator", 1))


def _with_a_review(store: Store) -> None:
    held = Review("rev_1", ReviewKind.QUARANTINE, "mem", None, b"", Origin("channel", "x"), "", 1, 2, "{}", "{}")
    with store.writing() as unit:
        unit.reviews.add(Namespace(), held)


def _with_an_audit_log(store: Store) -> None:
    with store.writing() as unit:
        unit.audit.append(AuditEntry(1, 1, "operator", "token_created", "", "", "{}", b"", b""))


def _with_a_domain(store: Store) -> None:
    with store.writing() as unit:
        unit.domains.keep(DOMAINS[0])


def _with_a_grant(store: Store) -> None:
    with store.writing() as unit:
        unit.domains.grant(GRANTS[0])


class TestEmptiness:
    @pytest.mark.parametrize(
        ("before", "message"),
        [
            (_with_a_memory, r"not empty \(memories: 1\)"),
            (_with_an_agent, "it has agents"),
            (_emptied, "used before"),
            (_with_an_alias, "used before"),
            (_with_a_block, "used before"),
            (_with_a_review, "used before"),
            (_with_an_audit_log, "used before"),
            (_with_a_domain, "used before"),
            (_with_a_grant, "used before"),
        ],
    )
    @pytest.mark.parametrize("name", STORES)
    def test_nothing_is_moved_into_a_workspace_that_is_not_empty(
        self, name: str, before: Callable[[Store], None], message: str, everything: Everything, tmp_path: Path
    ) -> None:
        with closing(made(name, tmp_path / "target")) as store:
            before(store)
            data = packed(store)
            with pytest.raises(WorkspaceNotEmpty, match=message):
                load(everything[2], store)
            assert packed(store) == data
            with opened(store) as workspace:
                assert workspace.doctor().differences == ()

    @pytest.mark.parametrize("name", STORES)
    def test_one_that_was_only_opened_is_empty(self, name: str, everything: Everything, tmp_path: Path) -> None:
        with closing(made(name, tmp_path / "target")) as store:
            with opened(store):
                pass
            assert packed(moved(everything[2], store)) == everything[2]

    def test_an_empty_workspace_is_moved_too(self) -> None:
        data = packed(MemoryStore())
        assert packed(moved(data, MemoryStore())) == data


class TestBeforeThereWereDomains:
    """Exports that were made before there were domains lack two members; all else of them arrives."""

    @pytest.mark.parametrize("target", STORES)
    def test_an_export_without_domains_arrives_as_one_with_none(
        self, target: str, everything: Everything, tmp_path: Path
    ) -> None:
        none = rewritten(everything[2], dict.fromkeys(carried.LATER, _nothing))
        with closing(made(target, tmp_path / "target")) as there:
            assert packed(moved(without(none, carried.LATER), there)) == packed(moved(none, MemoryStore()))
            with there.reading() as unit:
                assert (unit.domains.all(), unit.domains.grants()) == ([], [])
                assert unit.plans.find("plan_1") is not None

    def test_its_contents_have_the_same_name_as_those_of_one_with_none(self, everything: Everything) -> None:
        none = rewritten(everything[2], dict.fromkeys(carried.LATER, _nothing))
        assert export_of(without(none, carried.LATER)).manifest == export_of(none).manifest

    @pytest.mark.parametrize("missing", [[carried.DOMAINS], [carried.GRANTS], [carried.DOMAINS, carried.REVIEWS]])
    def test_one_that_lacks_something_else_is_damaged(self, missing: list[str], everything: Everything) -> None:
        with pytest.raises(ExportDamaged, match="does not hold the members"):
            export_of(without(everything[2], missing))


def _nothing(content: bytes) -> bytes:
    del content
    return b""


class TestRowsThatAreNone:
    """Digests are right, so somebody wrote the file like that: the sentence names the place, and nothing of it is kept."""

    @pytest.mark.parametrize(
        ("table", "old", "new", "place"),
        [
            (carried.MEMORIES, b'"layer":"semantic"', b'"layer":"cake"', "lines 1 to"),
            (carried.MEMORIES, b'"key":"', b'"key":"x', "lines 1 to"),
            (carried.ASSERTIONS, b'"number":1,', b'"number":4711,', "lines 1 to"),
            (carried.ASSERTIONS, b'"kind":"operator"', b'"kind":"rumour"', "lines 1 to"),
            (carried.LINKS, b'"trust"', b'"faith"', "lines 1 to"),
            (carried.USAGE, b"{", b"[", "line 1:"),
            (carried.OWNERS, b'"agent":"dudu"', b'"agent":" "', "lines 1 to"),
            (carried.DOMAINS, b'"usual":"none"', b'"usual":"some"', "lines 1 to"),
            (carried.GRANTS, b'"kind":"role"', b'"kind":"guest"', "lines 1 to"),
        ],
    )
    def test_a_row_that_is_none_is_named(
        self, table: str, old: bytes, new: bytes, place: str, everything: Everything
    ) -> None:
        data = rewritten(everything[2], {table: lambda text: text.replace(old, new, 1)})
        with pytest.raises(ExportDamaged, match=f"{table}, {place}"):
            moved(data, MemoryStore())

    def test_rows_that_nothing_refers_to_are_noticed_in_the_end(self, everything: Everything) -> None:
        row = (
            b'{"agent":null,"target":"00","origin":{"kind":"operator","container":"x","item":""},'
            b'"learned_at":"2026-01-01T00:00:00.000000Z","trust":1,"reason":"","event":"withdrawn"}\n'
        )
        data = rewritten(everything[2], {carried.WITHDRAWALS: lambda text: text + row})
        with pytest.raises(CopyDiffers, match=r"withdrawals\.ndjson has"):
            moved(data, MemoryStore())
