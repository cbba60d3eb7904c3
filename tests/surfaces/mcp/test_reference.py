"""The reference of the MCP server, compared with the tools that there are."""

import re
from pathlib import Path

import pytest

from karte.core.namespaces import AGENT_KINDS
from karte.core.origins import CEILINGS
from karte.surfaces.mcp.catalogue import INSTRUCTIONS, TOOLS
from karte.surfaces.mcp.seats import Profile

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "mcp.md"


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def section(page: str, title: str) -> str:
    """What stands below a heading, up to the next one of its rank."""
    rank, _, _ = title.partition(" ")
    _, _, rest = page.partition(f"\n{title}\n")
    return re.split(rf"\n#{{1,{len(rank)}}} ", rest)[0]


def rows(text: str) -> list[list[str]]:
    """The cells of each row of the tables in a text that begins with something coded."""
    lines = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line] for line in lines]


def coded(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def test_the_reference_has_every_tool_with_its_scope_profile_and_effect(page: str) -> None:
    tools = section(page, "## Tools")
    assert re.findall(r"^### (\w+)$", tools, re.MULTILINE) == list(TOOLS)
    for tool in TOOLS.values():
        told = " ".join(section(tools, f"### {tool.name}").split())
        effect = "it takes back" if tool.destructive else "it reads" if tool.scope == "memory:read" else "it adds"
        assert f"Scope `{tool.scope}`, profile `{tool.profile}`; {effect}" in told, tool.name


def test_the_reference_has_every_argument_of_every_tool(page: str) -> None:
    for tool in TOOLS.values():
        named = [name for row in rows(section(page, f"### {tool.name}")) for name in coded(row[0])]
        assert sorted(named) == sorted(tool.taken_in(Profile.ADMIN)["properties"]), tool.name
        required = [
            name for row in rows(section(page, f"### {tool.name}")) if "required" in row[2] for name in coded(row[0])
        ]
        assert sorted(required) == sorted(tool.takes.get("required", [])), tool.name


def test_the_reference_says_which_arguments_only_the_profile_full_has(page: str) -> None:
    for tool in TOOLS.values():
        told = [row for row in rows(section(page, f"### {tool.name}")) if row[2].startswith("profile `full`")]
        assert sorted(name for row in told for name in coded(row[0])) == sorted(tool.more), tool.name


def test_the_reference_has_every_key_of_every_result(page: str) -> None:
    for tool in TOOLS.values():
        _, _, told = section(page, f"### {tool.name}").partition("\nResult")
        assert set(tool.gives["properties"]) - set(coded(told)) == set(), tool.name


def test_the_reference_has_every_kind_of_origin_that_an_agent_may_name(page: str) -> None:
    table = rows(section(page, "## Origins and trust"))
    told = {row[0].strip("`"): float(row[1]) for row in table}
    assert told == {kind.value: CEILINGS[kind] / 10_000 for kind in AGENT_KINDS}


def test_the_reference_shows_the_instructions_as_they_are_sent(page: str) -> None:
    assert f"```text\n{INSTRUCTIONS}```\n" in section(page, "## Instructions")


def test_a_name_of_an_earlier_system_leads_to_a_tool_that_there_is(page: str) -> None:
    led = [name for row in rows(section(page, "## Names in earlier systems")) for name in coded(row[1])]
    assert set(led) - set(TOOLS) == set()
