"""Help as plain text, with options and commands under the titles of their groups.

Typer's own pages in boxes cost 0.1 s of imports, a third of what `karte --help` may take in all.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from typer.core import TyperCommand, TyperGroup

from karte.surfaces.cli.options import EVERYWHERE

_ARGUMENTS = "Arguments"
_OPTIONS = "Options"
_COMMANDS = "Commands"
_ORDER = {_ARGUMENTS: 0, _OPTIONS: 1, EVERYWHERE: 3}
_BETWEEN = 2
_LONGEST_SENTENCE = 200

Rows = Iterable[tuple[str, tuple[str, str]]]


class Page(TyperCommand):
    """The help of a command."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The arguments as they are written, without the braces that typer puts around those that are required."""
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options, each under its title."""
        _write(formatter, _parameters(self, ctx, EVERYWHERE))


class Contents(TyperGroup):
    """The help of a group of commands."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write options and commands, each under its title."""
        _write(formatter, _parameters(self, ctx, _OPTIONS))
        shown = {name: each for name, each in self.commands.items() if not each.hidden}
        titles = {name: getattr(each, "rich_help_panel", None) or _COMMANDS for name, each in shown.items()}
        _write(
            formatter,
            ((titles[name], (name, each.get_short_help_str(_LONGEST_SENTENCE))) for name, each in shown.items()),
        )


def _parameters(command: TyperCommand | TyperGroup, context: Any, help_title: str) -> Rows:
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is None:
            continue
        if parameter.param_type_name == "argument":
            yield _ARGUMENTS, (parameter.metavar or record[0], record[1])
        else:
            own = help_title if "--help" in parameter.opts else _OPTIONS
            yield getattr(parameter, "rich_help_panel", None) or own, record


def _write(formatter: Any, rows: Rows) -> None:
    """Write rows under their titles: what is the command's own first, what every command has last."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for title, row in rows:
        sections.setdefault(title, []).append(row)
    for title in sorted(sections, key=lambda title: _ORDER.get(title, _BETWEEN)):
        with formatter.section(title):
            formatter.write_dl(sections[title])
