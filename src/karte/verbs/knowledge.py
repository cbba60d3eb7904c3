"""Domains, grants, and the facts that a workspace shares; conflicts between them."""

from __future__ import annotations

from karte.verbs.desk import Verbs


class SharedKnowledge(Verbs):
    """Domains, grants, and the facts that a workspace shares; conflicts between them."""
