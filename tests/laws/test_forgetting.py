"""L5: forgetting a source equals never having heard it, on the pure fold."""

from hypothesis import given, settings
from hypothesis import strategies as st

from karte.testing.hearing import Source
from karte.testing.histories import TIERS, History
from tests.conftest import PROFILE
from tests.laws import forgetting

HISTORIES = 100 if PROFILE == "fast" else 2_000


@settings(max_examples=HISTORIES)
@given(forgetting.told(), st.sampled_from(TIERS), forgetting.sources(), st.integers(0, 16))
def test_a_source_that_is_forgotten_was_never_heard(
    history: History, tiers: tuple[int, ...], source: Source, point: int
) -> None:
    assert forgetting.forgotten(history, tiers, source, point) is None
