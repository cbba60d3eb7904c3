"""Karte: long-term memory for AI agents, kept like a good medical chart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from karte.bootstrap import copy_workspace as copy
    from karte.bootstrap import import_workspace, restore_workspace
    from karte.bootstrap import open_workspace as open
    from karte.core.origins import Origin, OriginKind
    from karte.core.results import Hit, Item, Recall, Receipt
    from karte.coroutines import AsyncChart, AsyncWorkspace, aopen
    from karte.errors import KarteError
    from karte.workspace import Chart, Workspace

_HOMES = {
    "AsyncChart": "karte.coroutines",
    "AsyncWorkspace": "karte.coroutines",
    "Chart": "karte.workspace",
    "Hit": "karte.core.results",
    "Item": "karte.core.results",
    "KarteError": "karte.errors",
    "Origin": "karte.core.origins",
    "OriginKind": "karte.core.origins",
    "Recall": "karte.core.results",
    "Receipt": "karte.core.results",
    "Workspace": "karte.workspace",
    "aopen": "karte.coroutines",
    "copy": "karte.bootstrap",
    "import_workspace": "karte.bootstrap",
    "open": "karte.bootstrap",
    "restore_workspace": "karte.bootstrap",
}
_NAMES_THERE = {"copy": "copy_workspace", "open": "open_workspace"}

__all__ = [
    "AsyncChart",
    "AsyncWorkspace",
    "Chart",
    "Hit",
    "Item",
    "KarteError",
    "Origin",
    "OriginKind",
    "Recall",
    "Receipt",
    "Workspace",
    "aopen",
    "copy",
    "import_workspace",
    "open",
    "restore_workspace",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `karte --help` does not wait for the engine."""
    if name == "__version__":
        from importlib.metadata import version

        return version("karte")
    if name not in _HOMES:
        raise AttributeError(f"module 'karte' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), _NAMES_THERE.get(name, name))
