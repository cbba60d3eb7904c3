"""A tool: its name, when to use it, what goes in and what comes out, what it does and who may call it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import mcp_types as types

from karte.core.namespaces import Scope
from karte.core.results import Shape
from karte.surfaces.mcp.actions import Arguments, Result
from karte.surfaces.mcp.schemas import Schema
from karte.surfaces.mcp.seats import Profile, Seat


@dataclass(frozen=True)
class Tool:
    """One tool; `action` calls the facade for a seat with checked arguments.

    It `takes` arguments in every profile, and `more` of them from the profile full on; `told` are those that are listed
    more shortly than they are checked. What it `recalls` is marked as such in the text of a result, so that nobody
    learns it again.
    """

    name: str
    title: str
    description: str
    takes: Schema
    gives: Schema
    action: Callable[[Seat, Arguments], Result | Shape]
    scope: Scope = Scope.READ
    profile: Profile = Profile.CORE
    destructive: bool = False
    idempotent: bool = True
    more: Mapping[str, Schema] = field(default_factory=dict)
    told: Mapping[str, Schema] = field(default_factory=dict)
    recalls: bool = False

    def offered_to(self, seat: Seat) -> bool:
        """Tell whether this seat sees the tool."""
        return seat.profile.holds(self.profile) and self.scope in seat.scopes

    def taken_in(self, profile: Profile) -> Schema:
        """The arguments that a profile has."""
        more = self.more if profile.holds(Profile.FULL) else {}
        return {**self.takes, "properties": {**self.takes["properties"], **more}}

    def listed_in(self, profile: Profile) -> Schema:
        """The arguments as a client lists them."""
        taken = self.taken_in(profile)
        return {**taken, "properties": {**taken["properties"], **self.told}}

    def definition(self, profile: Profile = Profile.CORE) -> types.Tool:
        """The tool as a client lists it."""
        return types.Tool(
            name=self.name,
            description=self.description,
            input_schema=self.listed_in(profile),
            output_schema=self.gives,
            annotations=types.ToolAnnotations(
                title=self.title,
                read_only_hint=self.scope is Scope.READ,
                destructive_hint=self.destructive,
                idempotent_hint=self.idempotent,
                open_world_hint=False,
            ),
        )
