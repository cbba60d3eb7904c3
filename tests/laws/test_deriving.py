"""L9 on every store: what was derived is never above its parents."""

import pytest
from hypothesis import given, settings

from tests.conftest import PROFILE
from tests.laws import deriving
from tests.stores import STORES

PROGRAMS = 20 if PROFILE == "fast" else 300
IN_MEMORY = 20 if PROFILE == "fast" else 2_000


@pytest.mark.parametrize("store", STORES)
def test_what_is_derived_is_not_above_its_parents_and_names_who_said_them(store: str) -> None:
    @settings(max_examples=IN_MEMORY if store == "memory" else PROGRAMS)
    @given(deriving.programs())
    def is_not_above(program: deriving.Program) -> None:
        assert deriving.above(program, STORES[store]) == []

    is_not_above()
