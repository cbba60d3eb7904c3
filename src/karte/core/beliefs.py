"""Beliefs: what several agents hold alike, as a statement of the workspace that copies of their own assertions carry.

A copy has the origin, times and wording of its source, and no more trust. It rests on the source and names whose it is,
so that it goes with the source, and so that a belief of one agent alone is told from one of several.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final

from karte.core.assertions import Assertion, digest, identify
from karte.core.memories import Memory, Statement, Wording

HARMONISED: Final = "harmonised"
"""The source event of copies, and the event of their withdrawals."""

LEAST: Final = 2
"""So many agents hold what is a belief."""


def mark_of(agent: str) -> bytes:
    """What stands for an agent among the things that a copy rests on."""
    return digest("a belief of", agent)


def worded(memory: Memory, assertion: Assertion, *, disputed: bool) -> Wording:
    """How an agent's assertion of a memory is put in the workspace.

    What is disputed is put as free text, for of two answers to one question only one could be in force.
    """
    words = assertion.wording or memory.wording
    return replace(words, triple=None) if disputed else words


def belief(memory: Memory, words: Wording) -> Memory:
    """The statement of the workspace that a memory of an agent makes in these words."""
    return Statement(words.content, memory.layer, words.triple, words.place).of("")


def copied(key: bytes, words: Wording, assertion: Assertion, agent: str, trust: int) -> Assertion:
    """An agent's assertion as one of the memory `key` of the workspace, believed as far as `trust` (basis points) at most."""
    said = replace(
        assertion,
        key=key,
        trust=min(assertion.trust, trust),
        details=replace(assertion.details, source_event=HARMONISED),
        wording=words,
        parents=(),
        rests_on=(assertion.identity, mark_of(agent)),
    )
    return replace(said, identity=identify(said))


def is_copy(assertion: Assertion) -> bool:
    """Whether harmonising made an assertion; who merely says so names nothing that it rests on."""
    return assertion.details.source_event == HARMONISED and len(assertion.rests_on) == 2  # noqa: PLR2004 - source and agent


def holders(copies: Iterable[Assertion]) -> set[bytes]:
    """What stands for the agents that hold what these copies say."""
    return {copy.rests_on[1] for copy in copies}


def resting(said: Iterable[Assertion], sources: Collection[bytes]) -> list[Assertion]:
    """The copies among these that rest on one of the sources (identities)."""
    return [assertion for assertion in said if is_copy(assertion) and assertion.rests_on[0] in sources]
