"""What goes into the tools and what comes out, as JSON Schema.

An agent pays for every character of this with its context, so a schema says what a caller must know and no more:
types, choices, limits. Results name their keys; what is inside a memory is said in the reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Final

from karte.core.assertions import MemoryType, Veracity
from karte.core.memories import LONGEST_CONTENT, RECALLED
from karte.core.namespaces import AGENT_KINDS
from karte.core.ranking.profiles import PROFILES
from karte.engine.drafting import MOST_TAGS
from karte.engine.reading.fetching import MOST_IDS
from karte.engine.recalling.asked import VOICES, Mode

Schema = dict[str, Any]

MOST_ANSWERS: Final = 100
"""The most memories that one call returns: an agent's context is small."""


def text(description: str = "", **limits: int) -> Schema:
    """A string."""
    return _described({"type": "string", **limits}, description)


def number(most: float, description: str = "") -> Schema:
    """A number from 0 to `most`."""
    return _described({"type": "number", "minimum": 0, "maximum": most}, description)


def choice(values: Iterable[StrEnum], description: str = "") -> Schema:
    """One of the values of an enumeration."""
    return choice_of((value.value for value in values), description)


def choice_of(names: Iterable[str], description: str = "") -> Schema:
    """One of some names."""
    return _described({"type": "string", "enum": list(names)}, description)


def listing(items: Schema, description: str = "", **limits: int) -> Schema:
    """A list."""
    return _described({"type": "array", "items": items, **limits}, description)


def arguments(properties: Mapping[str, Schema], required: Iterable[str] = ()) -> Schema:
    """The arguments of a tool: these and no others."""
    schema: Schema = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    names = list(required)
    return {**schema, "required": names} if names else schema


def result(**keys: str | Schema) -> Schema:
    """What a tool gives: an object with these keys, by the first of which it is known, or an error.

    The TypeScript SDK checks errors against this schema too, and hides one that does not fit behind one of its own.
    """
    properties = {name: {"type": kind} if isinstance(kind, str) else kind for name, kind in keys.items()}
    either = [{"required": [next(iter(keys))]}, {"required": ["error"]}]
    return {"type": "object", "properties": properties, "anyOf": either}


def _described(schema: Schema, description: str) -> Schema:
    return {**schema, "description": description} if description else schema


TEXT: Final = text()
TEXT_OR_NONE: Final[Schema] = {"type": ["string", "null"]}
OBJECT_OR_NONE: Final[Schema] = {"type": ["object", "null"]}
OBJECTS: Final = listing({"type": "object"})
LIMIT: Final[Schema] = {"type": "integer", "minimum": 1, "maximum": MOST_ANSWERS}

ORIGIN: Final[Schema] = {
    "type": "object",
    "properties": {"kind": choice(sorted(AGENT_KINDS)), "container": text(), "item": text()},
    "required": ["kind"],
    "additionalProperties": False,
    "description": "Where you heard it",
}

FILTERS: Final[dict[str, Schema]] = {
    "layer": choice(RECALLED),
    "domain": TEXT,
    "repo": TEXT,
    "tags": listing(text(), "all of these"),
    "types": listing(text(), "any of these"),
    "session_id": TEXT,
}
AS_OF: Final[dict[str, Schema]] = {
    "at": text("as true then"),
    "known_at": text("as known then"),
}
PLACE: Final[dict[str, Schema]] = {"domain": TEXT, "repo": TEXT}

STATEMENT: Final[dict[str, Schema]] = {
    "content": text("One statement, readable on its own", minLength=1, maxLength=LONGEST_CONTENT),
    "subject": TEXT,
    "predicate": TEXT,
    "object": TEXT,
    "valid_from": text("default: observed_at"),
    "valid_until": text("default: open"),
    "observed_at": text("when said; default: now, or its parents' time"),
    "layer": choice(RECALLED, "happened, or holds (default)"),
    "domain": TEXT,
    "topic": TEXT,
    "repo": TEXT,
    "memory_type": choice(MemoryType),
    "veracity": choice(Veracity),
    "confidence": number(1),
    "importance": number(10),
    "trust": number(1, "to trust it less"),
    "tags": listing(text(), maxItems=MOST_TAGS),
    "metadata": {"type": "object"},
    "expires_at": TEXT,
    "ttl_hours": {"type": "number", "exclusiveMinimum": 0},
    "source_event": TEXT,
    "session_id": TEXT,
    "speaker": TEXT,
    "origin": ORIGIN,
    "derived_from": listing(text(), "ids"),
    "idempotency_key": TEXT,
    "expect_current": text("id that must hold"),
}
QUERY: Final[dict[str, Schema]] = {
    "query": text('Words, a question or "a phrase"', maxLength=LONGEST_CONTENT),
    "mode": choice(Mode),
    "limit": {**LIMIT, "default": 10},
    **FILTERS,
    "repo": text("comes first"),
    "repo_only": {"type": "boolean"},
    **AS_OF,
    "now": text("for last week etc."),
    "expand": {"type": "integer", "description": "0..10 turns around a hit"},
    "budget": {"type": "integer", "description": "characters"},
    "explain": {"type": "boolean", "description": "name what was left out"},
}
RANKING: Final[dict[str, Schema]] = {
    "voices": listing(choice_of(VOICES[Mode.HYBRID]), "only these of the mode"),
    "profile": choice_of(PROFILES, "how voices are mixed"),
    "weights": _described({"type": "object"}, "share 0..1 of a part of the profile, by name"),
    "floor": number(1, "least evidence of a hit; 0 gives everything"),
}
"""How a search ranks: for those who tune it."""

