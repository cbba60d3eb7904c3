"""Telling others of events, in a thread that no write waits for."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event as Flag
from threading import Lock
from typing import TYPE_CHECKING, Final

from karte.engine.happening import Event, Listener

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

PAUSES: Final = (1.0, 5.0, 25.0)
"""Seconds before a post that failed is made again."""

Post = Callable[[Event], str | None]
"""Tells somebody outside of an event; gives why that failed, None where it did not."""

_log = logging.getLogger(__name__)


class Herald:
    """Tells listeners and whoever it posts to of events, one after the other, in a thread that the first event starts."""

    def __init__(self, post: Post | None = None, pauses: tuple[float, ...] = PAUSES) -> None:
        self._post, self._pauses = post, pauses
        self._listeners: list[Listener] = []
        self._closing, self._lock = Flag(), Lock()
        self._thread: ThreadPoolExecutor | None = None
        self._failure: str | None = None

    @property
    def closing(self) -> bool:
        """Whether nothing more is taken."""
        return self._closing.is_set()

    def listen(self, listener: Listener) -> None:
        """Let a function be told of every event from now on."""
        self._listeners.append(listener)

    def tell(self, event: Event) -> None:
        """Tell of an event soon; what goes wrong then is logged."""
        jobs = [*self._listeners, *([self._send] if self._post else [])]
        with self._lock:
            if self._closing.is_set() or not jobs:
                return
            self._thread = self._thread or _thread()
            for job in jobs:
                self._thread.submit(job, event).add_done_callback(_log_failure)

    def close(self) -> None:
        """Tell of what waits, then stop; once a post fails, none is made again and no more are made."""
        with self._lock:
            self._closing.set()
        if self._thread is not None:
            self._thread.shutdown()

    def _send(self, event: Event) -> None:
        assert self._post is not None  # noqa: S101 - only then it is asked
        failure = self._failure if self._closing.is_set() else None
        for pause in () if failure else (*self._pauses, None):
            failure = self._failure = self._post(event)
            if failure is None:
                return
            if pause is None or self._closing.wait(pause):
                break
        _log.warning("The webhook was not told of %s %s: %s.", event.name, event.target, failure)


def _thread() -> ThreadPoolExecutor:
    """One thread; imported when it is needed, because most commands tell nobody of anything."""
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - see above

    return ThreadPoolExecutor(1, "karte-events")


def _log_failure(done: Future[None]) -> None:
    error = done.exception()
    if error is not None:
        _log.error("A listener failed.", exc_info=error)
