"""A workspace in memory with a clock that stands still and ids by count, and the chart of an agent in it."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from karte.bootstrap import Parts, open_workspace
from karte.testing.parts import CountedIds, GivenClock
from karte.workspace import Chart, Workspace

NOW = datetime(2026, 7, 1, tzinfo=UTC)


@pytest.fixture
def clock() -> GivenClock:
    return GivenClock(NOW)


@pytest.fixture
def ws(clock: GivenClock) -> Iterator[Workspace]:
    with open_workspace(":memory:", parts=Parts(clock=clock, ids=CountedIds())) as workspace:
        yield workspace


@pytest.fixture
def dudu(ws: Workspace) -> Chart:
    return ws.agent("dudu", role="engineer")
