"""Text rules shared by several nouns: length, cutting, links, similarity, language, Markdown, tags."""
