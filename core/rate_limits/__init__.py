"""How often somebody may call, counted in PostgreSQL for all processes together (decision 7)."""
