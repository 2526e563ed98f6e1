"""Rules about text that several nouns share: length, cutting, links, likeness, language, Markdown, tags."""
