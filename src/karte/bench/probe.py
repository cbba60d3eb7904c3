"""A process of its own that opens a workspace, searches, and says how long that took and how much memory it holds.

python -m karte.bench.probe FILE AGENT EMBEDDER < queries, one a line
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from karte.bench.places import opened
from karte.engine.recalling.asked import Mode
from karte.models.embedders import NONE

_STATUS: Final = Path("/proc/self/status")
_MOST: Final = "VmHWM:"
_KIB: Final = 1_024


@dataclass(frozen=True)
class Residence:
    """Seconds from opening to the first answer, and the most bytes it held (0 where the system does not tell)."""

    first_search: float
    most_resident: float


def run(path: Path, agent: str, queries: Sequence[str], embedder: str = NONE) -> Residence:
    """Start the process and wait for what it says; without an embedder it asks the words alone."""
    finished = subprocess.run(  # noqa: S603 - this very interpreter and module
        [sys.executable, "-m", "karte.bench.probe", str(path), agent, embedder],
        input="\n".join(queries),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return Residence(**json.loads(finished.stdout))


def probe(path: Path, agent: str, queries: Sequence[str], embedder: str) -> Residence:
    """Open the workspace, ask the first query, then the others."""
    mode = Mode.KEYWORD if embedder == NONE else Mode.HYBRID
    started = time.perf_counter()
    with opened(path, embedder) as workspace:
        chart = workspace.agent(agent, create=False)
        chart.search(queries[0], mode=mode.value)
        first = time.perf_counter() - started
        for query in queries[1:]:
            chart.search(query, mode=mode.value)
        return Residence(first, _most_resident())


def _most_resident() -> float:
    if not _STATUS.is_file():
        return 0.0
    lines = _STATUS.read_text(encoding="utf-8").splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith(_MOST))) * _KIB


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # a real stream has it
    found = probe(Path(sys.argv[1]), sys.argv[2], sys.stdin.read().splitlines(), sys.argv[3])
    sys.stdout.write(json.dumps(asdict(found)))
