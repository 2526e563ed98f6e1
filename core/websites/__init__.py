"""Websites for articles, and feeds served by this installation.

A website is a social account whose adapter publishes articles. For a feed that this installation serves itself, the
adapter stores articles in `feed_storage` (decision 71). `api/routes/site_feeds.py` serves readers; `feed_pages` renders
pages, RSS, JSON Feed and Markdown.
"""
