"""The supported calendar years."""

from typing import Final

YEARS: Final = range(1970, 9001)
"""Years in which something can be planned: the database and Python can represent them in any time zone."""
