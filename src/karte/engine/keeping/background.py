"""Work that follows writes, in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition, Thread
from typing import Final

from karte.core.namespaces import Namespace
from karte.errors import KarteError

PATIENCE: Final = 30.0
"""After so many seconds work that failed is tried again, if no write has woken it before."""

REST: Final = 0.25
"""So many seconds lie between two runs, so that many small writes share one: each run costs a transaction or more."""

KeepOn = Callable[[], bool]
Work = Callable[[frozenset[Namespace] | None, KeepOn], bool]


class Background:
    """Runs `work` after writes, never twice at once; writes that come while it runs are done together in the next run.

    `work` is given the namespaces written to, or None for all of them, at first and after a failure; and a function
    that says whether it may go on, which it asks between its steps. It tells whether it is done, and is tried again
    after `patience` seconds where it is not or raises a `KarteError`. Between two runs it rests for `rest` seconds.
    The thread starts with the first write, and so does the first run.
    """

    def __init__(self, work: Work, patience: float = PATIENCE, rest: float = REST) -> None:
        self._work, self._patience, self._rest = work, patience, rest
        self._state = Condition()
        self._written: set[Namespace] = set()
        self._done, self._closed = False, False
        self._thread: Thread | None = None

    def wake(self, namespace: Namespace) -> None:
        """Say that a namespace was written to."""
        with self._state:
            if self._closed:
                return
            self._written.add(namespace)
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._run, name="karte-background", daemon=True)
                self._thread.start()
            self._state.notify()

    def close(self) -> None:
        """Let the running step end, at least one step where a write still waits, then stop."""
        with self._state:
            self._closed = True
            self._state.notify()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        patience = None
        while True:
            with self._state:
                self._state.wait_for(lambda: self._closed or bool(self._written), patience)
                if self._closed and not self._written:
                    return
                written = frozenset(self._written) if self._done else None
                self._written.clear()
            self._done = self._tried(written)
            patience = None if self._done else self._patience
            with self._state:
                self._state.wait_for(lambda: self._closed, self._rest)

    def _tried(self, namespaces: frozenset[Namespace] | None) -> bool:
        try:
            return self._work(namespaces, self._may_go_on)
        except KarteError:
            return False

    def _may_go_on(self) -> bool:
        return not self._closed
