"""Values between Karte and PostgreSQL, exact to the last bit: instants as microseconds, vectors as float16."""

from __future__ import annotations

from array import array
from struct import Struct
from typing import Final

import psycopg
from psycopg.adapt import AdaptersMap, Buffer, Dumper, Loader
from psycopg.pq import Format
from psycopg.types import TypeInfo
from psycopg.types.numeric import Int8BinaryDumper

from karte.core.periods import FOREVER
from karte.errors import ExtensionMissing

EPOCH: Final = 946_684_800_000_000
"""PostgreSQL counts microseconds from the year 2000: that instant, in microseconds since 1970."""

_INSTANT: Final = Struct("!q")
_BEFORE_ALL: Final = -(2**63)
_LATEST: Final = 9_223_371_331_200_000_000
"""The first instant that timestamptz cannot hold (the year 294,277), counted from 2000."""

_HEAD: Final = Struct("!hh")


class Instant(int):
    """Microseconds since 1970, bound as timestamptz; `FOREVER` is infinity."""

    __slots__ = ()


class HalfVector(bytes):
    """A vector as float16, little endian, bound as halfvec."""

    __slots__ = ()


class _InstantDumper(Dumper):
    format = Format.BINARY
    oid = psycopg.adapters.types["timestamptz"].oid

    def dump(self, obj: int) -> bytes:
        since = obj - EPOCH
        return _INSTANT.pack(FOREVER if since >= _LATEST else max(since, _BEFORE_ALL))


class _InstantLoader(Loader):
    format = Format.BINARY

    def load(self, data: Buffer) -> int:
        (since,) = _INSTANT.unpack(data)
        return FOREVER if since == FOREVER else max(since + EPOCH, _BEFORE_ALL)


class _VectorDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: bytes) -> bytes:
        numbers = array("H", obj)
        numbers.byteswap()
        return _HEAD.pack(len(numbers), 0) + numbers.tobytes()


class _VectorLoader(Loader):
    format = Format.BINARY

    def load(self, data: Buffer) -> bytes:
        numbers = array("H", bytes(data)[_HEAD.size :])
        numbers.byteswap()
        return numbers.tobytes()


def adapters(connection: psycopg.Connection) -> AdaptersMap:
    """How connections to this database bind values; raises `ExtensionMissing` where there is no halfvec."""
    half_vector = TypeInfo.fetch(connection, "halfvec")
    if half_vector is None:
        raise ExtensionMissing
    made = AdaptersMap(psycopg.adapters)
    made.register_dumper(int, Int8BinaryDumper)
    made.register_dumper(Instant, _InstantDumper)
    made.register_loader("timestamptz", _InstantLoader)
    made.register_dumper(HalfVector, type("HalfVectorDumper", (_VectorDumper,), {"oid": half_vector.oid}))
    made.register_loader(half_vector.oid, _VectorLoader)
    return made
