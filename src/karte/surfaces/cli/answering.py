"""From a function that answers to a command: its groups of options become a flat list, its answer is written.

A function of a command takes plain arguments and dataclasses, each a group of options that several commands share
(`options.py`). `command` gives typer the flat signature that it reads, adds `--json`, and puts the groups together again;
a function that asks for `as_json` is told how its answer will be written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from inspect import Parameter, Signature, signature
from typing import Any, Final, get_type_hints

from rich.console import RenderableType

from karte.surfaces.cli.options import Json
from karte.surfaces.cli.output import Shape, note, write_drawn, write_json

AS_JSON: Final = "as_json"
Drawing = Callable[[Shape], Iterable[RenderableType]]


@dataclass(frozen=True)
class Answer:
    """What a command found or did: its JSON shape, how to draw that, the exit code, and a remark for people.

    What is `recalled` says so in its first line where it is drawn for a program, which may hand it to a model.
    """

    shape: Shape
    draw: Drawing
    exit_code: int = 0
    remark: str | None = None
    recalled: bool = False

    def write(self, *, as_json: bool) -> int:
        """Write the answer in one of its two forms; gives the exit code."""
        if as_json:
            write_json(self.shape)
        else:
            write_drawn(self.draw(self.shape), first_line=_watermark() if self.recalled else None)
            if self.remark:
                note(self.remark)
        return self.exit_code


def _watermark() -> str:
    from karte.core.echo import WATERMARK

    return WATERMARK


def command(function: Callable[..., Answer | None]) -> Callable[..., int]:
    """A function as typer takes it. One that answers nothing speaks for itself, and has no --json."""
    hints = get_type_hints(function, include_extras=True)
    answers = hints.pop("return") is not type(None)
    groups = {name: hint for name, hint in hints.items() if is_dataclass(hint) and isinstance(hint, type)}
    flat = list(_flat(function, hints, groups))
    if answers and AS_JSON not in hints:
        flat.append(Parameter(AS_JSON, Parameter.KEYWORD_ONLY, default=False, annotation=Json))

    def run(**values: Any) -> int:
        as_json = values.get(AS_JSON, False) if AS_JSON in hints else values.pop(AS_JSON, False)
        answer = function(**_grouped(values, groups))
        return answer.write(as_json=as_json) if answer else 0

    run.__signature__ = Signature(flat)  # type: ignore[attr-defined]  # what inspect reads before the real one
    run.__doc__ = _unwrapped(function.__doc__ or "")
    run.__name__ = function.__name__
    return run


def _unwrapped(docstring: str) -> str:
    """A docstring with each paragraph on one line, for help to wrap."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in docstring.split("\n\n"))


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
