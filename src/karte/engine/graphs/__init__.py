"""The graph of a namespace: its entities and memories, what joins them, and how it is kept up to date."""
