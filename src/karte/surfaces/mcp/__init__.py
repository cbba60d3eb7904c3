"""The MCP surface: one agent's memory as tools and resources, over standard input and output.

How the command line starts it (`karte mcp --agent NAME [--profile ...] [--scope ...] [--workspace PATH|URL]`)::

    from karte.surfaces.mcp import serve

    with open_workspace(place) as workspace:
        serve(workspace, agent, profile="core", scopes=("memory:read", "memory:write"))

`serve` returns when the client leaves (end of input) and leaves the workspace open for its caller to close. It raises
`karte.errors.Incorrect` for a profile or scope that does not exist, and `MissingScope` for the profile `admin` without
the scope `admin`, before it reads a byte. It writes nothing to standard output but the protocol; what a person should
see goes to standard error. The server runs in this process: start one for each agent and client.

Rooms: `tools` define what is offered, by topic, and `catalogue` puts them together; `schemas` say what goes in and out,
`actions` call the facade, `arguments` refuses what a schema does not allow, `answers` renders results and errors,
`resources` and `prompts` are what a host puts before a model, `seats` holds who is served and what it may do, `wire` answers
messages that the SDK would drop, `serving` puts them together.
"""

from karte.surfaces.mcp.seats import DEFAULT_SCOPES, Profile
from karte.surfaces.mcp.serving import serve

__all__ = ["DEFAULT_SCOPES", "Profile", "serve"]
