"""Finding memories, and saying why."""
