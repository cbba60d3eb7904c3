"""The other end of `clerk_process`: starting clerks, telling them what to do, and ending them."""

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

_PROGRAM = Path(__file__).with_name("clerk_process.py")


class Clerk:
    """A process at work on a workspace; use it as a context manager."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(_PROGRAM)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def tell(self, do: str, **request: object) -> None:
        """Send a request and do not wait."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{json.dumps({'do': do, **request})}\n")
        self._process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        """The next answer; raises where the process has ended."""
        assert self._process.stdout is not None
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def ask(self, do: str, **request: object) -> dict[str, Any]:
        """Send a request and wait for its first answer."""
        self.tell(do, **request)
        return self.hear()

    def kill(self) -> list[dict[str, Any]]:
        """End the process with SIGKILL; gives the answers that it had still sent."""
        assert self._process.stdout is not None
        self._process.kill()
        return [json.loads(line) for line in self._process.stdout if line.endswith("\n")]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        self._process.wait()


@contextmanager
def clerks(count: int) -> Iterator[list[Clerk]]:
    """Several clerks at once."""
    with ExitStack() as stack:
        yield [stack.enter_context(Clerk()) for _ in range(count)]


def told_together(workers: Iterable[Clerk], requests: Iterable[dict[str, Any]]) -> None:
    """Send each clerk its request before any answer is read."""
    for worker, request in zip(workers, requests, strict=True):
        worker.tell(**request)
