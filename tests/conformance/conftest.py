"""The assertions of the suite are in the package; pytest explains them like those of a test module."""

import pytest

pytest.register_assert_rewrite("karte.testing.conformance")
