"""The two curves of forgetting, against values worked out with `bc`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karte.core.assertions import MemoryType
from karte.core.ranking.retention import (
    CURVES,
    STANDING_FLOOR,
    STANDING_TYPES,
    retention,
    retrievability,
    strength,
    to_archive,
    to_purge,
)

AT_ONE_ETA = 0.367879441171  # exp(-1), whatever the shape
AT_TWO_ETA = {  # exp(-(2^k))
    0.3: 0.291958265487,
    0.35: 0.279553769531,
    0.4: 0.267266788719,
    0.5: 0.243116734434,
    0.7: 0.197009211449,
    0.75: 0.186040138436,
    0.8: 0.175327236805,
    0.85: 0.164886004574,
    0.9: 0.154731181122,
    1.0: 0.135335283237,
    1.1: 0.117238269324,
    1.2: 0.100520186597,
    1.5: 0.059105746562,
}
SHAPES_AND_HOURS = [
    ("fact", 0.8, 720),
    ("preference", 0.4, 4380),
    ("decision", 1.0, 336),
    ("commitment", 1.0, 240),
    ("goal", 0.9, 720),
    ("event", 1.2, 168),
    ("instruction", 0.9, 480),
    ("relationship", 0.35, 8760),
    ("context", 0.85, 360),
    ("learning", 0.7, 1440),
    ("observation", 0.9, 480),
    ("error", 1.1, 336),
    ("artifact", 0.75, 2160),
    ("request", 1.5, 72),
    ("profile", 0.3, 8760),
    ("entity", 0.5, 4380),
    ("unknown", 1.0, 168),
]

types = st.sampled_from(MemoryType)
ages = st.floats(-1e3, 1e6)


class TestRetention:
    @pytest.mark.parametrize(("name", "shape", "hours"), SHAPES_AND_HOURS)
    def test_a_type_fades_by_its_shape_and_scale(self, name: str, shape: float, hours: float) -> None:
        kind = MemoryType(name)
        assert retention(kind, hours, in_force=False) == pytest.approx(AT_ONE_ETA)
        assert retention(kind, 2 * hours, in_force=False) == pytest.approx(AT_TWO_ETA[shape])

    def test_every_type_has_a_curve(self) -> None:
        assert set(CURVES) == set(MemoryType) == {MemoryType(name) for name, _, _ in SHAPES_AND_HOURS}

    @pytest.mark.parametrize("name", ["instruction", "preference", "profile"])
    def test_a_standing_type_keeps_its_floor_while_it_is_in_force(self, name: str) -> None:
        ten_years = 87_600.0
        assert retention(MemoryType(name), ten_years) == STANDING_FLOOR
        assert retention(MemoryType(name), ten_years, in_force=False) < 0.2

    def test_an_event_in_force_fades_all_the_same(self) -> None:
        assert retention(MemoryType.EVENT, 336) == pytest.approx(AT_TWO_ETA[1.2])

    @given(types)
    def test_what_is_new_or_lies_ahead_has_not_faded(self, kind: MemoryType) -> None:
        assert [retention(kind, 0), retention(kind, -24)] == [1.0, 1.0]

    @given(types, ages, ages, st.booleans())
    def test_the_older_the_less_is_left_and_never_out_of_0_to_1(
        self, kind: MemoryType, one: float, other: float, in_force: bool
    ) -> None:
        younger, older = sorted((one, other))
        left = retention(kind, older, in_force=in_force)
        assert 0 <= left <= retention(kind, younger, in_force=in_force) <= 1
        assert not in_force or kind not in STANDING_TYPES or left >= STANDING_FLOOR


class TestForgettingCurve:
    @pytest.mark.parametrize(
        ("accesses", "importance", "days"),
        [
            (0, 5, 14.0),  # 14 * 1 * 1
            (0, 2, 5.6),  # 14 * 1 * 0.4
            (0, 0, 2.8),  # the share of importance is at least 0.2
            (0, 10, 28.0),  # and at most 2
            (3, 5, 25.644872633407),  # 14 * (1 + 0.6 * ln 4)
            (9, 8, 53.346743649840),  # 14 * (1 + 0.6 * ln 10) * 1.6
            (1000, 10, 144.067080292496),  # 14 * (1 + 0.6 * ln 1001) * 2
            (10**9, 10, 365.0),  # 14 * (1 + 0.6 * 20.7) * 2 = 376
        ],
    )
    def test_strength_grows_with_use_and_importance(self, accesses: int, importance: float, days: float) -> None:
        assert strength(accesses, importance) == pytest.approx(days)

    def test_after_its_strength_in_days_a_memory_is_recalled_with_1_to_e(self) -> None:
        assert retrievability(14, 0, 5) == pytest.approx(AT_ONE_ETA)

    def test_use_slows_forgetting(self) -> None:
        assert retrievability(30, 3, 5) == pytest.approx(0.310421419147)  # exp(-30 / 25.6449)

    def test_an_access_sets_the_time_back_to_0(self) -> None:
        assert [retrievability(0, 1, 1), retrievability(-2, 1, 1)] == [1.0, 1.0]

    @given(ages, ages, st.integers(0, 10_000), st.floats(0, 10))
    def test_it_falls_with_time_and_stays_within_0_and_1(
        self, one: float, other: float, accesses: int, importance: float
    ) -> None:
        sooner, later = sorted((one, other))
        left = retrievability(later, accesses, importance)
        assert 0 <= left <= retrievability(sooner, accesses, importance) <= 1
        assert left <= retrievability(later, accesses + 1, importance)


class TestArchive:
    def test_an_unused_unimportant_episode_goes_after_30_days(self) -> None:
        left = retrievability(31, 0, 2)  # exp(-31 / 5.6) = 0.0039
        assert to_archive(31, 2, left, semantic=False)

    @pytest.mark.parametrize(
        ("age", "importance", "left", "semantic"),
        [
            (30.0, 2.0, 0.01, False),  # not older than 30 days
            (31.0, 3.0, 0.01, False),  # important enough
            (31.0, 2.0, 0.05, False),  # not below 0.05
            (31.0, 2.0, 0.01, True),  # semantic
        ],
    )
    def test_each_condition_alone_keeps_it(self, age: float, importance: float, left: float, semantic: bool) -> None:
        assert not to_archive(age, importance, left, semantic=semantic)

    @pytest.mark.parametrize(("days", "purged"), [(0, False), (89.99, False), (90, True), (1000, True)])
    def test_it_is_purged_after_90_days_in_the_archive(self, days: float, purged: bool) -> None:
        assert to_purge(days) == purged
