"""The rules of the write gate, read from the data beside this module when the first text is scanned."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from karte.core.guard import Detectors, Finding, RuleBook, Secret, read_detectors, read_rules, redacted

__all__ = ["detectors", "injection", "injection_each", "redacted", "rule_book", "secrets", "secrets_each"]

_INJECTION: Final = "injection.toml"
_SECRETS: Final = "secrets.toml"


def injection(text: str) -> Finding:
    """Look for orders to whoever reads this text: the signs that were found, and their score (0..1)."""
    return rule_book().scan(text)


def injection_each(texts: Sequence[str]) -> list[Finding]:
    """As `injection`, for each of these texts; many at once cost less than one by one."""
    return rule_book().scan_each(texts)


def secrets(text: str) -> tuple[Secret, ...]:
    """Look for what must not be kept in the clear; the secrets do not overlap and stand in the order of the text."""
    return detectors().find(text)


def secrets_each(texts: Sequence[str]) -> list[tuple[Secret, ...]]:
    """As `secrets`, for each of these texts; many at once cost less than one by one."""
    return detectors().find_each(texts)


@cache
def rule_book() -> RuleBook:
    """The rules by which `injection` judges."""
    return read_rules(_document(_INJECTION))


@cache
def detectors() -> Detectors:
    """The detectors by which `secrets` finds."""
    return read_detectors(_document(_SECRETS))


def _document(name: str) -> dict[str, Any]:
    return tomllib.loads(files("karte.engine.trusting").joinpath(name).read_text(encoding="utf-8"))
