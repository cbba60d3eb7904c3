"""Making a call again whose transaction was lost with the connection to the store."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar

from karte.engine.happening import undone
from karte.errors import Interrupted

MOST_ATTEMPTS: Final = 10
"""How often a call is made; the store itself waits, within bounds, until a transaction can begin."""

P = ParamSpec("P")
R = TypeVar("R")


def repeated(call: Callable[P, R]) -> Callable[P, R]:
    """The same call, made again as a whole where it was interrupted, since nothing of it was kept then.

    For each function that opens a transaction of its own, so its arguments must outlive the first attempt.
    """

    @wraps(call)
    def attempt(*args: P.args, **kwargs: P.kwargs) -> R:
        for _ in range(MOST_ATTEMPTS - 1):
            try:
                with undone():
                    return call(*args, **kwargs)
            except Interrupted:
                continue
        with undone():
            return call(*args, **kwargs)

    return attempt
