"""The commands, by what they are for; each module ends with the table of its commands."""
