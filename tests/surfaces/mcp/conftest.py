from collections.abc import Iterator
from pathlib import Path

import pytest

from karte.workspace import Workspace
from tests.surfaces.mcp.connecting import ALL_SCOPES, Agent, Clock, seated, workspace_at


@pytest.fixture
def clock() -> Clock:
    """The clock of the workspace; it stands at the first of December 2026."""
    return Clock()


@pytest.fixture
def workspace(clock: Clock, kept_in: str, tmp_path: Path) -> Iterator[Workspace]:
    with workspace_at(clock, kept_in, tmp_path) as workspace:
        yield workspace


@pytest.fixture
def dudu(workspace: Workspace) -> Iterator[Agent]:
    """An agent with every tool and every scope."""
    with seated(workspace, profile="admin", scopes=ALL_SCOPES) as agent:
        yield agent
