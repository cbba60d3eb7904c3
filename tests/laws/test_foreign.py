"""L7, foreign is the same as missing; L10, what was acknowledged is found by the next search, of any handle."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from karte.bootstrap import Parts, open_workspace
from karte.testing.parts import CountedIds, GivenClock
from karte.testing.programs import TOLD
from tests.laws.foreign import MADE_UP, VERBS, Verb, answer, tell, told_apart
from tests.laws.opening import Desk, opened
from tests.stores import STORES, Making

each_store = pytest.mark.parametrize("making", STORES.values(), ids=STORES)
each_verb = pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)


@pytest.fixture(params=STORES.values(), ids=list(STORES))
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    """An agent with a memory of its own, beside another one and the workspace's own memories."""
    with opened(request.param) as desk:
        tell(desk.chart)
        yield desk


@pytest.mark.parametrize("owner", ["ゆき", ""])
def test_an_id_of_somebody_else_is_answered_like_one_that_never_was(desk: Desk, owner: str) -> None:
    assert told_apart(desk.workspace, desk.chart, owner) == []


@each_verb
def test_what_somebody_else_keeps_is_untouched_by_it(desk: Desk, verb: Verb) -> None:
    other = desk.workspace.agent("ゆき")
    theirs = tell(other)
    before = (other.read(theirs).to_dict(), other.history(theirs).to_dict(), desk.workspace.stats().memories["ゆき"])
    answer(verb, desk.chart, theirs)
    after = (other.read(theirs).to_dict(), other.history(theirs).to_dict(), desk.workspace.stats().memories["ゆき"])
    assert after == before


def test_a_verb_that_fails_keeps_nothing(desk: Desk) -> None:
    for verb in VERBS.values():
        answer(verb, desk.chart, MADE_UP)
    assert [memory.content for memory in desk.chart.list(100).memories] == ["小雨住在東京"]
    assert desk.workspace.doctor().differences == ()


def test_what_somebody_else_keeps_changes_no_score(desk: Desk) -> None:
    desk.chart.store("ゆきは東京が好き")
    before = [hit.to_dict() for hit in desk.chart.search("東京").hits]
    for number in range(5):
        desk.workspace.agent("ゆき").store(f"東京 {number}")
    assert [hit.to_dict() for hit in desk.chart.search("東京").hits] == before


def test_aliases_and_predicates_of_somebody_else_join_nothing(desk: Desk) -> None:
    desk.chart.store("雨住在京都", subject="雨", predicate="住在", object="京都")
    desk.workspace.agent("ゆき").add_alias("小雨", "雨")
    desk.workspace.set_predicate("住在", multi_valued=True)
    assert [m.content for m in desk.chart.at("雨", "住在").memories] == ["雨住在京都"]
    assert (desk.chart.aliases(), desk.chart.multi_valued()) == ([], [])


@each_store
@pytest.mark.parametrize(
    "text", ["Deploys go to Vercel", "部署到東京", "部署到东京", "デプロイ先は東京", "배포는 서울로"]
)
def test_what_was_stored_is_found_by_the_next_search_of_any_handle(making: Making, text: str, tmp_path: Path) -> None:
    store, clock = making(tmp_path), GivenClock(TOLD)
    second = store if making is STORES["memory"] else making(tmp_path)
    writer = open_workspace(":memory:", parts=Parts(store=store, clock=clock, ids=CountedIds())).agent("dudu")
    reader = open_workspace(":memory:", parts=Parts(store=second, clock=clock)).agent("dudu", create=False)
    receipt = writer.store(text)
    found = [[hit.memory.id for hit in chart.search(text).hits] for chart in (writer, reader)]
    store.close()
    second.close()
    assert found == [[receipt.memory_id]] * 2


def test_what_was_stored_is_there_after_closing_and_opening_again(address: str) -> None:
    with open_workspace(address) as workspace:
        receipt = workspace.agent("dudu").store("Deploys go to Vercel", subject="user", predicate="deploys to")
    with open_workspace(address) as workspace:
        assert [m.id for m in workspace.agent("dudu").at("user", "deploys to").memories] == [receipt.memory_id]
        assert workspace.doctor().differences == ()
