"""Verifying: the words that a source wrote, and which of those that were still found somebody else wrote as well."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final

from karte.core.assertions import NAME_LINKS, Assertion, Link, MemoryType
from karte.core.memories import Wording
from karte.core.origins import Origin
from karte.engine.forgetting.planning import Plan, Toll
from karte.engine.moving import carried
from karte.engine.moving.dumping import Dump
from karte.engine.trusting import auditing
from karte.engine.trusting.holding import Held
from karte.ports import Reading

_LEAST: Final = 8
"""Texts of fewer bytes (UTF-8) occur by chance, so finding them tells nothing."""

_SAID: Final = tuple(n for n in carried.TABLES if n not in (carried.BLOCKS, carried.PLANS, carried.AUDIT))
"""The members of an export with what was said; what was decided about sources holds no content."""

_BLOCK: Final = 1 << 20


def texts_of(unit: Reading, plan: Plan) -> frozenset[str]:
    """The texts of all that a plan takes away, as far as they are long enough to be told from chance."""
    found = (text for toll in plan.tolls for text in _texts_of(unit, toll))
    return frozenset(text for text in found if text and len(text.encode(errors="replace")) >= _LEAST)


def _texts_of(unit: Reading, toll: Toll) -> Iterator[str | None]:
    going = toll.going
    gone = {identity for identities in going.assertions.values() for identity in identities}
    for assertion in unit.records.assertions(toll.owner, going.assertions.keys()) if gone else ():
        if assertion.identity in gone:
            yield from _of_assertion(assertion)
    for memory in toll.gone:
        yield from _of_wording(memory.wording)
    for link in going.links:
        yield from _of_link(link)
    for withdrawal in going.withdrawals:
        yield from (withdrawal.reason, *_of_origin(withdrawal.origin))
    for review in toll.reviews:
        yield from _of_origin(review.origin)
        if review.held is not None:
            yield from _of_held(Held.read(review.held))


def _of_held(held: Held) -> Iterator[str | None]:
    yield from _of_wording(held.memory.wording)
    yield from _of_assertion(held.assertion)


def _of_assertion(assertion: Assertion) -> Iterator[str | None]:
    details = assertion.details
    yield from (details.topic, *details.tags, details.source_event, details.session, details.speaker)
    yield from _leaves(json.loads(details.metadata))
    yield from _of_origin(assertion.origin)
    if assertion.wording is not None:
        yield from _of_wording(assertion.wording)


def _of_wording(wording: Wording) -> Iterator[str | None]:
    yield from (wording.content, wording.place.domain, wording.place.repo)
    if wording.triple is not None:
        yield from (wording.triple.subject, wording.triple.predicate, wording.triple.object)


def _of_origin(origin: Origin) -> Iterator[str | None]:
    yield from (origin.container, origin.item)


def _of_link(link: Link) -> Iterator[str | None]:
    yield from _of_origin(link.origin)
    if link.kind in NAME_LINKS:
        yield from (link.left, link.right)


def _leaves(value: Any) -> Iterator[str]:
    """All texts in what JSON can hold."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield name
            yield from _leaves(part)
    elif isinstance(value, list):
        for part in value:
            yield from _leaves(part)
    elif isinstance(value, str):
        yield value


def unsaid(unit: Reading, texts: Collection[str]) -> frozenset[str]:
    """Those of these texts that nothing which is kept holds, be it in other capitals or in the middle of a word."""
    waiting = {text: json.dumps(text, ensure_ascii=False)[1:-1].casefold() for text in texts}
    for block in _blocks(unit) if waiting else ():
        waiting = {text: form for text, form in waiting.items() if form not in block}
        if not waiting:
            break
    own = _own_words(unit) if waiting else ""
    return frozenset(text for text, form in waiting.items() if form not in own)


def _own_words(unit: Reading) -> str:
    """What a workspace writes by itself: kinds of memories, and of the log who did what, and what it tells of that."""
    log = list(auditing.entries(unit))
    told = {name for entry in log for name in (entry.actor, entry.action, *json.loads(entry.detail))}
    return "\n".join([*MemoryType, *sorted(told)]).casefold()


def _blocks(unit: Reading) -> Iterable[str]:
    """All that is said, as text in blocks of some size."""
    lines, length = [], 0
    for name, rows in Dump(unit).members():
        if name not in _SAID:
            break
        for row in rows:
            lines.append(row)
            length += len(row)
            if length >= _BLOCK:
                yield b"".join(lines).decode().casefold()
                lines, length = [], 0
    yield b"".join(lines).decode().casefold()
