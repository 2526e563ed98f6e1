"""Text rules shared by several nouns: length, cutting, hashtags and links, similarity, language, Markdown, tags,
typography, and the second look at what a model wrote."""
