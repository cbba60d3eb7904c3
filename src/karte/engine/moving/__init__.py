"""Moving a workspace: into a file, out of one, and from store to store."""
