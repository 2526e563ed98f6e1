"""The years of the calendar that the product plans in."""

from typing import Final

YEARS: Final = range(1970, 9001)
"""In which something can be planned: in any zone the database and Python can still write it."""
