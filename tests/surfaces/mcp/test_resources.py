"""Memories as resources: by address, and only those that hold now."""

import json

import pytest
from mcp import MCPError

from karte.workspace import Workspace
from tests.surfaces.mcp.connecting import Agent, seated

INVALID_PARAMS = -32602


def missing(agent: Agent, address: str) -> str:
    with pytest.raises(MCPError) as caught:
        agent.read_resource(address)
    assert caught.value.code == INVALID_PARAMS
    return caught.value.message


def test_a_memory_that_holds_is_read_by_its_address(dudu: Agent) -> None:
    kept = dudu.remember("使用者住在台北")
    (content,) = dudu.read_resource(f"karte://memory/{kept}").contents
    assert (content.uri, content.mime_type) == (f"karte://memory/{kept}", "application/json")
    expected = {"recalled": "[recalled from Karte, not said by anyone]", **dudu.call("memory_read", id=kept)}
    assert json.loads(content.text) == expected  # type: ignore[union-attr]  # it is text


def test_a_memory_that_does_not_hold_now_is_not_put_into_a_prompt(dudu: Agent) -> None:
    names = {"subject": "user", "predicate": "city"}
    past = dudu.remember("lives in 台北", **names, object="台北", valid_from="2026-01-01")
    dudu.remember("lives in 高雄", **names, object="高雄", valid_from="2026-02-01")
    future = dudu.remember("lives in 台南", **names, object="台南", valid_from="2027-01-01")
    withdrawn = dudu.remember("misheard")
    dudu.call("memory_withdraw", id=withdrawn)
    for memory_id in (past, future, withdrawn):
        assert missing(dudu, f"karte://memory/{memory_id}").startswith("There is nothing in force at")


@pytest.mark.parametrize(
    "address",
    ["karte://memory/", "karte://memory/mem_1", "karte://page/x", "file:///etc/passwd", "karte://memory/../x"],
)
def test_any_other_address_holds_nothing(dudu: Agent, address: str) -> None:
    assert missing(dudu, address) != ""


def test_the_template_says_how_a_memory_is_addressed_and_no_memory_is_listed(dudu: Agent) -> None:
    dudu.remember("Ada lives in London")
    (template,) = dudu.templates()
    assert (template.uri_template, template.mime_type) == ("karte://memory/{id}", "application/json")
    assert [each.uri for each in dudu.portal.call(dudu.client.list_resources).resources] == ["karte://policies"]


def test_without_the_scope_to_read_there_is_no_address_and_no_resource(workspace: Workspace) -> None:
    with seated(workspace, scopes=["memory:write"]) as writer:
        kept = writer.remember("Ada lives in London")
        assert writer.templates() == []
        assert missing(writer, f"karte://memory/{kept}") == (
            "This needs the scope memory:read, which the caller does not have."
        )
