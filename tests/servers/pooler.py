"""Poolers between Karte and a server: PgBouncer where it is installed, and a stand-in that only looks like one."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

import pytest

from tests.servers.postgres import DATABASE, OWNER, Server

_PORT: Final = "6432"
_SERVERS: Final = 2
"""How many connections to the server the clients share; with more clients, each transaction gets whichever is free."""

_SETTINGS: Final = """
[databases]
* = host={folder} port=5432
[pgbouncer]
listen_addr =
unix_socket_dir = {folder}
listen_port = {port}
auth_type = trust
auth_file = {folder}/pgbouncer.users
pool_mode = transaction
default_pool_size = {servers}
logfile = {folder}/pgbouncer.log
pidfile = {folder}/pgbouncer.pid
"""

_UNTIL_IT_LISTENS: Final = f"timeout 20 sh -c 'until [ -S .s.PGSQL.{_PORT} ]; do sleep 0.05; done'"

_KEY: Final = b"K\0\0\0\x0c"
"""How the message begins by which a server tells a client its number, for cancelling."""


@contextmanager
def pgbouncer(server: Server) -> Iterator[str]:
    """The address of the owner's database through PgBouncer, which hands out servers for a transaction at a time."""
    program = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
    if program is None:
        pytest.skip("PgBouncer is not installed: apt-get install pgbouncer")
    folder = server.keeper.folder
    settings = _SETTINGS.format(folder=folder, port=_PORT, servers=_SERVERS)
    (folder / "pgbouncer.ini").write_text(settings, encoding="utf-8")
    (folder / "pgbouncer.users").write_text(f'"{OWNER}" ""', encoding="utf-8")
    assert server.keeper.run(f"{program} -d pgbouncer.ini") == 0, server.told()
    try:
        assert server.keeper.run(_UNTIL_IT_LISTENS) == 0, (folder / "pgbouncer.log").read_text(encoding="utf-8")
        yield url(folder, _PORT)
    finally:
        server.keeper.run("kill $(cat pgbouncer.pid)")


@contextmanager
def disguise(server: Server) -> Iterator[str]:
    """The address of the owner's database through a relay that gives clients another number, as poolers do."""
    folder = server.keeper.folder / "disguise"
    folder.mkdir()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / f".s.PGSQL.{_PORT}"))
        listening.listen()
        threading.Thread(
            target=_relay, args=(listening, str(server.keeper.folder / ".s.PGSQL.5432")), daemon=True
        ).start()
        yield url(folder, _PORT)


def url(folder: Path, port: str) -> str:
    """The address of the owner's database at a socket in a folder."""
    return f"postgresql://{OWNER}@/{DATABASE}?host={quote(str(folder), safe='')}&port={port}"


def _relay(listening: socket.socket, server: str) -> None:
    with suppress(OSError):
        while True:
            client, _ = listening.accept()
            behind = socket.socket(socket.AF_UNIX)
            behind.connect(server)
            threading.Thread(target=_pass, args=(client, behind), daemon=True).start()
            threading.Thread(target=_pass, args=(behind, client), daemon=True).start()


def _pass(source: socket.socket, target: socket.socket) -> None:
    """Pass on what comes until one side hangs up; the number of the server becomes another one."""
    with suppress(OSError), source, target:
        while data := source.recv(65_536):
            at = data.find(_KEY)
            if at >= 0:
                start = at + len(_KEY)
                data = data[:start] + b"\0\0\0\x01" + data[start + 4 :]
            target.sendall(data)
