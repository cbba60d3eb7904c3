"""Workspaces that live as long as a measurement: in a file, or in a database of a PostgreSQL server."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote, urlsplit

import karte
from karte.bootstrap import Parts
from karte.config import Settings
from karte.models.embedders import NONE
from karte.workspace import Workspace


@contextmanager
def folder() -> Iterator[Path]:
    """A folder that is gone afterwards, on the disk that temporary files are on."""
    with TemporaryDirectory(prefix="karte-bench-") as name:
        yield Path(name)


@contextmanager
def workspace(embedder: str = NONE, server: str | None = None) -> Iterator[Workspace]:
    """An empty workspace that is gone afterwards, with an embedder by name: in a file, or on a server by its URL."""
    with nullcontext() if server else folder() as place:
        if place is not None:
            with opened(place / "bench.karte", embedder) as made:
                yield made
            return
        with Server(str(server)).database() as database, opened(database.workspace("bench"), embedder) as made:
            yield made


def opened(place: Path | str, embedder: str = NONE) -> Workspace:
    """Open a workspace with the default settings, whatever the user's own are, and an embedder by name."""
    return karte.open(place, parts=Parts(settings=Settings(embedder=embedder)))


@dataclass(frozen=True)
class Server:
    """A PostgreSQL server by the URL of a database on it, for a role that may make databases and extensions."""

    url: str

    @contextmanager
    def database(self, like: Database | None = None) -> Iterator[Database]:
        """A database that is gone afterwards, empty or a copy of another one that nobody uses."""
        made = Database(self, f"karte_bench_{secrets.token_hex(6)}")
        template = f' TEMPLATE "{like.name}"' if like else ""
        self.execute(f'CREATE DATABASE "{made.name}"{template}')
        try:
            yield made
        finally:
            self.execute(f'DROP DATABASE "{made.name}" WITH (FORCE)')

    def execute(self, statement: str, url: str | None = None) -> Any:
        """Execute a statement outside of any transaction; gives the first value of its answer, if it has one."""
        from karte.stores.postgres.address import Address  # noqa: PLC0415 - its driver may not be installed
        from karte.stores.postgres.connecting import connect  # noqa: PLC0415 - as above
        from karte.stores.postgres.errors import translated  # noqa: PLC0415 - as above

        with translated(), connect(Address.read(url or self.url)) as connection:
            cursor = connection.execute(statement.encode())
            row = cursor.fetchone() if cursor.description else None
            return row[0] if row else None


@dataclass(frozen=True)
class Database:
    """A database on a server."""

    server: Server
    name: str

    @property
    def url(self) -> str:
        """Its own address."""
        parts = urlsplit(self.server.url)
        return f"{parts.scheme}://{parts.netloc}/{self.name}" + (f"?{parts.query}" if parts.query else "")

    def workspace(self, name: str) -> str:
        """The address of a workspace in it."""
        return f"{self.url}{'&' if '?' in self.url else '?'}workspace={quote(name, safe='')}"

    def settle(self) -> None:
        """Do now what the server would do in the background while something is measured."""
        self.server.execute("VACUUM (ANALYZE)", self.url)
        self.server.execute("CHECKPOINT", self.url)

    def size(self) -> int:
        """The bytes that it takes."""
        return int(self.server.execute("SELECT pg_database_size(current_database())", self.url))
