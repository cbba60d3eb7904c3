"""Keeping a workspace in order: checking what is derived against the records, and counting."""
