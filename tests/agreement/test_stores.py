"""All stores run the same random programs and give the same answers."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from karte.ports import Store
from karte.stores.memory import MemoryStore
from karte.stores.sqlite import SQLiteStore
from karte.stores.sqlite.connecting import Durability
from karte.testing.agreement import StoreAgreement


class Agreement(StoreAgreement):
    """The oracle and SQLite."""

    def stores(self) -> Mapping[str, Store]:
        self.folder = TemporaryDirectory()
        path = Path(self.folder.name) / "workspace.karte"
        return {"memory": MemoryStore(), "sqlite": SQLiteStore(path, durability=Durability(synchronous="OFF"))}

    def teardown(self) -> None:
        super().teardown()
        self.folder.cleanup()


TestAgreement = Agreement.TestCase
