"""Drawing answers for people: from the JSON shape of an answer to lines of text that fit 80 columns."""
