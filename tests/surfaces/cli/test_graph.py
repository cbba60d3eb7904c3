"""`karte graph export`: what it draws, writes and refuses."""

from datetime import UTC, datetime

import pytest

from karte.bootstrap import Parts, open_workspace
from karte.testing.parts import GivenClock
from tests.surfaces.cli.running import answer, invoke

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture
def filled(address: str) -> str:
    """A workspace in which an agent knows a fact and a text that names its object, with a sequence for terminals."""
    with open_workspace(address, parts=Parts(clock=GivenClock(LONG_AGO))) as workspace:
        dudu = workspace.agent("dudu")
        dudu.store("小雨住在台北", subject="小雨", predicate="住在", object="台北")
        dudu.store("Off to 台北\x1b[2J tomorrow")
    return address


def test_the_json_is_that_of_the_library(filled: str) -> None:
    with open_workspace(filled) as workspace:
        expected = workspace.agent("dudu").export_graph(3).to_dict()
    assert answer("graph", "export", "--agent", "dudu", "--limit", "3") == expected
    assert (len(expected["nodes"]), expected["nodes_in_all"], expected["edges_in_all"]) == (3, 4, 3)


def test_each_edge_is_a_line_that_is_harmless_to_a_terminal(filled: str) -> None:  # noqa: ARG001 - it is the workspace
    drawn = invoke("graph", "export", "--agent", "dudu").out
    assert "小雨 -住在-> 小雨住在台北" in drawn
    assert "小雨住在台北 -住在-> 台北" in drawn
    assert "4 of 4 nodes, 3 of 3 edges" in drawn
    assert "\x1b[2J" not in drawn


def test_before_anything_was_known_there_is_no_graph(filled: str) -> None:  # noqa: ARG001 - it is the workspace
    drawn = invoke("graph", "export", "--agent", "dudu", "--known-at", "2019-01-01T00:00:00Z").out
    assert "Nothing in force is joined to anything." in drawn


@pytest.mark.parametrize("limit", ["0", "10001"])
def test_a_limit_out_of_range_is_refused(filled: str, limit: str) -> None:  # noqa: ARG001 - it is the workspace
    refused = invoke("graph", "export", "--limit", limit)
    assert (refused.code, "1 to 10000" in refused.err) == (2, True)
