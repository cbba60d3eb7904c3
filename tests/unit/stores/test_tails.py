"""A tail of the lexical index that was read before is given again only while it still is the tail."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from karte.core.namespaces import Namespace
from karte.errors import UnknownAgent
from karte.ports import Document, Lexicon, Store
from karte.stores.sqlite import SQLiteStore
from karte.testing.conformance.making import DUDU, YUKI, document, found

FIRST, SECOND = document(1, [11, 12]), document(2, [12, 13, 14])


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SQLiteStore]:
    """A workspace in which DUDU has one text."""
    with closing(SQLiteStore(tmp_path / "w.karte")) as opened:
        add(found(opened), FIRST)
        yield opened


def add(store: Store, *documents: Document) -> None:
    """Index texts of DUDU under the numbers that come next."""
    with store.writing() as unit:
        unit.memories.reserve(DUDU, len(documents))
        unit.lexicon.add(DUDU, documents)


def add_and_fail(store: Store, one: Document) -> None:
    """Index a text, look at the tail, and undo all by a write to an agent that is not there."""
    with store.writing() as unit:
        unit.memories.reserve(DUDU, 1)
        unit.lexicon.add(DUDU, [one])
        assert unit.lexicon.tail(DUDU) == [FIRST, one]
        unit.lexicon.clear(Namespace("nobody"))


def tail(store: Store) -> list[Document]:
    """The tail of DUDU."""
    with store.reading() as unit:
        return unit.lexicon.tail(DUDU)


def test_what_another_process_adds_and_removes_is_seen_by_the_next_reader(store: SQLiteStore) -> None:
    assert tail(store) == [FIRST]
    with closing(SQLiteStore(store.path)) as other:
        add(other, SECOND)
        assert tail(store) == tail(store) == [FIRST, SECOND]
        with other.writing() as unit:
            unit.lexicon.remove(DUDU, [1])
    assert tail(store) == [SECOND]


def test_a_reader_that_began_before_a_write_keeps_its_view_and_leaves_nothing_to_later_ones(store: SQLiteStore) -> None:
    with store.reading() as early:
        assert early.lexicon.tail(DUDU) == [FIRST]
        add(store, SECOND)
        assert early.lexicon.tail(DUDU) == [FIRST]
        assert tail(store) == [FIRST, SECOND]
        assert early.lexicon.tail(DUDU) == [FIRST]
    assert tail(store) == [FIRST, SECOND]


def test_what_was_undone_is_in_no_tail(store: SQLiteStore) -> None:
    with pytest.raises(UnknownAgent):
        add_and_fail(store, document(2, [5, 6, 7]))
    add(store, SECOND)
    assert tail(store) == [FIRST, SECOND]


def test_a_tail_that_nobody_changed_is_read_once(store: SQLiteStore) -> None:
    assert tail(store) is tail(store)
    with store.writing() as unit:
        unit.memories.reserve(YUKI, 1)
        unit.lexicon.add(YUKI, [document(1, [31, 32])])
    assert tail(store) is tail(store)


@pytest.mark.parametrize("take_out", [lambda lexicon: lexicon.remove(DUDU, [1]), lambda lexicon: lexicon.clear(DUDU)])
def test_what_another_process_indexes_anew_under_equal_statistics_is_read_anew(
    store: SQLiteStore, take_out: Callable[[Lexicon], None]
) -> None:
    anew = document(1, [21, 22])
    with store.reading() as unit:
        before = unit.lexicon.size(DUDU)
        assert unit.lexicon.tail(DUDU) == [FIRST]
    with closing(SQLiteStore(store.path)) as other, other.writing() as unit:
        take_out(unit.lexicon)
        assert unit.lexicon.add(DUDU, [anew]) == before
    assert tail(store) == [anew]


def test_the_tail_of_one_namespace_is_not_that_of_another(store: SQLiteStore) -> None:
    with store.writing() as unit:
        unit.memories.reserve(YUKI, 1)
        unit.lexicon.add(YUKI, [document(1, [31, 32])])
    assert tail(store) == [FIRST]
    with store.reading() as unit:
        assert unit.lexicon.tail(YUKI) == [document(1, [31, 32])]
