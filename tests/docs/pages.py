"""A page of the documentation as a reader follows it: from top to bottom, in one folder, in one terminal."""

import contextlib
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.docs import python_blocks, terminal
from tests.docs.blocks import DATA, PROSE, Block, blocks, parse
from tests.servers.postgres import shared_database

SHELL = frozenset({"bash", "console", "sh"})

SERVER = "postgresql://karte@db.example.org/karte?"
"""The beginning of the addresses of workspaces in a database, as pages write them."""


def follow(page: str, markdown: str, folder: Path) -> None:
    """Run and parse every block of a page, with `folder` as the reader's machine.

    Raises BrokenBlock for a block that does not do what its page says, and whatever a python block raises.
    """
    reader = _Reader(folder)
    for block in blocks(page, markdown):
        reader.take(_within_reach(block))


def _within_reach(block: Block) -> Block:
    """The same block with the database of the tests in the place of the one that pages write of."""
    if block.language in PROSE or SERVER not in block.text:
        return block
    database = shared_database()
    return replace(block, text=block.text.replace(SERVER, f"{database}{'&' if '?' in database else '?'}"))


class _Reader:
    """Somebody at a new machine: an empty folder, an empty home, and an installed karte."""

    def __init__(self, folder: Path) -> None:
        self._environment = _environment(folder)
        for name in ("home", "notes", "work"):
            (folder / name).mkdir()
        self._terminal = terminal.Terminal(folder / "work", folder / "notes", self._environment)
        self._namespace: dict[str, object] = {"__name__": "page"}

    def take(self, block: Block) -> None:
        if block.language == "python":
            self._run_python(block)
        elif block.language in SHELL:
            terminal.run(block, self._terminal)
        elif block.language in DATA:
            parse(block)
        elif block.language not in PROSE:
            raise block.broken(f"a fence names its language; {block.language!r} is none that is checked (try text)", 0)

    def _run_python(self, block: Block) -> None:
        with pytest.MonkeyPatch.context() as patch, contextlib.chdir(self._terminal.folder):
            for name in [name for name in os.environ if name.startswith("KARTE_")]:
                patch.delenv(name)
            for name, value in self._environment.items():
                patch.setenv(name, value)
            python_blocks.run(block, self._namespace)


def _environment(folder: Path) -> dict[str, str]:
    home = folder / "home"
    return {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}",
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local" / "share"),
        "XDG_STATE_HOME": str(home / ".local" / "state"),
        "COLUMNS": "100",
        "LANG": "C.UTF-8",
        "NO_COLOR": "1",
        "TERM": "dumb",
        "TZ": "UTC",
        "KARTE_EMBEDDER": "none",  # what a page says must not depend on which are installed; a block may set another
    }
