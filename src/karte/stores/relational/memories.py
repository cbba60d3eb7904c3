"""Memories."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from karte.core.memories import Layer, Memory, Place, Triple, Wording
from karte.core.namespaces import Namespace
from karte.ports import Asked, Head, Kept
from karte.stores.relational.rows import Row, Rows, Value

_NO_TRIPLE = Triple("", "", None)
_LAYERS = {layer.value: layer for layer in Layer}


class MemoriesRows:
    """The memories of a workspace, by namespace."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def reserve(self, namespace: Namespace, count: int) -> int:
        """Take new numbers."""
        return int(self._rows.value("reserve_numbers", ns=self._rows.known_namespace(namespace), count=count))

    def add(self, namespace: Namespace, kept: Kept, head: Head) -> None:
        """Keep a new memory."""
        memory = kept.memory
        written, names = memory.triple or _NO_TRIPLE, memory.names or _NO_TRIPLE
        self._rows.give(
            "add_memory",
            self._rows.known_namespace(namespace),
            memory.number,
            memory.id,
            memory.key,
            memory.content_key,
            memory.layer.value,
            memory.content,
            memory.nothing,
            memory.place.domain,
            memory.place.repo,
            memory.scope,
            written.subject or None,
            written.predicate or None,
            written.object,
            names.subject or None,
            names.predicate or None,
            None if memory.names is None else names.object or "",
            kept.chain,
            kept.statement,
            head.changed_at,
            head.tier,
        )

    def get(self, namespace: Namespace, numbers: Collection[int]) -> dict[int, Kept]:
        """The memories of these numbers."""
        rows = self._rows.each(
            "memories_by_number", ns=self._rows.namespace(namespace), numbers=self._rows.listed(numbers)
        )
        return {row[0]: _kept(row) for row in rows}

    def subjects(self, namespace: Namespace, numbers: Collection[int]) -> dict[int, str]:
        """The subjects of these memories."""
        ns = self._rows.namespace(namespace)
        if self._rows.near and not self._rows.value("has_subjects", ns=ns):
            return {}
        return dict(self._rows.each("subjects", ns=ns, numbers=self._rows.listed(numbers)))

    def by_key(self, namespace: Namespace, keys: Collection[bytes]) -> dict[bytes, Kept]:
        """The memories of these keys."""
        ns = self._rows.namespace(namespace)
        if len(keys) == 1:
            row = self._rows.one("memory_by_key", ns=ns, key=next(iter(keys)))
            return {row[2]: _kept(row)} if row else {}
        return (
            {row[2]: _kept(row) for row in self._rows.each("memories_by_key", ns=ns, keys=self._rows.binaries(keys))}
            if keys
            else {}
        )

    def by_id(self, namespace: Namespace, ids: Collection[str]) -> dict[str, Kept]:
        """The memories of these ids."""
        rows = self._rows.each("memories_by_id", ns=self._rows.namespace(namespace), ids=self._rows.listed(ids))
        return {row[1]: _kept(row) for row in rows}

    def answering(self, namespace: Namespace, *asked: Asked) -> list[int]:
        """The memories that answer any of these questions; those of whole chains are asked at once."""
        whole = [question for question in asked if _given(question) == _WHOLE_CHAIN]
        found = dict.fromkeys(self._in_chains_of(namespace, whole) if len(whole) > 1 else ())
        for question in asked:
            if len(whole) <= 1 or _given(question) != _WHOLE_CHAIN:
                query, named = self._question(namespace, question)
                found |= dict.fromkeys(number for number, _ in self._rows.each(query, **named))
        return list(found)

    def _in_chains_of(self, namespace: Namespace, asked: Sequence[Asked]) -> Iterator[int]:
        questions = [(subject, q.predicate, q.scope) for q in asked for subject in q.subjects]
        ns = self._rows.namespace(namespace)
        rows = self._rows.each("answering_any", ns=ns, questions=self._rows.tabled(questions))
        return (number for (number,) in rows)

    def _question(self, namespace: Namespace, asked: Asked) -> tuple[str, dict[str, Value]]:
        named = {
            "ns": self._rows.namespace(namespace),
            "subjects": self._rows.listed(asked.subjects),
            "predicate": asked.predicate,
            "scope": asked.scope,
            "objects": None if asked.objects is None else self._rows.listed(asked.objects),
        }
        return _QUESTIONS.get(_given(asked), "about"), named

    def with_predicate(self, namespace: Namespace, predicate: str) -> list[int]:
        """The memories with this predicate."""
        ns = self._rows.namespace(namespace)
        return [number for (number,) in self._rows.each("with_predicate", ns=ns, predicate=predicate)]

    def in_scope(self, namespace: Namespace, scope: str, count: int) -> list[int]:
        """The newest memories of a domain's scope."""
        ns = self._rows.namespace(namespace)
        return [number for (number,) in self._rows.each("in_scope", ns=ns, scope=scope, count=count)]

    def aside(self, namespace: Namespace) -> dict[int, Layer]:
        """The memories of layers that are not recalled: they have an index of their own, for mostly there are none."""
        rows = self._rows.known("aside", ns=self._rows.namespace(namespace))
        return {number: _LAYERS[layer] for number, layer in rows}

    def with_object(self, namespace: Namespace, objects: Collection[str]) -> list[int]:
        """The memories with one of these objects."""
        ns = self._rows.namespace(namespace)
        return [number for (number,) in self._rows.each("with_object", ns=ns, objects=self._rows.listed(objects))]

    def chain_answering(self, namespace: Namespace, asked: Asked) -> int | None:
        """The chain of any memory that answers a question."""
        query, named = self._question(namespace, asked)
        row = self._rows.first(query, **named)
        return None if row is None else int(row[1])

    def in_chain(self, namespace: Namespace, chain: int, content_key: bytes | None = None) -> list[int]:
        """The members of a chain."""
        named = {"ns": self._rows.namespace(namespace), "chain": chain}
        if content_key is None:
            rows = self._rows.each("in_chain", **named)
        else:
            rows = self._rows.each("in_chain_saying", **named, content_key=content_key)
        return [number for (number,) in rows]

    def recent(self, namespace: Namespace, before: int, count: int) -> list[int]:
        """The highest numbers below a bound."""
        ns = self._rows.namespace(namespace)
        return [number for (number,) in self._rows.each("recent", ns=ns, before=before, count=count)]

    def place(self, namespace: Namespace, number: int, chain: int, statement: int) -> None:
        """Say to which chain and statement a memory belongs now."""
        self._rows.run(
            "place", ns=self._rows.known_namespace(namespace), number=number, chain=chain, statement=statement
        )

    def reword(self, namespace: Namespace, number: int, wording: Wording) -> None:
        """Show a memory in other words."""
        ns = self._rows.known_namespace(namespace)
        written = wording.triple or _NO_TRIPLE
        self._rows.give(
            "reword_memory",
            wording.content,
            wording.place.domain,
            wording.place.repo,
            written.subject or None,
            written.predicate or None,
            written.object,
            ns,
            number,
        )
        for query in _LOSSES:
            self._rows.run(query, ns=ns, numbers=self._rows.listed([number]))
        self._rows.run("miss_vectors", ns=ns, number=number)

    def erase(self, namespace: Namespace, numbers: Collection[int]) -> None:
        """Remove memories with all that names them."""
        ns = self._rows.known_namespace(namespace)
        gone = self.get(namespace, numbers)
        named = {"ns": ns, "numbers": self._rows.listed(list(gone))}
        ends = self._rows.listed([kept.memory.key.hex() for kept in gone.values()])
        if gone:
            self._rows.take("erase_withdrawals", **named, ends=ends)
            self._rows.take("erase_links", ns=ns, ends=ends)
            self._rows.take("erase_reviews", **named)
            self._rows.run("erase_bursts", **named)
            self._rows.take("erase_assertions", **named)
            for query in _ERASURES:
                self._rows.run(query, **named)
        self._rows.run("count_erasure", ns=ns)

    def count(self, namespace: Namespace) -> int:
        """How many memories there are."""
        return int(self._rows.value("count_memories", ns=self._rows.namespace(namespace)))


