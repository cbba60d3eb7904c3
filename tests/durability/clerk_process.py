"""A process that works on a workspace as it is told: one JSON request a line in, one JSON answer a line out.

`open` (path, agent), `store` (count; one answer for each call that returned), `search` (query), `lose_privileges`.
"""

import json
import os
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from karte.bootstrap import open_workspace
from karte.errors import KarteError
from karte.workspace import Chart

BATCH = 7
NOBODY = 65_534


class Clerk:
    """Keeps the memories of one agent."""

    def __init__(self) -> None:
        self._chart: Chart | None = None
        self._name = ""
        self._count = 0

    def answers(self, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Do what is asked; an answer is given as soon as a call has returned."""
        match request.pop("do"):
            case "open":
                yield self._open(**request)
            case "store":
                yield from islice(self._stored(**request), request["count"])
            case "search":
                yield {"ids": [hit.memory.id for hit in self._mine.search(**request).hits]}
            case "lose_privileges":
                yield {"user": lose_privileges()}

    @property
    def _mine(self) -> Chart:
        assert self._chart is not None
        return self._chart

    def _open(self, path: str, agent: str) -> dict[str, Any]:
        workspace = open_workspace(Path(path))
        self._chart, self._name = (workspace.agent(agent) if agent else workspace), agent
        return {"opened": path}

    def _stored(self, count: int, prefix: str = "") -> Iterator[dict[str, Any]]:
        """Store single texts, and every fifth time a batch."""
        for turn in range(count):
            texts = [self._text(prefix) for _ in range(1 if turn % 5 else BATCH)]
            receipts = self._mine.store_many([{"content": text} for text in texts])
            yield dict(zip((receipt.memory_id for receipt in receipts), texts, strict=True))

    def _text(self, prefix: str) -> str:
        self._count += 1
        return f"紀錄 {prefix or self._name}w{self._count}e was noted"


def lose_privileges() -> int:
    """Become nobody where this is root, so that permissions bind; everything is imported before."""
    with open_workspace(":memory:") as workspace:
        workspace.store("warm")
        workspace.search("warm")
    os.environ["HOME"] = os.environ["XDG_CONFIG_HOME"] = "/nonexistent"
    if not os.geteuid():
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    return os.geteuid()


def say(answer: object) -> None:
    """Send one answer at once."""
    sys.stdout.write(f"{json.dumps(answer)}\n")
    sys.stdout.flush()


def main() -> None:
    """Answer until the requests end; an error of Karte's is an answer too."""
    clerk = Clerk()
    for line in sys.stdin:
        try:
            for answer in clerk.answers(json.loads(line)):
                say(answer)
        except KarteError as error:
            say(error.to_dict())


if __name__ == "__main__":
    main()
