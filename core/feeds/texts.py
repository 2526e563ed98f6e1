"""The words on the pages of a feed, in the languages of its articles."""

from collections.abc import Mapping
from typing import Final

WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "skip": "Skip to content",
        "all": "All articles",
        "articles": "Articles",
        "none": "Nothing was published here yet.",
        "minutes": "{minutes} min read",
        "by": "by {author}",
        "updated": "Updated on {day}",
        "tags": "Tags",
        "newer": "Newer",
        "older": "Older",
        "more": "More articles",
        "pages": "Pages",
        "page": "Page {number} of {count}",
        "subscribe": "Subscribe",
        "markdown": "This article as Markdown",
        "made": "Published with Postloom",
        "gone_title": "This is not here any more",
        "gone": "It was taken down by whoever published it.",
        "missing_title": "There is nothing here",
        "missing": "The address may be mistyped.",
        "to_all": "To all articles",
    },
    "de": {
        "skip": "Zum Inhalt springen",
        "all": "Alle Artikel",
        "articles": "Artikel",
        "none": "Hier wurde noch nichts veröffentlicht.",
        "minutes": "{minutes} Min. Lesezeit",
        "by": "von {author}",
        "updated": "Aktualisiert am {day}",
        "tags": "Schlagwörter",
        "newer": "Neuer",
        "older": "Älter",
        "more": "Weitere Artikel",
        "pages": "Seiten",
        "page": "Seite {number} von {count}",
        "subscribe": "Abonnieren",
        "markdown": "Dieser Artikel als Markdown",
        "made": "Veröffentlicht mit Postloom",
        "gone_title": "Das ist nicht mehr hier",
        "gone": "Wer es veröffentlicht hat, hat es zurückgenommen.",
        "missing_title": "Hier ist nichts",
        "missing": "Vielleicht ist die Adresse falsch geschrieben.",
        "to_all": "Zu allen Artikeln",
    },
}


def words_of(language: str) -> Mapping[str, str]:
    return WORDS.get(language, WORDS["en"])
