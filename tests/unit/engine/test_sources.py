"""Naming a source by its text, where the name of its container holds a colon."""

import pytest

from karte.bootstrap import Parts, open_workspace
from karte.core.origins import Origin
from karte.errors import UnknownOrigin
from karte.testing.parts import CountedIds, GivenClock
from karte.workspace import Workspace

CHAT = Origin("import", "chat:c.jsonl")
"""Its text is `import:chat:c.jsonl:`, while that of its items begins with `import:chat:c.jsonl`."""


@pytest.fixture
def taught(ws: Workspace) -> Workspace:
    ws.store("小雨住在台南", origin="import:chat:c.jsonl:m1")
    ws.agent("dudu").store("小雨喜歡茶", origin="import:chat:c.jsonl:m2")
    return ws


def test_a_container_is_meant_by_its_name_without_the_last_colon(taught: Workspace) -> None:
    assert taught.plan_to_forget("import:chat:c.jsonl").selector.origin == CHAT
    assert taught.taught_by("import:chat:c.jsonl").origin == CHAT
    assert taught.invalidate_by_origin("import:chat:c.jsonl").assertions == 1


def test_an_agent_names_its_own_sources_so_too(taught: Workspace) -> None:
    assert taught.agent("dudu").invalidate_by_origin("import:chat:c.jsonl").assertions == 1


def test_an_item_that_taught_something_comes_first(taught: Workspace) -> None:
    taught.store("小雨會彈琴", origin=Origin("import", "chat", "c.jsonl"))
    assert taught.taught_by("import:chat:c.jsonl").origin == Origin("import", "chat", "c.jsonl")
    assert taught.invalidate_by_origin("import:chat:c.jsonl").assertions == 1


def test_the_last_colon_says_for_sure_that_it_is_the_container(taught: Workspace) -> None:
    taught.store("小雨會彈琴", origin=Origin("import", "chat", "c.jsonl"))
    assert taught.taught_by("import:chat:c.jsonl:").origin == CHAT


@pytest.mark.parametrize(
    "named", [Origin("import", "chat", "c.jsonl"), {"kind": "import", "container": "chat", "item": "c.jsonl"}]
)
def test_what_is_given_in_parts_is_no_other_origin(taught: Workspace, named: Origin | dict[str, str | None]) -> None:
    for ask in (taught.plan_to_forget, taught.taught_by, taught.invalidate_by_origin):
        with pytest.raises(UnknownOrigin):
            ask(named)


@pytest.mark.parametrize("named", ["import:chat:d.jsonl", "import:chat", "channel:chat:c.jsonl"])
def test_what_taught_nothing_either_way_is_said_with_where_to_look(taught: Workspace, named: str) -> None:
    for ask in (taught.plan_to_forget, taught.taught_by, taught.invalidate_by_origin):
        with pytest.raises(UnknownOrigin) as raised:
            ask(named)
        assert raised.value.hint == "The list of origins has the names of those that taught something."


def test_what_only_decided_something_is_known_too(clock: GivenClock) -> None:
    """A source may have said nothing but that two names are one."""
    speaker = Origin("user_direct", "chat:c.jsonl", "m3")
    with open_workspace(":memory:", origin=speaker, parts=Parts(clock=clock, ids=CountedIds())) as workspace:
        workspace.add_alias("小雨", "Xiaoyu")
        planned = workspace.plan_to_forget("user_direct:chat:c.jsonl")
    assert (planned.selector.origin, planned.counts["links"]) == (Origin("user_direct", "chat:c.jsonl"), 1)
