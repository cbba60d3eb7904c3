"""`karte mcp` as the process that a client starts, and the lines that go to and fro."""

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from queue import Queue
from threading import Thread
from typing import IO, Any

from mcp import StdioServerParameters

Message = dict[str, Any]

PATIENCE = 40
"""Seconds after which a test fails that waits for a server in vain."""

HELLO: Message = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "lines", "version": "1"},
    },
}


def command(workspace: str, agent: str | None = "dudu", profile: str = "core", scopes: Iterable[str] = ()) -> list[str]:
    """The command line of a server for one agent."""
    named = [argument for scope in scopes for argument in ("--scope", scope)]
    whose = [] if agent is None else ["--agent", agent]
    where = ["--workspace", workspace, *whose, "--profile", profile]
    return [sys.executable, "-m", "karte", "mcp", *where, *named]


def parameters(
    workspace: str, agent: str | None = "dudu", profile: str = "core", **variables: str
) -> StdioServerParameters:
    """The same, as the official client starts it."""
    program, *arguments = command(workspace, agent, profile)
    return StdioServerParameters(command=program, args=arguments, env={"KARTE_EMBEDDER": "none", **variables})


@dataclass
class Lines:
    """A server's standard input and output, a line at a time, with no SDK in between."""

    process: subprocess.Popen[str]
    outgoing: IO[str]
    incoming: IO[str]

    def __post_init__(self) -> None:
        self._read: Queue[str] = Queue()
        Thread(target=self._keep_reading, daemon=True).start()

    def _keep_reading(self) -> None:
        for line in self.incoming:
            self._read.put(line)
        self._read.put("")

    def send(self, message: Message | str) -> None:
        text = message if isinstance(message, str) else json.dumps(message)
        self.outgoing.write(f"{text}\n")
        self.outgoing.flush()

    def receive(self) -> Message:
        """The next line; fails where none comes: a server that drops a request must not hold up the tests."""
        answer: Message = json.loads(self._read.get(timeout=PATIENCE))
        return answer

    def rest(self) -> list[str]:
        """All lines until the server's output ends."""
        return list(iter(lambda: self._read.get(timeout=PATIENCE), ""))

    def ask(self, message: Message | str) -> Message:
        self.send(message)
        return self.receive()

    def greet(self) -> Message:
        """The handshake of the revision 2025-11-25."""
        answer = self.ask(HELLO)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def leave(self) -> int:
        """Close standard input, as a client does; gives the exit code."""
        self.outgoing.close()
        return self.process.wait(timeout=PATIENCE)


def calling(request_id: int, tool: str, arguments: str | Message) -> str:
    """A line that calls a tool, with arguments that may be any text at all."""
    given = arguments if isinstance(arguments, str) else json.dumps(arguments)
    head = f'{{"jsonrpc":"2.0","id":{request_id},"method":"tools/call","params":{{"name":"{tool}","arguments":'
    return f"{head}{given}}}}}"


@contextmanager
def started(workspace: str, agent: str = "dudu", profile: str = "full") -> Iterator[Lines]:
    """A running server; it is ended if the test has not done so."""
    process = subprocess.Popen(
        command(workspace, agent, profile),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        try:
            yield Lines(process, process.stdin, process.stdout)
        finally:
            process.kill()
