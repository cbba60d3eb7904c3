"""A relay between a client and a PostgreSQL server that reads what passes, and cuts the connection where it is told to.

It knows of the protocol only that each message has a type of one byte and a length, but for the first of a connection.
"""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from struct import Struct
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Final
from urllib.parse import quote

from tests.servers.postgres import DATABASE, OWNER, Server

PORT: Final = "5432"
_SOCKET: Final = f".s.PGSQL.{PORT}"
_LENGTH: Final = Struct("!i")

QUERY, EXECUTE, FLUSH = b"Q", b"E", b"H"
COMMIT: Final = b"COMMIT\0"


@dataclass(frozen=True)
class Message:
    """A message as it is on the wire: a type, empty for the first of a connection, and what follows its length."""

    kind: bytes
    body: bytes

    @property
    def raw(self) -> bytes:
        """All its bytes."""
        return self.kind + _LENGTH.pack(len(self.body) + _LENGTH.size) + self.body

    @property
    def is_commit(self) -> bool:
        """Whether a client asks to commit."""
        return self.kind == QUERY and self.body == COMMIT


class Fate(Enum):
    """What becomes of a message of a client."""

    PASSES = auto()
    IS_LOST = auto()
    """The connection is cut before the message arrives."""
    IS_NOT_ANSWERED = auto()
    """The message arrives, and the connection is cut when the server has answered."""
    IS_UNSEEN = auto()
    """The message arrives, and the client is cut off without waiting for an answer."""
    IS_HELD = auto()
    """The message does not arrive, the client is cut off, and the server is left in the belief that it is there."""


Rule = Callable[[Message], Fate]


def everything_passes(_: Message) -> Fate:
    """The rule of a wire."""
    return Fate.PASSES


class Relay:
    """A socket in a folder of its own that leads to a server; `rule` says what becomes of each message of a client."""

    def __init__(self, folder: Path, server: Server) -> None:
        self.rule: Rule = everything_passes
        self.folder, self._server = folder, server
        self._wires: list[_Wire] = []
        self.open()

    def url(self, workspace: str) -> str:
        """The address of a workspace by way of the relay."""
        reached = f"host={quote(str(self.folder), safe='')}&port={PORT}"
        return f"postgresql://{OWNER}@/{DATABASE}?{reached}&workspace={quote(workspace, safe='')}"

    def open(self) -> None:
        """Take connections."""
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(self.folder / _SOCKET))
        self._listening.listen(50)
        self._accepting = Thread(target=self._accept)
        self._accepting.start()

    def close(self) -> None:
        """Take no more connections; those that are there go on."""
        (self.folder / _SOCKET).unlink(missing_ok=True)
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listening.close()

    def end(self) -> None:
        """End everything."""
        self.close()
        for wire in self._wires:
            wire.end()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.socket(socket.AF_UNIX)
                self._wires.append(_Wire(client, server, self))
                with suppress(OSError):
                    server.connect(str(self._server.keeper.folder / _SOCKET))
                self._wires[-1].start()


class _Wire:
    """One connection through a relay."""

    def __init__(self, client: socket.socket, server: socket.socket, relay: Relay) -> None:
        self._client, self._server, self._relay = client, server, relay
        self._is_cut_at_answer = self._is_held = False
        self._threads = [Thread(target=self._pass_on), Thread(target=self._pass_back)]

    def start(self) -> None:
        """Pass messages both ways from now on."""
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        """Cut both ends and wait until nothing passes."""
        for end in (self._client, self._server):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        self._client.close()
        self._server.close()

    def _pass_on(self) -> None:
        with suppress(OSError):
            for message in _messages(self._client, has_kind=False):
                fate = self._relay.rule(message)
                self._is_held = fate in {Fate.IS_HELD, Fate.IS_UNSEEN}
                self._is_cut_at_answer |= fate is Fate.IS_NOT_ANSWERED
                if fate not in {Fate.IS_LOST, Fate.IS_HELD}:
                    self._server.sendall(message.raw)
                if self._is_held or fate is Fate.IS_LOST:
                    break
        self._cut()

    def _pass_back(self) -> None:
        with suppress(OSError):
            for message in _messages(self._server, has_kind=True):
                if self._is_cut_at_answer:
                    break
                self._client.sendall(message.raw)
        self._cut()

    def _cut(self) -> None:
        for end in (self._client,) if self._is_held else (self._client, self._server):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


def _messages(source: socket.socket, *, has_kind: bool) -> Iterator[Message]:
    """The messages that come out of a socket until it is closed; the first one of a client has no type."""
    with source.makefile("rb") as stream:
        while True:
            kind = stream.read(1) if has_kind else b""
            head = stream.read(_LENGTH.size)
            if len(head) < _LENGTH.size:
                return
            (length,) = _LENGTH.unpack(head)
            yield Message(kind, stream.read(length - _LENGTH.size))
            has_kind = True


@contextmanager
def relay_to(server: Server) -> Iterator[Relay]:
    """A relay to a server, closed at the end."""
    with TemporaryDirectory(prefix="karte-relay-", dir="/tmp") as folder:  # the path of a socket has to be short
        relay = Relay(Path(folder), server)
        try:
            yield relay
        finally:
            relay.end()
