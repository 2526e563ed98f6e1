"""User-perceived characters, which some networks count."""

import regex

_CLUSTER = regex.compile(r"\X")


def graphemes(text: str) -> int:
    """Return the number of extended grapheme clusters: a flag, a family and an accented letter are one each."""
    return sum(1 for _ in _CLUSTER.finditer(text))
