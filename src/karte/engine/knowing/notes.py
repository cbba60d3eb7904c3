"""An agent's pad: one free text that it carries from run to run, with the newest of what it observed.

The pad is one fact of the layer `note`: each text supersedes the one before, which stays as history. Observations are
episodic memories; the pad shows them as dated lines as far as they fit, and they are never part of its text.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from karte.core.assertions import Assertion, Details, MemoryType, Veracity
from karte.core.memories import Layer, Memory, Statement, Triple
from karte.core.namespaces import Principal, Scope
from karte.core.periods import FOREVER, moment_of, write_instant
from karte.core.results import Item, Outcome, Receipt
from karte.core.standing import Standing
from karte.core.timeline import Segment, in_force
from karte.engine.asking import Asking, Instants, asking
from karte.engine.drafting import Draft, draft
from karte.engine.gathering import Frame, timelines
from karte.engine.reading.describing import Describing
from karte.engine.remembering.storing import Session
from karte.engine.remembering.superseding import own_trust
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.engine.trusting.gate import Gate
from karte.errors import InvalidValue, NotesChanged, NotesTooLong
from karte.ports import Writing

LONGEST: Final = 16 * 1024
"""So many bytes of UTF-8 a pad holds at most, and so many it shows with its observations."""

LONGEST_LINE: Final = 500
"""So many characters of an observation its line shows; the memory has all of it."""

OBSERVATION: Final = "observation"
"""The source event of what is observed."""

NOTES: Final = "notes"
_QUESTION: Final = Triple(NOTES, "\x02pad")
"""What a pad answers; with a sign in it that nobody types, so that no declaration about a predicate is about this one."""

_PAGE: Final = 200
_STEP: Final = 20
_LINE: Final = re.compile(r"\[\d{4}-\d\d-\d\dT\d\d:\d\dZ\] .* \((mem_\w+)\)")
_CUT: Final = "…"


@dataclass(frozen=True)
class Observation:
    """What an agent observed, and when (microseconds)."""

    id: str
    observed_at: int
    content: str

    @cached_property
    def line(self) -> str:
        """It on one line, with its time (UTC) and its id; cut after `LONGEST_LINE` characters."""
        words = " ".join(self.content.split())
        shown = words if len(words) <= LONGEST_LINE else words[: LONGEST_LINE - 1] + _CUT
        moment = moment_of(self.observed_at)
        return f"[{moment:%Y-%m-%dT%H:%MZ}] {shown} ({self.id})"

    def to_dict(self) -> dict[str, Any]:
        """id, observed_at, content."""
        return {"id": self.id, "observed_at": write_instant(self.observed_at), "content": self.content}


@dataclass(frozen=True)
class Pad:
    """A pad as read: its text, its version, and the newest observations that fit, oldest first.

    `version` is the system time (microseconds) at which the text was learned, 0 for an empty pad; `left` counts the
    observations that did not fit. `receipt` says what became of an update.
    """

    agent: str
    content: str = ""
    version: int = 0
    observations: tuple[Observation, ...] = ()
    left: int = 0
    receipt: Receipt | None = None

    @property
    def text(self) -> str:
        """The text with the lines of the observations below, at most 16 KiB of UTF-8."""
        lines = "\n".join(observation.line for observation in self.observations)
        return f"{self.content}\n\n{lines}" if self.content and lines else self.content or lines

    def to_dict(self) -> dict[str, Any]:
        """agent, content, version, updated_at, observations, text, left, receipt."""
        return {
            "agent": self.agent,
            "content": self.content,
            "version": self.version,
            "updated_at": write_instant(self.version) if self.version else None,
            "observations": [observation.to_dict() for observation in self.observations],
            "text": self.text,
            "left": self.left,
            "receipt": self.receipt and self.receipt.to_dict(),
        }


@repeated
def read(services: Services, caller: Principal, instants: Instants | None = None) -> Pad:
    """The caller's pad, now or as it was known at a system time."""
    with asking(services, caller, instants, [Layer.NOTE]) as question:
        return pad(question)


