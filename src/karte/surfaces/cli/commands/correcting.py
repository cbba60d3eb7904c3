"""`supersede`, `end`, `correct`, `withdraw`, `invalidate-origin`, `erase`: when something is no longer, or never was, right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from karte.errors import InvalidValue, UnknownMemory
from karte.surfaces.cli import keeping_out
from karte.surfaces.cli.answering import Answer
from karte.surfaces.cli.command_table import Command, Section
from karte.surfaces.cli.drawing import receipts
from karte.surfaces.cli.inputs import read_text
from karte.surfaces.cli.options import (
    FactOptions,
    MemoryId,
    Object,
    Reason,
    Text,
    WriterOptions,
    Yes,
    argument,
    given,
    option,
)
from karte.surfaces.cli.output import ask

if TYPE_CHECKING:
    from karte.core.results import Erased
    from karte.workspace import Chart


def supersede(
    memory_id: Annotated[str, argument("OLD_ID", "The memory that gives way.")],
    where: WriterOptions,
    content: Annotated[Text, argument("TEXT", "What holds instead; - reads standard input.")] = None,
    by: Annotated[Text, option("--by", "NEW_ID", "A memory that takes over, in the place of a new text.")] = None,
    value: Object = None,
    effective: Annotated[Text, option("--effective", "TIME", "From when (default: now).")] = None,
) -> Answer:
    """Let a newer statement take over from a time on; the older one stays in the history."""
    if (content is None) == (by is None):
        raise InvalidValue("Say what takes over: either a new text, or a memory by --by.")
    if by is not None and value is not None:
        raise InvalidValue("--object belongs to a new text; the memory named by --by has its own.")
    newer = by if by is not None else read_text(content or "")
    with where.speaking() as chart:
        return keeping_out.answer(chart, chart.supersede(memory_id, newer, object=value, effective=effective))


def end(
    subject: Annotated[str, argument("MEM_ID|SUBJECT", "The memory that ends, or whom the fact is about.")],
    fact: FactOptions,
    where: WriterOptions,
    predicate: Annotated[Text, argument("PREDICATE", "What is said of the subject.")] = None,
    value: Annotated[Text, option("--object", "TEXT", "Of a predicate with many values, the one that ends.")] = None,
    at: Annotated[Text, option("--at", "TIME", "From when (default: now).")] = None,
) -> Answer:
    """State that something holds no longer, and that nothing takes its place."""
    with where.speaking() as chart:
        if predicate is not None:
            receipt = chart.end_fact(subject, predicate, value, at=at, **given(fact))
        elif value is not None or given(fact):
            raise InvalidValue("--object, --domain and --repo belong to a subject and a predicate.")
        else:
            receipt = chart.end(subject, at)
    return Answer(receipt.to_dict(), receipts.receipt)


def correct(
    memory_id: MemoryId,
    content: Annotated[str, argument("TEXT", "What is right; - reads it from standard input.")],
    where: WriterOptions,
    value: Object = None,
    reason: Reason = "",
) -> Answer:
    """Withdraw a memory and state the right thing for the same time."""
    with where.speaking() as chart:
        return keeping_out.answer(chart, chart.correct(memory_id, read_text(content), object=value, reason=reason))


def withdraw(memory_id: MemoryId, where: WriterOptions, reason: Reason = "") -> Answer:
    """Let a memory stop counting; what it displaced is in force again."""
    with where.speaking() as chart:
        return Answer(chart.withdraw(memory_id, reason).to_dict(), receipts.withdrawn)


def invalidate_origin(
    source: Annotated[str, argument("KIND:CONTAINER:ITEM", "The origin; a container names all its items.")],
    where: WriterOptions,
    since: Annotated[Text, option("--since", "TIME", "Only what was learned then or later.")] = None,
) -> Answer:
    """Withdraw everything that came from one origin, equal to the letter."""
    with where.speaking() as chart:
        return Answer(chart.invalidate_by_origin(source, since).to_dict(), receipts.withdrawn)


@dataclass(frozen=True)
class Concern:
    """What is erased beside single memories."""

    subject: Annotated[
        Text, option("--subject", "NAME", "All that is kept about somebody or something, by any of its names.")
    ] = None
    as_object: Annotated[bool, option("--as-object", None, "With --subject: also where it is the value.")] = False
    everything: Annotated[bool, option("--everything", None, "All that the owner keeps (see --agent).")] = False

    @property
    def given(self) -> bool:
        """Whether anything of it was asked for; raises `InvalidValue` for what does not go together."""
        if (self.subject is not None and self.everything) or (self.as_object and self.subject is None):
            raise InvalidValue("Give --subject (and --as-object if wanted), or --everything.")
        return self.subject is not None or self.everything


def erase(
    concern: Concern,
    where: WriterOptions,
    ids: Annotated[list[str] | None, argument("MEM_ID", "The memories to erase.")] = None,
    yes: Yes = False,
) -> Answer:
    """Erase memories for good, with what was derived from them alone; no byte is left.

    Or erase all that is kept about somebody, or by an owner. On a terminal it asks first; elsewhere --subject and
    --everything need --yes.
    """
    if concern.given == bool(ids):
        raise InvalidValue("Name the memories to erase, or give --subject or --everything.")
    with where.speaking() as chart:
        named = ids or chart.concerned(concern.subject, as_object=concern.as_object)
        if not yes:
            ask(f"Erase {len(named)} for good?", "Nothing was erased.", needed=concern.given)
        erased = _erased(chart, ids, concern)
    if not erased.memory_ids:
        raise UnknownMemory(f"Nothing was erased: there is {f'no memory {ids[0]}' if ids else 'nothing of that'} here.")
    return Answer(erased.to_dict(), receipts.erased)


def _erased(chart: Chart, ids: list[str] | None, concern: Concern) -> Erased:
    if ids:
        return chart.erase(ids)
    if concern.subject is None:
        return chart.erase_everything()
    return chart.erase_subject(concern.subject, as_object=concern.as_object)


CORRECTING = Section(
    "Correct",
    (
        Command("supersede", supersede),
        Command("end", end),
        Command("correct", correct),
        Command("withdraw", withdraw),
        Command("invalidate-origin", invalidate_origin),
        Command("erase", erase),
    ),
)
