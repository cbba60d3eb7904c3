"""What every transaction sets for itself, since a pooler may give it a connection that others used before."""

from __future__ import annotations

from typing import Final

import psycopg

LIMITS: Final = """
    SET LOCAL statement_timeout = '60s';
    SET LOCAL lock_timeout = '45s';
    SET LOCAL idle_in_transaction_session_timeout = '300s';
"""
"""No transaction waits or lingers for ever, whatever becomes of the program that began it."""

PLANS: Final = """
    SET LOCAL enable_seqscan = off;
    SET LOCAL enable_hashjoin = off;
    SET LOCAL enable_mergejoin = off;
    SET LOCAL join_collapse_limit = 1;
    SET LOCAL jit = off;
"""
"""Each query is written for an index; statistics of a table that was small a moment ago would have it read whole."""

_SAME_FOR_ALL_VALUES: Final = "SET LOCAL plan_cache_mode = force_generic_plan;"

_SENT_TO_WORKERS: Final = "SET LOCAL citus.propagate_set_commands = 'local';"
"""Citus sends a statement to the machine that has the rows, and what a transaction has set only when told so."""


def settings(connection: psycopg.Connection) -> str:
    """What transactions on such connections set: the same plan for all values, or where Citus is, plans for each.

    Citus has to know the workspace before it can plan, so it refuses joins that are planned for any value.
    """
    (citus,) = connection.execute("SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')").fetchone() or (0,)
    return f"{_SENT_TO_WORKERS}{LIMITS}{PLANS}" if citus else f"{LIMITS}{PLANS}{_SAME_FOR_ALL_VALUES}"
