"""Learning: mistakes that are recorded, and the rules that they become."""
