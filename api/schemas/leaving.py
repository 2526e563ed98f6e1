from pydantic import Field

from api.schemas.base import In, Verbatim


class LeaveIn(In):
    current_password: Verbatim = Field(max_length=1000)
