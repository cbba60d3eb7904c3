"""Dating: what is derived carries the time of its parents, where its source gives none; and when a memory expires."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from karte.core.assertions import Details
from karte.core.periods import Period
from karte.core.standing import Timeline
from karte.core.timeline import spells
from karte.engine.drafting import Draft
from karte.engine.gathering import Frame, timelines
from karte.errors import InvalidValue


def dated(draft: Draft, frame: Frame, parents: Collection[bytes], now: int) -> Draft:
    """Fill in when a derived memory was observed and from when it holds, by its `parents` (keys) as they stand `now`.

    It was observed when the last of them was first said, and holds from where all of them have begun to: the latest start
    of the spells that they are in, else of their last one, else of their first. What is observed at a given time holds
    from then on, as everything does; what is not recalled, such as a policy, is decided when it is told.
    """
    if not parents or draft.observed_at is not None or not draft.statement.layer.recalled:
        return draft
    kept = frame.unit.memories.by_key(frame.namespace, parents).values()
    folded = timelines(frame, [each.memory.number for each in kept])
    there = [(folded[each.memory.number], each.memory.number) for each in kept if each.memory.number in folded]
    observed_at = max((_first_said(*parent) for parent in there), default=None)
    if draft.valid_from is not None:
        return replace(draft, observed_at=observed_at)
    return replace(
        draft, observed_at=observed_at, valid_from=max((_start(*parent, now) for parent in there), default=None)
    )


def _first_said(timeline: Timeline, number: int) -> int:
    standing = timeline.standing(number)
    return min(assertion.observed_at for assertion in standing.said or standing.withdrawn)


def _start(timeline: Timeline, number: int, now: int) -> int:
    starts = [spell.start for spell in spells(timeline.segments) if spell.statement == timeline.statements[number]]
    begun = [start for start in starts if start <= now]
    if starts:
        return begun[-1] if begun else starts[0]
    standing = timeline.standing(number)
    return min(assertion.valid_from for assertion in standing.said or standing.withdrawn)


def expiring(draft: Draft, period: Period, now: int) -> Details:
    """The details of a draft with the instant at which it expires, if it does.

    Raises `InvalidValue` for one that is over before it holds, or before it is stored.
    """
    expiry = draft.details.expires_at
    if draft.time_to_live is not None:
        expiry = now + draft.time_to_live
    if expiry is None:
        return draft.details
    if expiry <= max(period.start, now):
        raise InvalidValue("The memory would expire before it holds or before it is stored; give a later expires_at.")
    return replace(draft.details, expires_at=expiry)
