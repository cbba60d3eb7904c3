"""PrecisionMemBench as it is published: beliefs, cases, and what a case expects of which tier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from karte.bench.datasets import DataSets, UnreadableData

BELIEFS: Final = "precisionmembench/fixtures/beliefs.seed.json"
CASES: Final = "precisionmembench/fixtures/retrieval.cases.json"
USER: Final = "test-user"
MOST_BELIEFS: Final = 20
"""The budget of a case that names none."""

_TIERS: Final = ("relevantBeliefs", "pinnedFacts", "openQuestions")
_KNOWN: Final = {
    "relevantBeliefs": {"mustInclude", "mustExclude", "shouldOnlyInclude"},
    "pinnedFacts": {"mustInclude", "mustExclude"},
    "openQuestions": {"mustInclude", "mustExclude"},
    "personaPrelude": {"nonEmpty", "isNull", "contains", "mustNotContain"},
}


@dataclass(frozen=True)
class Belief:
    """A belief; `scope` are the domains that it belongs to, the times are ISO 8601."""

    id: str
    user: str
    name: str
    kind: str
    scope: tuple[str, ...]
    content: str
    why: str
    aliases: tuple[str, ...]
    confidence: float
    pinned: bool
    created: str
    updated: str
    resolved: str | None
    superseded_by: str | None
    participants: tuple[str, ...]

    @classmethod
    def read(cls, shape: Mapping[str, Any]) -> Belief:
        """Read a belief; raises `KeyError` where it lacks something."""
        return cls(
            shape["_id"],
            shape["user_id"],
            shape["canonical_name"].replace("_", " "),
            shape["type"],
            tuple(_domain(each) for each in shape["scope"]),
            shape["content"],
            shape["why_it_matters"],
            tuple(shape["aliases"]),
            shape["confidence"],
            shape["pinned"],
            shape["created_at"],
            shape["updated_at"],
            shape["resolved_at"],
            shape["superseded_by"],
            tuple(shape.get("participants", ())),
        )


@dataclass(frozen=True)
class Expected:
    """What a case expects of a tier that holds beliefs; None is no expectation."""

    include: frozenset[str]
    exclude: frozenset[str]
    exactly: frozenset[str] | None

    @classmethod
    def read(cls, shape: Mapping[str, Any]) -> Expected:
        """Read the expectation of a tier."""
        only = shape.get("shouldOnlyInclude")
        return cls(
            frozenset(shape.get("mustInclude", ())),
            frozenset(shape.get("mustExclude", ())),
            None if only is None else frozenset(only),
        )


@dataclass(frozen=True)
class Prelude:
    """What a case expects of what is said before everything else; `empty` None is no expectation."""

    empty: bool | None
    contains: tuple[str, ...]
    lacks: tuple[str, ...]

    @classmethod
    def read(cls, shape: Mapping[str, Any]) -> Prelude:
        """Read the expectation."""
        empty = True if shape.get("isNull") else False if shape.get("nonEmpty") else None
        return cls(empty, tuple(shape.get("contains", ())), tuple(shape.get("mustNotContain", ())))


@dataclass(frozen=True)
class Case:
    """A query of a user in some domains, with room for `most` beliefs, and what each tier is to hold."""

    id: str
    category: str
    user: str
    scope: tuple[str, ...]
    query: str
    most: int
    relevant: Expected
    pinned: Expected
    questions: Expected
    prelude: Prelude

    @classmethod
    def read(cls, shape: Mapping[str, Any]) -> Case:
        """Read a case; raises `KeyError` where it lacks something, `ValueError` for an unknown expectation."""
        expect = shape["expect"]
        for tier, wanted in expect.items():
            if unknown := wanted.keys() - _KNOWN.get(tier, set()):
                raise ValueError(f"{shape['caseId']}: {tier} expects {min(unknown)!r}, which is unknown")
        relevant, pinned, questions = (Expected.read(expect.get(tier, {})) for tier in _TIERS)
        return cls(
            shape["caseId"],
            shape["category"],
            shape.get("userId", USER),
            tuple(_domain(each) for each in shape["scope"]),
            shape["query"],
            shape.get("budget", {}).get("maxBeliefs", MOST_BELIEFS),
            relevant,
            pinned,
            questions,
            Prelude.read(expect.get("personaPrelude", {})),
        )

    @property
    def beyond_search(self) -> tuple[str, ...]:
        """The tiers beside the search that have to hold something."""
        asked = {
            "pinned facts": self.pinned.include,
            "open questions": self.questions.include,
            "prelude": self.prelude.empty is False,
        }
        return tuple(tier for tier, wanted in asked.items() if wanted)


@dataclass(frozen=True)
class Found:
    """What the tiers hold for a case: beliefs by id, the relevant ones in order, and the prelude's text."""

    relevant: tuple[str, ...]
    pinned: frozenset[str]
    questions: frozenset[str]
    prelude: str


@dataclass(frozen=True)
class Judged:
    """How a case went: precision and recall of the relevant beliefs (0..1, None where nothing is to be measured).

    `failures` are all, `of_search` those of the relevant beliefs alone.
    """

    case: Case
    precision: float | None
    recall: float | None
    failures: tuple[str, ...]
    of_search: tuple[str, ...]


def read(data: DataSets) -> tuple[list[Belief], list[Case]]:
    """Read beliefs and cases; raises `UnreadableData` for data of another shape."""
    try:
        beliefs = [Belief.read(shape) for shape in data.document(BELIEFS)]
        return beliefs, [Case.read(shape) for shape in data.document(CASES)]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnreadableData(f"This is no PrecisionMemBench: {error!r}.") from None


def _domain(scope: str) -> str:
    """The domain that a scope such as `domain:code` names."""
    return scope.rpartition(":")[2]


def judge(case: Case, found: Found) -> Judged:
    """Judge a case by the rules of the benchmark's own runner.

    Precision is 0 where something is expected and nothing found, and not measured where neither is.
    """
    relevant = set(found.relevant)
    expected = case.relevant.exactly if case.relevant.exactly is not None else case.relevant.include - found.pinned
    hits = len(expected & relevant)
    precision = hits / len(relevant) if relevant else 0.0 if expected else None
    of_search = (
        *_failures("relevant", relevant, case.relevant.exactly or frozenset(), _unwanted(case, relevant)),
        *_failures("either tier", relevant | found.pinned, case.relevant.include, case.relevant.exclude),
    )
    failures = (
        *of_search,
        *_failures("pinned", found.pinned, case.pinned.include, case.pinned.exclude),
        *_failures("questions", found.questions, case.questions.include, case.questions.exclude),
        *_of_prelude(case.prelude, found.prelude),
    )
    return Judged(case, precision, hits / len(expected) if expected else None, failures, of_search)


def _unwanted(case: Case, relevant: set[str]) -> frozenset[str]:
    return frozenset() if case.relevant.exactly is None else frozenset(relevant - case.relevant.exactly)


def _failures(
    tier: str, held: set[str] | frozenset[str], include: frozenset[str], exclude: frozenset[str]
) -> Iterator[str]:
    for belief in sorted(include - held):
        yield f"{tier} lacks {belief}"
    for belief in sorted(exclude & held):
        yield f"{tier} holds {belief}"


def _of_prelude(expected: Prelude, text: str) -> Iterator[str]:
    if expected.empty is not None and expected.empty is not (text == ""):
        yield "prelude is not empty" if expected.empty else "prelude is empty"
    yield from (f"prelude lacks {each!r}" for each in expected.contains if each not in text)
    yield from (f"prelude holds {each!r}" for each in expected.lacks if each in text)
