"""Days, in words and at all."""

from datetime import date
from typing import Final

YEARS: Final = range(1970, 9001)
"""In which something can be planned: in any zone the database and Python can still write it."""

# as text: the machine's locale decides nothing here
_MONTHS: Final = {
    "en": (
        *("January", "February", "March", "April", "May", "June"),
        *("July", "August", "September", "October", "November", "December"),
    ),
    "de": (
        *("Januar", "Februar", "März", "April", "Mai", "Juni"),
        *("Juli", "August", "September", "Oktober", "November", "Dezember"),
    ),
}
_WEEKDAYS: Final = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "de": ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"),
}


def shown_day(day: date, language: str) -> str:
    """14 March 2027, 14. März 2027."""
    month = _MONTHS[language][day.month - 1]
    return f"{day.day}. {month} {day.year}" if language == "de" else f"{day.day} {month} {day.year}"


def shown_weekday(day: date, language: str) -> str:
    """Sunday, 14 March 2027."""
    return f"{_WEEKDAYS[language][day.weekday()]}, {shown_day(day, language)}"
