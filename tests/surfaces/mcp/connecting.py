"""An official client of a server, asked one thing at a time: in this process, or over standard input and output."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mcp_types as types
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.server.lowlevel import Server

from karte.bootstrap import Parts, open_workspace
from karte.config import Settings
from karte.core.periods import read_instant
from karte.surfaces.mcp.seats import take_seat
from karte.surfaces.mcp.serving import make_server
from karte.workspace import Workspace
from tests.stores import FILE, STORES

NOW = "2026-12-01T00:00:00Z"
READ_AND_WRITE = ("memory:read", "memory:write")
ALL_SCOPES = (*READ_AND_WRITE, "review", "admin")

HANDSHAKE = "2025-11-25"
STATELESS = "2026-07-28"
REVISIONS = (HANDSHAKE, STATELESS)
"""Both live revisions of the protocol."""

Shape = dict[str, Any]


@dataclass
class Clock:
    """A clock that stands, until it is moved."""

    instant: int = field(default_factory=lambda: read_instant(NOW))

    def now(self) -> int:
        return self.instant

    def move_to(self, text: str) -> None:
        self.instant = read_instant(text)


@dataclass
class Agent:
    """A connected client."""

    portal: BlockingPortal
    client: Client

    def result(self, tool: str, **arguments: Any) -> types.CallToolResult:
        """What a tool gives, error or not."""
        result: types.CallToolResult = self.portal.call(self.client.call_tool, tool, arguments)
        return result

    def call(self, tool: str, **arguments: Any) -> Shape:
        """The structured content of a call that succeeds."""
        result = self.result(tool, **arguments)
        assert not result.is_error, result.content
        content: Shape = result.structured_content
        return content

    def refusal(self, tool: str, **arguments: Any) -> Shape:
        """The error of a call that is refused."""
        result = self.result(tool, **arguments)
        assert result.is_error, result.structured_content
        error: Shape = result.structured_content["error"]
        return error

    def tools(self) -> dict[str, types.Tool]:
        return {tool.name: tool for tool in self.portal.call(self.client.list_tools).tools}

    def templates(self) -> list[types.ResourceTemplate]:
        return self.portal.call(self.client.list_resource_templates).resource_templates

    def read_resource(self, address: str) -> types.ReadResourceResult:
        return self.portal.call(self.client.read_resource, address)

    def remember(self, content: str, **arguments: Any) -> str:
        """Store a memory; gives its id."""
        memory_id: str = self.call("memory_store", content=content, **arguments)["memory_id"]
        return memory_id


def text_of(result: types.CallToolResult) -> str:
    """The one text that a result consists of."""
    (block,) = result.content
    assert isinstance(block, types.TextContent)
    return block.text


@contextmanager
def connected(server: Server[Any] | StdioServerParameters, revision: str = STATELESS) -> Iterator[Agent]:
    """Connect the official client, at one revision of the protocol."""
    client = Client(server, mode="legacy" if revision == HANDSHAKE else "auto", read_timeout_seconds=60)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client):
        assert client.protocol_version == revision
        yield Agent(portal, client)


@contextmanager
def seated(
    workspace: Workspace,
    agent: str = "dudu",
    profile: str = "core",
    scopes: Iterable[str] = READ_AND_WRITE,
    session: str = "one",
    revision: str = STATELESS,
) -> Iterator[Agent]:
    """Connect an agent to a workspace that is open in this process."""
    with connected(make_server(take_seat(workspace, agent, session, profile, scopes)), revision) as connection:
        yield connection


def workspace_at(clock: Clock, kept_in: str, folder: Path, settings: Settings | None = None) -> Workspace:
    """A new workspace, in a file in the folder or in the tests' PostgreSQL."""
    making = STORES["sqlite" if kept_in == FILE else "postgres"]
    return open_workspace(":memory:", parts=Parts(store=making(folder), clock=clock, settings=settings))
