"""Which texts say one thing in other words, so that they may be kept as one statement: never two that differ in a value."""

from __future__ import annotations

import hashlib
from typing import Final

from karte.core.conflicts import Relation, Said, compare
from karte.core.difference import apart

LONGEST: Final = 2_000
"""Texts of more characters are not compared: what a long text says is more than one statement."""


def key_of(said: Said) -> bytes | None:
    """A digest that texts share which may be restatements: of their words and values, whatever the order.

    None for a text that has none, or is too long to be compared.
    """
    if len(said.content) > LONGEST:
        return None
    return _digest({item.key for item in said.wording.items})


def skeleton_of(said: Said) -> bytes | None:
    """A digest that texts share which have the same words and perhaps other values; None as for `key_of`."""
    if len(said.content) > LONGEST:
        return None
    return _digest({item.key for item in said.wording.items if not item.value})


def _digest(keys: set[str]) -> bytes | None:
    return hashlib.blake2b("\x1f".join(sorted(keys)).encode(), digest_size=16).digest() if keys else None


def restates(one: Said, other: Said) -> bool:
    """Whether two texts say the same: the same words in another order or grammar, and every value the same.

    Of two facts with one subject, predicate and object the words may be others, but not a value or a negation.
    """
    if one.names and one.names == other.names:
        found = apart(one.wording, other.wording)
        return not (found.values or found.single or found.denied)
    return _values(one) == _values(other) and compare(one, other).relation is Relation.SAME_STATEMENT


def _values(said: Said) -> frozenset[str]:
    return frozenset(item.key for item in said.wording.items if item.value)
