"""Prompts: what a person picks in a client, to be put before a model: the context of a task, and the end of a session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import mcp_types as types
from mcp.shared.exceptions import MCPError

from karte.core.namespaces import Scope
from karte.errors import KarteError
from karte.surfaces.mcp.seats import Seat

CONTEXT: Final = "memory_context"
SUMMARY: Final = "end_of_session_summary"

SUMMING_UP: Final = """\
This session is about to end. Keep what the next one needs, in this order:
1. Call memory_store for each thing worth knowing that came up and is not stored yet: one statement a call, readable on \
its own, with subject, predicate and object where it can change.
2. Call propose_fact for what other agents should know too: a convention, a result, a decision.
3. Read your notes with get_my_notes, then write them anew with update_my_notes: what was asked for, what is done, what \
is open, what comes next. Leave out what is stored already.
Then tell in a few sentences what you kept. Keep nothing that memory told you, and no secret.
"""


@dataclass(frozen=True)
class Prompt:
    """A prompt as it is listed; `scopes` are those without which it is not offered."""

    name: str
    title: str
    description: str
    scopes: frozenset[Scope]
    arguments: Mapping[str, str] = field(default_factory=dict)

    def offered_to(self, seat: Seat) -> bool:
        """Tell whether this seat sees the prompt."""
        return self.scopes <= seat.scopes

    def definition(self) -> types.Prompt:
        """The prompt as a client lists it; each of its arguments is required."""
        taken = [types.PromptArgument(name=n, description=d, required=True) for n, d in self.arguments.items()]
        return types.Prompt(name=self.name, title=self.title, description=self.description, arguments=taken)


PROMPTS: Final = {
    prompt.name: prompt
    for prompt in (
        Prompt(
            CONTEXT,
            "Context of a task",
            "Rules that bind the agent, its notes, facts and past mistakes, for a task that is about to begin.",
            frozenset({Scope.READ}),
            {"task": "What is about to be done"},
        ),
        Prompt(
            SUMMARY,
            "End of a session",
            "Lets the agent keep what the next session needs.",
            frozenset({Scope.READ, Scope.WRITE}),
        ),
    )
}


def listed(seat: Seat) -> list[types.Prompt]:
    """The prompts that a seat is offered."""
    return [prompt.definition() for prompt in PROMPTS.values() if prompt.offered_to(seat)]


def get(seat: Seat, name: str, arguments: Mapping[str, str]) -> types.GetPromptResult:
    """A prompt with its arguments; raises `MCPError` with the code for invalid parameters."""
    prompt = PROMPTS.get(name)
    if prompt is None or not prompt.offered_to(seat):
        raise MCPError(types.INVALID_PARAMS, f"There is no prompt {name!r:.80}.")
    if set(arguments) != set(prompt.arguments):
        raise MCPError(types.INVALID_PARAMS, f"{name} takes {_words(prompt.arguments)}.")
    try:
        seat.workspace.check_token()
        text = SUMMING_UP if name == SUMMARY else seat.chart.context(arguments["task"]).text
    except KarteError as error:
        raise MCPError(types.INVALID_PARAMS, error.message, error.to_dict()) from None
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
    return types.GetPromptResult(description=prompt.description, messages=[message])


def _words(arguments: Mapping[str, str]) -> str:
    return f"the arguments {', '.join(arguments)}" if arguments else "no arguments"
