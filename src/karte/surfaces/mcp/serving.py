"""The server: the SDK's low-level one, with the handlers of this surface."""

from __future__ import annotations

import logging
import signal
import traceback
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar, TypeVarTuple

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

import karte
from karte.bootstrap import TimeSortedIds
from karte.errors import KarteError, MissingScope, Refused
from karte.surfaces.mcp import answers, prompts, resources
from karte.surfaces.mcp.arguments import read_arguments
from karte.surfaces.mcp.catalogue import INSTRUCTIONS, TOOLS, Tool
from karte.surfaces.mcp.seats import Profile, Seat, take_seat
from karte.surfaces.mcp.wire import AnsweringStream
from karte.workspace import Workspace

Context = ServerRequestContext[Any, Any]
Page = types.PaginatedRequestParams | None
Found = TypeVar("Found")
Values = TypeVarTuple("Values")

MOST_AT_ONCE: Final = 4
"""Calls that work at the same time; each may hold a connection to the workspace."""

_log = logging.getLogger(__name__)


def serve(
    workspace: Workspace,
    agent: str | None = None,
    *,
    profile: str = Profile.CORE,
    scopes: Iterable[str] | None = None,
) -> None:
    """Serve one agent's memory over standard input and output until the client leaves; raises what `take_seat` does."""
    seat = take_seat(workspace, agent, TimeSortedIds().new(""), profile, scopes)
    # A thread that reads standard input cannot be interrupted: Ctrl-C ends the process at once, as SIGTERM does. What
    # was acknowledged is on disk.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        anyio.run(_serve, make_server(seat))
    except* BrokenPipeError:
        _log.info("The client left without reading its answers.")


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (messages, answering):
        stream = AnsweringStream(messages, answering)
        await server.run(stream, answering, server.create_initialization_options())


def make_server(seat: Seat) -> Server[Any]:
    """A server for a seat, for any transport of the SDK."""
    handlers = Handlers(seat)
    return Server(
        "karte",
        title="Karte",
        version=karte.__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
    )


class Handlers:
    """What the server does for a seat. Work on the workspace is done in threads, so that other requests go on."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._limit = anyio.CapacityLimiter(MOST_AT_ONCE)

    async def list_tools(self, _: Context, __: Page) -> types.ListToolsResult:
        """The tools of the profile that the scopes allow."""
        offered = [tool.definition(self._seat.profile) for tool in TOOLS.values() if tool.offered_to(self._seat)]
        return types.ListToolsResult(tools=offered)

    async def call_tool(self, _: Context, call: types.CallToolRequestParams) -> types.CallToolResult:
        """The answer of a tool; raises `MCPError` only for a tool that does not exist."""
        tool = TOOLS.get(call.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {call.name!r:.80}.")
        return await self._in_thread(self._answer, tool, call.arguments)

    async def list_resources(self, _: Context, __: Page) -> types.ListResourcesResult:
        """The policies; memories are not listed."""
        return types.ListResourcesResult(resources=resources.listed(self._seat))

    async def list_templates(self, _: Context, __: Page) -> types.ListResourceTemplatesResult:
        """The addresses of memories."""
        return types.ListResourceTemplatesResult(resource_templates=resources.templates(self._seat))

    async def read_resource(self, _: Context, wanted: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """A memory that holds now, or the policies."""
        return await self._in_thread(resources.read, self._seat, str(wanted.uri))

    async def list_prompts(self, _: Context, __: Page) -> types.ListPromptsResult:
        """The prompts that the scopes allow."""
        return types.ListPromptsResult(prompts=prompts.listed(self._seat))

    async def get_prompt(self, _: Context, wanted: types.GetPromptRequestParams) -> types.GetPromptResult:
        """A prompt, as a person picks it."""
        return await self._in_thread(prompts.get, self._seat, wanted.name, wanted.arguments or {})

    async def _in_thread(self, work: Callable[[*Values], Found], *arguments: *Values) -> Found:
        return await anyio.to_thread.run_sync(work, *arguments, limiter=self._limit)

    def _answer(self, tool: Tool, given: dict[str, Any] | None) -> types.CallToolResult:
        try:
            self._check_offered(tool)
            self._seat.workspace.check_token()
            arguments = read_arguments(tool.name, tool.taken_in(self._seat.profile), given)
            return answers.success(tool.action(self._seat, arguments), recalled=tool.recalls)
        except KarteError as error:
            return answers.failure(error)
        except Exception as error:  # noqa: BLE001 - the outermost boundary: an agent gets a sentence, the log the place
            place = "".join(traceback.format_tb(error.__traceback__))
            _log.error("%s failed: %s\n%s", tool.name, type(error).__name__, place)
            return answers.failure(answers.fault(error))

    def _check_offered(self, tool: Tool) -> None:
        if tool.scope not in self._seat.scopes:
            raise MissingScope(f"{tool.name} needs the scope {tool.scope}, which this server was not given.")
        if not tool.offered_to(self._seat):
            raise Refused(
                f"{tool.name} belongs to the profile {tool.profile}; this server was started with {self._seat.profile}.",
                hint="Use the tools that are listed.",
            )
