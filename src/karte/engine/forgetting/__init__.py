"""Forgetting a source: planned, approved by a person, applied in one transaction, then scrubbed and told in a receipt."""
