"""The search over everything of a user."""
