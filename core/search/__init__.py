"""The search in all of a user's data."""
