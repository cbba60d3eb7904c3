"""A process that forgets a source and is killed (SIGKILL, by itself) at the n-th write, sync or truncation of a file.

Called with the workspace, the id of an approved plan and n; 0 lets it finish. It prints how many operations there were.
"""

import os
import signal
import sys
from pathlib import Path

from karte.bootstrap import Parts, open_workspace
from karte.stores.sqlite import SQLiteStore
from karte.stores.sqlite.connecting import Durability
from tests.durability.faults import FailingDisk, Trap
from tests.durability.opening import Ticks

DISK = "killing"


class Killer(Trap):
    """Ends the process in the place of a failure, before the operation is done."""

    def step(self, operation: str, file: str) -> None:
        """Count an operation; does not return where the process is to end."""
        del file
        if operation in self.counting:
            self.seen += 1
            if self.seen == self.at:
                os.kill(os.getpid(), signal.SIGKILL)


def main(place: str, plan: str, at: int) -> None:
    """Forget."""
    killer = Killer()
    disk = FailingDisk(DISK, killer)
    store = SQLiteStore(Path(place), durability=Durability(vfs=disk.name))
    with open_workspace(":memory:", parts=Parts(store=store, clock=Ticks())) as workspace:
        killer.set(at)
        if plan:
            workspace.forget(plan)
        else:
            workspace.resume_forgetting()
    sys.stdout.write(f"{killer.seen}\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
