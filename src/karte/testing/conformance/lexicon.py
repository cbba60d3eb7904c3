"""The contract for the rows of the lexical index."""

from __future__ import annotations

from struct import iter_unpack

from karte.core.namespaces import Namespace
from karte.ports import Document, Posting, Reading, Store
from karte.testing.conformance.making import DUDU, YUKI, document, found

_TEXTS = (document(1, [10, 20]), document(2, [20, 30]), document(70_000, [20, 2**62]))
_TERMS = (10, 20, 30, 2**62)


def _postings(documents: tuple[Document, ...]) -> list[Posting]:
    """The posting rows of these documents, each with a code of its own."""
    rows: dict[tuple[int, int], tuple[bytes, bytes]] = {}
    for one in documents:
        for (term,) in iter_unpack("<q", one.hashes):
            places, codes = rows.get((term, one.number >> 16), (b"", b""))
            low = (one.number & 0xFFFF).to_bytes(2, "little")
            rows[term, one.number >> 16] = (places + low, codes + bytes([one.number % 251]))
    return [Posting(term, chunk, *row) for (term, chunk), row in sorted(rows.items())]


def _indexed(unit: Reading, namespace: Namespace = DUDU) -> list[tuple[int, int]]:
    """Every (term, number) that the index holds, in the tail or in posting rows."""
    pairs = [(term, one.number) for one in unit.lexicon.tail(namespace) for (term,) in iter_unpack("<q", one.hashes)]
    for posting in unit.lexicon.postings(namespace, _TERMS):
        assert len(posting.places) == 2 * len(posting.codes)
        pairs += [(posting.term, (posting.chunk << 16) + low) for (low,) in iter_unpack("<H", posting.places)]
    return sorted(pairs)


def _pairs(*documents: Document) -> list[tuple[int, int]]:
    return sorted((term, one.number) for one in documents for (term,) in iter_unpack("<q", one.hashes))


class LexiconConformance:
    """Each text is indexed once: in the tail, or after it was compacted in posting rows."""

    def test_the_key_is_a_secret_that_stays(self, store: Store) -> None:
        with store.reading() as unit:
            key = unit.lexicon.key()
        with store.writing() as unit:
            assert unit.lexicon.key() == key != b""

    def test_an_empty_index_has_no_texts(self, store: Store) -> None:
        with found(store).reading() as unit:
            size = unit.lexicon.size(DUDU)
            assert (size.documents, size.length, size.compacted, size.following) == (0, 0, 0, 1)
            assert (unit.lexicon.tail(DUDU), unit.lexicon.documents(DUDU, [1]), _indexed(unit)) == ([], [], [])

    def test_forward_rows_are_kept_and_counted(self, store: Store) -> None:
        with found(store).writing() as unit:
            unit.memories.reserve(DUDU, 70_000)
            unit.lexicon.add(DUDU, _TEXTS[:1])
            unit.lexicon.add(DUDU, _TEXTS[1:])
        with store.reading() as unit:
            size = unit.lexicon.size(DUDU)
            assert (size.documents, size.length, size.following) == (3, 6, 70_001)
            assert unit.lexicon.tail(DUDU) == unit.lexicon.documents(DUDU, [70_000, 2, 1, 5]) == [*_TEXTS]
            assert (unit.lexicon.tail(YUKI), unit.lexicon.size(YUKI).documents) == ([], 0)

    def test_after_compacting_each_text_is_indexed_exactly_once(self, store: Store) -> None:
        with found(store).writing() as unit:
            unit.lexicon.add(DUDU, _TEXTS[:2])
            unit.lexicon.append(DUDU, _postings(_TEXTS[:2]), 2)
            unit.lexicon.add(DUDU, _TEXTS[2:])
        with store.reading() as unit:
            assert _indexed(unit) == _pairs(*_TEXTS)
            assert (_indexed(unit, YUKI), unit.lexicon.documents(DUDU, [1, 2])) == ([], [*_TEXTS[:2]])

    def test_what_is_appended_later_joins_the_rows_that_are_there(self, store: Store) -> None:
        with found(store).writing() as unit:
            for one in _TEXTS:
                unit.lexicon.add(DUDU, [one])
                unit.lexicon.append(DUDU, _postings((one,)), one.number)
        with store.reading() as unit:
            assert _indexed(unit) == _pairs(*_TEXTS)

    def test_a_text_is_taken_out_of_the_tail_and_of_posting_rows(self, store: Store) -> None:
        with found(store).writing() as unit:
            unit.lexicon.add(DUDU, _TEXTS[:2])
            unit.lexicon.append(DUDU, _postings(_TEXTS[:2]), 2)
            unit.lexicon.add(DUDU, _TEXTS[2:])
            unit.lexicon.remove(DUDU, [1, 70_000, 12])
        with store.reading() as unit:
            assert _indexed(unit) == _pairs(_TEXTS[1])
            assert (unit.lexicon.size(DUDU).documents, unit.lexicon.size(DUDU).length) == (1, 2)
            assert unit.lexicon.documents(DUDU, [1, 2, 70_000]) == [_TEXTS[1]]

    def test_a_cleared_index_can_be_built_anew(self, store: Store) -> None:
        with found(store).writing() as unit:
            unit.lexicon.add(DUDU, _TEXTS)
            unit.lexicon.append(DUDU, _postings(_TEXTS), 70_000)
            unit.lexicon.add(YUKI, _TEXTS[:1])
            unit.lexicon.clear(DUDU)
            assert (_indexed(unit), unit.lexicon.size(DUDU).documents, unit.lexicon.size(DUDU).compacted) == ([], 0, 0)
            unit.lexicon.add(DUDU, _TEXTS[:1])
        with store.reading() as unit:
            assert _indexed(unit) == _indexed(unit, YUKI) == _pairs(_TEXTS[0])

    def test_a_term_that_no_text_holds_has_no_rows(self, store: Store) -> None:
        with found(store).writing() as unit:
            unit.lexicon.add(DUDU, _TEXTS)
        with store.reading() as unit:
            assert list(unit.lexicon.postings(DUDU, [999])) == list(unit.lexicon.postings(DUDU, [])) == []
