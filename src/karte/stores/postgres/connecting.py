"""Connections to one database, and what must be so before any is used."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any, Final

import psycopg
from psycopg.adapt import AdaptersMap
from psycopg_pool import ConnectionPool

from karte.errors import Fault, StoreTooOld
from karte.stores.postgres.address import Address
from karte.stores.postgres.errors import cannot_connect

OLDEST_SERVER: Final = 150_000
"""PostgreSQL 15, as libpq counts: MERGE of booleans into exclusion constraints came with it."""

PATIENCE: Final = 30.0
"""How many seconds a unit of work tries to begin while the server is away or moves to another machine."""

MOST_CONNECTIONS: Final = 20
_CONNECT_SECONDS: Final = 10
_SHORTEST_PAUSE: Final = 0.02
_LONGEST_PAUSE: Final = 1.0


def options(context: AdaptersMap | None = None) -> dict[str, Any]:
    """How every connection is made."""
    chosen: dict[str, Any] = {
        "autocommit": True,
        "client_encoding": "utf8",
        "connect_timeout": _CONNECT_SECONDS,
        "fallback_application_name": "karte",
    }
    return chosen if context is None else {**chosen, "context": _Context(context)}


class _Context:
    """What psycopg asks for where adapters do not come from a connection."""

    connection = None

    def __init__(self, adapters: AdaptersMap) -> None:
        self.adapters = adapters


def connect(address: Address) -> psycopg.Connection:
    """A first connection, outside of any pool, so that what is wrong is said at once.

    Raises `StoreUnreachable`, `SignInRefused`, `WorkspaceMissing` (there is no such database) or `StoreTooOld`.
    """
    try:
        connection = psycopg.connect(address.database, **options())
    except psycopg.ProgrammingError as error:
        raise Fault(f"The URL of the database cannot be used: {str(error).strip()}.") from error
    except psycopg.OperationalError as error:
        raise cannot_connect(error) from error
    try:
        _check_server(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _check_server(connection: psycopg.Connection) -> None:
    version = connection.info.server_version
    if version < OLDEST_SERVER:
        raise StoreTooOld(
            f"The server is PostgreSQL {version // 10_000}; Karte needs {OLDEST_SERVER // 10_000} or newer."
        )
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise Fault(f"The database keeps texts as {encoding}.", hint="Create it with ENCODING 'UTF8'.")


def pool(address: Address, adapters: AdaptersMap) -> ConnectionPool[psycopg.Connection]:
    """Connections for many threads; none is open before it is needed."""
    return ConnectionPool(
        address.database,
        kwargs=options(adapters),
        min_size=0,
        max_size=MOST_CONNECTIONS,
        open=True,
        timeout=PATIENCE,
        reconnect_timeout=PATIENCE,
        num_workers=1,
        name="karte",
    )


def pauses(patience: float = PATIENCE) -> Iterator[float]:
    """Wait between attempts, longer each time, with a jitter so that many do not come back at once.

    Gives the seconds that are left before each attempt, first without waiting; ends when patience does.
    """
    end = time.monotonic() + patience
    pause = _SHORTEST_PAUSE
    while (left := end - time.monotonic()) > 0:
        yield left
        time.sleep(min(left, pause * random.uniform(0.5, 1.5)))  # noqa: S311 - no secret
        pause = min(pause * 2, _LONGEST_PAUSE)
