"""`python -m karte`: the command line."""

from karte.surfaces.cli import main

if __name__ == "__main__":
    main()
