"""Trust at the door: what is looked for in a text before it is kept."""
