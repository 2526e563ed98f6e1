"""What the dashboard shows of a user: set-up, next posts, results and cost."""
