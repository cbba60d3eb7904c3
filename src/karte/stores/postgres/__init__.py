"""Workspaces in a PostgreSQL database: one schema for all of them, every statement bound to one."""

from karte.stores.postgres.address import Address
from karte.stores.postgres.store import PostgresStore

__all__ = ["Address", "PostgresStore"]
