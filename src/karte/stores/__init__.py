"""Where records are kept: one contract, several stores."""
