"""Connections to one database, and what must be so before any is used."""

from __future__ import annotations

import logging
import os
import random
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Any, Final

import psycopg
from psycopg.adapt import AdaptersMap
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus
from psycopg.rows import TupleRow

from karte.errors import Fault, StoreTooOld, StoreUnreachable, WorkspaceLocked
from karte.stores.postgres.address import Address
from karte.stores.postgres.errors import cannot_connect, is_for_a_moment, passes

OLDEST_SERVER: Final = 150_000
"""PostgreSQL 15, as libpq counts: its btree_gist takes booleans, by which segments are kept apart."""

PATIENCE: Final = 30.0
"""How many seconds a unit of work tries to begin while the server is away or moves to another machine."""

MOST_CONNECTIONS: Final = 20
"""How many units of work of one store may be under way; others wait for their turn."""

_LONGEST_IDLE: Final = 300.0
_SHORTEST_PAUSE: Final = 0.02
_LONGEST_PAUSE: Final = 1.0

_USUAL: Final[dict[str, str | int]] = {
    "connect_timeout": 10,
    "fallback_application_name": "karte",
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""What a URL may say otherwise; a server that vanished without a word is given up within half a minute."""

# What the driver logs goes where a program sends its logs, not to the terminal of one that sends them nowhere.
logging.getLogger("psycopg").addHandler(logging.NullHandler())


class Line(psycopg.Connection[TupleRow]):
    """A connection by a name of its own, with the number of its last turn to write."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.name = secrets.token_bytes(16)
        self.turn = 0


class _Context:
    """What psycopg asks for where adapters do not come from a connection."""

    connection = None

    def __init__(self, adapters: AdaptersMap) -> None:
        self.adapters = adapters


def options(address: Address, adapters: AdaptersMap | None = None) -> dict[str, Any]:
    """How every connection is made."""
    given = conninfo_to_dict(address.database)
    usual = {name: value for name, value in _USUAL.items() if name not in given}
    context = None if adapters is None else _Context(adapters)
    return {**usual, "autocommit": True, "client_encoding": "utf8", "context": context}


def connect(address: Address, patience: float = PATIENCE) -> Line:
    """A first connection; what is wrong is said at once, and only a server that is starting or full is waited for.

    Raises `StoreUnreachable`, `SignInRefused`, `WorkspaceMissing` (there is no such database) or `StoreTooOld`.
    """
    last: psycopg.OperationalError | None = None
    for _ in pauses(patience):
        try:
            line = Line.connect(address.database, **options(address))
        except psycopg.OperationalError as error:
            last = error
            if is_for_a_moment(error):
                continue
            break
        return _checked(line)
    raise cannot_connect(last) from last


def _checked(line: Line) -> Line:
    with ExitStack() as undone:
        undone.callback(line.close)
        _check_server(line)
        undone.pop_all()
    return line


def _check_server(connection: psycopg.Connection) -> None:
    version = connection.info.server_version
    if version < OLDEST_SERVER:
        raise StoreTooOld(
            f"The server is PostgreSQL {version // 10_000}; Karte needs {OLDEST_SERVER // 10_000} or newer."
        )
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise Fault(f"The database keeps texts as {encoding}.", hint="Create it with ENCODING 'UTF8'.")


class Connections:
    """The connections of one store, at most `MOST_CONNECTIONS`; the thread that needs one makes it, or finds it idle.

    So whoever waits is told what is wrong, nothing goes on in the background, and none is shared with a forked process.
    """

    def __init__(self, address: Address, adapters: AdaptersMap, patience: float = PATIENCE) -> None:
        self._database, self._options = address.database, options(address, adapters)
        self._patience = patience
        self._closed = False
        self._idle: list[tuple[float, Line]] = []
        self._start()

    def _start(self) -> None:
        """Own no connection yet. A forked process leaves those of its parent open, whose they are."""
        self._process = os.getpid()
        self._others, self._idle = self._idle, []
        self._lock = threading.Lock()
        self._places = threading.Semaphore(MOST_CONNECTIONS)

    def begin(self, script: bytes, patience: float | None = None) -> Line:
        """A connection on which `script` was executed; dead ones are left behind until patience (seconds) ends.

        To be given back with `end`. Raises `StoreUnreachable` then; what will not change by waiting at once.
        """
        last: psycopg.OperationalError | None = None
        for left in pauses(self._patience if patience is None else patience):
            try:
                return self._begun(script, left)
            except psycopg.OperationalError as error:
                if not passes(error):
                    raise
                last, told = error, cannot_connect(error)
                if not isinstance(told, StoreUnreachable):
                    raise told from error
        raise cannot_connect(last) from last

    def _begun(self, script: bytes, patience: float) -> Line:
        line = self._taken(patience)
        with ExitStack() as undone:
            undone.callback(self.end, line)
            line.execute(script)
            undone.pop_all()
        return line

    def _taken(self, patience: float) -> Line:
        if self._process != os.getpid():
            self._start()
        if not self._places.acquire(timeout=patience):
            raise WorkspaceLocked(
                f"All {MOST_CONNECTIONS} connections of this program stayed in use; nothing was changed.",
                hint="Let fewer threads work on the workspace at a time.",
            )
        with ExitStack() as undone:
            undone.callback(self._places.release)
            line = self._found() or self._made()
            undone.pop_all()
        return line

    def _made(self) -> Line:
        """A new connection; behind a pooler it prepares no statements, since the next one may go to another server."""
        with ExitStack() as undone:
            line = Line.connect(self._database, **self._options)
            undone.callback(line.close)
            (server,) = line.execute("SELECT pg_backend_pid()").fetchone() or (None,)
            if server != line.info.backend_pid:
                line.prepare_threshold = None
            undone.pop_all()
        return line

    def _found(self) -> Line | None:
        """The connection that was given back last; those that nobody needed for long are closed."""
        with self._lock:
            if self._closed:
                raise Fault("The workspace is closed; open it again.")
            oldest = time.monotonic() - _LONGEST_IDLE
            old = [line for since, line in self._idle if since < oldest]
            del self._idle[: len(old)]
            found = self._idle.pop()[1] if self._idle else None
        for line in old:
            line.close()
        return found

    def end(self, line: Line) -> None:
        """Take a connection back: what it did not commit is undone, and it waits for others if it is alive."""
        try:
            with suppress(psycopg.Error):
                line.rollback()
        finally:
            for gone in self._put_back(line):
                gone.close()
            self._places.release()

    def _put_back(self, line: Line) -> list[Line]:
        """Keep a connection for others; gives those to be closed: where one died, those that are idle may have, too."""
        alive = line.info.transaction_status is TransactionStatus.IDLE
        with self._lock:
            if alive and not self._closed:
                self._idle.append((time.monotonic(), line))
                return []
            suspect = [] if alive else [other for _, other in self._idle]
            if not alive:
                self._idle.clear()
        return [line, *suspect]

    def close(self) -> None:
        """Close all connections; one that is at work is closed when it is given back."""
        if self._process != os.getpid():
            self._start()
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for _, line in idle:
            line.close()


def pauses(patience: float) -> Iterator[float]:
    """Wait between attempts, longer each time, with a jitter so that many do not come back at once.

    Gives the seconds that are left before each attempt, first without waiting; ends when patience does.
    """
    end = time.monotonic() + patience
    pause = _SHORTEST_PAUSE
    while (left := end - time.monotonic()) > 0:
        yield left
        time.sleep(min(left, pause * random.uniform(0.5, 1.5)))  # noqa: S311 - no secret
        pause = min(pause * 2, _LONGEST_PAUSE)
