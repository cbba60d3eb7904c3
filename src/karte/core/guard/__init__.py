"""The text detectors of the write gate: orders to whoever reads a text, and what must not be kept in the clear."""

from karte.core.guard.findings import KINDS, STRONG, Finding, Hit
from karte.core.guard.rules import Rule, RuleBook, read_rules

__all__ = ["KINDS", "STRONG", "Finding", "Hit", "Rule", "RuleBook", "read_rules"]
