"""An agent's working memory: its pad, what it observes, and what it remembers for a session."""

from __future__ import annotations

from karte.verbs.desk import Verbs


class WorkingMemory(Verbs):
    """An agent's working memory: its pad, what it observes, and what it remembers for a session."""
