"""Paging of lists by an opaque cursor."""

import base64
import binascii
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Query

from api.schemas.base import has_nul
from core.errors import ErrorCode, FieldError, InvalidInput
from core.texts.rules.texts import normal


@dataclass(frozen=True)
class Paging:
    search: str
    limit: int
    offset: int

    def next_cursor(self, total: int) -> str | None:
        after = self.offset + self.limit
        return None if after >= total else cursor_at(after)


def cursor_at(offset: int) -> str:
    return base64.urlsafe_b64encode(f"o{offset}".encode()).decode()


async def _offset(cursor: Annotated[str | None, Query(max_length=100)] = None) -> int:
    if not cursor:
        return 0
    try:
        offset = int(base64.urlsafe_b64decode(cursor).decode().removeprefix("o"))
    except (binascii.Error, ValueError) as error:
        raise InvalidInput(errors=[FieldError("cursor", ErrorCode.invalid_input)]) from error
    if not 0 <= offset <= 10_000_000:
        raise InvalidInput(errors=[FieldError("cursor", ErrorCode.invalid_input)])
    return offset


Cursor = Annotated[int, Depends(_offset)]
"""The number of rows before the page; 0 without a cursor."""


async def _search(search: Annotated[str, Query(max_length=200)] = "") -> str:
    if has_nul(search):
        raise InvalidInput(errors=[FieldError("search", ErrorCode.invalid_input)])
    return normal(search.strip())


Search = Annotated[str, Depends(_search)]


async def _paging(
    search: Search,
    page_size: Annotated[int, Query(ge=1, le=200)] = 50,
    cursor: Annotated[str | None, Query(max_length=100)] = None,
) -> Paging:
    return Paging(search, page_size, await _offset(cursor))


Pages = Annotated[Paging, Depends(_paging)]


async def known_tag(tag: Annotated[str | None, Query(max_length=40)] = None) -> str | None:
    if has_nul(tag):
        raise InvalidInput(errors=[FieldError("tag", ErrorCode.invalid_input)])
    return normal(tag) if tag else tag


Tag = Annotated[str | None, Depends(known_tag)]
"""Filter by this tag."""
