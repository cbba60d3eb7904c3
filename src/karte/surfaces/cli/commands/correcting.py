"""`supersede`, `end`, `correct`, `withdraw`, `invalidate-origin`, `erase`: when something is no longer, or never was, right."""

from __future__ import annotations

from typing import Annotated

from karte.errors import InvalidValue, Refused, UnknownMemory
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
from karte.surfaces.cli.output import agreed, on_terminal


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


def erase(
    ids: Annotated[list[str], argument("MEM_ID", "The memories to erase.")], where: WriterOptions, yes: Yes = False
) -> Answer:
    """Erase memories for good, with what was derived from them alone; no byte is left. On a terminal it asks first."""
    with where.speaking() as chart:
        if on_terminal() and not yes and not agreed(f"Erase {len(ids)} for good?"):
            raise Refused("Nothing was erased.", hint="Answer y, or give --yes.")
        erased = chart.erase(ids)
    if not erased.memory_ids:
        raise UnknownMemory(f"Nothing was erased: there is no memory {ids[0]} here.")
    return Answer(erased.to_dict(), receipts.erased)


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
