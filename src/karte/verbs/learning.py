"""Mistakes, the rules that they become, and upkeep of what was learned."""

from __future__ import annotations

from karte.verbs.desk import Verbs


class Learning(Verbs):
    """Mistakes, the rules that they become, and upkeep of what was learned."""
