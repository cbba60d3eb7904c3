"""A workspace in one SQLite file: WAL, durable commits, erased bytes overwritten."""

from karte.stores.sqlite.store import SQLiteStore

__all__ = ["SQLiteStore"]
