"""`ingest`: taking in what other programs wrote."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from karte.errors import InvalidValue, NotFound
from karte.surfaces.cli.answering import Answer
from karte.surfaces.cli.command_table import Command, Group, Section
from karte.surfaces.cli.commands.moving import file_named
from karte.surfaces.cli.drawing import receipts
from karte.surfaces.cli.options import ChartOptions, Text, argument, given, option
from karte.surfaces.cli.output import progress


@dataclass(frozen=True)
class Manner:
    """How a chat is taken in, as `ingest_chat` takes it."""

    time_zone: Annotated[
        Text, option("--time-zone", "ZONE", "Of times without one: Asia/Taipei or +08:00 (default: the workspace's).")
    ] = None
    origin_kind: Annotated[
        str, option("--origin-kind", "KIND", "import, channel, or user_direct for a user's own words.")
    ] = "import"
    keep_system: Annotated[bool, option("--keep-system", None, "Keep what system prompts and tools say.")] = False


def ingest_chat(
    file: Annotated[str, argument("FILE", "A chat: JSON, JSON Lines, or a plain transcript.")],
    manner: Manner,
    where: ChartOptions,
    day_first: Annotated[
        bool | None, option("--day-first/--month-first", None, "How to read 3/4/26 (default: as the file tells).")
    ] = None,
) -> Answer:
    """Remember every turn of a chat as something that happened; the same file again changes nothing."""
    from karte.importers.chat import read_chat

    chat = read_chat(_there(file), day_first=day_first)
    with where.chart(create=True) as chart, progress("Ingesting") as report:
        return Answer(chart.ingest_chat(chat, report, **given(manner)).to_dict(), receipts.ingested)


def _there(name: str) -> Path:
    """The file of a chat; raises `NotFound` where there is none, `InvalidValue` for a folder.

    One that cannot be looked at is left to `read_chat`, which says why.
    """
    file = file_named(name)
    with suppress(OSError):
        if not file.exists():
            raise NotFound(f"There is no file {name}.")
        if file.is_dir():
            raise InvalidValue(f"{name} is a folder, not a chat.")
    return file


INGESTING = Section(
    "Remember", (Group("ingest", "Take in what other programs wrote.", (Command("chat", ingest_chat),)),)
)
