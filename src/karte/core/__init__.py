"""The model: frozen values and pure functions, without clock, I/O, randomness or environment."""
