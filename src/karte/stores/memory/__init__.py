"""A workspace in memory: the oracle, which implements the contract as plainly as possible, without SQL."""

from karte.stores.memory.store import MemoryStore

__all__ = ["MemoryStore"]
