"""Chance that can be repeated."""

from random import Random


def chance_of(*seed: object) -> Random:
    """A generator that draws the same again for the same seed; nothing here is a secret."""
    return Random(" ".join(map(str, seed)))  # noqa: S311 - draws moments and operations, not keys
