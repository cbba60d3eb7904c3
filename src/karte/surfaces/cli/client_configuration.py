"""The configuration of an MCP client: adding one server to a JSON text that belongs to somebody else.

Everything else in the text keeps its value and its order; the indentation stays what it was. What cannot be read as one
JSON object, or would lose something when written again, is refused.
"""

from __future__ import annotations

import difflib
import json
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from karte.errors import InvalidValue
from karte.surfaces.cli.inputs import has_surrogates

SERVERS: Final = "mcpServers"
_DEFAULT_INDENTATION: Final = 2


@dataclass(frozen=True)
class Change:
    """What a file says, and what it is to say."""

    path: Path
    before: str
    after: str

    @property
    def needed(self) -> bool:
        """Whether the file does not say it already."""
        return self.before != self.after

    @property
    def difference(self) -> str:
        """The change as a unified diff."""
        before, after = self.before.splitlines(keepends=True), self.after.splitlines(keepends=True)
        return "".join(difflib.unified_diff(before, after, str(self.path), str(self.path)))

    def write(self) -> None:
        """Write the file; one that is there is replaced in one step, keeps its permissions, and a link stays a link."""
        target = self.path.resolve()
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(self.after.encode())
            return
        with tempfile.NamedTemporaryFile("wb", dir=target.parent, prefix=f"{target.name}.", delete=False) as file:
            written = Path(file.name)
            try:
                file.write(self.after.encode())
            except OSError:
                written.unlink()
                raise
        written.chmod(target.stat().st_mode)
        written.replace(target)


def adding(path: Path, name: str, server: dict[str, Any]) -> Change:
    """The change that makes a client's configuration name this server, in the place of one of the same name.

    Raises `InvalidValue` for a file that is no JSON object, or whose servers are none.
    """
    before = _read(path)
    configuration = _parsed(before, path) if before.strip() else {}
    servers = configuration.setdefault(SERVERS, {})
    if not isinstance(servers, dict):
        raise _broken(path, f"{SERVERS} is no object")
    if servers.get(name) == server:
        return Change(path, before, before)
    servers[name] = server
    return Change(path, before, _written(configuration, before))


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise InvalidValue(f"{path} cannot be read: {error.strerror}; nothing was written.") from None
    except UnicodeDecodeError:
        raise _broken(path, "it is no UTF-8 text") from None


def _parsed(text: str, path: Path) -> dict[str, Any]:
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_exact)
    except (ValueError, RecursionError) as error:
        raise _broken(path, str(error)) from None
    if not isinstance(value, dict):
        raise _broken(path, "it holds no object")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} occurs twice")
    return found


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON")


def _exact(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"the number {digits} is too large to be written again")
    return value


def _broken(path: Path, why: str) -> InvalidValue:
    return InvalidValue(
        f"{path} is not the configuration of a client: {why}; nothing was written.",
        hint="Mend the file, or name another one with --file.",
    )


def _written(configuration: dict[str, Any], before: str) -> str:
    found = re.search(r"\{\s*?\n([ \t]+)\"", before)
    indentation = found[1] if found else _DEFAULT_INDENTATION
    newline = "\r\n" if "\r\n" in before else "\n"
    ending = newline if not before or before.endswith("\n") else ""
    text = json.dumps(configuration, ensure_ascii=False, indent=indentation)
    if has_surrogates(text):
        text = json.dumps(configuration, indent=indentation)  # half a pair can be written as an escape only
    return text.replace("\n", newline) + ending
