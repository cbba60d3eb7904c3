"""What agents of a workspace know together: domains, shared facts and their conflicts, policies, notes, the prompt."""
