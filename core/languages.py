"""The languages of the product and of its texts."""

from enum import StrEnum


class Language(StrEnum):
    """The server's list of languages; the web app's is `frontend/src/i18n/languages.ts`. Each has a catalogue in
    `core/locales`."""

    de = "de"
    en = "en"


def language_of(code: str) -> Language:
    """Return the language with this code, or English if there is none."""
    return next((language for language in Language if language == code), Language.en)
