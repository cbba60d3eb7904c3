"""Many processes and many threads on one file: nothing lost, nobody told that it is locked, everything seen at once."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import get_ident

import apsw
import pytest

from karte.bootstrap import open_workspace
from karte.core.results import Item
from karte.errors import WorkspaceLocked
from karte.stores.sqlite import SQLiteStore, connecting
from karte.stores.sqlite.connecting import Durability
from karte.workspace import Workspace
from tests.durability.clerk_process import BATCH
from tests.durability.clerks import clerks, told_together
from tests.durability.faults import MeddlingDisk
from tests.durability.opening import opened
from tests.durability.workload import charts

PROCESSES = 8
WRITES = [25, pytest.param(200, marks=pytest.mark.slow)]


def everything(workspace: Workspace) -> list[Item]:
    return [item for chart in charts(workspace) for item in chart.list(1_000).memories]


def learned(items: Iterable[Item]) -> list[int]:
    return [item.learned_at for item in items]


@pytest.mark.parametrize("writes", WRITES)
def test_eight_processes_on_one_file_lose_nothing_and_are_never_refused(tmp_path: Path, writes: int) -> None:
    path, names = tmp_path / "shared.karte", [f"clerk{number}" for number in range(PROCESSES)]
    with clerks(PROCESSES) as workers:
        told_together(workers, ({"do": "open", "path": str(path), "agent": name} for name in names))
        assert [worker.hear() for worker in workers] == [{"opened": str(path)}] * PROCESSES
        told_together(workers, ({"do": "store", "count": writes} for _ in names))
        answers = [[worker.hear() for _ in range(writes)] for worker in workers]
    assert [answer for told in answers for answer in told if "error" in answer] == []
    with open_workspace(path) as workspace:
        for name, told in zip(names, answers, strict=True):
            kept = {item.id: item for item in workspace.agent(name, create=False).list(1_000).memories}
            ids = [memory_id for answer in told for memory_id in answer]
            assert {i: kept[i].content for i in kept} == {i: text for answer in told for i, text in answer.items()}
            assert len(ids) == len(kept) == writes + (BATCH - 1) * -(-writes // 5)
            assert learned(kept[i] for i in ids) == sorted(learned(kept.values()))
        times = learned(everything(workspace))
        assert len(set(times)) == len(times)
        assert workspace.doctor().differences == ()


def test_what_one_process_wrote_is_found_by_the_next_search_of_another(tmp_path: Path) -> None:
    path = tmp_path / "ring.karte"
    with clerks(4) as workers:
        for worker in workers:
            worker.ask("open", path=str(path), agent="")
        for turn in range(40):
            writer, reader = workers[turn % 4], workers[(turn + 1) % 4]
            told = writer.ask("store", count=1, prefix=f"turn{turn}")
            found = [reader.ask("search", query=text.split()[1]) for text in told.values()]
            assert found == [{"ids": [memory_id]} for memory_id in told]


def test_eight_threads_share_one_handle(tmp_path: Path) -> None:
    def work(thread: int) -> list[str]:
        ids = []
        for number in range(25):
            word = f"t{thread}n{number}"
            ids.append(workspace.store(f"執行緒寫入 {word}").memory_id)
            assert [hit.memory.id for hit in workspace.search(word).hits] == ids[-1:]
        return ids

    with open_workspace(tmp_path / "threads.karte") as workspace:
        with ThreadPoolExecutor(8) as pool:
            told = list(pool.map(work, range(8)))
        kept = {item.id: item for item in workspace.list(1_000).memories}
        assert sorted(kept) == sorted(i for ids in told for i in ids)
        assert [learned(kept[i] for i in ids) for ids in told] == [
            sorted(learned(kept[i] for i in ids)) for ids in told
        ]
        assert len(set(learned(kept.values()))) == 200
        assert workspace.doctor().differences == ()


def test_threads_may_open_and_make_the_same_file_at_once(tmp_path: Path) -> None:
    def make_and_store(path: Path) -> str:
        with open_workspace(path) as workspace:
            return workspace.store(f"opened by a thread, {get_ident()}").memory_id

    with ThreadPoolExecutor(8) as pool:
        for path in (tmp_path / f"at-once-{turn}.karte" for turn in range(4)):
            told = set(pool.map(make_and_store, [path] * 8))
            with open_workspace(path) as workspace:
                assert {item.id for item in workspace.list(1_000).memories} == told


def test_a_lock_on_a_file_that_is_being_made_is_waited_for(tmp_path: Path) -> None:
    """Two programs make the same workspace; the second one meets the lock of the first and tries again."""
    other = apsw.Connection(str(tmp_path / "made.karte"))
    other.execute("BEGIN IMMEDIATE")
    disk = MeddlingDisk("waiting", refused=lambda: other.get_autocommit() or other.execute("ROLLBACK"))
    with opened(tmp_path / "made.karte", Durability(vfs="waiting")) as workspace:
        assert workspace.store("等到了").memory_id
    disk.unregister()
    other.close()


@pytest.mark.parametrize("moment", range(1, 13))
def test_another_program_may_make_the_same_file_at_any_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    """The other one comes when this one asks for its n-th lock on a file that is still empty."""
    path, locks = tmp_path / "made.karte", count(1)

    def make_it_too() -> None:
        if next(locks) == moment:
            with suppress(WorkspaceLocked):
                SQLiteStore(path).close()

    path.touch()
    disk = MeddlingDisk("overtaken", before=make_it_too)
    monkeypatch.setattr(connecting, "BUSY_MILLISECONDS", 1)
    with opened(path, Durability(vfs="overtaken")) as workspace:
        assert workspace.store("同時建立").memory_id
    disk.unregister()
