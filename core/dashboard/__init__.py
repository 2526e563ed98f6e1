"""A user's dashboard: set-up, next posts, results and cost."""
