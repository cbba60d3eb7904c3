"""Bursts: many statements of one untrusted source about one subject in a short time are an attack, or a mistake.

Whichever it is, a person should look at all of them: going over the limit holds back the whole burst, its earlier
members too. Spelling variants of a subject count together.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from dataclasses import dataclass

from karte.core.assertions import Assertion
from karte.core.guarding import Guarding
from karte.core.memories import Memory
from karte.core.text import fold_name
from karte.engine.gathering import Frame
from karte.ports import Told, Writing


@dataclass(frozen=True)
class Bursts:
    """Counts what untrusted sources say in one namespace."""

    frame: Frame
    unit: Writing
    guarding: Guarding

    def bucket(self, memory: Memory, assertion: Assertion) -> bytes | None:
        """Where a statement is counted; None where it is not: its source is trusted, or it is about nothing named."""
        if not self.guarding.enabled or assertion.trust >= self.guarding.untrusted or memory.nothing:
            return None
        about = memory.names.subject if memory.names else assertion.details.topic
        if not about:
            return None
        name = self.frame.naming([fold_name(about)]).resolve(fold_name(about)) or about
        origin = assertion.origin
        parts = [self.frame.namespace.agent, origin.kind.value, origin.container, plain(name)]
        return hashlib.blake2b(
            json.dumps(parts, ensure_ascii=False).encode(), key=self.unit.blocks.key(), digest_size=16
        ).digest()

    def before(self, bucket: bytes, assertion: Assertion) -> list[Told] | None:
        """The earlier members of a burst that this assertion makes, or goes on with; None where it is none."""
        since = assertion.learned_at - self.guarding.window
        told = self.unit.bursts.since(self.frame.namespace, bucket, since)
        others = [one for one in told if one.identity != assertion.identity]
        return others if len(others) >= self.guarding.most_per_subject else None

    def count(self, bucket: bytes, assertion: Assertion, number: int | None) -> None:
        """Count a statement; `number` is that of its memory, None where it is held back."""
        namespace = self.frame.namespace
        self.unit.bursts.drop_before(namespace, assertion.learned_at - self.guarding.window)
        self.unit.bursts.add(namespace, bucket, Told(assertion.learned_at, assertion.identity, number))


def plain(name: str) -> str:
    """A name without what spellings of it differ in: case, blanks, marks and accents."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    kept = "".join(letter for letter in letters if letter.isalnum())
    return kept or name
