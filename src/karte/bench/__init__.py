"""Benchmarks through the public API: how well memories are found, how right the timeline is, how fast both are."""
