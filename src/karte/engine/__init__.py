"""The use cases, by concept; a module is one verb or one noun."""
