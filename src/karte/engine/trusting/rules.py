"""The rules of the write gate, read from the data beside this module when the first text is scanned."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from karte.core.guard import Finding, RuleBook, read_rules

INJECTION = "injection.toml"


def injection(text: str) -> Finding:
    """Look for orders to whoever reads this text: the signs that were found, and their score (0..1)."""
    return rule_book().scan(text)


@cache
def rule_book() -> RuleBook:
    """The rules by which `injection` judges."""
    return read_rules(_document(INJECTION))


def _document(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__ or "").joinpath(name).read_text(encoding="utf-8"))


def secrets(text: str) -> tuple[Any, ...]:
    """Placeholder until the detectors of secrets are there (the other half of this task): finds none."""
    del text
    return ()


def redacted(text: str, found: Any) -> str:
    """Placeholder: the text as it is."""
    del found
    return text
