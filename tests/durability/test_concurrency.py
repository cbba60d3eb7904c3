"""Many processes and many threads on one file: nothing lost, nobody told that it is locked, everything seen at once."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from karte.bootstrap import open_workspace
from karte.core.results import Item
from karte.workspace import Workspace
from tests.durability.clerk_process import BATCH
from tests.durability.clerks import clerks, told_together

PROCESSES = 8
WRITES = [25, pytest.param(200, marks=pytest.mark.slow)]


def everything(workspace: Workspace) -> list[Item]:
    return workspace.list(1_000).memories + sum((workspace.agent(a.name).list(1_000).memories for a in workspace.agents()), ())


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
        assert [learned(kept[i] for i in ids) for ids in told] == [sorted(learned(kept[i] for i in ids)) for ids in told]
        assert len(set(learned(kept.values()))) == 200
        assert workspace.doctor().differences == ()


def test_threads_may_open_and_make_the_same_file_at_once(tmp_path: Path) -> None:
    def make_and_store(thread: int) -> str:
        with open_workspace(tmp_path / "at-once.karte") as workspace:
            return workspace.store(f"opened by thread {thread}").memory_id

    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(make_and_store, range(8)))
    with open_workspace(tmp_path / "at-once.karte") as workspace:
        assert sorted(item.id for item in workspace.list(1_000).memories) == sorted(told)
