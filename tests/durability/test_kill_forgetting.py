"""kill -9 of a process that forgets, at moments drawn by chance: either all of the source is there or nothing of it."""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.durability.canaries import found, remains
from tests.durability.chance import chance_of
from tests.durability.forgetful import everything_read
from tests.durability.opening import opened
from tests.durability.planting import plant, planting

FILE = "killed.karte"
FAST, FULL = 12, 200
MEMORIES = 4
_PROGRAM = Path(__file__).with_name("forgetting_process.py")


@dataclass(frozen=True)
class Approved:
    """A workspace in which a source is about to be forgotten: what it tells before and afterwards."""

    file: Path
    plan: str
    needles: list[list[bytes]]
    before: str
    after: str
    operations: int


@pytest.fixture(scope="module")
def approved(tmp_path_factory: pytest.TempPathFactory) -> Approved:
    """The workspace, and how many operations on files forgetting takes."""
    folder = tmp_path_factory.mktemp("approved")
    file, done = folder / FILE, folder / "done.karte"
    with planting(str(file)) as workspace:
        planted = plant(workspace, MEMORIES)
        plan = workspace.plan_to_forget(planted.source)
        workspace.approve_plan(plan.id, plan.digest.hex())
        needles = planted.needles(workspace)
    shutil.copy(file, done)
    before, operations = told(file), forget_until(done, plan.id, 0)
    assert operations is not None
    return Approved(file, plan.id, needles, before, told(done), operations)


def forget_until(file: Path, plan: str, at: int) -> int | None:
    """Let a process forget; gives how many operations it did, None where it was killed at the operation `at`."""
    command = [sys.executable, "-m", "tests.durability.forgetting_process", str(file), plan, str(at)]
    ended = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert ended.returncode in (0, -9), ended.stderr
    return None if ended.returncode else int(ended.stdout)


def told(file: Path) -> str:
    """What a reader of the file sees, and what was decided about sources."""
    with opened(file) as workspace:
        assert workspace.doctor().differences == ()
        assert workspace.verify_audit().broken_at is None
        receipts = [(receipt.plan_id, dict(receipt.counts)) for receipt in workspace.forgotten()]
        origins = [origin.to_dict() for origin in workspace.origins()]
        return f"{everything_read(workspace)}\n{origins}\n{receipts}\n{[b.to_dict() for b in workspace.blocks()]}"


def survived(approved: Approved, folder: Path, at: int) -> str:
    """Kill a forgetting, look at what a reader sees, and go on with it."""
    file = folder / FILE
    folder.mkdir()
    shutil.copy(approved.file, file)
    assert forget_until(file, approved.plan, at) is None
    found_then = told(file)
    with opened(file) as workspace:
        if found_then == approved.before:
            workspace.forget(approved.plan)
        workspace.resume_forgetting()
        assert {(receipt.state, receipt.scrubbed) for receipt in workspace.forgotten()} == {("done", True)}
        assert found(approved.needles, remains(folder)) == 0
    assert told(file) == approved.after
    shutil.rmtree(folder)
    return found_then


@pytest.mark.parametrize("kills", [FAST, pytest.param(FULL, marks=pytest.mark.slow)])
def test_killed_at_any_moment_it_is_all_or_nothing_and_goes_on(
    approved: Approved, tmp_path: Path, seed: str, kills: int
) -> None:
    assert approved.operations > FULL
    moments = chance_of(seed, "kill").sample(range(1, approved.operations + 1), kills)
    assert {survived(approved, tmp_path / f"at{at}", at) for at in moments} == {approved.before, approved.after}
