"""Every store keeps the contract in full."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from karte.stores.memory import MemoryStore
from karte.stores.postgres import Address, PostgresStore
from karte.stores.sqlite import SQLiteStore
from karte.testing.conformance import StoreConformance
from tests.servers.postgres import fresh_workspace


class TestMemoryStore(StoreConformance):
    @pytest.fixture
    def store(self) -> MemoryStore:
        return MemoryStore()


class TestSQLiteStore(StoreConformance):
    @pytest.fixture
    def store(self, tmp_path: Path) -> SQLiteStore:
        return SQLiteStore(tmp_path / "workspace.karte")


class TestPostgresStore(StoreConformance):
    @pytest.fixture
    def store(self) -> Iterator[PostgresStore]:
        with closing(PostgresStore(Address.read(fresh_workspace()))) as store:
            yield store
