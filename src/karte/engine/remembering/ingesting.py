"""Ingesting a chat: each turn becomes one episodic memory with an origin of its own.

The conversation is the container of that origin and the turn its item, so a file that is ingested again, grown or
not, changes nothing that is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, tzinfo
from itertools import islice
from typing import Any, Final, TypedDict

from karte.core.assertions import MemoryType
from karte.core.echo import is_echo
from karte.core.importance import of_turn
from karte.core.memories import Layer
from karte.core.namespaces import Principal, Scope
from karte.core.origins import Origin, OriginKind
from karte.core.results import Outcome, Shape
from karte.engine.drafting import Draft, draft
from karte.engine.given import read_choice
from karte.engine.progress import Progress, silent
from karte.engine.remembering.foreseeing import Foreseen
from karte.engine.remembering.storing import Session
from karte.engine.remembering.turns import (
    ASSISTANT,
    SYSTEM_ROLES,
    Chat,
    Told,
    Turn,
    in_zone,
    printable,
    read_zone,
    tell,
)
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.errors import FutureObservation, Incorrect, InvalidValue

BATCH: Final = 500
"""How many turns one transaction stores."""

_KINDS: Final = (OriginKind.IMPORT, OriginKind.USER_DIRECT, OriginKind.CHANNEL)


class IngestOptions(TypedDict, total=False):
    """How a chat is taken in.

    `time_zone` (an IANA name, an offset or a tzinfo; default the workspace's) is the zone of times that the file
    leaves without one. `origin_kind` is `import` (default), `channel`, or `user_direct`: then the turns of an
    assistant are `agent_derived` and those of tools `tool_echo`. `keep_system` keeps the turns of `SYSTEM_ROLES`.
    """

    time_zone: str | tzinfo | None
    origin_kind: str
    keep_system: bool


@dataclass(frozen=True)
class Ingested:
    """What became of the turns of a chat.

    `turns` = `stored` + `quarantined` + `blocked` + `unchanged` + `skipped` (empty, of a system role, an echo of what
    Karte handed out, or refused by the write gate). A long turn is stored if any part of it is, and quarantined if any
    part of it is and none is stored. `without_time` counts the turns whose time is the learning time, because the file
    gives none for them nor for any turn before them.
    """

    conversation: str
    turns: int
    stored: int
    unchanged: int
    skipped: int
    without_time: int
    quarantined: int = 0
    blocked: int = 0

    def to_dict(self) -> Shape:
        """conversation, turns, stored, quarantined, blocked, unchanged, skipped, without_time."""
        return {
            "conversation": self.conversation,
            "turns": self.turns,
            "stored": self.stored,
            "quarantined": self.quarantined,
            "blocked": self.blocked,
            "unchanged": self.unchanged,
            "skipped": self.skipped,
            "without_time": self.without_time,
        }


@dataclass(frozen=True, slots=True)
class Manner:
    """The options of ingesting, read."""

    zone: tzinfo = UTC
    kind: OriginKind = OriginKind.IMPORT
    keep_system: bool = False

    @classmethod
    def read(cls, options: IngestOptions, zone: tzinfo) -> Manner:
        """Read options; `zone` is the default. Raises `InvalidValue` for one that is unknown or out of its range."""
        known = IngestOptions.__annotations__.keys()
        if unknown := sorted(options.keys() - known):
            raise InvalidValue(f"There is no option {unknown[0]!r}.", hint=f"Options are: {', '.join(sorted(known))}.")
        kind = read_choice(OriginKind, options.get("origin_kind", OriginKind.IMPORT), "origin_kind")
        if kind not in _KINDS:
            raise InvalidValue(f"A chat cannot come from {kind.value}.", hint=f"Use one of: {', '.join(_KINDS)}.")
        named = options.get("time_zone")
        return cls(zone if named is None else read_zone(named), kind, bool(options.get("keep_system", False)))

    def kind_of(self, role: str) -> OriginKind:
        """The origin kind of a turn: what an assistant or a tool said is never the user's own word."""
        if self.kind is not OriginKind.USER_DIRECT:
            return self.kind
        if role == ASSISTANT:
            return OriginKind.AGENT_DERIVED
        return OriginKind.TOOL_ECHO if role in SYSTEM_ROLES else self.kind

    def keeps(self, turn: Turn) -> bool:
        """Tell whether a turn is kept: it says something, which is no echo; of a system role only if those are wanted."""
        said = bool(turn.text.strip()) and not is_echo(turn.text)
        return said and (self.keep_system or turn.role not in SYSTEM_ROLES)


def ingest(services: Services, caller: Principal, chat: Chat, manner: Manner, progress: Progress = silent) -> Ingested:
    """Keep each turn of a chat as an episodic memory; `progress` is called with the parts kept so far and in all.

    All turns are read before the first is stored, so that a turn that cannot be kept leaves nothing behind: raises
    a subclass of `Incorrect` that names its place, `FutureObservation` among them. Then each `BATCH` of turns is one
    transaction.
    """
    caller.require(Scope.WRITE)
    plan = _Plan(chat, caller, manner, services.clock.now())
    total = sum(1 for _ in plan.parts())
    became: dict[int, str] = {}
    done = 0
    for batch in _batches(plan.parts()):
        for part, outcome in zip(batch, _store(services, caller, batch), strict=True):
            became[part.turn] = min(_COUNTED.get(outcome, _STORED), became.get(part.turn, _SKIPPED), key=_ORDER.index)
        done += len(batch)
        progress(done, total)
    counts = Counter(became.values())
    counts[_SKIPPED] += len(chat.turns) - len(became)
    return Ingested(
        chat.conversation, len(chat.turns), without_time=plan.without_time(), **{n: counts[n] for n in _ORDER}
    )


_STORED, _QUARANTINED, _BLOCKED, _UNCHANGED, _SKIPPED = _ORDER = (
    "stored",
    "quarantined",
    "blocked",
    "unchanged",
    "skipped",
)
"""What becomes of a turn; of its parts, the first of these counts."""

_COUNTED: Final = {
    Outcome.QUARANTINED: _QUARANTINED,
    Outcome.BLOCKED: _BLOCKED,
    Outcome.UNCHANGED: _UNCHANGED,
    Outcome.REJECTED: _SKIPPED,
}
"""Every other outcome counts as stored."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A turn, or a piece of a long one, ready to be stored; `turn` is its place in the chat from 0."""

    turn: int
    draft: Draft


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be stored of a chat. It is gone through twice: to check it as a whole, and to store it."""

    chat: Chat
    caller: Principal
    manner: Manner
    now: int

    def parts(self) -> Iterator[_Part]:
        """The parts of all turns that are kept; raises a subclass of `Incorrect` that names the place of a turn."""
        for number, told in enumerate(tell(self.chat.turns)):
            if self.manner.keeps(told.turn):
                try:
                    yield from (_Part(number, self._checked(made)) for made in self._drafts(told))
                except Incorrect as error:
                    place = told.turn.place or f"turn {number + 1}"
                    raise type(error)(f"{place}: {error.message}", hint=error.hint) from None

    def without_time(self) -> int:
        """How many turns that are kept have no time."""
        return sum(told.time is None and self.manner.keeps(told.turn) for told in tell(self.chat.turns))

    def _checked(self, made: Draft) -> Draft:
        if made.observed_at is not None and made.observed_at > self.now:
            raise FutureObservation
        return made

    def _drafts(self, told: Told) -> Iterator[Draft]:
        pieces = told.written(self.manner.zone)
        for number, piece in enumerate(pieces, 1):
            item = told.item if len(pieces) == 1 else f"{told.item}#{number}"
            yield draft(piece, self._options(told, item), self.caller)

    def _options(self, told: Told, item: str) -> Mapping[str, Any]:
        turn = told.turn
        conversation = printable(self.chat.conversation)
        session = (turn.session or "").strip()
        return {
            "layer": Layer.EPISODIC,
            "memory_type": MemoryType.EVENT,
            "importance": of_turn(turn.text),
            "observed_at": told.time and in_zone(told.time, self.manner.zone),
            "origin": Origin(self.manner.kind_of(turn.role), f"chat:{conversation}", item),
            "session": printable(session) if session else conversation,
            "speaker": turn.said_by,
            "metadata": {"role": turn.role},
        }


def _batches(parts: Iterator[_Part]) -> Iterator[list[_Part]]:
    while batch := list(islice(parts, BATCH)):
        yield batch


@repeated
def _store(services: Services, caller: Principal, parts: list[_Part]) -> list[Outcome]:
    with services.store.writing() as unit:
        session = Session(services, caller, unit, len(parts))
        foreseen = session.ahead.look([part.draft for part in parts])
        outcomes = [_remember(session, each) for each in foreseen]
        session.finish()
        return outcomes


def _remember(session: Session, foreseen: Foreseen) -> Outcome:
    """Store one draft; a turn without a time, which would be learned anew each time, only if it is not there yet."""
    made = foreseen.draft
    if made.observed_at is None:
        key = made.statement.of(session.namespace.agent).key
        if session.unit.memories.by_key(session.namespace, [key]):
            return Outcome.UNCHANGED
    return session.remember_foreseen(foreseen).status
