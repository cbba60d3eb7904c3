"""The contract for units of work."""

from __future__ import annotations

from threading import Thread

import pytest

from karte.core.assertions import LinkKind
from karte.errors import Fault, UnknownMemory
from karte.ports import Agent, Head, Kept, KeptReceipt, Likeness, Store, Writing
from karte.testing.conformance.making import DUDU, assertion, document, found, keep, link, memory, segment, withdrawal

_THREADS = 4
_TURNS = 10


def _write_everything(unit: Writing) -> None:
    one = memory(unit.memories.reserve(DUDU, 1))
    unit.learn(1_000)
    unit.agents.add(Agent("newcomer", None, 3))
    unit.set_made_with("something else")
    keep(unit, one)
    unit.records.add_assertion(DUDU, one.number, assertion(one))
    unit.records.add_link(DUDU, link(LinkKind.ALIAS, "ada", "countess"))
    unit.records.add_withdrawal(DUDU, withdrawal(assertion(one)))
    unit.timelines.replace(DUDU, one.number, (), [segment(0, 5)])
    unit.timelines.set_head(DUDU, one.number, Head(77, 1))
    unit.lexicon.add(DUDU, [document(one.number, [10])])
    unit.receipts.keep(DUDU, "k", KeptReceipt(b"r", "{}"), one.number)
    unit.likenesses.fingerprint(DUDU, one.number, [10])
    unit.likenesses.link(DUDU, Likeness(one.number, one.number + 1, ""))
    unit.usages.count(DUDU, [one.number], 9)


def _everything(store: Store) -> list[object]:
    one = memory(1)
    with store.reading() as unit:
        return [
            unit.agents.all(),
            unit.made_with(),
            unit.last_learned(),
            unit.memories.get(DUDU, [1]),
            unit.memories.count(DUDU),
            unit.records.assertions(DUDU, [1]),
            unit.records.all_name_links(DUDU),
            unit.records.withdrawals(DUDU, [assertion(one).identity]),
            unit.timelines.segments(DUDU, 1, 0, 9),
            unit.timelines.heads(DUDU, [1]),
            unit.lexicon.size(DUDU),
            unit.lexicon.tail(DUDU),
            unit.receipts.find(DUDU, "k"),
            unit.likenesses.alike(DUDU, [10], 9),
            unit.likenesses.of(DUDU, [1]),
            unit.usages.of(DUDU, [1]),
        ]


class TransactionsConformance:
    """All of a unit of work or nothing; a reader sees one state; system time only grows."""

    def test_a_writer_that_raises_leaves_nothing_behind(self, store: Store) -> None:
        before = _everything(found(store))
        with pytest.raises(UnknownMemory), store.writing() as unit:
            _write_everything(unit)
            raise UnknownMemory
        assert _everything(store) == before

    def test_a_writer_that_ends_leaves_everything(self, store: Store) -> None:
        before = _everything(found(store))
        with store.writing() as unit:
            _write_everything(unit)
        assert [now != then for now, then in zip(_everything(store), before, strict=True)] == [True] * len(before)

    def test_after_one_that_raised_the_next_writer_is_not_disturbed(self, store: Store) -> None:
        with pytest.raises(UnknownMemory), found(store).writing() as unit:
            keep(unit, memory(1))
            raise UnknownMemory
        with store.writing() as unit:
            keep(unit, memory(1))
        with store.reading() as unit:
            assert unit.memories.count(DUDU) == 1

    def test_a_writer_reads_what_it_wrote(self, store: Store) -> None:
        one = memory(1)
        with found(store).writing() as unit:
            keep(unit, one)
            unit.records.add_assertion(DUDU, 1, assertion(one))
            unit.timelines.replace(DUDU, 1, (), [segment(0, 5)])
            assert unit.memories.by_id(DUDU, [one.id]) == {one.id: Kept(one, 1, 1)}
            assert unit.records.assertions(DUDU, [1]) == [assertion(one)]
            assert unit.timelines.holding(DUDU, [1], 3, 3) == {1: 1}

    def test_a_reader_keeps_its_view_while_others_write(self, store: Store) -> None:
        with found(store).reading() as view:
            seen = [view.memories.count(DUDU)]
            with store.writing() as unit:
                keep(unit, memory(1))
            seen.append(view.memories.count(DUDU))
        with store.reading() as view:
            seen.append(view.memories.count(DUDU))
        assert seen == [0, 0, 1]

    def test_two_readers_read_side_by_side(self, store: Store) -> None:
        with found(store).reading() as one, store.reading() as other:
            assert one.agents.all() == other.agents.all()

    def test_system_time_is_the_clock_or_just_after_the_last_whichever_is_later(self, store: Store) -> None:
        with store.writing() as unit:
            base = unit.learn(unit.last_learned() + 1_000)
            given = [unit.learn(base + 50), unit.learn(base + 50, 3), unit.learn(base), unit.learn(base + 900)]
        assert [each - base for each in given] == [50, 51, 54, 900]

    def test_system_time_is_remembered(self, store: Store) -> None:
        with store.writing() as unit:
            base = unit.learn(unit.last_learned() + 1_000, 5)
        with store.reading() as unit:
            assert unit.last_learned() == base + 4
        with store.writing() as unit:
            assert unit.learn(0) == base + 5

    def test_system_time_can_be_set_back_and_goes_on_from_there(self, store: Store) -> None:
        with store.writing() as unit:
            unit.learn(9_000)
            unit.set_last_learned(5_000)
        with store.writing() as unit:
            assert (unit.last_learned(), unit.learn(0), unit.last_learned()) == (5_000, 5_001, 5_001)

    def test_what_the_fold_was_made_with_is_remembered(self, store: Store) -> None:
        with store.writing() as unit:
            unit.set_made_with('{"tiers": [4000], "analysis": "家"}')
        with store.reading() as unit:
            assert unit.made_with() == '{"tiers": [4000], "analysis": "家"}'

    def test_writers_of_several_threads_take_turns(self, store: Store) -> None:
        given: list[int] = []

        def write() -> None:
            for _ in range(_TURNS):
                with store.writing() as unit:
                    given.append(unit.learn(unit.last_learned()))

        threads = [Thread(target=write) for _ in range(_THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(given)) == _THREADS * _TURNS

    def test_scrubbing_leaves_what_is_kept(self, store: Store) -> None:
        with found(store).writing() as unit:
            keep(unit, memory(1), memory(2))
            unit.memories.erase(DUDU, [1])
        store.scrub()
        with store.reading() as unit:
            assert unit.memories.get(DUDU, [1, 2]).keys() == {2}

    def test_what_is_in_order_is_not_called_damaged(self, store: Store) -> None:
        with found(store).writing() as unit:
            _write_everything(unit)
        before = _everything(store)
        store.check()
        assert _everything(store) == before

    def test_a_store_says_whether_a_scrub_holds_up_others(self, store: Store) -> None:
        assert store.shared in {True, False}

    def test_a_closed_store_refuses_everything(self, store: Store) -> None:
        store.close()
        with pytest.raises(Fault), store.reading():
            pass
        with pytest.raises(Fault), store.writing():
            pass
