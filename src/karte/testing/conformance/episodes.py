"""The contract for assertions by time and conversation."""

from __future__ import annotations

from dataclasses import replace

from karte.core.assertions import Assertion, Details
from karte.core.memories import Memory
from karte.ports import Store, Turn
from karte.testing.conformance.making import DUDU, YUKI, assertion, found, keep, memory, withdrawal

_TIERS = (4_000,)


def _said(of: Memory, observed_at: int, session: str | None = None, **more: int) -> Assertion:
    details = Details(session=session, speaker="阿志" if session else None, metadata='{"role":"user"}')
    return assertion(of, **{"observed_at": observed_at, "valid_from": observed_at, "details": details, **more})


def _numbers(turns: list[Turn]) -> list[int]:
    return [turn.number for turn in turns]


class EpisodesConformance:
    """Assertions are found by memory, by session and by time, each in its order and in its namespace."""

    def test_a_turn_tells_session_speaker_times_and_trust(self, store: Store) -> None:
        one = memory(1)
        with found(store).writing() as unit:
            keep(unit, one)
            unit.records.add_assertion(DUDU, 1, _said(one, 20, "會議", valid_from=30, trust=4_000))
        with store.reading() as unit:
            expected = [Turn(1, "會議", "阿志", 20, 30, 4_000, "user")]
            assert unit.episodes.turns(DUDU, [1]) == unit.episodes.session(DUDU, "會議") == expected
            assert unit.episodes.turns(DUDU, [2]) == unit.episodes.turns(YUKI, [1]) == []
            assert unit.episodes.session(YUKI, "會議") == unit.episodes.session(DUDU, "other") == []

    def test_a_withdrawn_turn_tells_the_highest_trust_that_withdrew_it(self, store: Store) -> None:
        one = memory(1)
        said = _said(one, 20, "s")
        with found(store).writing() as unit:
            keep(unit, one)
            unit.records.add_assertion(DUDU, 1, said)
            unit.records.add_withdrawal(DUDU, withdrawal(said))
            unit.records.add_withdrawal(DUDU, replace(withdrawal(said), trust=5_000))
        with store.reading() as unit:
            assert [turn.withdrawn for turn in unit.episodes.turns(DUDU, [1])] == [10_000]

    def test_turns_of_a_memory_and_of_a_session_come_in_the_order_of_time(self, store: Store) -> None:
        with found(store).writing() as unit:
            for number, observed_at in ((1, 30), (2, 10), (3, 10)):
                one = memory(number)
                keep(unit, one)
                unit.records.add_assertion(DUDU, number, _said(one, observed_at, "s"))
                unit.records.add_assertion(DUDU, number, _said(one, observed_at - 5))
        with store.reading() as unit:
            assert _numbers(unit.episodes.session(DUDU, "s")) == [2, 3, 1]
            assert [(t.number, t.observed_at) for t in unit.episodes.turns(DUDU, [3, 1])] == [
                (1, 25),
                (1, 30),
                (3, 5),
                (3, 10),
            ]

    def test_the_turns_beside_one_come_nearest_first(self, store: Store) -> None:
        with found(store).writing() as unit:
            for number, observed_at in ((1, 10), (2, 20), (3, 20), (4, 20), (5, 40)):
                one = memory(number)
                keep(unit, one)
                unit.records.add_assertion(DUDU, number, _said(one, observed_at, "s"))
                unit.records.add_assertion(DUDU, number, _said(one, observed_at + 1, "another"))
        with store.reading() as unit:
            turns = {turn.number: turn for turn in unit.episodes.session(DUDU, "s")}
            beside = [[_numbers(side) for side in unit.episodes.beside(DUDU, turns[n], 2)] for n in (1, 3, 5)]
            assert beside == [[[], [2, 3]], [[2, 1], [4, 5]], [[4, 3], []]]
            assert unit.episodes.beside(DUDU, turns[3]._replace(session=None), 2) == ([], [])
            assert unit.episodes.beside(YUKI, turns[3], 2) == ([], [])

    def test_sessions_come_in_the_order_of_their_first_turn(self, store: Store) -> None:
        with found(store).writing() as unit:
            for number, (session, observed_at) in enumerate((("a", 30), ("b", 20), ("c", 10), ("a", 15), (None, 1)), 1):
                one = memory(number)
                keep(unit, one)
                unit.records.add_assertion(DUDU, number, _said(one, observed_at, session))
        with store.reading() as unit:
            assert unit.episodes.sessions(DUDU, _TIERS) == [("c", 10), ("a", 15), ("b", 20)]
            assert unit.episodes.sessions(YUKI, _TIERS) == []

    def test_speakers_are_named_once_in_order(self, store: Store) -> None:
        with found(store).writing() as unit:
            for number, speaker in enumerate(("b", "阿志", "a", "b", None), 1):
                one = memory(number)
                keep(unit, one)
                unit.records.add_assertion(DUDU, number, assertion(one, details=Details(speaker=speaker)))
        with store.reading() as unit:
            assert (unit.episodes.speakers(DUDU, _TIERS), unit.episodes.speakers(YUKI, _TIERS)) == (
                ["a", "b", "阿志"],
                [],
            )

    def test_what_its_own_tier_withdrew_is_no_session_and_no_speaker(self, store: Store) -> None:
        with found(store).writing() as unit:
            for number, withdrawn_by in ((1, 10_000), (2, 3_000), (3, None)):
                one = memory(number)
                details = Details(session=f"s{number}", speaker=f"speaker {number}")
                said = assertion(one, observed_at=number, details=details)
                keep(unit, one)
                unit.records.add_assertion(DUDU, number, said)
                if withdrawn_by is not None:
                    unit.records.add_withdrawal(DUDU, replace(withdrawal(said), trust=withdrawn_by))
        with store.reading() as unit:
            assert unit.episodes.sessions(DUDU, _TIERS) == [("s2", 2), ("s3", 3)]
            assert unit.episodes.speakers(DUDU, _TIERS) == ["speaker 2", "speaker 3"]

    def test_turns_of_a_period_come_latest_first_those_valid_from_then_too(self, store: Store) -> None:
        with found(store).writing() as unit:
            for number, (observed_at, valid_from) in enumerate(((10, 10), (15, 15), (20, 20), (30, 12), (12, 40)), 1):
                one = memory(number)
                keep(unit, one)
                unit.records.add_assertion(DUDU, number, _said(one, observed_at, valid_from=valid_from))
        with store.reading() as unit:
            between = unit.episodes.between
            assert _numbers(between(DUDU, 10, 20, 9)) == [2, 5, 1, 4]
            assert _numbers(between(DUDU, 10, 20, 1)) == [2, 4]
            assert between(DUDU, 41, 99, 9) == between(YUKI, 10, 20, 9) == []

    def test_memories_with_an_observation_come_highest_first_each_once(self, store: Store) -> None:
        with found(store).writing() as unit:
            for number, event in enumerate(("observation", None, "observation", "observed", "observation"), 1):
                one = memory(number)
                keep(unit, one)
                for observed_at in (1, 2):
                    said = assertion(one, observed_at=observed_at, details=Details(source_event=event))
                    unit.records.add_assertion(DUDU, number, said)
        with store.reading() as unit:
            observations = unit.episodes.observations
            assert observations(DUDU, 99, 9) == [5, 3, 1]
            assert observations(DUDU, 99, 2) == [5, 3]
            assert observations(DUDU, 3, 9) == [1]
            assert observations(DUDU, 1, 9) == observations(YUKI, 99, 9) == []
