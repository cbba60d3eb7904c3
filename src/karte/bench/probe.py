"""A process of its own that opens a workspace, searches, and says how long that took and how much memory it holds.

python -m karte.bench.probe FILE AGENT < queries, one a line
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from karte.bench.places import opened

_STATUS: Final = Path("/proc/self/status")
_KIB: Final = 1_024


def run(path: Path, agent: str, queries: Sequence[str]) -> dict[str, float]:
    """Start the process; gives `first_search` (seconds from opening on), `resident` and `most_resident` (bytes).

    The two sizes are 0 where the system does not tell them.
    """
    finished = subprocess.run(  # noqa: S603 - this very interpreter and module
        [sys.executable, "-m", "karte.bench.probe", str(path), agent],
        input="\n".join(queries),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    measured: dict[str, float] = json.loads(finished.stdout)
    return measured


def probe(path: Path, agent: str, queries: Sequence[str]) -> dict[str, float]:
    """Open the workspace, ask the first query, then the others."""
    started = time.perf_counter()
    with opened(path) as workspace:
        chart = workspace.agent(agent, create=False)
        chart.search(queries[0], mode="keyword")
        first = time.perf_counter() - started
        for query in queries[1:]:
            chart.search(query, mode="keyword")
        return {"first_search": first, "resident": _status("VmRSS"), "most_resident": _status("VmHWM")}


def _status(name: str) -> float:
    if not _STATUS.is_file():
        return 0.0
    lines = _STATUS.read_text(encoding="utf-8").splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith(f"{name}:"))) * _KIB


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # a real stream has it
    asked = sys.stdin.read().splitlines()
    sys.stdout.write(json.dumps(probe(Path(sys.argv[1]), sys.argv[2], asked)))
