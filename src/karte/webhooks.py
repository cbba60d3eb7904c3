"""Webhooks: events posted to a URL, signed."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from karte.engine.happening import Event

SIGNATURE: Final = "Karte-Signature"
"""The header that holds `t=<seconds since the epoch>,v1=<HMAC-SHA256 of "<t>.<body>" in hexadecimal>`."""

TIMEOUT: Final = 5.0
"""Seconds to wait for a connection, and for each part of an answer."""


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
