"""Deciding: what waits for a person, who may decide it, and which sources taught what."""
