"""Erasing: what goes, what goes along, what stays and what is in force again."""

import pytest

from karte.core.namespaces import Scope
from karte.errors import MissingScope
from karte.workspace import Chart, Workspace


def lives(chart: Chart, value: str, start: str = "2026-01-01") -> str:
    text = f"Ada lives in {value}"
    return chart.store(text, subject="Ada", predicate="lives in", object=value, valid_from=start).memory_id


def test_an_erased_memory_is_gone_from_every_read(dudu: Chart, ws: Workspace) -> None:
    paris = lives(dudu, "Paris")
    done = dudu.erase([paris])
    assert (done.memory_ids, done.missing_ids, done.scrubbed) == ((paris,), (), True)
    assert (dudu.list().memories, dudu.search("Paris").hits, dudu.at("Ada", "lives in").memories) == ((), (), ())
    assert dudu.fetch([paris]).missing_ids == (paris,)
    assert ws.stats().memories["dudu"] == 0


def test_what_it_displaced_is_in_force_again(dudu: Chart, ws: Workspace) -> None:
    lives(dudu, "Paris")
    dudu.erase([lives(dudu, "London", "2026-03-01")])
    assert [m.object for m in dudu.at("Ada", "lives in").memories] == ["Paris"]
    assert ws.doctor().differences == ()


def test_what_is_not_there_is_named_and_the_rest_is_erased(dudu: Chart) -> None:
    paris = lives(dudu, "Paris")
    done = dudu.erase([paris, "mem_x", paris, "mem_x"])
    assert (done.memory_ids, done.missing_ids) == ((paris,), ("mem_x",))
    assert dudu.erase(["mem_x"]).memory_ids == ()


def test_what_was_derived_from_it_alone_goes_along_and_so_do_its_children(dudu: Chart, ws: Workspace) -> None:
    parent = dudu.store("Her passport says Paris").memory_id
    child = dudu.store("Ada speaks French", derived_from=[parent]).memory_id
    grandchild = dudu.store("Ada reads Le Monde", derived_from=[child]).memory_id
    assert dudu.erase([parent]).memory_ids == tuple(sorted([parent, child, grandchild]))
    assert ws.doctor().differences == ()


def test_a_child_that_somebody_else_stated_stays_with_what_they_said(dudu: Chart, ws: Workspace) -> None:
    parent = dudu.store("Her passport says Paris").memory_id
    child = dudu.store("Ada speaks French", origin="import:a").memory_id
    dudu.store("Ada speaks French", derived_from=[parent], origin="agent_derived")
    assert dudu.erase([parent]).memory_ids == (parent,)
    item = dudu.read(child)
    assert ([str(said.origin) for said in item.said], item.derived_from) == (["import:a"], ())
    assert ws.doctor().differences == ()


def test_a_child_of_two_parents_goes_with_either(dudu: Chart) -> None:
    parents = [dudu.store(text).memory_id for text in ("first premise", "second premise")]
    child = dudu.store("conclusion", derived_from=parents).memory_id
    assert child in dudu.erase(parents[:1]).memory_ids


def test_a_child_of_two_statements_falls_when_the_last_of_them_falls(dudu: Chart) -> None:
    first, second = (dudu.store(text).memory_id for text in ("first premise", "second premise"))
    child = dudu.store("conclusion", derived_from=[first], origin="import:a").memory_id
    dudu.store("conclusion", derived_from=[second], origin="import:b")
    assert dudu.erase([first]).memory_ids == (first,)
    assert dudu.erase([second]).memory_ids == tuple(sorted([second, child]))


def test_a_link_goes_with_either_end(dudu: Chart, ws: Workspace) -> None:
    rain = dudu.store("비가 온다", valid_from="2026-01-01").memory_id
    sun = dudu.supersede(rain, "晴れている", effective="2026-03-01").memory_id
    dudu.erase([sun])
    assert [m.id for m in dudu.list().memories] == [rain]
    assert ws.doctor().differences == ()


def test_near_duplicates_of_an_erased_text_are_no_longer_linked_to_it(dudu: Chart) -> None:
    first = dudu.store("The lease of room 4 ends in 12 weeks").memory_id
    dudu.erase([first])
    assert dudu.store("The lease of room 5 ends in 12 weeks").similar == ()


def test_a_receipt_under_a_key_goes_with_its_memory(dudu: Chart) -> None:
    first = dudu.store("x", idempotency_key="k").memory_id
    dudu.erase([first])
    assert dudu.store("y", idempotency_key="k").memory_id != first


def test_the_same_text_can_be_stored_again(dudu: Chart) -> None:
    paris = lives(dudu, "Paris")
    dudu.erase([paris])
    assert lives(dudu, "Paris") != paris
    assert len(dudu.search("Paris").hits) == 1


def test_without_scrubbing_it_says_so(dudu: Chart) -> None:
    assert dudu.erase([lives(dudu, "Paris")], scrub=False).scrubbed is False


def test_it_needs_the_scope_admin(dudu: Chart) -> None:
    with pytest.raises(MissingScope):
        dudu.acting(scopes=frozenset({Scope.READ, Scope.WRITE, Scope.REVIEW})).erase(["mem_x"])
