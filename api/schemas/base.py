"""Base classes and field types of requests and answers."""

from datetime import datetime
from typing import Annotated, Generic, TypeVar

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)

from core.templates.rules.templates import MAX_VALUE
from core.texts.rules.dates import YEARS
from core.texts.rules.tags import MAX_TAG
from core.texts.rules.texts import normal, one_line
from core.users.rules.passwords import LONGEST, SHORTEST

Item = TypeVar("Item")

ONE_LINE = AfterValidator(lambda text: text if "\0" in text else one_line(text))
"""For names. NUL is refused, not removed."""

Verbatim = Annotated[str, StringConstraints(strip_whitespace=False)]
"""Text whose spaces matter: a password, or lines that errors refer to by number."""


Tag = Annotated[str, StringConstraints(max_length=1000), Field(json_schema_extra={"maxLength": MAX_TAG})]
"""The rule for tags refuses a tag that is longer than the document says, and names the limit: so does every field whose
`json_schema_extra` states a limit."""


class AsTyped:
    """Marks a text that must not be normalized."""


Password = Annotated[str, StringConstraints(strip_whitespace=False, max_length=1000), AsTyped()]

NewPassword = Annotated[Password, Field(json_schema_extra={"minLength": SHORTEST, "maxLength": LONGEST})]


def _of_our_years(moment: datetime) -> datetime:
    if moment.year not in YEARS:
        raise ValueError(f"must be between the years {YEARS[0]} and {YEARS[-1]}")
    return moment


Moment = Annotated[AwareDatetime, AfterValidator(_of_our_years)]
"""A time with its offset. Times outside these years do not fit into the database, or not in another time zone."""

Value = Annotated[str, StringConstraints(max_length=20_000), Field(json_schema_extra={"maxLength": MAX_VALUE})]
"""A variable's value."""
VariableName = Annotated[str, StringConstraints(max_length=200)]
MOST_VARIABLES = 100
_MOST_UNKNOWN = 100  # unknown fields listed one by one


class In(BaseModel):
    """A request body. Unknown fields are refused, so that a typo is never silently dropped."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    @model_validator(mode="before")
    @classmethod
    def _known(cls, value: object) -> object:
        """Report very many unknown fields as one error, before checking each."""
        if isinstance(value, dict) and len(value) > len(cls.model_fields) + _MOST_UNKNOWN:
            raise ValueError(f"{len(value)} fields, but only {len(cls.model_fields)} are known")
        return value

    @field_validator("*", mode="before")
    @classmethod
    def _composed(cls, value: object, info: ValidationInfo) -> object:
        """Convert texts to Unicode's composed form before their length is checked."""
        field = cls.model_fields[info.field_name or ""]
        if any(isinstance(marker, AsTyped) for marker in field.metadata):
            return value
        if isinstance(value, list):
            return [_normal(item) for item in value]
        if isinstance(value, dict):
            return {key: _normal(item) for key, item in value.items()}
        return _normal(value)

    @field_validator("*")
    @classmethod
    def _storable(cls, value: object) -> object:
        """Refuse NUL, which PostgreSQL cannot store in text."""
        if has_nul(value):
            raise ValueError("NUL characters are not allowed")
        return value


def _normal(value: object) -> object:
    return normal(value) if isinstance(value, str) else value


def has_nul(value: object) -> bool:
    """Return whether a text, or a text in a list or dictionary, contains U+0000."""
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, dict):
        return any(has_nul(key) or has_nul(inner) for key, inner in value.items())
    return isinstance(value, list) and any(map(has_nul, value))


class Out(BaseModel):
    """An answer. Fields have no defaults, so that the generated client knows that they are always present."""

    model_config = ConfigDict(from_attributes=True)


class Page(Out, Generic[Item]):
    """`next_cursor` is None on the last page; `total` counts all pages."""

    items: list[Item]
    next_cursor: str | None
    total: int
