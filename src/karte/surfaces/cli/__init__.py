"""The command line `karte`.

A command reads its arguments into plain values, calls one method of the public interface, and hands back an `Answer`:
the JSON shape and the way to draw it. `app` is built when it is first asked for, and nothing of the engine is imported
before a command runs, so that `karte --help` answers at once.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer

    app: typer.Typer

__all__ = ["app", "main"]


def main() -> None:
    """Run the command that the process was started with, and leave with its exit code."""
    try:
        from typer.main import get_command

        from karte.surfaces.cli.application import build

        get_command(build()).main(prog_name="karte")
    except KeyboardInterrupt:
        sys.exit(130)


def __getattr__(name: str) -> typer.Typer:
    """Build the application when it is first asked for."""
    if name != "app":
        raise AttributeError(f"module 'karte.surfaces.cli' has no attribute {name!r}")
    from karte.surfaces.cli.application import build

    globals()[name] = built = build()
    return built
