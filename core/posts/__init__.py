"""Posts: composing, lists, bulk changes, CSV files and the calendar.

A draft keeps its accounts and their own texts in its row; a post that goes out keeps them in its deliveries
(`recipients`). What a person says about a post while its workflow sleeps is decided by the post's rows, and the
workflow follows (`publishing`, `temporal/posts.py`, decision 33). A bulk change is one transaction per post
(`bulk_changes`). A deleted post is hidden by `deleted_at` and removed after a month; what may still go out is
never deleted. The calendar stores nothing: it puts together posts, runs without a post, and the slots of all
schedules.
"""
