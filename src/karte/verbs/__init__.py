"""The verbs of a chart, by what they are about; `karte.workspace` puts them together."""