FACT: Final[dict[str, Schema]] = {
    "domain": text("a field of knowledge; must be there"),
    **{
        name: STATEMENT[name]
        for name in (
            *("content", "topic", "repo", "subject", "predicate", "object", "valid_from", "valid_until", "observed_at"),
            *("memory_type", "veracity", "confidence", "importance", "tags", "derived_from", "origin"),
            "idempotency_key",
        )
    },
}
"""A fact that is proposed: what belongs to everybody, and no session, no expiry."""

RULE: Final[dict[str, Schema]] = {
    "required_role": text("for one role alone"),
    "priority": _described({"type": "integer", "minimum": -100, "maximum": 100}, "default 0; higher comes first"),
    "always": _described({"type": "boolean"}, "for every role and every task"),
    "valid_until": TEXT,
    "source_fact_ids": listing(text(), "the facts that it follows from"),
    "origin": ORIGIN,
}
WORKING: Final[dict[str, Schema]] = {
    name: STATEMENT[name]
    for name in ("memory_type", "importance", "tags", "topic", "observed_at", "origin", "idempotency_key")
}
VERSION: Final = _described({"type": "integer"}, "as read; refused if it changed since")

BUDGET: Final = _described(
    arguments({part: {"type": "integer"} for part in ("policies", "notes", "facts", "mistakes")}),
    "most characters of each",
)

MANY_IDS: Final = listing(text(), minItems=1, maxItems=MOST_IDS)

RECEIPT: Final = result(
    status="string",
    memory_id=TEXT_OR_NONE,
    chain_id=TEXT_OR_NONE,
    superseded="array",
    revived="array",
    similar="array",
    conflicts="array",
    review_id=TEXT_OR_NONE,
    marks="array",
)
RECALL: Final = result(
    hits=OBJECTS,
    nothing_relevant="boolean",
    intent=OBJECT_OR_NONE,
    times="array",
    degraded="array",
    left_out="array",
    policies="array",
)
FETCHED: Final = result(memories=OBJECTS, missing_ids="array", total_found="integer", total_missing="integer")
MEMORIES: Final = result(memories=OBJECTS)
HISTORY: Final = result(chain=OBJECTS, subject=TEXT_OR_NONE, predicate=TEXT_OR_NONE)
WITHDRAWN: Final = result(
    assertions="integer", standing="integer", memory_ids="array", revived="array", review_id=TEXT_OR_NONE
)
TIMELINE: Final = result(subject="string", chains=OBJECTS)
MEMORY: Final = result(id="string", owner="string", content="string", status="string", trust="number", origins=OBJECTS)
ALIAS: Final = result(canonical="string", alias="string", origin="string")
ALIASES: Final = result(aliases=OBJECTS)
REMOVED: Final = result(canonical="string", alias="string", removed="boolean")
PENDING: Final = result(reviews=OBJECTS)
STATS: Final = result(memories="object", total="integer")
DOMAINS: Final = result(domains=OBJECTS)
CONFLICTS: Final = result(conflicts=OBJECTS)
CONFLICT: Final = result(
    id="string", state="string", decision=TEXT_OR_NONE, winner=TEXT_OR_NONE, facts=OBJECTS, differs="array"
)
POLICIES: Final = result(policies=OBJECTS)
PROPOSED: Final = result(status="string", memory_id=TEXT_OR_NONE, superseded="array", conflicts="array")
"""A receipt, with what its reader has to look at: all its keys are said where a memory is stored."""

NOTES: Final = result(text="string", content="string", version="integer", left="integer")
NOTED: Final = result(version="integer", updated_at=TEXT_OR_NONE, left="integer")
CONTEXT: Final = result(text="string", left_out="object", degraded="array")
MISTAKES: Final = result(mistakes=OBJECTS)
CONSOLIDATED: Final = result(
    owner="string", dry_run="boolean", promoted="integer", merged="integer", parted="integer", evicted="integer"
)
HARMONIZED: Final = result(
    dry_run="boolean", beliefs="integer", disputes="integer", filed="integer", changed=OBJECTS, conflicts="array"
)
