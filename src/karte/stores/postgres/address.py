"""Where a workspace in PostgreSQL is: a database, and a name in it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import SplitResult, parse_qsl, quote, urlencode, urlsplit

from karte.errors import InvalidValue

SCHEMES: Final = ("postgresql", "postgres")
DEFAULT_WORKSPACE: Final = "default"
_LONGEST_NAME: Final = 200


@dataclass(frozen=True)
class Address:
    """A database as a URL for libpq, and the name of a workspace there; its text leaves the password out."""

    database: str = field(repr=False)
    workspace: str = DEFAULT_WORKSPACE

    @classmethod
    def read(cls, url: str) -> Address:
        """Read `postgresql://user@host/database?workspace=team`; other parameters are libpq's.

        Raises `InvalidValue` for another kind of URL, or a name that is empty, unprintable or over 200 characters.
        """
        try:
            parts = urlsplit(url)
            given = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
        except ValueError as error:
            raise InvalidValue(f"This is no URL of a database: {error}.", hint=_HINT) from None
        if parts.scheme not in SCHEMES:
            raise InvalidValue("The URL of a database starts with postgresql://.", hint=_HINT)
        names = [value for name, value in given if name == "workspace"] or [DEFAULT_WORKSPACE]
        if len(names) > 1:
            raise InvalidValue("The URL names more than one workspace.", hint=_HINT)
        rest = [(name, value) for name, value in given if name != "workspace"]
        # libpq reads "+" as itself, so a blank is written as %20.
        return cls(_joined(parts, parts.netloc, rest), _checked(names[0]))

    @property
    def workspace_id(self) -> int:
        """The number by which all rows of the workspace are kept, made from its name: 63 bits of BLAKE2b."""
        return int.from_bytes(hashlib.blake2b(self.workspace.encode(), digest_size=8).digest(), "big") >> 1

    def __str__(self) -> str:
        parts = urlsplit(self.database)
        given = [(name, value) for name, value in parse_qsl(parts.query) if name != "password"]
        return _joined(parts, _without_password(parts), [*given, ("workspace", self.workspace)])

    @property
    def has_password(self) -> bool:
        """Whether the password is written in the URL itself."""
        parts = urlsplit(self.database)
        return parts.password is not None or any(name == "password" for name, _ in parse_qsl(parts.query))


_HINT: Final = "Write it as postgresql://USER@HOST/DATABASE?workspace=NAME."


def _checked(name: str) -> str:
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        raise InvalidValue(f"The name of a workspace is printable text of 1 to {_LONGEST_NAME} characters.", hint=_HINT)
    return name


def _without_password(parts: SplitResult) -> str:
    person, at, host = parts.netloc.rpartition("@")
    return f"{person.partition(':')[0]}{at}{host}"


def _joined(parts: SplitResult, netloc: str, given: list[tuple[str, str]]) -> str:
    """The URL again; `urlunsplit` leaves the slashes out where there is no host."""
    query = urlencode(given, quote_via=quote)
    return f"{SCHEMES[0]}://{netloc}{parts.path}" + (f"?{query}" if query else "")
