from typing import Any

from sqlalchemy import ColumnElement, Uuid, any_, bindparam
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import InstrumentedAttribute


def among(column: InstrumentedAttribute[Any], parameter: str) -> ColumnElement[bool]:
    """Return `column = ANY(parameter)`: like `in_`, but with one parameter, a list of ids. The statement is the same
    for any number of ids, so that SQLAlchemy, psycopg and PostgreSQL can cache it."""
    return column == any_(bindparam(parameter, type_=ARRAY(Uuid())))
