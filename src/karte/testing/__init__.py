"""What Karte is tested with, for everybody who writes a store or builds on one. It needs hypothesis and pytest.

`conformance` is the suite that every store passes in full; `agreement` drives several stores side by side and compares
their answers; `histories` and `programs` make random records and random commands; `oracle` answers for the fold by
exhaustive search; `hearing` hears a history without one of its sources; `dumping` tells what a workspace comes to without
what depends on order; `reading` names every path on which a workspace is read; `parts` are a clock that is set and ids
that are counted.
"""
