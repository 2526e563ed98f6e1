"""Rate limits, counted in PostgreSQL for all processes together (decision 7)."""
