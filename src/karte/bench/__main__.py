"""`python -m karte.bench`: the benches where the command `karte` is not installed."""

from __future__ import annotations

import sys

from karte.bench.command import app
from karte.errors import KarteError


def main() -> None:
    """Run a bench; an error of Karte's own ends as a sentence and the exit code of its category."""
    try:
        app()
    except KarteError as error:
        sys.stderr.write("".join(f"{line}\n" for line in (error.message, error.hint) if line))
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
