"""The store over one file: connections, units of work, scrubbing."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from karte.errors import Fault, WorkspaceLocked, WorkspaceReadOnly
from karte.stores.sqlite.connecting import Durability, check_file, connect
from karte.stores.sqlite.errors import translated
from karte.stores.sqlite.migrating import backups, check_version, migrate, undo
from karte.stores.sqlite.unit import Unit


class SQLiteStore:
    """A workspace in a SQLite file.

    Each unit of work has a connection of its own while it lasts, so threads do not disturb each other; writers of all
    processes take turns. Raises `WorkspaceMissing`, `NotAWorkspace`, `WorkspaceTooNew`.
    """

    def __init__(self, path: Path, *, create: bool = True, durability: Durability | None = None) -> None:
        self.path = path
        self._durability = durability or Durability()
        self._idle: list[apsw.Connection] = []
        self._lock = threading.Lock()
        self._turn = threading.Lock()
        self._closed = False
        with translated():
            self.writable = self._prepare(create=create)

    def __repr__(self) -> str:
        state = "closed" if self._closed else "open" if self.writable else "read-only"
        return f"<SQLiteStore {self.path} ({state})>"

    def _prepare(self, *, create: bool) -> bool:
        if create and not self.path.exists():
            self._make_folder()
        else:
            check_file(self.path)
            self._check_version()
        try:
            connection = connect(self.path, self._durability, writable=True)
            migrate(connection, self.path)
        except (apsw.ReadOnlyError, apsw.CantOpenError):
            if not self.path.exists():
                raise
            self._idle.append(connect(self.path, self._durability, writable=False))
            return False
        self._idle.append(connection)
        return True

    def _check_version(self) -> None:
        """Look before anything is written: a file that is no workspace, or too new, stays as it is."""
        connection = connect(self.path, self._durability, writable=False)
        try:
            check_version(connection, self.path)
        finally:
            connection.close()

    def _make_folder(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except (NotADirectoryError, FileExistsError, PermissionError) as error:
            raise WorkspaceReadOnly(f"The folder {self.path.parent} cannot be made: {error.strerror}.") from None

    @contextmanager
    def reading(self) -> Iterator[Unit]:
        """A consistent view: what was committed before it began."""
        with translated(), self._connection() as connection:
            connection.execute("BEGIN").fetchall()
            try:
                yield Unit(connection)
            finally:
                undo(connection)

    @contextmanager
    def writing(self) -> Iterator[Unit]:
        """One transaction, durable when it ends, undone when it raises."""
        if not self.writable:
            raise WorkspaceReadOnly
        with translated(), self._turn, self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE").fetchall()
            try:
                yield Unit(connection)
                connection.execute("COMMIT").fetchall()
            finally:
                undo(connection)

    @contextmanager
    def _connection(self) -> Iterator[apsw.Connection]:
        if self._closed:
            raise Fault("The workspace is closed; open it again.")
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        connection = connection or connect(self.path, self._durability, writable=self.writable)
        try:
            yield connection
        finally:
            with self._lock:
                self._idle.append(connection)

    def scrub(self) -> None:
        """Rewrite the file and empty its log, so that no byte of what was erased is left; old backups go too.

        Raises `WorkspaceLocked` where other processes keep reading the old state.
        """
        if not self.writable:
            raise WorkspaceReadOnly
        with translated(), self._turn, self._connection() as connection:
            self._empty_log(connection)
            connection.execute("VACUUM").fetchall()
            self._empty_log(connection)
        for backup in backups(self.path):
            backup.unlink(missing_ok=True)

    def _empty_log(self, connection: apsw.Connection) -> None:
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]
        if busy:
            raise WorkspaceLocked("Another process is reading old pages, so erased bytes cannot be removed yet.")

    def close(self) -> None:
        """Close all connections; the log is moved into the file by the last one."""
        self._closed = True
        while self._idle:
            self._idle.pop().close()
