from pydantic import Field

from api.schemas.base import Out
from core.errors import ErrorCode, FieldError

Value = str | int | float | None


class FieldProblem(Out):
    field: str = Field(description="Path in the input, such as schedule.cron or lines.7")
    code: ErrorCode
    params: dict[str, Value]

    @classmethod
    def of(cls, error: FieldError) -> "FieldProblem":
        return cls(field=error.field, code=error.code, params=dict(error.params))


class Problem(Out):
    """RFC 9457, with a stable code that the web app translates."""

    type: str
    title: str
    status: int
    code: ErrorCode
    detail: str
    params: dict[str, Value]
    errors: list[FieldProblem]
