"""What a bench gives: figures with their targets, and all that is needed to measure them again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

Shape = dict[str, Any]

QUALITY: Final = 0.0005
"""How far a share may move and still count as the same."""

TIMING: Final = 0.25
"""How far, as a share of itself, a time or a rate may move and still count as the same."""


class Better(StrEnum):
    """Which way a figure gets better."""

    MORE = "more"
    LESS = "less"


@dataclass(frozen=True)
class Target:
    """A bound that a figure is to reach: at least it where more is better, at most it where less is."""

    better: Better
    bound: float

    def met(self, value: float) -> bool:
        """Tell whether a value reaches it."""
        return value >= self.bound if self.better is Better.MORE else value <= self.bound

    def __str__(self) -> str:
        return f"{'>=' if self.better is Better.MORE else '<='} {number(self.bound)}"


def at_least(bound: float) -> Target:
    """A target for a figure of which more is better."""
    return Target(Better.MORE, bound)


def at_most(bound: float) -> Target:
    """A target for a figure of which less is better."""
    return Target(Better.LESS, bound)


@dataclass(frozen=True)
class Figure:
    """One measured value; `unit` is empty for a share (0..1), `better` None for one that is only context.

    `noise` is how far it may move from run to run: absolute for a share, else as a share of itself.
    """

    group: str
    name: str
    value: float
    unit: str = ""
    target: Target | None = None
    better: Better | None = None
    noise: float = QUALITY

    @property
    def direction(self) -> Better | None:
        """Which way it gets better, if any."""
        return self.target.better if self.target else self.better

    @property
    def met(self) -> bool | None:
        """Whether it reaches its target; None where it has none."""
        return None if self.target is None else self.target.met(self.value)

    def change(self, before: Figure) -> int:
        """1 where it is better than before, -1 where it is worse, 0 within the noise or where it is only context."""
        moved = self.value - before.value
        allowed = self.noise if not self.unit else self.noise * abs(before.value)
        if self.direction is None or abs(moved) <= allowed:
            return 0
        return 1 if (moved > 0) is (self.direction is Better.MORE) else -1

    def to_dict(self) -> Shape:
        """group, name, value, unit, better, noise, target, met."""
        return {
            "group": self.group,
            "name": self.name,
            "value": round(self.value, 6),
            "unit": self.unit,
            "better": self.direction.value if self.direction else None,
            "noise": self.noise,
            "target": self.target.bound if self.target else None,
            "met": self.met,
        }

    @classmethod
    def from_dict(cls, shape: Mapping[str, Any]) -> Figure:
        """Read a figure back from its shape."""
        better = Better(shape["better"]) if shape["better"] else None
        target = Target(better, shape["target"]) if better and shape["target"] is not None else None
        return cls(shape["group"], shape["name"], shape["value"], shape["unit"], target, better, shape["noise"])


@dataclass(frozen=True)
class Point:
    """A point of a curve, both 0..1, and the threshold that it belongs to."""

    x: float
    y: float
    threshold: float | None = None

    def to_dict(self) -> Shape:
        """x, y, threshold."""
        return {"x": round(self.x, 6), "y": round(self.y, 6), "threshold": self.threshold}


@dataclass(frozen=True)
class Curve:
    """Two shares over the thresholds between them, with the point that the product ships with."""

    name: str
    across: str
    up: str
    points: tuple[Point, ...]
    shipped: Point

    def to_dict(self) -> Shape:
        """name, across, up, points, shipped."""
        return {
            "name": self.name,
            "across": self.across,
            "up": self.up,
            "points": [point.to_dict() for point in self.points],
            "shipped": self.shipped.to_dict(),
        }

    @classmethod
    def from_dict(cls, shape: Mapping[str, Any]) -> Curve:
        """Read a curve back from its shape."""
        points = tuple(Point(**point) for point in shape["points"])
        return cls(shape["name"], shape["across"], shape["up"], points, Point(**shape["shipped"]))


@dataclass(frozen=True)
class Measured:
    """What a bench measured, with what its parameters were.

    `listed` are cases by what they have in common: for each its name and what is to be said of it.
    """

    parameters: Shape
    figures: tuple[Figure, ...]
    curves: tuple[Curve, ...] = ()
    listed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """What a bench measured, and where, when and how; `seed` is None where nothing is drawn by chance."""

    bench: str
    command: str
    measured_at: str
    commit: str
    machine: Shape
    seed: int | None
    measured: Measured

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The figures, in order."""
        return self.measured.figures

    def to_dict(self) -> Shape:
        """bench, command, measured_at, commit, machine, seed, parameters, figures; curves and listed where there are."""
        return {
            "bench": self.bench,
            "command": self.command,
            "measured_at": self.measured_at,
            "commit": self.commit,
            "machine": self.machine,
            "seed": self.seed,
            "parameters": self.measured.parameters,
            "figures": [figure.to_dict() for figure in self.figures],
            **self._further(),
        }

    def _further(self) -> Shape:
        curves = [curve.to_dict() for curve in self.measured.curves]
        listed = {title: dict(cases) for title, cases in self.measured.listed.items()}
        return {name: each for name, each in (("curves", curves), ("listed", listed)) if each}

    @classmethod
    def from_dict(cls, shape: Mapping[str, Any]) -> Result:
        """Read a result back from its shape."""
        figures = tuple(Figure.from_dict(figure) for figure in shape["figures"])
        named = {name: shape[name] for name in ("bench", "command", "measured_at", "commit", "machine", "seed")}
        curves = tuple(Curve.from_dict(curve) for curve in shape.get("curves", ()))
        return cls(**named, measured=Measured(shape["parameters"], figures, curves, shape.get("listed", {})))


def number(value: float) -> str:
    """A value in four significant digits, thousands with commas."""
    if value == int(value) or abs(value) >= 1_000:  # noqa: PLR2004 - from there on four digits are before the point
        return f"{value:,.0f}"
    return f"{value:.4g}"