_LOSSES = ("raise_generation_by_memories", "erase_vectors")

_ERASURES = (
    "erase_derivations",
    "erase_dependencies",
    "erase_likenesses",
    "erase_receipts",
    "erase_usage",
    *_LOSSES,
    "erase_missing",
    "erase_archived",
    "erase_memories",
)


def _given(asked: Asked) -> tuple[bool, bool, bool]:
    return (asked.predicate is not None, asked.scope is not None, asked.objects is not None)


_WHOLE_CHAIN = (True, True, False)

_QUESTIONS = {
    (True, False, False): "about_predicate",
    _WHOLE_CHAIN: "answering",
    (True, True, True): "answering_with",
}
"""The queries that an index answers, by what is given beside the subjects: predicate, scope, objects."""


def _kept(row: Row) -> Kept:
    number, memory_id, key, content_key, layer, content, nothing, domain, repo, *names, chain, statement = row
    subject, predicate, value, subject_name, predicate_name, object_name = names
    written = None if subject is None else Triple(subject, predicate, value)
    folded = None if subject_name is None else Triple(subject_name, predicate_name, object_name or None)
    place = Place(domain, repo)
    memory = Memory(number, memory_id, key, content_key, _LAYERS[layer], place, content, written, folded, bool(nothing))
    return Kept(memory, chain, statement)
