"""From a function that answers to a command: its groups of options become a flat list, its answer is written.

A function of a command takes plain arguments and dataclasses, each a group of options that several commands share
(`options.py`). `command` gives typer the flat signature that it reads, adds `--json`, and puts the groups together again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_type_hints

import typer
from rich.console import RenderableType

from karte.surfaces.cli.options import EVERYWHERE
from karte.surfaces.cli.output import Shape, write_drawn, write_json

Drawing = Callable[[Shape], Iterable[RenderableType]]

Json = Annotated[
    bool, typer.Option("--json", help="Write one JSON document instead of text.", rich_help_panel=EVERYWHERE)
]


@dataclass(frozen=True)
class Answer:
    """What a command found or did: its JSON shape, how to draw that, and the exit code."""

    shape: Shape
    draw: Drawing
    exit_code: int = 0

    def write(self, *, as_json: bool) -> int:
        """Write the answer in one of its two forms; gives the exit code."""
        if as_json:
            write_json(self.shape)
        else:
            write_drawn(self.draw(self.shape))
        return self.exit_code


def command(function: Callable[..., Answer | None]) -> Callable[..., int]:
    """A function as typer takes it. One that answers nothing has written what it had to say itself."""
    hints = get_type_hints(function, include_extras=True)
    groups = {name: hint for name, hint in hints.items() if is_dataclass(hint) and isinstance(hint, type)}

    def run(**values: Any) -> int:
        as_json = values.pop("as_json")
        answer = function(**_grouped(values, groups))
        return answer.write(as_json=as_json) if answer else 0

    flat = [*_flat(function, hints, groups), Parameter("as_json", Parameter.KEYWORD_ONLY, default=False, annotation=Json)]
    run.__signature__ = Signature(flat)  # type: ignore[attr-defined]  # what inspect reads before the real one
    run.__doc__ = function.__doc__
    run.__name__ = function.__name__
    return run


def _flat(
    function: Callable[..., Any], hints: Mapping[str, Any], groups: Mapping[str, type[Any]]
) -> Iterator[Parameter]:
    for name, parameter in signature(function).parameters.items():
        if name in groups:
            yield from _parameters(groups[name])
        else:
            yield parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[name])


def _parameters(group: type[Any]) -> Iterator[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for field in fields(group):
        yield Parameter(field.name, Parameter.KEYWORD_ONLY, default=_default(field), annotation=hints[field.name])


def _default(field: Field[Any]) -> Any:
    return Parameter.empty if field.default is MISSING else field.default


def _grouped(values: dict[str, Any], groups: Mapping[str, type[Any]]) -> dict[str, Any]:
    for name, group in groups.items():
        values[name] = group(**{field.name: values.pop(field.name) for field in fields(group)})
    return values
