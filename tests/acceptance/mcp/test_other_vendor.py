"""The client of another vendor (FastMCP, by Prefect), unmodified, against `karte mcp`."""

from typing import Any

import anyio
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from fastmcp.exceptions import ToolError

from tests.acceptance.mcp.processes import command

Shape = dict[str, Any]


def test_the_client_of_another_vendor_lists_stores_finds_fetches_and_reads_the_past(place: str) -> None:
    anyio.run(_use, place)


async def _use(place: str) -> None:
    program, *arguments = command(place)
    async with Client(StdioTransport(program, arguments)) as client:

        async def call(tool: str, **given: Any) -> Shape:
            content: Shape = (await client.call_tool(tool, given)).structured_content
            return content

        assert [tool.name for tool in await client.list_tools()] == [
            *("memory_store", "memory_search", "memory_fetch_batch"),
            *("memory_get_history", "memory_get_at", "memory_withdraw"),
            *("propose_fact", "memory_context", "get_my_notes", "update_my_notes"),
        ]
        names = {"subject": "使用者", "predicate": "城市"}
        old = await call("memory_store", content="住在台北", **names, object="台北", valid_from="2025-01-01")
        new = await call("memory_store", content="住在高雄", **names, object="高雄", valid_from="2025-06-01")
        assert new["superseded"] == [old["memory_id"]]
        found = await call("memory_search", query="住在")
        assert [hit["memory"]["object"] for hit in found["hits"]] == ["高雄"]
        batch = await call("memory_fetch_batch", ids=[old["memory_id"], "mem_404"])
        assert (batch["total_found"], batch["missing_ids"]) == (1, ["mem_404"])
        then = await call("memory_get_at", **names, at="2025-03-01")
        assert [memory["object"] for memory in then["memories"]] == ["台北"]
        chain = (await call("memory_get_history", **names))["chain"]
        assert [memory["object"] for memory in chain] == ["台北", "高雄"]
        (content,) = await client.read_resource(f"karte://memory/{new['memory_id']}")
        assert "住在高雄" in content.text
        try:
            await client.call_tool("memory_store", {"content": ""})
        except ToolError as error:
            told = str(error)
        assert told == "The text is empty; give at least one character that is not a blank."
