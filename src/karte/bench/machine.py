"""On what and of what a measurement was made: the machine, the versions, the commit."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import apsw
import numpy as np

_PACKAGE: Final = Path(__file__).resolve().parent
_CPU_FILE: Final = Path("/proc/cpuinfo")


def machine() -> dict[str, Any]:
    """The processor, how many of its cores there are, the platform, and the versions of what does the work."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "platform": platform.platform(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "apsw": apsw.apsw_version(),
        "sqlite": apsw.sqlite_lib_version(),
    }


def _cpu() -> str:
    if _CPU_FILE.is_file():
        for line in _CPU_FILE.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def commit() -> str:
    """The commit of the source, with `-dirty` where it was changed since; the version of an installed package."""
    tracked = _git("ls-files", "--error-unmatch", "__init__.py")
    described = _git("describe", "--always", "--dirty", "--exclude", "*") if tracked else ""
    return described or _version()


def _git(*arguments: str) -> str:
    try:
        ran = subprocess.run(  # noqa: S603 - the arguments are written above
            ["git", *arguments],  # noqa: S607 - whichever git the user has
            cwd=_PACKAGE,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return ""
    return ran.stdout.strip() if ran.returncode == 0 else ""


def _version() -> str:
    try:
        return f"karte {version('karte')}"
    except PackageNotFoundError:
        return "unknown"
