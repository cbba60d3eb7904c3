"""The laws of recall, on every store: explained scores, no trace of order, of what was forgotten or of others."""

from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from karte.core.origins import Origin
from karte.testing.programs import Program, Step, day
from tests.conftest import PROFILE
from tests.laws import recall_laws
from tests.laws.recall_programs import Asked, chat, note, programs, searches, turn
from tests.stores import STORES, Making

SEARCHES = 10
PROGRAMS = 15 if PROFILE == "fast" else 100
ORDERS = 8 if PROFILE == "fast" else 40

each_store = pytest.mark.parametrize("making", STORES.values(), ids=STORES)
asked = st.lists(searches(), min_size=SEARCHES, max_size=SEARCHES)
few = st.lists(searches(), min_size=4, max_size=4)
chances = st.randoms(use_true_random=False)


def heard(place: int, text: str, kind: str, on: float, **options: Any) -> Step:
    said = day(on)
    source = Origin(kind, f"box {place}", str(place))
    return note(f"note {place}", text, observed_at=said, valid_from=said, origin=source, **options)


def talk(session: str, *said: tuple[str, str]) -> Step:
    return chat(tuple(turn(session, place, *each) for place, each in enumerate(said)))


TRUSTED_LATER: Program = [
    heard(0, "下雨天喝咖啡", "channel", 0.01),
    heard(1, "小雨 喜歡 茶", "user_direct", 0.02, subject="小雨", predicate="喜歡", object="茶"),
    heard(2, "下雨天喝咖啡", "user_direct", 5.03),
]
"""A channel says something for a time for which the user, who says it too, does not say it."""

ROOM = "tea in the corner room"
TWO_WAYS: Program = [
    heard(1, ROOM, "channel", 0.02),
    heard(2, "小雨 喜歡 茶", "operator", 0.03, trust=0.4, subject="小雨", predicate="喜歡", object="茶"),
    heard(3, "Kai lives in Kyoto", "channel", 0.04, subject="Kai", predicate="lives in", object="Kyoto"),
    heard(4, "小雨把茶放在書房", "user_direct", 1.05, trust=0.6, layer="episodic", session="s1"),
    heard(5, "never run rm -rf on node_modules", "channel", 0.06),
    heard(
        6,
        "小雨 喜歡 茶",
        "channel",
        3.07,
        layer="episodic",
        session="s1",
        subject="小雨",
        predicate="喜歡",
        object="茶",
    ),
    talk("s1", ("Kai", ROOM), ("Kai", ROOM), ("Kai", "小雨把茶放在書房"), ("Kai", ROOM), ("Kai", ROOM)),
    talk("s3", *((speaker, ROOM) for speaker in ("Kai", "小雨", "Kai", "Kai", "小雨", "Kai", "Kai"))),
    talk("s2", *((speaker, ROOM) for speaker in ("小雨", "小雨", "Kai", "小雨", "小雨"))),
]
"""Two ways through the graph are about as likely: how rare a word is decides which one is."""

WHAT_SHE_LIKES: tuple[str, Asked] = ("小雨喜歡什麼", {})
ON_THE_FOURTH: tuple[str, Asked] = ("一月四日下雨", {"limit": 1_000, "floor": 0, "at": day(3.5)})


@each_store
@settings(max_examples=PROGRAMS)
@given(programs(), asked, st.booleans())
@example(program=TRUSTED_LATER, asked=[ON_THE_FOURTH], decayed=False)
def test_every_score_is_explained_by_what_the_answer_reports(
    making: Making, program: Program, asked: list[tuple[str, Asked]], decayed: bool
) -> None:
    assert recall_laws.explained(program, making, asked, decayed=decayed) is None


@each_store
@settings(max_examples=ORDERS)
@given(programs(), few, chances)
def test_in_whatever_order_a_program_is_told_a_search_finds_the_same(
    making: Making, program: Program, asked: list[tuple[str, Asked]], chance: Random
) -> None:
    assert recall_laws.order(program, making, asked, chance) is None


@each_store
@settings(max_examples=ORDERS)
@given(programs(), few, st.integers(0, 7))
def test_a_search_after_a_source_was_erased_is_one_that_never_heard_it(
    making: Making, program: Program, asked: list[tuple[str, Asked]], place: int
) -> None:
    assert recall_laws.erased(program, making, asked, place) is None


@each_store
@settings(max_examples=ORDERS)
@given(programs(), few, st.integers(0, 7))
@example(program=TWO_WAYS, asked=[WHAT_SHE_LIKES], place=0)
def test_what_was_withdrawn_lends_nothing_to_a_search(
    making: Making, program: Program, asked: list[tuple[str, Asked]], place: int
) -> None:
    assert recall_laws.withdrawn(program, making, asked, place) is None


@each_store
@settings(max_examples=ORDERS)
@given(programs(), programs(), few)
def test_what_somebody_else_keeps_changes_no_answer(
    making: Making, program: Program, foreign: Program, asked: list[tuple[str, Asked]]
) -> None:
    assert recall_laws.foreign(program, foreign, making, asked) is None


@settings(max_examples=ORDERS)
@given(programs(), few, st.booleans())
def test_all_stores_give_the_same_answers(program: Program, asked: list[tuple[str, Any]], decayed: bool) -> None:
    assert recall_laws.stores(program, STORES, asked, decayed=decayed) is None
