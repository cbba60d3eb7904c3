"""Rows: what a workspace keeps as JSON objects and back, for exports and for what is held back."""
