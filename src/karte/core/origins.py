"""Where something came from: a kind, a container (conversation, run, file) and an item in it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from karte.errors import InvalidValue, UnknownOriginKind


class OriginKind(StrEnum):
    """The kinds of origin; each caps the trust of what it says (`CEILINGS`)."""

    USER_DIRECT = "user_direct"
    OPERATOR = "operator"
    IMPORT = "import"
    AGENT_DERIVED = "agent_derived"
    USER_PROFILE = "user_profile"
    UNATTRIBUTED = "unattributed"
    TOOL_ECHO = "tool_echo"
    CHANNEL = "channel"
    EXTERNAL = "external"
    SCHEDULE = "schedule"
    DISPATCH = "dispatch"


CEILINGS: Final = {
    OriginKind.USER_DIRECT: 10_000,
    OriginKind.OPERATOR: 10_000,
    OriginKind.IMPORT: 7_000,
    OriginKind.AGENT_DERIVED: 6_000,
    OriginKind.USER_PROFILE: 6_000,
    OriginKind.UNATTRIBUTED: 6_000,
    OriginKind.SCHEDULE: 6_000,
    OriginKind.DISPATCH: 6_000,
    OriginKind.TOOL_ECHO: 5_000,
    OriginKind.CHANNEL: 3_000,
    OriginKind.EXTERNAL: 3_000,
}
"""The highest trust of each kind, in basis points."""

_LONGEST: Final = 1_024


@dataclass(frozen=True, slots=True, init=False)
class Origin:
    """One source: `Origin("user_direct", container="chat:42", item="m7")`.

    Without an item it names the whole container. Raises `UnknownOriginKind` for a kind that is not listed,
    `InvalidValue` for a container or item of more than 1,024 characters or with a NUL.
    """

    kind: OriginKind
    container: str = ""
    item: str = ""

    def __init__(self, kind: str, container: str = "", item: str | None = None) -> None:
        object.__setattr__(self, "kind", _known(kind))
        object.__setattr__(self, "container", _plain("container", container))
        object.__setattr__(self, "item", _plain("item", item or ""))

    @property
    def ceiling(self) -> int:
        """The highest trust that this kind may have, in basis points."""
        return CEILINGS[self.kind]

    @property
    def order(self) -> tuple[str, str, str]:
        """A fixed order among origins."""
        return (self.kind.value, self.container, self.item)

    def holds(self, other: Origin) -> bool:
        """Tell whether `other` is this origin or an item of this container."""
        same_container = (self.kind, self.container) == (other.kind, other.container)
        return same_container and self.item in ("", other.item)

    @classmethod
    def parse(cls, text: str) -> Origin:
        """Read `kind`, `kind:container` or `kind:container:item`.

        A container that holds colons itself needs the last one, also without an item: `import:chat:launch.txt:`.
        """
        kind, _, rest = text.partition(":")
        container, colon, item = rest.rpartition(":")
        return cls(kind, container, item) if colon else cls(kind, rest)

    def __str__(self) -> str:
        if not self.item and ":" in self.container:
            return f"{self.kind}:{self.container}:"
        return ":".join(part for part in self.order if part)


def _known(kind: str) -> OriginKind:
    try:
        return OriginKind(kind)
    except ValueError:
        kinds = ", ".join(OriginKind)
        raise UnknownOriginKind(f"{kind!r} is not a kind of origin.", hint=f"Use one of: {kinds}.") from None


def _plain(name: str, text: str) -> str:
    if not isinstance(text, str) or len(text) > _LONGEST or "\0" in text or not text.isprintable():
        raise InvalidValue(
            f"The {name} of an origin is printable text of at most {_LONGEST} characters, not {text!r:.80}."
        )
    return text
