"""What all stores hold after a random program is exported, the same on all to the byte, and moved on to the next one."""

from dataclasses import replace
from io import BytesIO
from pathlib import Path

from hypothesis import settings

from karte.engine.moving.importing import fill
from karte.engine.moving.packing import pack
from karte.engine.moving.unpacking import Export
from karte.ports import Store
from karte.workspace import Workspace
from tests.agreement.test_stores import Agreement
from tests.conftest import PROFILE
from tests.stores import STORES

ORIGIN_KEY = bytes(range(32))
"""The one secret of a workspace that an export carries; each store makes its own."""

PROGRAMS = 5 if PROFILE == "fast" else 200


def exported(store: Store) -> bytes:
    """The export of a store."""
    file = BytesIO()
    with store.reading() as unit:
        pack(unit, file)
    return file.getvalue()


class MovingOn(Agreement):
    """At the end of each program every workspace is moved to another store, and looked at there."""

    def teardown(self) -> None:
        for workspace in self.workspaces.values():
            workspace._desk.tally.write()
            with workspace._services.store.writing() as unit:
                unit.blocks.set_key(ORIGIN_KEY)
        exports = {name: exported(workspace._services.store) for name, workspace in self.workspaces.items()}
        first = exports["memory"]
        assert [name for name, data in exports.items() if data != first] == []
        for name in list(self.workspaces):
            self.workspaces[f"{name} moved"] = self._moved(name, first)
        self.show_the_same()
        super().teardown()

    def _moved(self, name: str, data: bytes) -> Workspace:
        folder = Path(self.folder.name) / "moved"
        folder.mkdir(exist_ok=True)
        store = STORES[name](folder)
        fill(replace(self.workspaces[name]._services, store=store), Export(BytesIO(data), "team.zip"))
        assert exported(store) == data
        return self._open(store)


TestMovingOn = MovingOn.TestCase
TestMovingOn.settings = settings(max_examples=PROGRAMS)
