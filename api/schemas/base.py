"""What all answers share."""

from datetime import datetime
from typing import Annotated, Generic, TypeVar

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)

from core.texts.rules.dates import YEARS
from core.texts.rules.texts import normal, one_line

Item = TypeVar("Item")

ONE_LINE = AfterValidator(lambda text: text if "\0" in text else one_line(text))
"""For names. NUL is refused, not taken out."""

Verbatim = Annotated[str, StringConstraints(strip_whitespace=False)]
"""Text whose spaces count: a password, or lines that errors name by number."""


Tag = Annotated[str, StringConstraints(max_length=1000)]
"""One that is too long for a tag is told by the rule for tags, which says how long it may be."""


class AsTyped:
    """Marks a text whose characters stay as they were typed."""


Password = Annotated[str, StringConstraints(strip_whitespace=False, max_length=1000), AsTyped()]
"""The rule for new ones says how long they may be."""


def _of_our_years(moment: datetime) -> datetime:
    if moment.year not in YEARS:
        raise ValueError(f"between the years {YEARS[0]} and {YEARS[-1]}")
    return moment


Moment = Annotated[AwareDatetime, AfterValidator(_of_our_years)]
"""With its offset. What lies farther away has no place in the database, or none in another zone."""

Value = Annotated[str, StringConstraints(max_length=20_000)]
"""Of a variable: the rule for values says how long it may be."""
VariableName = Annotated[str, StringConstraints(max_length=200)]
MOST_VARIABLES = 100
_MOST_UNKNOWN = 100  # fields that are named one by one


class In(BaseModel):
    """A request's body. Unknown fields are refused: a typo is never silently dropped."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    @model_validator(mode="before")
    @classmethod
    def _known(cls, value: object) -> object:
        """Very many unknown fields are one problem, told before each of them is looked at."""
        if isinstance(value, dict) and len(value) > len(cls.model_fields) + _MOST_UNKNOWN:
            raise ValueError(f"{len(value)} fields, there are {len(cls.model_fields)}")
        return value

    @field_validator("*", mode="before")
    @classmethod
    def _composed(cls, value: object, info: ValidationInfo) -> object:
        """Texts in Unicode's composed form, before their length is judged."""
        field = cls.model_fields[info.field_name or ""]
        if any(isinstance(one, AsTyped) for one in field.metadata):
            return value
        if isinstance(value, list):
            return [_normal(one) for one in value]
        if isinstance(value, dict):
            return {key: _normal(one) for key, one in value.items()}
        return _normal(value)

    @field_validator("*")
    @classmethod
    def _storable(cls, value: object) -> object:
        """PostgreSQL has no NUL in a text."""
        if has_nul(value):
            raise ValueError("NUL characters are not allowed")
        return value


def _normal(value: object) -> object:
    return normal(value) if isinstance(value, str) else value


def has_nul(value: object) -> bool:
    """Whether a text, or one in a list or in a dictionary, holds U+0000."""
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, dict):
        return any(has_nul(key) or has_nul(inner) for key, inner in value.items())
    return isinstance(value, list) and any(map(has_nul, value))


class Out(BaseModel):
    """An answer. Fields have no defaults, so that the generated client knows that they are always there."""

    model_config = ConfigDict(from_attributes=True)


class Page(Out, Generic[Item]):
    """`next_cursor` is None on the last page; `total` counts all pages."""

    items: list[Item]
    next_cursor: str | None
    total: int
