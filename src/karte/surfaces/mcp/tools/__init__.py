"""The tools by what they are about; `catalogue` puts them together."""
