"""Exports as somebody else may write them: with other members, other rows, and a manifest that fits them or not."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from hashlib import sha256
from io import BytesIO
from typing import Any
from zipfile import ZipFile

MANIFEST = "manifest.json"

Change = Callable[[bytes], bytes]


def members_of(data: bytes) -> dict[str, bytes]:
    """The members of a zip file, in their order."""
    with ZipFile(BytesIO(data)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def zipped(members: Mapping[str, bytes]) -> bytes:
    """A zip file of these members."""
    file = BytesIO()
    with ZipFile(file, "w") as packed:
        for name, content in members.items():
            packed.writestr(name, content)
    return file.getvalue()


def rewritten(data: bytes, changes: Mapping[str, Change]) -> bytes:
    """An export with some members changed, and a manifest that says so."""
    members = members_of(data)
    members |= {name: change(members[name]) for name, change in changes.items()}
    manifest = json.loads(members[MANIFEST])
    for each in manifest["members"]:
        content = members[each["name"]]
        each |= {"bytes": len(content), "sha256": sha256(content).hexdigest()}
        if each["name"].endswith(".ndjson"):
            each["rows"] = content.count(b"\n")
    return zipped({**members, MANIFEST: json.dumps(manifest).encode()})


def without(data: bytes, names: Collection[str]) -> bytes:
    """An export that lacks some members, and a manifest that names only the others."""

    def fewer(manifest: dict[str, Any]) -> None:
        manifest["members"] = [each for each in manifest["members"] if each["name"] not in names]

    members = {name: content for name, content in members_of(data).items() if name not in names}
    return with_manifest(zipped(members), fewer)


def with_manifest(data: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    """An export with another manifest."""
    members = members_of(data)
    manifest = json.loads(members[MANIFEST])
    change(manifest)
    return zipped({**members, MANIFEST: json.dumps(manifest).encode()})
