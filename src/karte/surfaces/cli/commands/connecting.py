"""`mcp` and `connect`: the way of agents to their memory."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Annotated, Any, Final

from karte.errors import Refused
from karte.surfaces.cli.answering import Answer
from karte.surfaces.cli.client_configuration import Change, adding
from karte.surfaces.cli.command_table import Command, Group, Section
from karte.surfaces.cli.drawing import connections
from karte.surfaces.cli.elsewhere import entry
from karte.surfaces.cli.options import EVERYWHERE, Json, Text, Texts, WorkspaceOptions, Yes, option
from karte.surfaces.cli.output import agreed, on_terminal, write_drawn

PROJECT_FILE: Final = ".mcp.json"
USER_FILE: Final = ".claude.json"
SERVER_NAME: Final = "karte"
AGENT: Final = "claude-code"

Profile = Annotated[str, option("--profile", "NAME", "How many tools: core, full or admin.")]


def mcp(
    where: WorkspaceOptions,
    agent: Annotated[
        Text,
        option("--agent -a", "NAME", "Whose memory is served; made if need be (default: the token's).", EVERYWHERE),
    ] = None,
    profile: Profile = "core",
    scopes: Annotated[
        Texts, option("--scope", "SCOPE", "memory:read, memory:write, review or admin; repeat it for several.")
    ] = None,
) -> None:
    """Serve one agent's memory to an MCP client over standard input and output, until the client leaves.

    With an agent's token in KARTE_TOKEN it is that agent, with the scopes of the token or fewer.
    """
    serve = entry("mcp")
    with where.opened(create=True) as workspace:
        serve(workspace, agent, profile=profile, scopes=scopes or None)


def connect_claude_code(
    where: WorkspaceOptions,
    agent: Annotated[str, option("--agent -a", "NAME", "Whose memory Claude Code uses.", EVERYWHERE)] = AGENT,
    user: Annotated[bool, option("--user", None, "For all your projects (~/.claude.json), not for this one.")] = False,
    file: Annotated[Text, option("--file", "PATH", "Another file than .mcp.json in this folder.")] = None,
    yes: Yes = False,
    as_json: Json = False,
) -> Answer:
    """Let Claude Code use a memory: writes the server into its configuration, and shows the change first.

    On a terminal it asks before it writes; elsewhere, and with --json, it writes with --yes only.
    """
    from karte.config import home
    from karte.core.memories import check_name

    check_name("The name of an agent", agent)
    server = _server(["mcp", "--agent", agent, "--workspace", _workspace(where)])
    target = (
        Path(file).expanduser() if file is not None else (home() / USER_FILE if user else Path.cwd() / PROJECT_FILE)
    )
    change = adding(target, SERVER_NAME, server)
    if change.needed and not as_json:
        write_drawn(connections.difference(change.difference))
    written = change.needed and (yes or (not as_json and _wanted(change)))
    if written:
        change.write()
    shape = {"file": str(target), "server": server, "difference": change.difference, "written": written}
    return Answer(shape, connections.connected)


def _workspace(where: WorkspaceOptions) -> str:
    """The workspace as a configuration may name it: from any folder, and without a secret."""
    from karte.surfaces.cli.opening import chosen_location

    location = chosen_location(where.workspace)
    if isinstance(location, Path):
        return str(location.absolute())
    if location.has_password:
        raise Refused(
            f"The URL of {location} holds a password, which would stand readable in the configuration; nothing was written.",
            hint="Leave the password out of the URL and keep it in ~/.pgpass (or the file that PGPASSFILE names),"
            " where the server finds it.",
        )
    return str(location)


def _server(arguments: list[str]) -> dict[str, Any]:
    program, *more = running_program()
    return {"type": "stdio", "command": program, "args": [*more, *arguments]}


def running_program() -> list[str]:
    """How to start this very program again, from any folder."""
    named = shutil.which(sys.argv[0])
    if named is not None and Path(named).stem == SERVER_NAME:
        return [str(Path(named).absolute())]
    return [sys.executable, "-m", SERVER_NAME]


def _wanted(change: Change) -> bool:
    if not on_terminal():
        return False
    if not agreed(f"Write {change.path}?"):
        raise Refused("Nothing was written.", hint="Answer y, or give --yes.")
    return True


CONNECTING = Section(
    "Connect",
    (
        Command("mcp", mcp),
        Group("connect", "Let a program use a memory.", (Command("claude-code", connect_claude_code),)),
    ),
)
