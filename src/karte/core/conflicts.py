"""Whether two statements contradict each other, say the same, or have nothing to do with each other."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from karte.core.difference import difference, similarity, skeleton
from karte.core.memories import Triple
from karte.core.text import terms


class Relation(StrEnum):
    """How two statements stand to each other.

    `CONTRADICTION` is sure: they answer one question differently. `UNSURE` is for a person to decide. `COMPATIBLE`
    statements may both hold, such as those of two subjects; `UNRELATED` ones have too little in common to be compared.
    """

    SAME_STATEMENT = "same statement"
    CONTRADICTION = "contradiction"
    UNSURE = "unsure"
    COMPATIBLE = "compatible"
    UNRELATED = "unrelated"

    @property
    def surfaced(self) -> bool:
        """Whether somebody is told of it."""
        return self in {Relation.CONTRADICTION, Relation.UNSURE}


@dataclass(frozen=True)
class Verdict:
    """A relation, how sure it is (0..1), and what differs in plain words, such as `number 80 / 81`."""

    relation: Relation
    confidence: float
    differs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Said:
    """A statement as it is compared: its text, its topic, and its triple in normal form where it has one."""

    content: str
    topic: str | None = None
    names: Triple | None = None

    @classmethod
    def of(cls, content: str, topic: str | None = None, names: Triple | None = None) -> Said:
        """A statement, read once: keep it to compare it with many others."""
        said = cls(content, topic, names)
        said.terms  # noqa: B018 - read now, remembered for every comparison
        return said

    @cached_property
    def terms(self) -> list[str]:
        """The terms of its text."""
        return terms(self.content)


def compare(one: Said, other: Said, likeness: float | None = None) -> Verdict:
    """How two statements stand to each other; the order of the two makes no difference.

    `likeness` is the cosine of their vectors in 0..1, with 0 where the embedder's unrelated texts are and 1 where equal
    ones are; None without an embedder or for a text that it does not read.
    """
    if one.names and other.names and one.names.subject != other.names.subject:
        return Verdict(Relation.COMPATIBLE, 0.9, (f"subject {one.names.subject} / {other.names.subject}",))
    differs = difference(one.terms, other.terms)
    if not differs:
        return Verdict(Relation.SAME_STATEMENT, 0.9)
    alike = max(similarity(one.terms, other.terms), likeness or 0.0)
    if differs == "value" and skeleton(one.terms) == skeleton(other.terms):
        return Verdict(Relation.CONTRADICTION, 0.9, (differs,))
    return Verdict(Relation.UNSURE, alike, (differs,)) if alike >= 0.8 else Verdict(Relation.UNRELATED, 1 - alike)  # noqa: PLR2004 - first version
