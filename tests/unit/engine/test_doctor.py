"""The doctor: everything that is kept for speed is compared with the records, and repaired if asked."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from karte.bootstrap import Parts, open_workspace
from karte.config import Settings
from karte.core.memories import Layer
from karte.core.namespaces import Namespace, Scope
from karte.core.periods import FOREVER
from karte.engine.indexing import TAIL
from karte.errors import MissingScope
from karte.ports import Head, Store, Writing
from karte.testing.parts import CountedIds, GivenClock
from karte.workspace import Chart, Workspace
from tests.stores import LASTING, STORES
from tests.unit.engine.conftest import NOW

DUDU = Namespace("dudu")


def filled(workspace: Workspace) -> Chart:
    """A chain with the guard at work, a chain of one, an end, a free text: five memories under the numbers 1 to 5."""
    dudu = workspace.agent("dudu")
    for value, start, origin in (("Paris", "2026-01-01", "operator"), ("London", "2026-03-01", "channel")):
        dudu.store(
            f"Ada lives in {value}", subject="Ada", predicate="lives in", object=value, valid_from=start, origin=origin
        )
    dudu.store("小雨喜歡茶", subject="小雨", predicate="喜歡", object="茶", valid_from="2026-01-01")
    dudu.store("비가 온다", valid_from="2026-01-01")
    dudu.store("The office is closed", valid_from="2026-01-01")
    return dudu


@pytest.fixture(params=STORES.values(), ids=list(STORES))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with closing(request.param(tmp_path)) as made:
        yield made


def opened(store: Store, tiers: tuple[int, ...] = (4_000,)) -> Workspace:
    parts = Parts(Settings(tiers=tiers), store, GivenClock(NOW), CountedIds())
    return open_workspace(":memory:", parts=parts)


def test_a_workspace_that_was_left_alone_is_healthy(store: Store) -> None:
    workspace = opened(store)
    filled(workspace)
    findings = workspace.doctor()
    assert findings.to_dict() == {"examined": 5, "differences": [], "repaired": False, "healthy": True}


def test_what_is_not_recalled_is_in_order_though_its_words_are_not_indexed(store: Store) -> None:
    workspace = opened(store)
    dudu = filled(workspace)
    dudu.update_notes("小雨の茶")
    dudu.update_notes("")
    dudu.remember("the door of hall 3 is open", "s1")
    assert workspace.doctor().differences == ()
    with store.writing() as unit:
        (document,) = unit.lexicon.documents(DUDU, [4])
        (note, *_) = sorted(n for n, layer in unit.memories.aside(DUDU).items() if layer is Layer.NOTE)
        unit.lexicon.add(DUDU, [document._replace(number=note)])
    assert workspace.doctor(repair=True).differences != ()
    assert workspace.doctor().differences == ()


def test_it_tells_how_far_it_is(store: Store) -> None:
    workspace = opened(store)
    filled(workspace)
    workspace.store("the workspace's own")
    seen: list[tuple[int, int]] = []
    workspace.doctor(lambda done, total: seen.append((done, total)))
    assert seen == [(1, 6), (6, 6)]


Damage = Callable[[Writing], None]


def _lose_segments(unit: Writing) -> None:
    unit.timelines.replace(DUDU, 3, unit.timelines.segments(DUDU, 3, -FOREVER, FOREVER), ())


def _lose_free_segments(unit: Writing) -> None:
    old = unit.timelines.segments(DUDU, 1, -FOREVER, FOREVER, free=True)
    unit.timelines.replace(DUDU, 1, old, (), free=True)


def _cut_a_segment(unit: Writing) -> None:
    (old,) = unit.timelines.segments(DUDU, 3, -FOREVER, FOREVER)
    unit.timelines.replace(DUDU, 3, [old], [replace(old, end=old.start + 5)])


def _misplace(unit: Writing) -> None:
    unit.memories.place(DUDU, 2, 2, 2)


def _misname_a_statement(unit: Writing) -> None:
    unit.memories.place(DUDU, 2, 1, 1)


def _lose_a_text(unit: Writing) -> None:
    unit.lexicon.remove(DUDU, [4])


def _change_a_text(unit: Writing) -> None:
    (document,) = unit.lexicon.documents(DUDU, [4])
    unit.lexicon.remove(DUDU, [4])
    unit.lexicon.add(DUDU, [document._replace(counts=bytes(count + 1 for count in document.counts))])


def _misjudge_a_tier(unit: Writing) -> None:
    head = unit.timelines.heads(DUDU, [3])[3]
    unit.timelines.set_head(DUDU, 3, Head(head.changed_at, 0))


def _index_what_is_not_there(unit: Writing) -> None:
    (document,) = unit.lexicon.documents(DUDU, [4])
    unit.lexicon.add(DUDU, [document._replace(number=unit.memories.reserve(DUDU, 1))])


DAMAGES: dict[str, Damage] = {
    "segments are lost": _lose_segments,
    "segments without the guard are lost": _lose_free_segments,
    "a segment is cut": _cut_a_segment,
    "a memory is in another chain": _misplace,
    "a memory makes another statement": _misname_a_statement,
    "a text is not indexed": _lose_a_text,
    "a text is indexed otherwise": _change_a_text,
    "a chain has another tier": _misjudge_a_tier,
    "a text is indexed that is not there": _index_what_is_not_there,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_difference_is_found_and_repaired(store: Store, damage: Damage) -> None:
    workspace = opened(store)
    filled(workspace)
    with store.writing() as unit:
        damage(unit)
    found = workspace.doctor()
    repaired = workspace.doctor(repair=True)
    assert found.differences != ()
    assert (found.repaired, repaired.repaired, repaired.differences) == (False, True, found.differences)
    assert workspace.doctor().differences == ()


@pytest.mark.parametrize("name", LASTING)
def test_posting_rows_that_lack_a_text_are_found_and_repaired(name: str, tmp_path: Path) -> None:
    store: Any = STORES[name](tmp_path)
    workspace = opened(store)
    dudu = workspace.agent("dudu")
    dudu.store_many([{"content": f"note {number}"} for number in range(TAIL)])
    with store.writing() as unit:
        unit._rows.run("clear_postings", ns=unit._rows.namespace(DUDU))
    assert workspace.doctor().differences != ()
    workspace.doctor(repair=True)
    assert workspace.doctor().differences == ()
    assert len(dudu.search("note 7", limit=300).hits) > 0
    store.close()


@pytest.mark.parametrize("name", LASTING)
def test_an_index_of_several_pages_that_is_made_anew_finds_every_text(name: str, tmp_path: Path) -> None:
    """Numbers were given out long ago: what is compacted must not run ahead of the texts that are still to come."""
    with closing(STORES[name](tmp_path)) as store:
        opened(store).agent("dudu").store_many([{"content": f"note number{number}"} for number in range(1_100)])
        workspace = opened(store, ())
        dudu = workspace.agent("dudu")
        asked = range(0, 1_100, 50)
        found = [bool(dudu.search(f"number{number}", mode="keyword").hits) for number in asked]
        assert found == [True] * len(asked)
        assert workspace.doctor().differences == ()


def test_a_repaired_workspace_answers_as_before(store: Store) -> None:
    """Memory 3 has lost its segments and is not in force any more, memory 4 its words: neither is found."""
    workspace = opened(store)
    dudu = filled(workspace)

    def found() -> dict[str, float]:
        return {hit.memory.content: hit.score for hit in dudu.search("Ada 喜歡茶 비가", mode="keyword").hits}

    before = found()
    with store.writing() as unit:
        _lose_segments(unit)
        _lose_a_text(unit)
    broken = found()
    workspace.doctor(repair=True)
    assert set(before) == {"Ada lives in Paris", "小雨喜歡茶", "비가 온다"}
    assert set(broken) == {"Ada lives in Paris"}
    assert list(found().items()) == list(before.items())


def test_it_needs_the_scope_admin(ws: Workspace) -> None:
    ws._caller = replace(ws._caller, scopes=frozenset({Scope.READ}))
    with pytest.raises(MissingScope):
        ws.doctor()


class TestOpening:
    def test_with_other_tiers_everything_is_folded_anew(self, store: Store) -> None:
        dudu = filled(opened(store))
        before = [m.object for m in dudu.at("Ada", "lives in").memories]
        workspace = opened(store, ())
        after = [hit.memory.object for hit in workspace.agent("dudu").search("Ada lives").hits]
        assert (before, after, workspace.doctor().differences) == (["Paris"], ["London"], ())

    def test_with_the_same_tiers_nothing_is_written(self, store: Store) -> None:
        opened(store)
        with store.reading() as unit:
            before = unit.last_learned()
        opened(store)
        with store.reading() as unit:
            assert unit.last_learned() == before

    def test_an_index_made_by_another_analysis_is_made_anew(self, store: Store) -> None:
        dudu = filled(opened(store))
        with store.writing() as unit:
            unit.lexicon.clear(DUDU)
            unit.set_made_with("by an older release")
        lost = dudu.search("비가").hits
        found = opened(store).agent("dudu").search("비가").hits
        assert (len(lost), len(found)) == (0, 1)
