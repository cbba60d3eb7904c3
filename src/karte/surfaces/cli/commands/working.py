"""`note`, `remember`: an agent's working memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from karte.surfaces.cli import keeping_out
from karte.surfaces.cli.answering import Answer
from karte.surfaces.cli.command_table import Command, Group
from karte.surfaces.cli.drawing import working
from karte.surfaces.cli.inputs import read_text
from karte.surfaces.cli.options import (
    JUDGEMENT,
    PLACE,
    SOURCE,
    ChartOptions,
    IdempotencyKey,
    KnownAt,
    Number,
    ObservedAt,
    Text,
    Texts,
    WriterOptions,
    argument,
    given,
    option,
)

Said = Annotated[str, argument("TEXT", "What to keep; - reads it from standard input.")]


@dataclass(frozen=True)
class Working:
    """What is said of something in working memory beside its text."""

    memory_type: Annotated[
        Text, option("--type", "TYPE", "fact, preference, decision, commitment, observation and so on.", JUDGEMENT)
    ] = None
    importance: Annotated[Number, option("--importance", "0..10", "How much it matters.", JUDGEMENT)] = None
    topic: Annotated[Text, option("--topic", "TEXT", "A topic.", PLACE)] = None
    tags: Annotated[Texts, option("--tag", "TEXT", "A tag; repeat it for several.", PLACE)] = None
    speaker: Annotated[Text, option("--speaker", "TEXT", "Who said it.", SOURCE)] = None
    observed_at: ObservedAt = None
    idempotency_key: IdempotencyKey = None


def show_notes(where: ChartOptions, known_at: KnownAt = None) -> Answer:
    """Show an agent's notes: its text, and the newest of what it observed as dated lines."""
    with where.chart() as chart:
        pad = chart.notes(known_at=known_at)
    return Answer(pad.to_dict(), working.pad, recalled=bool(pad.text))


def write_notes(
    content: Annotated[str, argument("TEXT", "The whole text, 16 KiB at most; - reads it from standard input.")],
    where: WriterOptions,
    expect_version: Annotated[
        int | None, option("--expect-version", "N", "Only if the notes have this version still; 0 for none.")
    ] = None,
) -> Answer:
    """Write an agent's notes anew; the text before stays as history. An empty text clears them."""
    said = read_text(content)
    with where.speaking(create=True) as chart:
        written = chart.update_notes(said, expect_version=expect_version)
    return Answer(written.to_dict(), working.written)


def observe(
    content: Said,
    working_options: Working,
    where: WriterOptions,
    session: Annotated[Text, option("--session", "TEXT", "The session in which it was observed.", SOURCE)] = None,
) -> Answer:
    """Keep what an agent observed: a memory of its own, which its notes show as a dated line."""
    said = read_text(content)
    with where.speaking(create=True) as chart:
        return keeping_out.answer(chart, chart.observe(said, session=session, **given(working_options)))


def remember(
    content: Said,
    working_options: Working,
    where: WriterOptions,
    *,
    session: Annotated[str, option("--session", "TEXT", "The session that it is for.", SOURCE)],
    ttl_hours: Annotated[Number, option("--ttl-hours", "HOURS", "For so long (default: 24).")] = None,
) -> Answer:
    """Keep something for one session, until it expires; search and list with that --session find it, nothing else."""
    options: dict[str, Any] = given(working_options)
    if ttl_hours is not None:
        options["ttl_hours"] = ttl_hours
    said = read_text(content)
    with where.speaking(create=True) as chart:
        return keeping_out.answer(chart, chart.remember(said, session, **options))


NOTE = Group(
    "note",
    "An agent's own notes, which it carries from run to run.",
    (Command("show", show_notes), Command("set", write_notes), Command("observe", observe)),
)
REMEMBER = Command("remember", remember)
