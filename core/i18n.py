"""Texts for people, in their language: messages from the catalogues (gettext); dates, numbers and money from Babel.

`locales/<language>.po` has one message per key. Adding a language is one catalogue there, whose header names its
locale, and one member of `Language`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from decimal import Decimal
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Final

from babel import Locale
from babel.dates import format_date, format_time
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_currency, format_decimal

from core.languages import Language, language_of

CATALOGUES: Final = Path(__file__).parent / "locales"


@dataclass(frozen=True)
class Texts:
    """The texts of one language. A missing message, or a placeholder without its fact, raises LookupError."""

    locale: Locale
    catalogue: NullTranslations

    def text(self, key: str, /, **facts: object) -> str:
        return self.catalogue.gettext(key).format(**facts)

    def paragraphs(self, key: str, facts: Mapping[str, str]) -> list[str]:
        """Return the paragraphs of a message, without those that are empty once filled."""
        paragraphs = self.catalogue.gettext(key).split("\n\n")
        return [filled for paragraph in paragraphs if (filled := paragraph.format_map(facts))]

    def counted(self, key: str, number: int, /, **facts: object) -> str:
        """Return the plural form of a message for `number`, which fills the placeholder `n`."""
        return self.catalogue.ngettext(key, key, number).format(n=number, **facts)

    def day(self, day: date) -> str:
        """14 March 2027, 14. März 2027."""
        return format_date(day, "long", self.locale)

    def weekday(self, day: date) -> str:
        """Sunday, 14 March 2027."""
        return format_date(day, "full", self.locale)

    def time(self, moment: datetime, zone: tzinfo) -> str:
        return format_time(moment, "short", tzinfo=zone, locale=self.locale)

    def number(self, number: int) -> str:
        return format_decimal(number, locale=self.locale)

    def money(self, amount: Decimal, currency: str) -> str:
        """`currency`: ISO 4217."""
        return format_currency(amount, currency, locale=self.locale)


def texts_in(language: str) -> Texts:
    """Return the texts of a language, or the English texts if it has none."""
    return _load(language_of(language))


def english_name(language: str) -> str:
    """Return the English name of a language, for prompts."""
    return str(Locale(language_of(language)).english_name)


@cache
def _load(language: Language) -> Texts:
    with (CATALOGUES / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, abort_invalid=True)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    translations = GNUTranslations(compiled)
    translations.add_fallback(_Missing())
    return Texts(Locale.parse(translations.info()["language"]), translations)


class _Missing(NullTranslations):
    """Raise LookupError for a missing key, where gettext would return the key itself."""

    def gettext(self, message: str) -> str:
        raise LookupError(f"no message for {message}")

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        raise LookupError(f"no message for {msgid1}")
