"""The lexical index: forward rows and posting rows."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from struct import iter_unpack

from karte.core.namespaces import Namespace
from karte.ports import Document, Posting, Size
from karte.stores.relational.rows import Row, Rows

_CHUNK_BITS = 16
_MOST_TAILS = 64


class Tails:
    """The tails read lately, by namespace: most searches find the one that the search before them read.

    A tail is kept with its state, by which later readers tell whether it still is theirs, whoever wrote meanwhile: it is
    of one snapshot with the tail, each text that is added is counted, and each time that texts are taken out too.
    """

    def __init__(self) -> None:
        self._kept: dict[int, tuple[Row, list[Document]]] = {}

    def find(self, ns: int, state: Row) -> list[Document] | None:
        """The tail of this state."""
        kept = self._kept.get(ns)
        return kept[1] if kept and kept[0] == state else None

    def keep(self, ns: int, state: Row, tail: list[Document]) -> None:
        """Keep a tail that was read."""
        if len(self._kept) >= _MOST_TAILS:
            self._kept.clear()
        self._kept[ns] = (state, tail)


class LexiconRows:
    """The lexical index of a workspace, by namespace; `tails` outlive a transaction, so only reading ones share them."""

    def __init__(self, rows: Rows, tails: Tails | None = None) -> None:
        self._rows, self._tails = rows, tails or Tails()

    def key(self) -> bytes:
        """The secret with which terms are hashed."""
        return bytes(self._rows.value("lexicon_key"))

    def size(self, namespace: Namespace) -> Size:
        """The statistics of the namespace."""
        rows = self._rows.known("lexicon_size", ns=self._rows.namespace(namespace))
        return Size(*rows[0]) if rows else Size(0, 0, 0, 1)

    def add(self, namespace: Namespace, documents: Sequence[Document]) -> Size:
        """Keep forward rows and count them; gives the statistics then."""
        ns = self._rows.known_namespace(namespace)
        self._rows.run_each("add_document", ((ns, d.number, d.length, d.hashes, d.counts) for d in documents))
        length = sum(document.length for document in documents)
        row = self._rows.one("count_documents", ns=ns, documents=len(documents), length=length)
        return Size(*row) if row else self.size(namespace)

    def tail(self, namespace: Namespace) -> list[Document]:
        """The forward rows that are not compacted."""
        ns = self._rows.namespace(namespace)
        state = self._rows.one("tail_state", ns=ns)
        if state is None:
            return []
        tail = self._tails.find(ns, state)
        if tail is None:
            tail = list(map(Document._make, self._rows.each("tail", ns=ns, compacted=state[0])))
            self._tails.keep(ns, state, tail)
        return tail

    def documents(self, namespace: Namespace, numbers: Collection[int]) -> list[Document]:
        """The forward rows of these numbers."""
        ns = self._rows.namespace(namespace)
        wanted = self._rows.listed(sorted(set(numbers)))
        return list(map(Document._make, self._rows.each("documents", ns=ns, numbers=wanted)))

    def postings(self, namespace: Namespace, terms: Iterable[int]) -> Iterator[Posting]:
        """All posting rows of these terms."""
        ns, wanted = self._rows.namespace(namespace), self._rows.listed(list(terms))
        for chunk in range((self.size(namespace).compacted >> _CHUNK_BITS) + 1):
            yield from map(Posting._make, self._rows.each("postings", ns=ns, chunk=chunk, terms=wanted))

    def append(self, namespace: Namespace, postings: Iterable[Posting], compacted: int) -> None:
        """Append to posting rows."""
        ns = self._rows.known_namespace(namespace)
        rows = ((ns, chunk, term, places, codes) for term, chunk, places, codes in postings)
        self._rows.run_each("append_posting", rows)
        self._rows.run("set_compacted", ns=ns, compacted=compacted)

    def remove(self, namespace: Namespace, numbers: Collection[int]) -> None:
        """Take texts out of the index."""
        ns = self._rows.known_namespace(namespace)
        compacted = self.size(namespace).compacted
        taken: dict[tuple[int, int], list[int]] = defaultdict(list)
        for number in numbers:
            row = self._rows.one("remove_document", ns=ns, number=number)
            if row is None:
                continue
            length, hashes = row
            self._rows.run("count_documents", ns=ns, documents=-1, length=-length)
            if number <= compacted:
                for (term,) in iter_unpack("<q", hashes):
                    taken[term, number >> _CHUNK_BITS].append(number & ((1 << _CHUNK_BITS) - 1))
        for (term, chunk), gone in taken.items():
            self._take_out({"ns": ns, "term": term, "chunk": chunk}, gone)
        self._rows.run("count_erasure", ns=ns)

    def clear(self, namespace: Namespace) -> None:
        """Remove the whole index of a namespace."""
        ns = self._rows.known_namespace(namespace)
        for query in ("clear_documents", "clear_postings", "clear_size", "count_erasure"):
            self._rows.run(query, ns=ns)

    def _take_out(self, named: dict[str, int], gone: list[int]) -> None:
        """Take places out of a posting row."""
        row = self._rows.one("read_posting", **named)
        if row is None:
            return
        numbers, codes, before = array("H", bytes(row[0])), bytearray(row[1]), len(row[1])
        for number in gone:
            place = bisect_left(numbers, number)
            if place < len(numbers) and numbers[place] == number:
                del numbers[place], codes[place]
        if not codes:
            self._rows.run("remove_posting", **named)
        elif len(codes) < before:
            self._rows.run("write_posting", **named, places=numbers.tobytes(), codes=bytes(codes))
