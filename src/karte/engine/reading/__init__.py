"""Reading memories that are named: by id, by subject and predicate, by subject, by recency."""
