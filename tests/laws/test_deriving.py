"""L9 on every store: what was derived is never above its parents."""

import pytest
from hypothesis import given, settings

from tests.conftest import PROFILE
from tests.laws import deriving
from tests.stores import STORES, Making

PROGRAMS = 20 if PROFILE == "fast" else 300


@pytest.mark.parametrize("making", STORES.values(), ids=STORES)
@settings(max_examples=PROGRAMS)
@given(deriving.programs())
def test_what_is_derived_is_not_above_its_parents_and_names_who_said_them(
    making: Making, program: deriving.Program
) -> None:
    assert deriving.above(program, making) == []
