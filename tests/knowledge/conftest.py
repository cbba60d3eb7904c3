"""Workspaces for the tests of what agents know together: over each store, or over the one in memory."""

from collections.abc import Iterator

import pytest

from karte.workspace import Chart
from tests.laws.opening import Desk, opened
from tests.stores import STORES


@pytest.fixture(params=STORES)
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    with opened(STORES[request.param]) as made:
        yield made


@pytest.fixture
def dudu(desk: Desk) -> Chart:
    return desk.chart


@pytest.fixture
def quick() -> Iterator[Desk]:
    """A desk over the store in memory, for what no store has a part in."""
    with opened(STORES["memory"]) as made:
        yield made
