"""Posts: composing, lists, bulk changes, CSV files and the calendar.

A draft keeps its accounts and their own texts in its row; a scheduled post keeps them in its deliveries (`recipients`).
While the workflow of a post sleeps, a person's change is decided by the post's rows, and the workflow follows
(`publishing`, `temporal/posts.py`, decision 33). A bulk change is one transaction per post (`bulk_changes`). A deleted
post is hidden by `deleted_at` and removed after a month; a post that may still be published is never deleted. The
calendar stores nothing: it combines posts, runs without a post, and the slots of all schedules.
"""
