"""The outermost boundary: whatever goes wrong in a command ends here, as a sentence and an exit code."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from typer.exceptions import TyperException

from karte.errors import Fault, Incorrect, KarteError
from karte.surfaces.cli.help import Contents
from karte.surfaces.cli.output import prepare_streams, write_error


class Usage(Incorrect):
    """The command line cannot be read."""


class Root(Contents):
    """The command `karte` with all its commands."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command line; leaves with its exit code, or gives it where `standalone_mode` is off."""
        arguments = list(sys.argv[1:] if args is None else args)

        def run() -> Any:
            name = prog_name or "karte"
            return super(Root, self).main(arguments, name, complete_var, False, windows_expand_args, **extra)

        prepare_streams()
        status = exit_code(run, as_json=_wants_json(arguments))
        if standalone_mode:
            sys.exit(status)
        return status


def _wants_json(arguments: Sequence[str]) -> bool:
    """Whether the answer is to be JSON, known even where the rest of the line cannot be read."""
    ended = arguments.index("--") if "--" in arguments else len(arguments)
    return "--json" in arguments[:ended]


def exit_code(run: Callable[[], Any], *, as_json: bool) -> int:
    """Run a command; gives its exit code, with what went wrong written out."""
    try:
        return int(run() or 0)
    except Exception as problem:  # noqa: BLE001 - the outermost boundary: no command ends in a trace
        error = as_error(problem)
    write_error(error, as_json=as_json)
    return error.exit_code


def as_error(problem: Exception) -> KarteError:
    """Say what went wrong in Karte's own terms."""
    if isinstance(problem, KarteError):
        return problem
    if isinstance(problem, TyperException):
        return Usage(_sentence(problem.format_message()), hint=_help_of(problem))
    if isinstance(problem, OSError):
        return Fault(f"{problem.filename or 'The system'}: {problem.strerror or problem}.")
    return Fault(
        f"Something unforeseen happened in {_place(problem)}: {type(problem).__name__}: {problem}",
        hint="This is a mistake in Karte; please report it with the line above.",
    )


def _sentence(message: str) -> str:
    text = " ".join(message.split())
    return text if text.endswith((".", "?", ")")) else f"{text}."


def _help_of(problem: TyperException) -> str | None:
    context = getattr(problem, "ctx", None)
    return f"See `{context.command_path} --help`." if context else None


def _place(problem: Exception) -> str:
    """The last line of our own that was at work."""
    frames = traceback.extract_tb(problem.__traceback__)
    ours = [frame for frame in frames if "karte" in Path(frame.filename).parts] or frames
    return f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else "karte"
