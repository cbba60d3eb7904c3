"""Policies, and the context of a task: what is pushed to an agent."""

from __future__ import annotations

from karte.verbs.desk import Verbs


class Policies(Verbs):
    """Policies, and the context of a task: what is pushed to an agent."""
