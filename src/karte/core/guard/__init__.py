"""The text detectors of the write gate: orders to whoever reads a text, and what must not be kept in the clear."""

from karte.core.guard.findings import KINDS, STRONG, Finding, Hit
from karte.core.guard.rules import Rule, RuleBook, read_rules
from karte.core.guard.sensitive import Detector, Detectors, Secret, read_detectors, redacted

__all__ = [
    "KINDS",
    "STRONG",
    "Detector",
    "Detectors",
    "Finding",
    "Hit",
    "Rule",
    "RuleBook",
    "Secret",
    "read_detectors",
    "read_rules",
    "redacted",
]
