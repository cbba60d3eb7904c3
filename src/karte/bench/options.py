"""The options of the benches, and how a function that takes groups of them becomes a command.

`flat` gives typer the flat signature that it reads and puts the groups together again, so that a bench takes values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import StrEnum
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, Final, get_type_hints

import typer

SEED: Final = 7

Data = Annotated[Path, typer.Option(help="The folder that holds the data sets.", metavar="DIR", show_default=False)]
Split = Annotated[str, typer.Option(help="Which part is read: files end in _NAME.", metavar="NAME")]
Seed = Annotated[int, typer.Option(help="Decides everything that is drawn by chance.", metavar="N")]


@dataclass(frozen=True)
class Output:
    """Where the result goes, beside the table."""

    json: Annotated[bool, typer.Option("--json", help="Write the result as JSON instead of a table.")] = False
    out: Annotated[Path | None, typer.Option(help="Write the result as JSON to a file, too.", metavar="FILE.json")] = (
        None
    )
    plot: Annotated[Path | None, typer.Option(help="Draw the figures into a file.", metavar="FILE.svg")] = None


class Mode(StrEnum):
    """Which voices are asked: the engine's modes, written again because `--help` loads nothing of the engine."""

    KEYWORD = "keyword"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"


@dataclass(frozen=True)
class Recalling:
    """How a bench searches."""

    mode: Annotated[Mode, typer.Option(help="Which voices are asked.")] = Mode.HYBRID
    embedder: Annotated[
        str | None, typer.Option(help="What embeds texts (default: auto, the best that is installed).", metavar="NAME")
    ] = None
    ablation: Annotated[
        bool, typer.Option("--ablation/--no-ablation", help="Ask again with each voice off in turn.")
    ] = True

    server: Annotated[
        str | None,
        typer.Option(help="Keep the memories on a PostgreSQL server, in databases made for the time.", metavar="URL"),
    ] = None

    @property
    def used(self) -> str:
        """The embedder by name; none where only words are asked for."""
        return "none" if self.mode is Mode.KEYWORD else self.embedder or "auto"

    @property
    def words(self) -> str:
        """The options as they are written on the command line."""
        embedder = f" --embedder {self.embedder}" if self.embedder else ""
        server = " --server URL" if self.server else ""
        return f"--mode {self.mode.value}{embedder}{'' if self.ablation else ' --no-ablation'}{server}"


@dataclass(frozen=True)
class Beside:
    """What the speed bench measures beside texts."""

    triples: Annotated[str, typer.Option(help="How many triples the graph has.", metavar="100k")] = "100k"
    embedder: Annotated[
        str | None, typer.Option(help="Measure what embedding a query with it takes, too.", metavar="NAME")
    ] = None
    server: Annotated[
        str | None,
        typer.Option(
            help="Measure a PostgreSQL server instead of files, in databases made for the time.", metavar="URL"
        ),
    ] = None


def flat(function: Callable[..., None]) -> Callable[..., None]:
    """A function as typer takes it: each argument that is a dataclass becomes the options that it holds."""
    hints = get_type_hints(function, include_extras=True)
    groups = {name: hint for name, hint in hints.items() if is_dataclass(hint) and isinstance(hint, type)}

    def run(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(**{each.name: values.pop(each.name) for each in fields(group)})
        function(**values)

    run.__signature__ = Signature(list(_parameters(function, hints, groups)))  # type: ignore[attr-defined]  # for inspect
    run.__doc__, run.__name__ = function.__doc__, function.__name__
    return run


def _parameters(
    function: Callable[..., None], hints: dict[str, Any], groups: dict[str, type[Any]]
) -> Iterator[Parameter]:
    for name, parameter in signature(function).parameters.items():
        if name not in groups:
            yield parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[name])
            continue
        inner = get_type_hints(groups[name], include_extras=True)
        for each in fields(groups[name]):
            default = Parameter.empty if each.default is MISSING else each.default
            yield Parameter(each.name, Parameter.KEYWORD_ONLY, default=default, annotation=inner[each.name])
