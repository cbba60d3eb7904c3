"""Erasing all that is kept about somebody, or all that an owner keeps."""

import pytest

from karte.errors import MissingScope
from tests.unit.engine.trusting.worlds import ORDER, World


def test_all_about_a_subject_goes_by_any_of_its_names_with_its_aliases() -> None:
    dudu = World().operator.agent("dudu")
    dudu.add_alias("李老闆", "Boss Li")
    first = dudu.store("李老闆 likes tea", subject="李老闆", predicate="likes", object="tea")
    second = dudu.store("Boss Li lives in 台南", subject="boss li", predicate="city", object="台南")
    derived = dudu.store("Somebody in 台南 likes tea", derived_from=[first.memory_id])
    kept = dudu.store("Mei works for Boss Li", subject="Mei", predicate="works for", object="Boss Li")
    expected = sorted([first.memory_id, second.memory_id])
    assert dudu.concerned("Boss Li") == expected
    erased = dudu.erase_subject("Boss Li")
    assert sorted(erased.memory_ids) == sorted([*expected, derived.memory_id])
    assert [memory.id for memory in dudu.list().memories] == [kept.memory_id]
    assert (dudu.aliases(), dudu.concerned("李老闆")) == ([], [])


def test_what_names_it_as_a_value_goes_on_request() -> None:
    dudu = World().operator.agent("dudu")
    told = dudu.store("Mei works for Boss Li", subject="Mei", predicate="works for", object="Boss Li")
    assert dudu.concerned("boss li") == []
    assert dudu.erase_subject("boss li", as_object=True).memory_ids == (told.memory_id,)


def test_what_is_held_back_about_it_goes_too_and_nothing_else() -> None:
    world = World()
    dudu = world.operator.agent("dudu")
    held = dudu.store(ORDER, subject="Mei", predicate="says", object="x")
    other = dudu.store(f"{ORDER} today", subject="Bob", predicate="says", object="Mei")
    assert dudu.erase_subject("Mei").memory_ids == (held.memory_id,)
    assert [shown.review.memory_id for shown in world.operator.waiting()] == [other.memory_id]


def test_everything_of_an_owner_goes_and_nothing_of_another_one() -> None:
    world = World()
    dudu, momo = world.operator.agent("dudu"), world.operator.agent("momo")
    kept = [dudu.store("Ada likes tea").memory_id, dudu.store(ORDER).memory_id]
    dudu.store("The office closes at six", subject="office", predicate="closes at", object="six")
    world.clock.advance()
    dudu.end_fact("office", "closes at")
    dudu.add_alias("a", "b")
    dudu.set_predicate("likes", multi_valued=True)
    momo.store("Ada likes cake")
    erased = dudu.erase_everything()
    assert set(kept) <= set(erased.memory_ids)
    assert (dudu.concerned(), dudu.aliases(), dudu.multi_valued(), dudu.pending()) == ([], [], [], [])
    assert (world.operator.stats().memories, world.operator.doctor().to_dict()["healthy"]) == (
        {"workspace": 0, "dudu": 0, "momo": 1},
        True,
    )


def test_it_needs_the_scope_admin_and_is_on_record_without_a_name() -> None:
    world = World()
    dudu = world.operator.agent("dudu")
    dudu.store("Mei likes tea", subject="Mei", predicate="likes", object="tea")
    writer = world.person("Wim", "memory:read", "memory:write").agent("dudu")
    for erase in (writer.erase_everything, writer.concerned, lambda: writer.erase_subject("Mei")):
        with pytest.raises(MissingScope):
            erase()
    dudu.erase_subject("Mei")
    line = world.operator.audit(1)[0]
    assert (line.action, line.owner, line.detail) == ("erased", "dudu", '{"links": 0, "memories": 1}')
