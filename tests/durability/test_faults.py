"""The n-th operation on the disk fails, or it is full: a sentence for the caller, nothing partial, and work goes on.

`make test` fails some of the operations of each call, drawn by chance; `make test-full` every one.
"""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import apsw
import pytest

from karte.engine.recalling import tally
from karte.errors import DiskFull, Fault, KarteError
from karte.stores.sqlite.connecting import Durability
from karte.workspace import Workspace
from tests.durability.chance import chance_of
from tests.durability.faults import FailingDisk, Trap
from tests.durability.opening import integrity, opened

FILE = "faulty.karte"
NOTES = [f"第 {number} 號閥門 valve{number} 已檢查" for number in range(40)]
MOVED = [
    {"content": f"住址登記 {city}", "subject": "User", "predicate": "lives in", "object": city}
    for city in ("高雄", "Tokyo")
]
BATCH = [f"Pump pump{number} was greased, ポンプを点検した" for number in range(20)]
SOME = 24

Texts = frozenset[str]


@dataclass(frozen=True)
class Call:
    """A call that may fail, and the texts that are in force after it."""

    make: Callable[[Workspace], object]
    after: Texts


BEFORE = frozenset([*NOTES, MOVED[1]["content"]])


def id_of(workspace: Workspace, word: str) -> str:
    return workspace.search(word).hits[0].memory.id


CALLS = {
    "store": Call(lambda w: w.store("新的紀錄 greeting"), BEFORE | {"新的紀錄 greeting"}),
    "store_many": Call(lambda w: w.store_many([{"content": text} for text in BATCH]), BEFORE | set(BATCH)),
    "supersede": Call(
        lambda w: w.supersede(id_of(w, "valve7"), "七號閥門已更換"), BEFORE - {NOTES[7]} | {"七號閥門已更換"}
    ),
    "withdraw": Call(lambda w: w.withdraw(id_of(w, "valve3"), "entered twice"), BEFORE - {NOTES[3]}),
    "end_fact": Call(lambda w: w.end_fact("user", "lives in"), BEFORE - {MOVED[1]["content"]}),
    "erase": Call(lambda w: w.erase([id_of(w, "valve5")], scrub=False), BEFORE - {NOTES[5]}),
    "erase_and_scrub": Call(lambda w: w.erase([id_of(w, "valve5")]), BEFORE - {NOTES[5]}),
    "scrub": Call(lambda w: w.scrub(), BEFORE),
}
TRAPS = {
    "one operation fails": Trap(apsw.IOError),
    "the disk fails": Trap(apsw.IOError, stays=True),
    "the disk is full": Trap(apsw.FullError, stays=True),
    "one reading fails": Trap(apsw.IOError, counting=frozenset({"read"})),
}
EXTENT = ["some", pytest.param("all", marks=pytest.mark.slow)]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prepared")
    with opened(folder / FILE) as workspace:
        workspace.store_many([*MOVED, *({"content": text} for text in NOTES)])
    return folder


@pytest.fixture(params=TRAPS)
def trap(request: pytest.FixtureRequest) -> Iterator[Trap]:
    chosen = TRAPS[request.param]
    disk = FailingDisk("failing", chosen)
    yield chosen
    disk.unregister()


def in_force(workspace: Workspace) -> Texts:
    return frozenset(item.content for item in workspace.list(1_000).memories)


def chosen(count: int, extent: str, seed: str) -> list[int]:
    everything = range(1, count + 1)
    return list(everything) if extent == "all" else sorted(chance_of(seed).sample(everything, min(SOME, count)))


def error_of(call: Callable[[], object]) -> KarteError | None:
    try:
        call()
    except KarteError as error:
        return error
    return None


def check_sentence(error: KarteError, trap: Trap) -> None:
    assert type(error) is (DiskFull if trap.error is apsw.FullError else Fault)
    assert error.message.endswith(".")
    assert error.hint is not None


@pytest.mark.parametrize("extent", EXTENT)
@pytest.mark.parametrize("name", CALLS)
def test_a_call_whose_nth_operation_fails_does_nothing_or_all(
    prepared: Path, tmp_path: Path, trap: Trap, seed: str, name: str, extent: str
) -> None:
    call = CALLS[name]

    def run(number: int) -> int:
        folder = tmp_path / f"{number}"
        shutil.copytree(prepared, folder)
        with opened(folder / FILE, Durability(vfs="failing"), hours=1) as workspace:
            trap.set(number)
            error = error_of(lambda: call.make(workspace))
            seen, hit = trap.seen, trap.hit
            trap.set(0)
            settled = in_force(workspace)
            if error:
                check_sentence(error, trap)
            assert settled == (BEFORE if error else call.after), (number, hit, error)
            check_it_works(workspace, settled)
            workspace.scrub()
        assert integrity(folder / FILE) == "ok"
        assert (b"valve5 " in (folder / FILE).read_bytes()) == (NOTES[5] in settled)
        return seen

    for number in chosen(run(0), extent, seed):
        run(number)


def check_it_works(workspace: Workspace, settled: Texts) -> None:
    workspace.store("之後的紀錄 afterwards")
    assert [hit.memory.content for hit in workspace.search("afterwards").hits] == ["之後的紀錄 afterwards"]
    assert in_force(workspace) == settled | {"之後的紀錄 afterwards"}
    assert workspace.doctor().differences == ()


@pytest.mark.parametrize("extent", EXTENT)
def test_making_a_workspace_whose_nth_operation_fails_leaves_a_place_where_one_can_be_made(
    tmp_path: Path, trap: Trap, seed: str, extent: str
) -> None:
    def run(number: int) -> int:
        path = tmp_path / f"{number}.karte"
        trap.set(number)
        error = error_of(lambda: make(path))
        seen = trap.seen
        if error:
            check_sentence(error, trap)
        with opened(path) as workspace:
            check_it_works(workspace, frozenset())
        return seen

    def make(path: Path) -> None:
        with opened(path, Durability(vfs="failing")):
            trap.at = 0

    for number in chosen(run(0), extent, seed):
        run(number)


@pytest.mark.parametrize("trap", [name for name, trap in TRAPS.items() if "write" in trap.counting], indirect=True)
def test_a_search_answers_although_its_recalls_cannot_be_counted(
    prepared: Path, tmp_path: Path, trap: Trap, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counters never change what is in force, so a disk that takes no more of them does not silence a search."""
    monkeypatch.setattr(tally, "MOST_WAITING", 1)
    shutil.copytree(prepared, tmp_path / "copy")
    with opened(tmp_path / "copy" / FILE, Durability(vfs="failing"), hours=1) as workspace:
        trap.set(1)
        answers = [workspace.search(f"valve{number}").hits[0].memory.content for number in range(3)]
        trap.set(0)
    assert answers == NOTES[:3]
