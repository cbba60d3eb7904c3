"""Surroundings: who stands beside a candidate, what a term there is worth, the best of a session, who is meant."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest

from karte.core.namespaces import Namespace
from karte.core.trust import DEFAULT_TIERS
from karte.engine.conversations import Conversations
from karte.engine.recalling.speakers import Pointed
from karte.engine.recalling.surroundings import FADING, Surroundings
from karte.testing.parts import GivenClock
from karte.workspace import Chart, Workspace
from tests.unit.engine.conftest import NOW


@pytest.fixture(autouse=True)
def _later(clock: GivenClock) -> None:
    clock.advance(3_600)


def say(chart: Chart, minute: int, text: str, session: str | None = "a", speaker: str = "Kai") -> str:
    """Tell a turn, so many minutes after the first; gives its id. Memories are numbered from 1 as they come."""
    said = NOW + timedelta(minutes=minute)
    return chart.store(text, layer="episodic", session=session, speaker=speaker, observed_at=said).memory_id


@contextmanager
def around(workspace: Workspace) -> Iterator[Surroundings]:
    with workspace._services.store.reading() as unit:
        yield Surroundings(Conversations(unit.episodes, Namespace("dudu"), DEFAULT_TIERS))


@pytest.fixture
def ten(dudu: Chart) -> list[str]:
    """Ten turns of one session, numbered 1 to 10 in the order in which they were said."""
    return [say(dudu, minute, f"turn {minute}") for minute in range(10)]


@pytest.mark.usefixtures("ten")
def test_three_turns_on_both_sides_of_a_centre_are_new(ws: Workspace) -> None:
    with around(ws) as surroundings:
        assert surroundings.look([5], [5]) == {2, 3, 4, 6, 7, 8}


@pytest.mark.usefixtures("ten")
def test_what_is_a_candidate_already_is_not_new(ws: Workspace) -> None:
    with around(ws) as surroundings:
        assert surroundings.look([1, 2, 10], [1]) == {3, 4}


@pytest.mark.usefixtures("ten")
def test_only_centres_are_looked_around(ws: Workspace) -> None:
    with around(ws) as surroundings:
        assert surroundings.look([1, 5, 10], []) == set()
        assert surroundings.near({1, 5, 10}) == []


@pytest.mark.usefixtures("ten")
def test_a_term_is_worth_less_with_each_step_in_both_directions(ws: Workspace) -> None:
    """0.6 for the next turn, 0.36 two steps away, 0.216 three steps away."""
    with around(ws) as surroundings:
        surroundings.look([5], [5])
        found = {(one, other): worth for one, other, worth in surroundings.near(range(1, 11))}
    worths = {(5, 4): 0.6, (5, 6): 0.6, (5, 3): 0.36, (5, 7): 0.36, (5, 2): 0.216, (5, 8): 0.216}
    assert found == pytest.approx(worths | {(other, one): worth for (one, other), worth in worths.items()})


@pytest.mark.usefixtures("ten")
def test_what_may_be_no_answer_lends_nothing_and_borrows_nothing(ws: Workspace) -> None:
    with around(ws) as surroundings:
        surroundings.look([5], [5])
        assert surroundings.near({5, 7}) == [(5, 7, 0.6**2), (7, 5, 0.6**2)]


def test_a_turn_of_another_session_or_of_none_is_not_beside(dudu: Chart, ws: Workspace) -> None:
    for minute, session in enumerate(("a", "b", None, "a")):
        say(dudu, minute, f"turn {minute}", session)
    with around(ws) as surroundings:
        assert [surroundings.look([number], [number]) for number in (1, 2, 3)] == [{4}, set(), set()]


def test_a_turn_that_was_told_late_stands_where_it_was_said(dudu: Chart, ws: Workspace) -> None:
    for minute in (0, 20, 30, 40, 10):
        say(dudu, minute, f"turn {minute}")
    with around(ws) as surroundings:
        surroundings.look([1], [1])
        assert {other: step for (_, other), step in surroundings.steps.items()} == {5: 1, 2: 2, 3: 3}


def test_a_withdrawn_turn_takes_up_no_step(dudu: Chart, ws: Workspace, ten: list[str]) -> None:
    dudu.withdraw(ten[5])
    with around(ws) as surroundings:
        assert surroundings.look([5], [5]) == {2, 3, 4, 7, 8, 9}
        assert surroundings.steps[5, 7] == 1


@pytest.mark.usefixtures("ten")
def test_all_that_stands_between_may_be_withdrawn(dudu: Chart, ws: Workspace) -> None:
    for number in range(40):
        dudu.withdraw(say(dudu, 1, f"noise {number}"))
    with around(ws) as surroundings:
        assert surroundings.look([1], [1]) == {2, 3, 4}


def test_a_less_trusted_caller_s_withdrawal_leaves_the_turn(dudu: Chart, ws: Workspace, ten: list[str]) -> None:
    dudu.acting(trust_ceiling=1_000).withdraw(ten[5])
    with around(ws) as surroundings:
        assert surroundings.look([5], [5]) == {2, 3, 4, 6, 7, 8}


def test_each_memory_has_the_best_score_of_its_session(dudu: Chart, ws: Workspace) -> None:
    for minute, session in enumerate(("a", "a", "b", None, None)):
        say(dudu, minute, f"turn {minute}", session)
    with around(ws) as surroundings:
        surroundings.look([1, 2, 3, 4, 5], [])
        found = surroundings.sessions({1: 0.2, 2: 0.7, 3: 0.1, 4: 0.4, 5: 0.9})
    assert found == {1: 0.7, 2: 0.7, 3: 0.1, 4: 0.4, 5: 0.9}


def test_who_is_meant_by_name_or_by_role_is_heard_alone(dudu: Chart, ws: Workspace) -> None:
    for minute, speaker in enumerate(("Kai", "小雨", "user", "Kai")):
        say(dudu, minute, f"turn {minute}", speaker=speaker)
    with around(ws) as surroundings:
        surroundings.look([1, 2, 3, 4], [])
        meant = [Pointed(speaker="Kai"), Pointed(speaker="小雨"), Pointed(role="user"), Pointed()]
        found = [surroundings.spoken_by(pointed, [1, 2, 3, 4]) for pointed in meant]
    assert found == [{1: 1.0, 4: 1.0}, {2: 1.0}, {3: 1.0}, {}]


def test_the_shortest_way_between_two_counts(dudu: Chart, ws: Workspace) -> None:
    """The first text is said again at the end of the session: it is next to the last turn then."""
    for minute, text in enumerate(("over to you", "one", "two", "three", "four", "over to you")):
        say(dudu, minute, text)
    with around(ws) as surroundings:
        surroundings.look([1, 5], [1, 5])
        assert {pair: step for pair, step in surroundings.steps.items() if 1 in pair} == {
            (1, 2): 1,
            (1, 3): 2,
            (1, 4): 3,
            (1, 5): 1,
        }
    assert FADING == 0.6
