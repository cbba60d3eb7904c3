"""Where people and programs meet Karte: the command line and MCP. A surface parses, calls and renders."""
