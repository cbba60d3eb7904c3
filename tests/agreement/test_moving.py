"""What all stores hold after a random program is exported, the same on all, and moved on to the byte."""

import json
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from hypothesis import settings

from karte.engine.moving import carried
from karte.engine.moving.importing import fill
from karte.engine.moving.packing import pack
from karte.engine.moving.unpacking import Export
from karte.ports import Store
from karte.workspace import Workspace
from tests.agreement.test_stores import Agreement
from tests.conftest import PROFILE
from tests.stores import STORES

ORIGIN_KEY = bytes(range(32))
"""The one secret of a workspace that an export carries. Each store makes its own, and what is digested with it differs."""

PROGRAMS = 5 if PROFILE == "fast" else 200


def exported(store: Store) -> bytes:
    """The export of a store."""
    file = BytesIO()
    with store.reading() as unit:
        pack(unit, file)
    return file.getvalue()


OWN = ("scrubbed", "traces", "out_of_reach")
"""What a receipt of forgetting says of the files of its own place, and the log with it."""

UNCHAINED = {"previous": None, "digest": None}


def told(export: bytes) -> dict[str, Any]:
    """What an export tells, but for what each place says of its own files, and for the digests and sizes of that."""
    with ZipFile(BytesIO(export)) as file:
        members: dict[str, Any] = {name: file.read(name).splitlines() for name in file.namelist()}
        manifest = json.loads(file.read(carried.MANIFEST))
    members[carried.MANIFEST] = {**manifest, "members": [member["name"] for member in manifest["members"]]}
    members[carried.PLANS] = [_without(json.loads(row), "receipt") for row in members[carried.PLANS]]
    members[carried.AUDIT] = [_without(json.loads(row), "detail") | UNCHAINED for row in members[carried.AUDIT]]
    return members


def _without(row: dict[str, Any], part: str) -> dict[str, Any]:
    said = json.loads(row[part])
    return {**row, part: {name: said[name] for name in said if name not in OWN}}


def differing(one: bytes, other: bytes) -> list[Any]:
    """The members in which two exports are not the same."""
    here, there = told(one), told(other)
    return [(here.get(name), there.get(name)) for name in here | there if here.get(name) != there.get(name)]


class MovingOn(Agreement):
    """At the end of each program every workspace is moved to another store, and looked at there."""

    def stores(self) -> Mapping[str, Store]:
        stores = super().stores()
        for store in stores.values():
            with store.writing() as unit:
                unit.blocks.set_key(ORIGIN_KEY)
        return stores

    def look_at_the_end(self) -> None:
        for workspace in self.workspaces.values():
            workspace._desk.tally.write()
        exports = {name: exported(workspace._services.store) for name, workspace in self.workspaces.items()}
        first = exports["memory"]
        for name, data in exports.items():
            assert (name, different := differing(first, data)) == (name, []), different
        for name in list(self.workspaces):
            self.workspaces[f"{name} moved"] = self._moved(name, first)
        super().look_at_the_end()

    def _moved(self, name: str, data: bytes) -> Workspace:
        folder = Path(self.folder.name) / "moved"
        folder.mkdir(exist_ok=True)
        store = STORES[name](folder)
        with ExitStack() as failing:
            failing.callback(store.close)
            fill(replace(self.workspaces[name]._services, store=store), Export(BytesIO(data), "team.zip"))
            assert exported(store) == data
            failing.pop_all()
        return self._open(store)


TestMovingOn = MovingOn.TestCase
TestMovingOn.settings = settings(max_examples=PROGRAMS)
