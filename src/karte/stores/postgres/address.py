"""Where a workspace in PostgreSQL is: a database, and a name in it."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote, unquote

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import Conninfo

from karte.errors import InvalidValue

SCHEME: Final = "postgresql://"
DEFAULT_WORKSPACE: Final = "default"
_LONGEST_NAME: Final = 200

# As libpq reads it: what stands before the first @ signs in, unless a / comes first; parameters begin at the next ?.
_URL: Final = re.compile(
    r"(?i:postgres(?:ql)?)://(?P<signed>[^@/]*@)?(?P<reached>[^?]*)(?:\?(?P<parameters>.*))?", re.DOTALL
)
_KNOWN: Final = {option.keyword.decode() for option in Conninfo.get_defaults()}
_OF_JDBC: Final = "ssl"
_SECRET: Final = {
    *(option.keyword.decode() for option in Conninfo.get_defaults() if option.dispchar == b"*"),
    *("scram_client_key", "scram_server_key"),
}
_ENCODED: Final = re.compile(r"(?:[^\s%=]|%[0-9A-Fa-f]{2})*")
_NOT_ENCODED: Final = re.compile(r"\0|%(?![0-9A-Fa-f]{2})")

_HINT: Final = (
    "Write it as postgresql://USER@HOST/DATABASE?workspace=NAME; "
    "in a name or a password, write % : / ? # @ & as %25 %3A %2F %3F %23 %40 %26."
)


@dataclass(frozen=True)
class Address:
    """A database as a URL for libpq, and the name of a workspace there; its text leaves passwords out."""

    database: str = field(repr=False)
    workspace: str = DEFAULT_WORKSPACE

    @classmethod
    def read(cls, url: str) -> Address:
        """Read `postgresql://user@host/database?workspace=team`; all else in it is libpq's, kept as it was written.

        Raises `InvalidValue` for another kind of URL, which does not repeat it, since it may hold a password; and for a
        name that is empty, unprintable or over 200 characters.
        """
        found = _URL.fullmatch(url)
        if found is None:
            raise InvalidValue("The URL of a database starts with postgresql://.", hint=_HINT)
        given = _listed(found["parameters"])
        names = [each.partition("=")[2] for each in given if _key(each) == "workspace"]
        if len(names) > 1:
            raise InvalidValue("The URL names more than one workspace.", hint=_HINT)
        rest = [each for each in given if _key(each) != "workspace"]
        database = _joined(found["signed"] or "", found["reached"], rest)
        _check(found["reached"], rest, database)
        return cls(database, _name(names[0]) if names else DEFAULT_WORKSPACE)

    @property
    def workspace_id(self) -> int:
        """The number by which all rows of the workspace are kept, made from its name: 63 bits of BLAKE2b."""
        return int.from_bytes(hashlib.blake2b(self.workspace.encode(), digest_size=8).digest(), "big") >> 1

    def __str__(self) -> str:
        found = _URL.fullmatch(self.database)
        signed, place, given = "", "", list[str]()
        if found is not None:
            signed, place, given = found["signed"] or "", found["reached"], _listed(found["parameters"])
        user = signed.rstrip("@").partition(":")[0]
        shown = [each for each in given if _key(each) not in _SECRET]
        return _joined(f"{user}@" if signed else "", place, [*shown, f"workspace={quote(self.workspace, safe='')}"])


def _listed(parameters: str | None) -> list[str]:
    return parameters.removesuffix("&").split("&") if parameters else []


def _key(parameter: str) -> str:
    return unquote(parameter.partition("=")[0])


def _joined(signed: str, place: str, parameters: list[str]) -> str:
    return f"{SCHEME}{signed}{place}{'?' if parameters else ''}{'&'.join(parameters)}"


def _name(written: str) -> str:
    try:
        name = unquote(written, errors="strict") if _ENCODED.fullmatch(written) else ""
    except UnicodeDecodeError:
        name = ""
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        raise InvalidValue(f"The name of a workspace is printable text of 1 to {_LONGEST_NAME} characters.", hint=_HINT)
    return name


def _check(place: str, parameters: list[str], database: str) -> None:
    """Refuse what libpq would refuse, and an @ where a password that was not encoded would have been torn apart.

    None of what libpq says is repeated: it may quote the URL.
    """
    unknown = [key for key in map(_key, parameters) if key not in {*_KNOWN, _OF_JDBC}]
    if unknown and unknown[0].isidentifier() and not any("@" in each for each in (place, *parameters)):
        raise InvalidValue(f"The URL of the database has a parameter that is not known: {unknown[0]}.", hint=_HINT)
    try:
        ports = str(conninfo_to_dict(database).get("port", ""))
    except (psycopg.ProgrammingError, UnicodeError):
        ports = "?"
    readable = "@" not in place and all(parameters) and _NOT_ENCODED.search(database) is None
    if not readable or not all(re.fullmatch(r"[0-9]{0,5}", port) for port in ports.split(",")):
        raise InvalidValue("The URL of the database cannot be read.", hint=_HINT)
