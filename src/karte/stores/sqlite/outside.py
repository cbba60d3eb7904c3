"""What is kept beside a workspace file, so that a copy of the file, or one that was made before, lacks it."""

from __future__ import annotations

from pathlib import Path

from karte.errors import WorkspaceUnreadable


def outside(path: Path) -> Path:
    """Where it is kept."""
    return path.with_name(f"{path.name}.blocks")


def read_outside(path: Path) -> str | None:
    """What is kept beside the workspace at `path`, also where there is none any more; None where nothing is.

    Raises `WorkspaceUnreadable`.
    """
    try:
        return outside(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError):
        raise WorkspaceUnreadable(f"{outside(path)} cannot be read.") from None
