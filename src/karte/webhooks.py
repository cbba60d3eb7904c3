"""Telling others of events: callbacks of this process and a webhook, in a thread that no write waits for."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPException
from threading import Event as Flag
from threading import Lock
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from karte.engine.happening import Event, Listener

SIGNATURE: Final = "Karte-Signature"
"""The header that holds `t=<seconds since the epoch>,v1=<HMAC-SHA256 of "<t>.<body>" in hexadecimal>`."""

PAUSES: Final = (1.0, 5.0, 25.0)
"""Seconds before a request that failed is sent again."""

TIMEOUT: Final = 5.0
"""Seconds to wait for a connection, and for each part of an answer."""

_log = logging.getLogger(__name__)


def signature(secret: str, seconds: int, body: bytes) -> str:
    """The value of the header for a body sent at a time (seconds since the epoch).

    It signs the time with the body, so a receiver can refuse what is too old (as Stripe's webhooks do).
    """
    signed = hmac.new(secret.encode(), f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={signed}"


@dataclass(frozen=True)
class Webhook:
    """Where events are posted, the secret that signs them, and the clock (seconds since the epoch)."""

    url: str
    secret: str = field(repr=False)
    seconds: Callable[[], int]
    timeout: float = TIMEOUT

    def post(self, event: Event) -> str | None:
        """Send an event; gives why that failed, None where it was taken (any status from 200 to 299)."""
        body = json.dumps(event.to_dict(), ensure_ascii=False, separators=(",", ":")).encode()
        headers = {"Content-Type": "application/json", SIGNATURE: signature(self.secret, self.seconds(), body)}
        request = Request(self.url, body, headers, method="POST")  # noqa: S310 - the settings allow http and https
        try:
            with build_opener(_NoRedirect).open(request, timeout=self.timeout):
                return None
        except HTTPError as error:
            error.close()
            return f"status {error.code}"
        except (URLError, HTTPException, OSError) as error:
            return str(getattr(error, "reason", error))


class _NoRedirect(HTTPRedirectHandler):
    """Sends nothing to another address than the one that was set."""

    def redirect_request(self, *_: object) -> None:
        """Follow nothing; the answer counts as a failure."""


class Herald:
    """Tells listeners and a webhook of events, one after the other, in a thread that starts with the first event."""

    def __init__(self, webhook: Webhook | None = None, pauses: tuple[float, ...] = PAUSES) -> None:
        self._webhook, self._pauses = webhook, pauses
        self._listeners: list[Listener] = []
        self._closing, self._lock = Flag(), Lock()
        self._thread: ThreadPoolExecutor | None = None

    def listen(self, listener: Listener) -> None:
        """Let a function be told of every event from now on."""
        self._listeners.append(listener)

    def tell(self, event: Event) -> None:
        """Tell of an event soon; what goes wrong then is logged."""
        jobs = [*self._listeners, *([self._send] if self._webhook else [])]
        with self._lock:
            if self._closing.is_set() or not jobs:
                return
            self._thread = self._thread or ThreadPoolExecutor(1, "karte-events")
            for job in jobs:
                self._thread.submit(job, event).add_done_callback(_log_failure)

    def close(self) -> None:
        """Tell of what waits, without pauses where a request fails, then stop."""
        with self._lock:
            self._closing.set()
        if self._thread is not None:
            self._thread.shutdown()

    def _send(self, event: Event) -> None:
        assert self._webhook is not None  # noqa: S101 - only then it is asked
        for pause in (*self._pauses, None):
            failure = self._webhook.post(event)
            if failure is None:
                return
            if pause is None or self._closing.wait(pause):
                break
        _log.warning("The webhook was not told of %s %s: %s.", event.name, event.target, failure)


def _log_failure(done: Future[None]) -> None:
    error = done.exception()
    if error is not None:
        _log.error("A listener failed.", exc_info=error)
