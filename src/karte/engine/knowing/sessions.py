"""What an agent observes, and what it remembers for one session: drafts of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from typing import Any, Final, TypedDict

from karte.core.assertions import MemoryType
from karte.core.memories import Layer, check_name
from karte.core.namespaces import Principal
from karte.core.origins import Origin
from karte.engine.drafting import Draft, Instant, draft
from karte.engine.knowing.notes import OBSERVATION
from karte.errors import InvalidValue

USUAL_HOURS: Final = 24
"""So long something is remembered for a session, unless said otherwise."""


class WorkingOptions(TypedDict, total=False):
    """What both take beside their text; each is that of `store`."""

    memory_type: str | None
    importance: float | None
    confidence: float | None
    veracity: str | None
    trust: float | None
    topic: str | None
    tags: Sequence[str] | None
    metadata: Mapping[str, Any] | None
    speaker: str | None
    origin: Origin | Mapping[str, str | None] | str | None
    observed_at: Instant | None
    idempotency_key: str | None


class ObservationOptions(WorkingOptions, total=False):
    """The options of an observation: those of working memory, and the session in which it was made."""

    session: str | None


def observation(text: str, options: Mapping[str, Any], caller: Principal, zone: tzinfo) -> Draft:
    """A draft of what the caller observed: private, episodic, of the type and the event `observation`."""
    _only(options, ObservationOptions)
    given = {"memory_type": MemoryType.OBSERVATION, **_given(options), "source_event": OBSERVATION}
    return draft(text, given, caller, zone, Layer.EPISODIC)


def for_session(
    content: str, session: tuple[str, float], options: Mapping[str, Any], caller: Principal, zone: tzinfo
) -> Draft:
    """A draft of what is remembered for a session (its id, and for how many hours), which no other session finds."""
    session_id, hours = session
    check_name("session_id", session_id)
    _only(options, WorkingOptions)
    given = {**_given(options), "session": session_id, "ttl_hours": hours}
    made = draft(content, given, caller, zone, Layer.SESSION)
    return replace(made, statement=replace(made.statement, told_in=made.details.session or ""))


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _only(options: Mapping[str, Any], kind: type) -> None:
    names = kind.__annotations__
    if unknown := sorted(options.keys() - names):
        raise InvalidValue(f"There is no option {unknown[0]!r}.", hint=f"Options are: {', '.join(sorted(names))}.")
