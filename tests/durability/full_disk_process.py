"""A process whose workspace is on a disk of its own that fills up: writes until it is told so, then goes on.

Prints one JSON object: the error, what was acknowledged, what could be read while the disk was full, and what could
be done once there was room again. The folder given must be a small file system without anything else in it.
"""

import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from karte.bootstrap import open_workspace
from karte.errors import KarteError
from karte.workspace import Workspace

_RESERVE = 1_000_000


def main(folder: Path) -> dict[str, Any]:
    """Fill the disk and empty it again."""
    reserve = folder / "reserve"
    reserve.write_bytes(bytes(_RESERVE))
    told: dict[str, Any] = {}
    with open_workspace(folder / "full.karte") as workspace:
        told["acknowledged"] = fill(workspace, told)
        take_the_rest(folder / "rest")
        told["read"] = [hit.memory.id for hit in workspace.search("entry0x").hits]
    with open_workspace(folder / "full.karte") as workspace:
        told["kept"] = [item.id for item in workspace.list(1_000).memories]
        reserve.unlink()
        (folder / "rest").unlink()
        told["acknowledged"].append(workspace.store("有空間了").memory_id)
        told["differences"] = workspace.doctor().differences
    return told


def take_the_rest(path: Path) -> None:
    """Leave no block free."""
    with path.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(512)):
            pass


def fill(workspace: Workspace, told: dict[str, Any]) -> list[str]:
    """Store until an error comes; gives the ids that were acknowledged."""
    ids: list[str] = []
    while "error" not in told:
        try:
            ids.append(workspace.store(f"entry{len(ids)}x 磁碟快滿了 {len(ids) ** 5}").memory_id)
        except KarteError as error:
            told |= error.to_dict()
    return ids


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(Path(sys.argv[1]))))
