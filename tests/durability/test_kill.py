"""kill -9 of a writing process, at moments drawn by chance: everything it had answered is there, nothing is partial."""

from pathlib import Path
from random import Random

import pytest

from karte.bootstrap import open_workspace
from karte.workspace import Workspace
from tests.durability.chance import chance_of
from tests.durability.clerk_process import BATCH
from tests.durability.clerks import Clerk

FAST, FULL = 10, 60
_MOST_ANSWERS = 30
_MOST_TURNS = 40_000


def killed_at_work(path: Path, agent: str, chance: Random) -> dict[str, str]:
    """What a process acknowledged before it was killed, some time after one of its answers; texts by id."""
    with Clerk() as clerk:
        clerk.ask("open", path=str(path), agent=agent)
        clerk.tell("store", count=1_000_000)
        answers = [clerk.hear() for _ in range(chance.randrange(1, _MOST_ANSWERS))]
        for _ in range(chance.randrange(_MOST_TURNS)):
            pass  # let the process get into the middle of its next call
        answers += clerk.kill()
    return {memory_id: text for answer in answers for memory_id, text in answer.items()}


def check_survival(workspace: Workspace, agent: str, acknowledged: dict[str, str]) -> None:
    chart = workspace.agent(agent, create=False)
    kept = {item.id: item.content for item in chart.list(1_000).memories}
    assert acknowledged.items() <= kept.items()
    assert len(kept) in whole_calls()
    newest = list(acknowledged)[-3:]
    assert [[hit.memory.id for hit in chart.search(acknowledged[m].split()[1]).hits] for m in newest] == [
        [m] for m in newest
    ]


def whole_calls() -> set[int]:
    """How many texts there may be when each call of a clerk stored all its texts or none."""
    sizes = [1 if turn % 5 else BATCH for turn in range(1_000 // 2)]
    return {sum(sizes[:turn]) for turn in range(len(sizes))}


@pytest.mark.parametrize("kills", [FAST, pytest.param(FULL, marks=pytest.mark.slow)])
def test_a_killed_process_loses_nothing_that_it_acknowledged(tmp_path: Path, seed: str, kills: int) -> None:
    path, chance = tmp_path / "killed.karte", chance_of(seed, "kill")
    open_workspace(path).close()
    for number in range(kills):
        agent = f"clerk{number}"
        acknowledged = killed_at_work(path, agent, chance)
        assert len(acknowledged) > 0
        with open_workspace(path) as workspace:
            check_survival(workspace, agent, acknowledged)
            assert workspace.doctor().differences == ()


def test_the_check_sees_a_call_of_which_a_part_is_missing(tmp_path: Path) -> None:
    with open_workspace(tmp_path / "partial.karte") as workspace:
        stored = workspace.agent("clerk").store_many([{"content": f"紀錄 w{number}e"} for number in range(BATCH - 1)])
        with pytest.raises(AssertionError):
            check_survival(workspace, "clerk", {receipt.memory_id: "紀錄 w1e" for receipt in stored[:1]})
