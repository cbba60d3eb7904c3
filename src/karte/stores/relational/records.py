"""Assertions, links and withdrawals."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any

from karte.core.assertions import NAME_LINKS, Assertion, Details, Link, LinkKind, MemoryType, Veracity, Withdrawal
from karte.core.memories import Place, Triple, Wording
from karte.core.namespaces import Namespace
from karte.core.origins import Origin
from karte.ports import Source
from karte.stores.relational.rows import Row, Rows

_NAME_KINDS = sorted(NAME_LINKS)
_MEMORY_KINDS = sorted(set(LinkKind) - NAME_LINKS)
_VERACITIES = {veracity.value: veracity for veracity in Veracity}
_TYPES = {memory_type.value: memory_type for memory_type in MemoryType}


class RecordsRows:
    """The records of a workspace, by namespace.

    Every question asks whether there are links at all: that is looked up once in a unit of work.
    """

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._linked: dict[int, bool] = {}

    def add_assertion(self, namespace: Namespace, number: int, assertion: Assertion) -> None:
        """Keep an assertion."""
        ns = self._rows.known_namespace(namespace)
        details = assertion.details
        self._rows.give(
            "add_assertion",
            ns,
            number,
            assertion.identity,
            self._rows.source(assertion.origin),
            assertion.origin.item,
            assertion.observed_at,
            assertion.valid_from,
            assertion.valid_until,
            assertion.trust,
            assertion.learned_at,
            details.expires_at,
            details.veracity.value,
            details.memory_type.value,
            details.importance,
            details.confidence,
            details.topic,
            json.dumps(details.tags, ensure_ascii=False) if details.tags else None,
            None if details.metadata == "{}" else details.metadata,
            details.source_event,
            details.session,
            details.speaker,
            _write_wording(assertion.wording),
            _write_digests(assertion.parents),
            _write_digests(assertion.rests_on),
        )
        for parent in assertion.parents:
            self._rows.run("add_derivation", ns=ns, parent=parent, number=number, identity=assertion.identity)
        for base in assertion.rests_on:
            self._rows.run("add_dependency", ns=ns, base=base, number=number, identity=assertion.identity)

    def remove_assertions(self, namespace: Namespace, number: int, identities: Collection[bytes]) -> None:
        """Remove assertions of a memory."""
        ns, gone = self._rows.known_namespace(namespace), self._rows.binaries(identities)
        self._rows.take("remove_withdrawals_of", ns=ns, targets=gone)
        for query in ("remove_receipts", "remove_bursts"):
            self._rows.run(query, ns=ns, identities=gone)
        for query in ("remove_derivations", "remove_dependencies"):
            self._rows.run(query, ns=ns, number=number, identities=gone)
        self._rows.take("remove_assertions", ns=ns, number=number, identities=gone)

    def has_assertion(self, namespace: Namespace, number: int, identity: bytes) -> bool:
        """Tell whether this very assertion is kept."""
        ns = self._rows.namespace(namespace)
        return self._rows.one("has_assertion", ns=ns, number=number, identity=identity) is not None

    def assertions(self, namespace: Namespace, numbers: Collection[int]) -> list[Assertion]:
        """All assertions of these memories."""
        rows = self._rows.each("assertions", ns=self._rows.namespace(namespace), numbers=self._rows.listed(numbers))
        return [_assertion(row) for row in rows]

    def said_by(self, namespace: Namespace, origin: Origin, since: int) -> list[tuple[int, Assertion]]:
        """The assertions of exactly that origin."""
        source = self._rows.known_source(origin)
        if source is None:
            return []
        ns = self._rows.namespace(namespace)
        numbers = [n for (n,) in self._rows.each("said_by", ns=ns, source=source, item=origin.item, since=since)]
        rows = self._rows.each("assertions", ns=ns, numbers=self._rows.listed(numbers))
        said = [(row[0], _assertion(row)) for row in rows]
        return [(number, a) for number, a in said if origin.holds(a.origin) and a.learned_at >= since]

    def sources(self, namespace: Namespace) -> list[Source]:
        """What each container taught."""
        return list(map(Source._make, self._rows.each("sources", ns=self._rows.namespace(namespace))))

    def reword(self, namespace: Namespace, number: int, identity: bytes, wording: Wording | None) -> None:
        """Say how the source of an assertion wrote it."""
        ns, written = self._rows.known_namespace(namespace), _write_wording(wording)
        self._rows.run("reword_assertion", ns=ns, number=number, identity=identity, wording=written)

    def whose(self, namespace: Namespace, identities: Collection[bytes]) -> list[int]:
        """The memories with one of these assertions."""
        named = {"ns": self._rows.namespace(namespace), "identities": self._rows.binaries(identities)}
        return [number for (number,) in self._rows.each("whose", **named)]

    def resting_on(self, namespace: Namespace, bases: Collection[bytes]) -> list[int]:
        """The memories with an assertion that rests on one of these."""
        rows = self._rows.each("resting_on", ns=self._rows.namespace(namespace), bases=self._rows.binaries(bases))
        return [number for (number,) in rows]

    def children(self, namespace: Namespace, keys: Collection[bytes]) -> list[int]:
        """The memories derived from these."""
        rows = self._rows.each("children", ns=self._rows.namespace(namespace), keys=self._rows.binaries(keys))
        return [number for (number,) in rows]

    def derived(self, namespace: Namespace) -> list[int]:
        """The memories with a derived assertion."""
        return [number for (number,) in self._rows.each("derived", ns=self._rows.namespace(namespace))]

    def add_link(self, namespace: Namespace, link: Link) -> None:
        """Keep a link."""
        ns = self._rows.known_namespace(namespace)
        self._linked.pop(ns, None)
        self._rows.run(
            "add_link",
            ns=ns,
            identity=link.identity,
            kind=link.kind.value,
            left_end=link.left,
            right_end=link.right,
            source=self._rows.source(link.origin),
            item=link.origin.item,
            observed_at=link.observed_at,
            trust=link.trust,
            learned_at=link.learned_at,
        )

    def links_by(self, namespace: Namespace, origin: Origin) -> list[Link]:
        """The links of exactly that origin."""
        return [_link(row) for row in self._rows.by_origin("links_by", namespace, origin)]

    def links_of(self, namespace: Namespace, identities: Collection[bytes]) -> list[Link]:
        """The links of these identities."""
        named = {"ns": self._rows.namespace(namespace), "identities": self._rows.binaries(identities)}
        return [_link(row) for row in self._rows.each("links_by_identity", **named)]

    def remove_links(self, namespace: Namespace, identities: Collection[bytes]) -> None:
        """Remove links."""
        ns, gone = self._rows.known_namespace(namespace), self._rows.binaries(identities)
        self._linked.pop(ns, None)
        self._rows.take("remove_withdrawals_of", ns=ns, targets=gone)
        self._rows.take("remove_links", ns=ns, identities=gone)

    def has_links(self, namespace: Namespace) -> bool:
        """Tell whether there is any link at all."""
        ns = self._rows.namespace(namespace)
        found = self._linked.get(ns)
        if found is None:
            found = self._linked[ns] = bool(self._rows.value("has_links", ns=ns))
        return found

    def name_links(self, namespace: Namespace, names: Collection[str]) -> list[Link]:
        """All links with one of these names."""
        return self._links("links_of", namespace, _NAME_KINDS, ends=self._rows.listed(names))

    def all_name_links(self, namespace: Namespace) -> list[Link]:
        """All aliases and declarations."""
        return self._links("links_of_kinds", namespace, _NAME_KINDS)

    def memory_links(self, namespace: Namespace, keys: Collection[bytes]) -> list[Link]:
        """All links that join one of these memories to another one."""
        return self._links("links_of", namespace, _MEMORY_KINDS, ends=self._rows.listed([key.hex() for key in keys]))

    def _links(self, query: str, namespace: Namespace, kinds: Sequence[LinkKind], **ends: Any) -> list[Link]:
        named = {"ns": self._rows.namespace(namespace), "kinds": self._rows.listed(kinds)}
        return [_link(row) for row in self._rows.each(query, **named, **ends)]

    def add_withdrawal(self, namespace: Namespace, withdrawal: Withdrawal) -> None:
        """Keep a withdrawal."""
        self._rows.run(
            "add_withdrawal",
            ns=self._rows.known_namespace(namespace),
            target=withdrawal.target,
            source=self._rows.source(withdrawal.origin),
            item=withdrawal.origin.item,
            trust=withdrawal.trust,
            reason=withdrawal.reason,
            event=withdrawal.event,
            learned_at=withdrawal.learned_at,
        )

    def withdrawals_by(self, namespace: Namespace, origin: Origin) -> list[Withdrawal]:
        """The withdrawals by exactly that origin."""
        return [_withdrawal(row) for row in self._rows.by_origin("withdrawals_by", namespace, origin)]

    def remove_withdrawals(self, namespace: Namespace, withdrawals: Collection[Withdrawal]) -> None:
        """Remove withdrawals."""
        ns = self._rows.known_namespace(namespace)
        for gone in withdrawals:
            source = self._rows.known_source(gone.origin)
            if source is not None:
                named = {"target": gone.target, "source": source, "item": gone.origin.item, "trust": gone.trust}
                self._rows.run("remove_withdrawal", ns=ns, **named)
                self._rows.loosen([source])

    def withdrawals(self, namespace: Namespace, targets: Collection[bytes]) -> list[Withdrawal]:
        """All withdrawals of these targets."""
        rows = self._rows.each("withdrawals", ns=self._rows.namespace(namespace), targets=self._rows.binaries(targets))
        return [_withdrawal(row) for row in rows]


def _write_digests(digests: Collection[bytes]) -> str | None:
    return json.dumps([digest.hex() for digest in digests]) if digests else None


def _read_digests(text: str | None) -> tuple[bytes, ...]:
    return tuple(bytes.fromhex(digest) for digest in json.loads(text)) if text else ()


def _write_wording(words: Wording | None) -> str | None:
    if words is None:
        return None
    names = [words.triple.subject, words.triple.predicate, words.triple.object] if words.triple else []
    return json.dumps([words.content, words.place.domain, words.place.repo, *names], ensure_ascii=False)


_origin = lru_cache(maxsize=1 << 12)(Origin)


def _assertion(row: Row) -> Assertion:
    _, key, kind, container, item, identity, observed_at, valid_from, valid_until, trust, learned_at, *said = row
    *details, wording, parents, rests_on = said
    return Assertion(
        key,
        _origin(kind, container, item),
        observed_at,
        valid_from,
        valid_until,
        trust,
        _details(*details),
        _read_wording(wording) if wording else None,
        _read_digests(parents),
        learned_at,
        identity,
        _read_digests(rests_on),
    )


def _details(expires_at: int | None, *said: Any) -> Details:
    veracity, memory_type, importance, confidence, topic, tags, metadata, source_event, session, speaker = said
    return Details(
        _VERACITIES[veracity],
        _TYPES[memory_type],
        importance,
        confidence,
        topic,
        tuple(json.loads(tags)) if tags else (),
        metadata or "{}",
        source_event,
        expires_at,
        session,
        speaker,
    )


def _read_wording(text: str) -> Wording:
    content, domain, repo, *names = json.loads(text)
    return Wording(content, Triple(*names) if names else None, Place(domain, repo))


def _withdrawal(row: Row) -> Withdrawal:
    target, kind, container, item, *rest = row
    return Withdrawal(target, Origin(kind, container, item), *rest)


def _link(row: Row) -> Link:
    identity, kind, left, right, origin_kind, container, item, observed_at, trust, learned_at = row
    origin = Origin(origin_kind, container, item)
    return Link(LinkKind(kind), left, right, origin, observed_at, trust, learned_at, identity)
