"""Writing: storing, superseding, ending, withdrawing, linking, erasing."""
