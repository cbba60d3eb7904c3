"""A workspace in one SQLite file: WAL, durable commits, erased bytes overwritten."""

from karte.stores.sqlite.making import remove_file
from karte.stores.sqlite.outside import read_outside
from karte.stores.sqlite.store import SQLiteStore

__all__ = ["SQLiteStore", "read_outside", "remove_file"]
