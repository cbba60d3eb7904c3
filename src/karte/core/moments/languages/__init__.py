"""What times are called, a table a language."""
