from typing import Any

from sqlalchemy import ColumnElement, Uuid, any_, bindparam
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import InstrumentedAttribute


def among(column: InstrumentedAttribute[Any], parameter: str) -> ColumnElement[bool]:
    """As `in_`, in one parameter, a list of ids: the statement stays the same however many there are, so that it is
    built once and neither psycopg nor PostgreSQL reads it anew."""
    return column == any_(bindparam(parameter, type_=ARRAY(Uuid())))