def pad(question: Asking, most: int = LONGEST) -> Pad:
    """The pad of the namespace that is asked about, with `most` bytes of observations; the question shows the layer `note`."""
    owner = question.frame.namespace
    current = _in_force(question)
    room = min(LONGEST - len(current.content.encode()) - (2 if current.content else 0), most)
    shown, left = _observed(question, room)
    return Pad(owner.owner, current.content, current.version, shown, left)


@repeated
def update(services: Services, caller: Principal, content: str, expect_version: int | None = None) -> Pad:
    """Write the caller's pad anew, or clear it with an empty text; the text before stays as history.

    Lines of observations that the text holds as the pad shows them are left out of it. The same text again changes
    nothing. `expect_version` is that of the pad that the caller read. Raises `NotesTooLong` for more than 16 KiB, and
    `NotesChanged` where the pad has another version.
    """
    caller.require(Scope.WRITE)
    version = _version(expect_version)
    text = _text(content)
    with services.store.writing() as unit:
        writing = _Writing(services, caller, unit)
        receipt = writing.write(text, version)
        return replace(pad(writing.question()), receipt=receipt)


def _version(value: int | None) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise InvalidValue(f"expect_version is the version of the notes that was read, not {value!r}.")
    return value


def _text(content: str) -> str:
    if not isinstance(content, str):
        raise InvalidValue(f"The notes are text, not {type(content).__name__}.")
    return unicodedata.normalize("NFC", content)


@dataclass(frozen=True)
class _Writing:
    services: Services
    caller: Principal
    unit: Writing

    def question(self) -> Asking:
        """What is there now, in the transaction."""
        frame = Frame(self.unit, self.caller.namespace, self.services.tiers)
        return Asking(self.unit, frame, Instants().when(self.services, self.unit), frozenset({Layer.NOTE}))

    def write(self, text: str, expected: int | None) -> Receipt:
        """Keep a text in the place of the one in force, if that has the version that is expected."""
        question = self.question()
        before = _in_force(question)
        if expected not in (None, before.version):
            raise NotesChanged(f"The notes have the version {before.version}, not {expected}; nothing was changed.")
        own = _without_lines(question, text)
        size = len(own.encode(errors="surrogatepass"))
        if size > LONGEST:
            raise NotesTooLong(f"The notes have {size:,} bytes in UTF-8, more than {LONGEST:,}; nothing was changed.")
        made = self._draft(own) if own else self._clearing()
        if made.statement.content == before.content:
            return Receipt(Outcome.UNCHANGED, before.memory_id, "")
        session = Session(self.services, self.caller, self.unit, 1)
        receipt = session.remember(made)
        session.finish()
        return receipt

    def _draft(self, text: str) -> Draft:
        """A draft of a text as the gate lets it in; the object tells texts apart that differ in blanks or case alone."""
        first = draft(text, {"memory_type": MemoryType.CONTEXT}, self.caller, layer=Layer.NOTE)
        judged = Gate(self.unit, self.services.guarding).judge(first).draft
        said = judged.statement.content
        return replace(judged, statement=replace(judged.statement, triple=replace(_QUESTION, object=_letters(said))))

    def _clearing(self) -> Draft:
        statement = Statement("", Layer.NOTE, _QUESTION, nothing=True)
        return Draft(statement, self.caller.origin, Details(Veracity.STATED), own_trust(self.caller))


def _letters(text: str) -> str:
    """A digest as 16 letters: no number, so that nothing takes it for one that means something."""
    return "".join(
        chr(ord("a") + int(digit, 16)) for digit in hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
    )


@dataclass(frozen=True)
class _Current:
    """The text in force, with its version and the id of its memory; nothing where there is none."""

    content: str = ""
    version: int = 0
    memory_id: str = ""


