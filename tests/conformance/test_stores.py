"""Every store keeps the contract in full."""

from pathlib import Path

import pytest

from karte.stores.memory import MemoryStore
from karte.stores.sqlite import SQLiteStore
from karte.testing.conformance import StoreConformance


class TestMemoryStore(StoreConformance):
    @pytest.fixture
    def store(self) -> MemoryStore:
        return MemoryStore()


class TestSQLiteStore(StoreConformance):
    @pytest.fixture
    def store(self, tmp_path: Path) -> SQLiteStore:
        return SQLiteStore(tmp_path / "workspace.karte")
