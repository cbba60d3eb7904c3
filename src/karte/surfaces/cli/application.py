"""Putting the commands together."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from karte.bench import command as bench
from karte.surfaces.cli.answering import command
from karte.surfaces.cli.boundary import Root
from karte.surfaces.cli.command_table import Command, Group, Section
from karte.surfaces.cli.commands.backing_up import BACKING_UP
from karte.surfaces.cli.commands.connecting import CONNECTING
from karte.surfaces.cli.commands.correcting import CORRECTING
from karte.surfaces.cli.commands.forgetting import TRUSTING
from karte.surfaces.cli.commands.ingesting import INGESTING
from karte.surfaces.cli.commands.keeping import KEEPING
from karte.surfaces.cli.commands.learning import CONSOLIDATE, HARMONIZE, MISTAKE, REFLECT, RULE
from karte.surfaces.cli.commands.moving import MOVING
from karte.surfaces.cli.commands.naming import NAMING
from karte.surfaces.cli.commands.pushing import CONTEXT, POLICY
from karte.surfaces.cli.commands.recalling import RECALLING
from karte.surfaces.cli.commands.remembering import REMEMBERING
from karte.surfaces.cli.commands.sharing import CONFLICT, DOMAIN, FACT
from karte.surfaces.cli.commands.touring import TOURING
from karte.surfaces.cli.commands.working import NOTE, REMEMBER
from karte.surfaces.cli.help import Contents, Page

SHARING: Final = Section("Share", (DOMAIN, FACT, CONFLICT, POLICY))
WORKING: Final = Section("Work", (CONTEXT, NOTE, REMEMBER, MISTAKE, RULE, REFLECT, CONSOLIDATE, HARMONIZE))
SECTIONS: Final = (
    TOURING,
    REMEMBERING,
    INGESTING,
    RECALLING,
    CORRECTING,
    NAMING,
    SHARING,
    WORKING,
    TRUSTING,
    KEEPING,
    MOVING,
    BACKING_UP,
    CONNECTING,
)
_HELP_NAMES: Final = {"help_option_names": ["--help", "-h"]}


def build() -> typer.Typer:
    """The application with all its commands."""
    app = typer.Typer(
        name="karte",
        cls=Root,
        help="Long-term memory for AI agents: facts on a timeline, explained recall, every source on record.",
        context_settings=_HELP_NAMES,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback(invoke_without_command=True)(_karte)
    for section in SECTIONS:
        for entry in section.entries:
            _add(app, entry, section.title)
    app.add_typer(bench.app, name="bench", rich_help_panel="Measure")
    return app


def _add(app: typer.Typer, entry: Command | Group, title: str) -> None:
    if isinstance(entry, Command):
        app.command(entry.name, cls=Page, rich_help_panel=title)(command(entry.function))
        return
    group = typer.Typer(cls=Contents, help=entry.help, rich_markup_mode=None)
    for each in entry.commands:
        group.command(each.name, cls=Page)(command(each.function))
    app.add_typer(group, name=entry.name, rich_help_panel=title)


def _karte(
    context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False
) -> None:
    if version:
        typer.echo(f"karte {_version()}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("karte")
    except PackageNotFoundError:
        return "(run from its source, not installed)"
