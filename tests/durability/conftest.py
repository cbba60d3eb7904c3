"""The seed of everything that is drawn by chance in the tests of durability and migration: the one in the first lines of the run."""

import pytest


@pytest.fixture(scope="session")
def seed(pytestconfig: pytest.Config) -> str:
    """Run the same draws again with `--hypothesis-seed`."""
    return str(pytestconfig.option.hypothesis_seed)
