"""Rendering of feeds: pages without scripts, RSS, JSON Feed, Markdown, a sitemap."""
