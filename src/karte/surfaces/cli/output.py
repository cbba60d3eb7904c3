"""Writing: the one place that knows terminals, pipes and encodings.

An answer goes to standard output, as one JSON document or drawn for people; errors, notes, questions and progress go
to standard error. What a memory holds may come from anywhere, so nothing that steers a terminal is passed through.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TextIO

from rich.console import Console, RenderableType
from rich.text import Text

from karte.errors import Fault, KarteError, Refused

Shape = dict[str, Any]
Progress = Callable[[int, int], None]

_STEERING: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters but tab and newline, marks that reverse the writing direction, and lone surrogates."""


def plain(text: str) -> str:
    r"""Text that does nothing to a terminal but stand there: what would steer it is written out, such as `\x1b`."""
    return _STEERING.sub(_written_out, text.replace("\r\n", "\n"))


def _written_out(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}"  # noqa: PLR2004 - what \x can write


def prepare_streams() -> None:
    """Let every character be written: one that the encoding lacks becomes an escape, never an error."""
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - open until the end
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def write_json(shape: Shape) -> None:
    """Write one JSON document to standard output."""
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    _write(json.dumps(shape, ensure_ascii=not utf8, indent=2) + "\n")


def write_drawn(lines: Iterable[RenderableType], *, first_line: str | None = None) -> None:
    """Draw lines on standard output; in colour on a terminal only, and below `first_line` elsewhere only."""
    console = Console(highlight=False, markup=False, emoji=False)
    with console.capture() as captured:
        for line in lines:
            console.print(line, soft_wrap=isinstance(line, Text) and bool(line.no_wrap))
    text = captured.get()
    plain_lines = [*([first_line] if first_line else []), *(line.rstrip() for line in text.splitlines())]
    _write(text if console.is_terminal else "".join(f"{line}\n" for line in plain_lines))


def _write(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _silence(sys.stdout)  # the reader has seen enough
    except OSError as error:
        _silence(sys.stdout)
        note(f"What was asked is done, but the answer could not be written: {error.strerror}.")
        sys.exit(Fault.exit_code)


def _silence(stream: TextIO) -> None:
    """Send the rest to nowhere, so that the interpreter does not fail again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def write_error(error: KarteError, *, as_json: bool) -> None:
    """Write an error: its shape to standard output, or its message and hint as two lines to standard error."""
    if as_json:
        write_json(error.to_dict())
        return
    for line in (error.message, error.hint):
        if line:
            note(line)


def note(sentence: str) -> None:
    """Write one line to standard error."""
    if sys.stderr is not None:
        sys.stderr.write(plain(sentence).replace("\n", " ") + "\n")
        sys.stderr.flush()


def on_terminal() -> bool:
    """Whether somebody sits there who can be asked."""
    return bool(sys.stdin and sys.stdin.isatty() and sys.stderr and sys.stderr.isatty())


def agreed(question: str) -> bool:
    """Ask on standard error, read the answer from standard input; anything but y or yes means no."""
    sys.stderr.write(f"{plain(question)} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


def ask(question: str, refusal: str, *, needed: bool = True) -> None:
    """Ask on a terminal; raises `Refused` where the answer is no, or where it is needed and nobody can be asked."""
    if not on_terminal():
        if needed:
            raise Refused(refusal, hint=f"{question} Then give --yes.")
    elif not agreed(question):
        raise Refused(refusal, hint="Answer y, or give --yes.")


@contextmanager
def progress(title: str) -> Iterator[Progress]:
    """Show a bar while a long command works, on a terminal only; takes what is done and how much there is (0: unknown)."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.progress import Progress as Bars

    with Bars(console=Console(stderr=True), transient=True) as bars:
        bar = bars.add_task(title, total=None)
        yield lambda done, total: bars.update(bar, completed=done, total=total or None)
