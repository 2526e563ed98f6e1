"""Worn phrases of marketing texts."""

from collections.abc import Mapping
from typing import Final

_PHRASES: Final[Mapping[str, tuple[str, ...]]] = {
    "de": ("in der heutigen schnelllebigen Welt", "Gamechanger", "das volle Potenzial entfalten", "Mehrwert schaffen"),
    "en": ("in today's fast-paced world", "game changer", "unlock the potential", "it's not just X, it's Y"),
}


def phrases(language: str) -> tuple[str, ...]:
    """Return the phrases to avoid in a language; none if there is no list."""
    return _PHRASES.get(language, ())