def _in_force(question: Asking) -> _Current:
    unit, namespace = question.unit, question.frame.namespace
    chain = unit.memories.chain_answering(namespace, question.frame.question(_asked(question)))
    segment = None if chain is None else _segment(question, chain)
    if segment is None:
        return _Current()
    memory = unit.memories.get(namespace, [segment.statement])[segment.statement].memory
    if memory.nothing:
        return _Current()
    said = unit.records.assertions(namespace, [memory.number])
    return _Current(memory.content, _claim(said, segment).learned_at, memory.id)


def _asked(question: Asking) -> Memory:
    return Statement("", Layer.NOTE, _QUESTION, nothing=True).of(question.frame.namespace.agent)


def _segment(question: Asking, chain: int) -> Segment | None:
    """The segment of a chain that is in force as asked."""
    at, namespace = question.when.at, question.frame.namespace
    if question.when.present:
        return in_force(question.unit.timelines.segments(namespace, chain, at, at + 1), at)
    timeline = timelines(question.frame, [chain], question.when.known_at).get(chain)
    return None if timeline is None else in_force(timeline.segments, at)


def _claim(said: Sequence[Assertion], segment: Segment) -> Assertion:
    """The assertion that claims a segment: its identity is the last part of the rank."""
    return next(a for a in said if int.from_bytes(a.identity[:7], "big") == segment.rank[-1])


def _without_lines(question: Asking, text: str) -> str:
    """A text without the lines that are those of observations, and without blanks at its end."""
    lines = text.split("\n")
    named = {match[1] for line in lines if (match := _LINE.fullmatch(line.strip()))}
    if named:
        kept = question.named(named).values()
        items = Describing(question.frame, question.when).items([k.memory.number for k in kept]).values()
        own = {_observation(item).line for item in items if item.details.source_event == OBSERVATION}
        lines = [line for line in lines if line.strip() not in own]
    return "\n".join(lines).rstrip()


def _observed(question: Asking, room: int) -> tuple[tuple[Observation, ...], int]:
    """The newest observations whose lines fit into so many bytes, oldest first, and how many there are besides."""
    shown: list[Observation] = []
    left = 0
    for page in _pages(question):
        holding = question.holding(page)
        held = [number for number in page if holding.get(number) == number]
        fitting = [] if left else _fitting(_described(question, held), room)
        room -= sum(_size(observation) for observation in fitting)
        shown += fitting
        left += len(held) - len(fitting)
    return tuple(sorted(shown, key=lambda one: (one.observed_at, one.id))), left


def _described(question: Asking, numbers: Sequence[int]) -> Iterator[Observation]:
    """These observations in their order, a few at a time: most of a long row are not asked for."""
    for start in range(0, len(numbers), _STEP):
        step = numbers[start : start + _STEP]
        folded = timelines(question.frame, step, question.when.known_at)
        yield from (_told(folded[number].standing(number)) for number in step)


def _told(standing: Standing) -> Observation:
    """What was observed, in the words of who observed it first."""
    memory, first = standing.representative, standing.said[0]
    return Observation(memory.id, first.observed_at, (first.wording or memory.wording).content)


def _fitting(observations: Iterable[Observation], room: int) -> list[Observation]:
    """The first of these, up to one that does not fit into so many bytes; before the first line there is no line end."""
    fitting = []
    room += 1
    for observation in observations:
        room -= _size(observation)
        if room < 0:
            break
        fitting.append(observation)
    return fitting


def _size(observation: Observation) -> int:
    return len(observation.line.encode()) + 1


def _pages(question: Asking) -> Iterator[list[int]]:
    before = FOREVER
    while page := question.unit.episodes.observations(question.frame.namespace, before, _PAGE):
        yield page
        before = page[-1]


def _observation(item: Item) -> Observation:
    return Observation(item.id, item.said[0].observed_at, item.content)
