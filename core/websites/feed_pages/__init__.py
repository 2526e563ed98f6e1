"""What readers get of a site that is served here: pages without scripts, RSS, JSON Feed, Markdown, a sitemap."""
