"""`store` and `store-many`: keeping statements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any, BinaryIO

from karte.errors import KarteError
from karte.surfaces.cli import keeping_out
from karte.surfaces.cli.answering import Answer
from karte.surfaces.cli.command_table import Command, Section
from karte.surfaces.cli.drawing import receipts
from karte.surfaces.cli.inputs import lines, opened, read_text, shown
from karte.surfaces.cli.options import Saying, WriterOptions, argument
from karte.surfaces.cli.output import Progress, progress


def store(
    content: Annotated[str, argument("TEXT", "What to remember; - reads it from standard input.")],
    saying: Saying,
    where: WriterOptions,
) -> Answer:
    """Remember a statement: a text, and for a fact its subject, predicate and object.

    A missing workspace or agent is made. What gives orders to a model waits for a person (karte approve); where nothing
    is kept, because the source is blocked or the text came from Karte itself, it ends with 3. Times are ISO 8601 with an offset, such as 2026-03-01T09:00:00Z, or a bare
    date.
    """
    options = saying.given()
    if where.origin is not None:
        options["origin"] = where.origin
    said = read_text(content)
    with where.chart(create=True) as chart:
        return keeping_out.answer(chart, chart.store(said, **options))


def store_many(
    file: Annotated[str, argument("FILE", "JSON Lines, one memory a line; - reads standard input.")],
    where: WriterOptions,
) -> Answer:
    """Remember every line of a file, or none; but for lines that the write gate holds back or refuses.

    A line is an object with the key content and the options of store as keys, named like these with underscores; tags
    and derived_from are lists, the type is memory_type. --origin is for the lines that name none.
    """
    with opened(file) as source, progress("Storing") as report:
        reader = _Reader(source, file, where.origin, report)
        with where.chart(create=True) as chart:
            try:
                stored = chart.store_many(reader.items())
            except KarteError as error:
                raise reader.placed(error) from None
    return Answer(keeping_out.many(stored), receipts.receipts)


@dataclass
class _Reader:
    """Reads items, and remembers the line at work, so that an error can name it."""

    file: BinaryIO
    name: str
    origin: str | None
    report: Progress
    line: int | None = field(default=None, init=False)

    def items(self) -> Iterator[Any]:
        for read, (number, item) in enumerate(lines(self.file, self.name), 1):
            self.line = number
            if self.origin is not None and isinstance(item, dict):
                item.setdefault("origin", self.origin)
            yield item
            self.line = None
            self.report(read, 0)

    def placed(self, error: KarteError) -> KarteError:
        """The same error with the line that it is about, where it is about one."""
        if self.line is None:
            return error
        return type(error)(f"{shown(self.name)}, line {self.line}: {error.message}", hint=error.hint)


REMEMBERING = Section("Remember", (Command("store", store), Command("store-many", store_many)))
