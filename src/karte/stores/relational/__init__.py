"""The parts of a store over SQL, written once: a dialect brings its queries by the same names, and binds values."""

from karte.stores.relational.lexicon import Tails
from karte.stores.relational.rows import Row, Rows, Value
from karte.stores.relational.unit import Unit

__all__ = ["Row", "Rows", "Tails", "Unit", "Value"]
