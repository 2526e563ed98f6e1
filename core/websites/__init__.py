"""Sites that articles go to, and the feeds that are served here.

A site is a social account whose adapter takes articles. For a feed that this installation serves itself, the
adapter stores articles in `feed_storage` (decision 71); readers come by `api/routes/feeds.py`, and `feed_pages`
draws pages, RSS, JSON Feed and Markdown.
"""
