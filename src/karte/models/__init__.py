"""Models that other people trained, behind the engine's ports."""
