"""From what a caller gives, in plain values, to a draft that can be stored."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from enum import StrEnum
from typing import Any, Final, TypedDict, TypeVar

from karte.core.assertions import VERACITY_OF_KIND, Details, MemoryType, Veracity
from karte.core.importance import ordinary
from karte.core.memories import Layer, Place, Statement, Triple, check_name
from karte.core.namespaces import Principal
from karte.core.origins import Origin
from karte.core.periods import HOUR, read_instant
from karte.core.trust import basis_points
from karte.engine.given import read_choice, read_layer, read_origin, read_texts
from karte.errors import IncompleteTriple, InvalidValue

Instant = datetime | date | str


class ClaimOptions(TypedDict, total=False):
    """What is said of a statement beside its text and its domain; each is in the reference of the Python interface."""

    subject: str | None
    predicate: str | None
    object: str | None
    layer: str | None
    topic: str | None
    repo: str | None
    memory_type: str | None
    veracity: str | None
    confidence: float | None
    importance: float | None
    trust: float | None
    tags: Sequence[str] | None
    metadata: Mapping[str, Any] | None
    valid_from: Instant | None
    valid_until: Instant | None
    observed_at: Instant | None
    expires_at: Instant | None
    ttl_hours: float | None
    source_event: str | None
    session: str | None
    speaker: str | None
    origin: Origin | Mapping[str, str | None] | str | None
    derived_from: Sequence[str] | None
    idempotency_key: str | None
    expect_current: str | None


class StoreOptions(ClaimOptions, total=False):
    """Everything that `store` takes beside the text."""

    domain: str | None


OPTIONS: Final = frozenset(StoreOptions.__annotations__)
LONGEST_TTL: Final = 8_766_000
"""A thousand years."""

MOST_TAGS: Final = 100
LONGEST_METADATA: Final = 64 * 1024


@dataclass(frozen=True)
class Draft:
    """What a caller wants kept; what is None is filled in when it is stored.

    `rests_on` are the keys of memories and the identities of assertions that the command names which makes it.
    """

    statement: Statement
    origin: Origin
    details: Details
    trust: int
    observed_at: int | None = None
    valid_from: int | None = None
    valid_until: int | None = None
    time_to_live: int | None = None
    derived_from: tuple[str, ...] = ()
    idempotency_key: str | None = None
    expect_current: str | None = None
    rests_on: tuple[bytes, ...] = ()


def draft(
    content: str, options: Mapping[str, Any], caller: Principal, zone: tzinfo = UTC, layer: Layer | None = None
) -> Draft:
    """Read a text and the options of `StoreOptions` into a draft; `layer` is one that no caller names, if any.

    Raises a subclass of `Incorrect` for any value that is not of its kind or out of its range, for an unknown
    option, and `OriginNotAllowed` for an origin that the caller may not claim.
    """
    given = {name: value for name, value in options.items() if value is not None}
    if unknown := sorted(given.keys() - OPTIONS):
        raise InvalidValue(f"There is no option {unknown[0]!r}.", hint=f"Options are: {', '.join(sorted(OPTIONS))}.")
    origin = caller.speak_as(read_origin(given.get("origin")))
    instants = {
        name: read_instant(given[name], zone) if name in given else None
        for name in ("observed_at", "valid_from", "valid_until", "expires_at")
    }
    trust = min(basis_points(given.get("trust", 1.0)), origin.ceiling, caller.trust_ceiling)
    statement = _statement(content, given, origin, layer or read_layer(given.get("layer", Layer.SEMANTIC)))
    return Draft(
        statement,
        origin,
        _details(given, origin, statement, instants["expires_at"]),
        trust,
        instants["observed_at"],
        instants["valid_from"],
        instants["valid_until"],
        _time_to_live(given),
        tuple(read_texts("derived_from", given.get("derived_from", ()))),
        _text(given, "idempotency_key"),
        _text(given, "expect_current"),
    )


def usual_details(statement: Statement, origin: Origin) -> Details:
    """What goes with a statement of which its source says nothing else: it is stated, and as important as its kind is."""
    importance = ordinary(statement.layer, MemoryType.UNKNOWN, origin.kind, statement.content)
    return Details(Veracity.STATED, importance=importance)


def _statement(content: str, given: Mapping[str, Any], origin: Origin, layer: Layer) -> Statement:
    place = Place(_text(given, "domain"), _text(given, "repo"))
    told_in = "\x1f".join(origin.order) if origin.item else ""
    if isinstance(content, str) and not content.isascii():
        content = unicodedata.normalize("NFC", content)
    return Statement(content, layer, _triple(given), place, told_in)


def _triple(given: Mapping[str, Any]) -> Triple | None:
    subject, predicate, value = (_text(given, name) for name in ("subject", "predicate", "object"))
    if subject is None and predicate is None and value is None:
        return None
    if subject is None or predicate is None:
        raise IncompleteTriple
    return Triple(subject, predicate, value)


def _details(given: Mapping[str, Any], origin: Origin, statement: Statement, expires_at: int | None) -> Details:
    default = Veracity.STATED if "origin" not in given else VERACITY_OF_KIND[origin.kind]
    memory_type = _choice(MemoryType, given, "memory_type", MemoryType.UNKNOWN)
    usual = ordinary(statement.layer, memory_type, origin.kind, statement.content)
    return Details(
        veracity=_choice(Veracity, given, "veracity", default),
        memory_type=memory_type,
        importance=_number(given, "importance", 10, usual),
        confidence=_number(given, "confidence", 1, None),
        topic=_text(given, "topic"),
        tags=_tags(given.get("tags", ())),
        metadata=_metadata(given.get("metadata", {})),
        source_event=_text(given, "source_event"),
        expires_at=expires_at,
        session=_text(given, "session"),
        speaker=_text(given, "speaker"),
    )


C = TypeVar("C", bound=StrEnum)
N = TypeVar("N", bound=float | None)


def _choice(kind: type[C], given: Mapping[str, Any], name: str, default: C) -> C:
    return read_choice(kind, given.get(name, default), name)


def _number(given: Mapping[str, Any], name: str, most: float, default: N) -> float | N:
    if name not in given:
        return default
    value = given[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        raise InvalidValue(f"{name} is a number from 0 to {most:g}, not {value!r}.")
    return float(value)


def _text(given: Mapping[str, Any], name: str) -> str | None:
    value = given.get(name)
    if value is not None:
        check_name(name, value)
        value = unicodedata.normalize("NFC", value)
    return value


def _tags(values: object) -> tuple[str, ...]:
    tags = sorted({unicodedata.normalize("NFC", tag.strip()) for tag in read_texts("tags", values)})
    if len(tags) > MOST_TAGS:
        raise InvalidValue(f"A memory has at most {MOST_TAGS} tags.")
    return tuple(tags)


def _metadata(value: object) -> str:
    if not isinstance(value, Mapping):
        raise InvalidValue("metadata is an object with text keys.")
    if not value:
        return "{}"
    try:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
        size = len(text.encode())
    except (TypeError, ValueError) as error:
        raise InvalidValue(f"metadata must be plain JSON: {error}.") from None
    if size > LONGEST_METADATA or "\\u0000" in text:
        raise InvalidValue("metadata is longer than 64 KiB or holds a NUL character.")
    return text


def _time_to_live(given: Mapping[str, Any]) -> int | None:
    hours = given.get("ttl_hours")
    if hours is None:
        return None
    if isinstance(hours, bool) or not isinstance(hours, int | float) or not 0 < hours <= LONGEST_TTL:
        raise InvalidValue(f"ttl_hours is a number of hours above 0 and up to {LONGEST_TTL:,}, not {hours!r}.")
    if "expires_at" in given:
        raise InvalidValue("Give either ttl_hours or expires_at.")
    return int(hours * HOUR)
