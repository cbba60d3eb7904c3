"""Readers of what other programs wrote: from a file to values that the engine can keep."""
