"""How a policy binds: whom, before which others, and whether for every task."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from karte.core.assertions import Assertion
from karte.core.memories import check_name
from karte.core.standing import Tiers
from karte.core.text import fold_name
from karte.core.trust import tier
from karte.errors import InvalidValue

HIGHEST: Final = 100
"""The greatest priority of a policy; the least one is as far below 0."""

ROLE: Final = "required_role"
PRIORITY: Final = "priority"
ALWAYS: Final = "always"


@dataclass(frozen=True)
class Binding:
    """For which role alone a policy is meant, if any; its priority (-100..100); whether it is for every task and role.

    `given_by` are the identities of the assertions that say so, by name; what nobody says is as usual.
    """

    required_role: str | None = None
    priority: int = 0
    always: bool = False
    given_by: Mapping[str, bytes] = field(default_factory=dict)

    def binds(self, role: str | None) -> bool:
        """Whether it binds somebody of a role."""
        if self.always or self.required_role is None:
            return True
        return role is not None and fold_name(role) == fold_name(self.required_role)

    @property
    def given(self) -> dict[str, Any]:
        """What somebody said of it."""
        return {name: getattr(self, name) for name in self.given_by}


def read_binding(given: Mapping[str, Any]) -> dict[str, Any]:
    """What a caller says of how a policy binds, checked; raises `InvalidValue` for what is out of its range."""
    role, priority, always = (given.get(name) for name in (ROLE, PRIORITY, ALWAYS))
    if role is not None:
        check_name("The required role", role)
    if priority is not None and not _is_priority(priority):
        raise InvalidValue(f"priority is a whole number from -{HIGHEST} to {HIGHEST}, not {priority!r}.")
    if always is not None and not isinstance(always, bool):
        raise InvalidValue(f"always is true or false, not {always!r}.")
    return {name: given[name] for name in (ROLE, PRIORITY, ALWAYS) if given.get(name) is not None}


def binding_of(said: Iterable[Assertion], tiers: Tiers) -> Binding:
    """How a policy binds by the assertions of it that count: of each property what the last one says that gives it.

    One of a lower tier of trust changes nothing that one of a higher tier gave.
    """
    found: dict[str, Any] = {}
    given_by: dict[str, bytes] = {}
    for assertion in sorted(said, key=lambda a: (tier(a.trust, tiers), a.order)):
        told = _told(assertion.details.metadata)
        found |= told
        given_by |= dict.fromkeys(told, assertion.identity)
    return Binding(**found, given_by=given_by)


def _told(metadata: str) -> dict[str, Any]:
    """What metadata say of it; what is not of its kind says nothing."""
    if metadata == "{}":
        return {}
    told = json.loads(metadata)
    kinds = {
        ROLE: isinstance(told.get(ROLE), str),
        PRIORITY: _is_priority(told.get(PRIORITY)),
        ALWAYS: isinstance(told.get(ALWAYS), bool),
    }
    return {name: told[name] for name, fits in kinds.items() if fits}


def _is_priority(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and -HIGHEST <= value <= HIGHEST
