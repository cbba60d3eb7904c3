"""What every test may ask for: the hypothesis profile, a printed seed, and the folder of test data."""

import os
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.stores import FILE, POSTGRES, fresh_address

PROFILE = os.environ.get("KARTE_TEST_PROFILE", "fast")

# Tests that are about meaning open an embedder by name; all others neither wait for a model nor depend on what is installed.
os.environ.setdefault("KARTE_EMBEDDER", "none")

# No deadline and no "too slow" check: both read the wall clock, and the machine is shared.
_ANY_SPEED = settings(deadline=None, derandomize=False, print_blob=True, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("fast", _ANY_SPEED, max_examples=60, stateful_step_count=25)
settings.register_profile("full", _ANY_SPEED, max_examples=1_000, stateful_step_count=50)
settings.load_profile(PROFILE)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Draw the seed here, so that it can be printed and so that parallel workers share it."""
    if config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = str(random.SystemRandom().randrange(2**32))


def pytest_report_header(config: pytest.Config) -> str:
    """Say how to run the same examples again."""
    return f"karte: KARTE_TEST_PROFILE={PROFILE} --hypothesis-seed={config.option.hypothesis_seed}"


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of public data sets, named by KARTE_TEST_DATA; a test that needs it is skipped where there is none."""
    named = os.environ.get("KARTE_TEST_DATA")
    if not named:
        pytest.skip("KARTE_TEST_DATA is not set: it names the folder that holds the public data sets")
    folder = Path(named)
    if not folder.is_dir():
        pytest.fail(f"KARTE_TEST_DATA names {named!r}, which is no folder")
    return folder


@pytest.fixture(scope="module", params=[FILE, POSTGRES])
def kept_in(request: pytest.FixtureRequest) -> str:
    """Where a workspace that lasts is kept; a test that asks for it, or for an address, runs once on each."""
    kept: str = request.param
    return kept


@pytest.fixture
def address(kept_in: str, tmp_path: Path) -> str:
    """The address of a workspace that is not there yet."""
    return fresh_address(kept_in, tmp_path)
