from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from api.schemas.base import In, Out, Verbatim
from api.schemas.problems import FieldProblem
from core.domain.templates import TemplateType, Visibility


class TemplateIn(In):
    type: TemplateType
    name: str = Field(max_length=120)
    description: str = Field(default="", max_length=2000)
    language: Literal["de", "en"]
    tags: list[str] = Field(default_factory=list, max_length=20)
    body: Verbatim = Field(max_length=20_000, examples=["Write a short LinkedIn post about ((Topic))."])


class TemplateUpdate(TemplateIn):
    version: int = Field(description="The version that was edited; another one was saved since: 409 stale_version")


class TemplateOut(Out):
    id: UUID
    type: TemplateType
    visibility: Visibility
    name: str
    description: str
    language: Literal["de", "en"]
    tags: list[str]
    usage_count: int
    version: int
    version_id: UUID
    body: str
    variables: list[str]
    created_at: datetime
    updated_at: datetime


class TemplateCheckIn(In):
    type: TemplateType
    body: Verbatim = Field(max_length=20_000)


class TemplateCheckOut(Out):
    variables: list[str]
    reserved: list[str] = Field(description="Those of the variables that Postloom fills itself")
    errors: list[FieldProblem] = Field(description="Syntax: with line and column")
    needs: list[FieldProblem] = Field(description="What an assistant would miss")
