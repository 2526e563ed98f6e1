"""Text rules shared by several nouns: length, cutting, hashtags and links, similarity, language, Markdown, tags."""
