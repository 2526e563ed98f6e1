from pydantic import Field

from api.schemas.base import In, Verbatim


class AccountDeletionIn(In):
    current_password: Verbatim = Field(max_length=1000)
