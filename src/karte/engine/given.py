"""Reading the plain values that a caller gives: choices, lists of texts, origins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TypeVar

from karte.core.memories import RECALLED, Layer, check_name
from karte.core.origins import Origin
from karte.errors import InvalidValue

C = TypeVar("C", bound=StrEnum)


def read_choice(kind: type[C], value: object, name: str) -> C:
    """Read one of the values of an enumeration; raises `InvalidValue` naming all of them."""
    try:
        return kind(value)  # type: ignore[arg-type]  # any object may be asked for
    except ValueError:
        raise InvalidValue(f"{value!r} is no {name}.", hint=f"Use one of: {', '.join(kind)}.") from None


def read_layer(value: object) -> Layer:
    """Read one of the layers that are recalled; raises `InvalidValue` naming them."""
    if value not in RECALLED:
        raise InvalidValue(f"{value!r} is no layer.", hint=f"Use one of: {', '.join(RECALLED)}.")
    return Layer(str(value))


def read_limit(limit: object, most: int) -> int:
    """Read how many are wanted at most, from 1 to `most`; raises `InvalidValue`."""
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= most:
        raise InvalidValue(f"limit is a number from 1 to {most}, not {limit!r}.")
    return limit


def read_texts(name: str, values: object) -> Sequence[str]:
    """Read a list of names; raises a subclass of `Incorrect` for anything else."""
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise InvalidValue(f"{name} is a list of texts.")
    for value in values:
        check_name(f"An entry of {name}", value)
    return values


def read_origin(value: Origin | Mapping[str, str | None] | str | None) -> Origin | None:
    """Read an origin from its text, `kind:container:item`, or from a mapping with these keys."""
    if value is None or isinstance(value, Origin):
        return value
    if isinstance(value, str):
        return Origin.parse(value)
    if not isinstance(value, Mapping) or "kind" not in value or value.keys() - {"kind", "container", "item"}:
        raise InvalidValue("An origin is `kind:container:item`, or has the keys kind, container and item.")
    return Origin(str(value["kind"]), value.get("container") or "", value.get("item"))
