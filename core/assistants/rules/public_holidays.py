"""Public holidays of countries and regions, from the `holidays` library. Pure: no clock and no I/O.

The library takes a quarter of a second to load, and workflows load the rules of schedules, so it is loaded on first
use, or in advance by `load`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING

from core.languages import Language

if TYPE_CHECKING:
    from holidays import HolidayBase


@dataclass(frozen=True)
class Region:
    """`name` is the local one, or the code if the library has no name."""

    code: str
    name: str


@cache
def rules() -> str:
    """Return the version of the calendars, such as `holidays-0.109`."""
    return f"holidays-{version('holidays')}"


def load() -> None:
    """Load the library in advance, so that the first caller does not wait."""
    countries()


@cache
def countries() -> Mapping[str, tuple[str, ...]]:
    """Return the ISO 3166-1 codes of countries with a calendar, each with the codes of its regions."""
    from holidays import list_supported_countries

    supported = list_supported_countries(include_aliases=False)
    return {code: tuple(supported[code]) for code in sorted(supported)}


@lru_cache(maxsize=64)
def regions(country: str) -> tuple[Region, ...]:
    """Return the regions by name. Raises KeyError for a country without a calendar."""
    codes = countries()[country]
    names = _calendar(country).get_subdivision_aliases()
    return tuple(
        sorted((Region(code, _longest(names.get(code, []), code)) for code in codes), key=lambda region: region.name)
    )


def is_known(country: str, region: str | None) -> bool:
    return country in countries() and (region is None or region in countries()[country])


@lru_cache(maxsize=2048)
def of_year(country: str, region: str | None, year: int) -> frozenset[date]:
    """Return the holidays; none for a year that the calendar does not cover."""
    return frozenset(_calendar(country, region, year))


def name_of(country: str, region: str | None, day: date, language: str) -> str:
    """Return the holiday's name in `language`, else in English, else in the local language. Empty if there is none."""
    return _names(country, region, day.year, language).get(day, "")


@lru_cache(maxsize=256)
def _names(country: str, region: str | None, year: int, language: str) -> Mapping[date, str]:
    spoken = _calendar(country).supported_languages
    return dict(_calendar(country, region, year, _best(spoken, language) or _best(spoken, Language.en)).items())


def _best(spoken: Sequence[str], language: str) -> str | None:
    """Of several variants of English choose the American one, which most calendars have."""
    matching = [locale for locale in spoken if locale.split("_")[0] == language]
    return "en_US" if "en_US" in matching else next(iter(matching), None)


def _calendar(
    country: str, region: str | None = None, year: int | None = None, language: str | None = None
) -> "HolidayBase":
    from holidays import country_holidays

    return country_holidays(country, subdiv=region, years=year, expand=False, language=language)


def _longest(names: list[str], code: str) -> str:
    """Return the longest name: the others are short codes."""
    return max(names, key=len, default=code)
