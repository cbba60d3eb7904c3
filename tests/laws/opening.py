"""Workspaces for the laws: over each store, with a clock and ids of their own."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from karte.bootstrap import Parts, open_workspace
from karte.config import Settings
from karte.core.guarding import Guarding
from karte.core.trust import DEFAULT_TIERS
from karte.testing.parts import CountedIds, GivenClock
from karte.testing.programs import TOLD
from karte.workspace import Chart, Workspace
from tests.stores import Making


@dataclass(frozen=True)
class Desk:
    """An open workspace, its clock, and the chart of an agent."""

    workspace: Workspace
    clock: GivenClock
    chart: Chart


@contextmanager
def opened(making: Making, tiers: tuple[int, ...] = DEFAULT_TIERS, guarding: Guarding | None = None) -> Iterator[Desk]:
    """An empty workspace with one agent, in a folder that is removed afterwards."""
    with TemporaryDirectory() as folder:
        clock = GivenClock(TOLD)
        parts = Parts(Settings(tiers=tiers, guarding=guarding or Guarding()), making(Path(folder)), clock, CountedIds())
        with open_workspace(":memory:", parts=parts) as workspace:
            yield Desk(workspace, clock, workspace.agent("dudu"))
