"""Ranking: what the voices said becomes one order, and every number of it can be shown.

score = (sum over parts of weight * normalised) * (product of the standing factors).
"""
