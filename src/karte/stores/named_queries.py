"""Queries by name, read from .sql files: `-- name: NAME`, a line that describes it, then the statement."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


@dataclass(frozen=True)
class Queries:
    """The queries of one file, as attributes by name."""

    statements: dict[str, str]
    descriptions: dict[str, str]

    def __getattr__(self, name: str) -> str:
        try:
            return self.statements[name]
        except KeyError:
            raise AttributeError(name) from None


def read_queries(package: str, file: str) -> Queries:
    """Read the named queries of a file in a package; raises `ValueError` for one without a description."""
    parts = _NAME.split(files(package).joinpath(file).read_text(encoding="utf-8"))
    statements, descriptions = {}, {}
    for name, body in zip(parts[1::2], parts[2::2], strict=True):
        lines = body.strip().splitlines()
        if not lines or not lines[0].startswith("-- "):
            raise ValueError(f"The query {name} in {file} has no description.")
        descriptions[name] = lines[0].removeprefix("-- ")
        statements[name] = "\n".join(lines[1:]).strip().removesuffix(";")
    return Queries(statements, descriptions)
