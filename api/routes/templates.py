from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, status

from api.dependencies import CurrentUser, Session
from api.errors import problems
from api.paging import Pages
from api.schemas.base import Page
from api.schemas.problems import FieldProblem
from api.schemas.templates import TemplateCheckIn, TemplateCheckOut, TemplateIn, TemplateOut, TemplateUpdate
from core.domain.errors import ErrorCode
from core.domain.templates import RESERVED, TemplateType, needs, parse
from core.repositories.templates import TemplateRepository, Versioned
from core.services.templating import TemplateForm, TemplatingService

router = APIRouter(prefix="/templates", tags=["templates"])


def _out(found: Versioned) -> TemplateOut:
    template, version = found
    return TemplateOut(
        id=template.id,
        type=template.type,
        visibility=template.visibility,
        name=template.name,
        description=template.description,
        language=template.language,
        tags=template.tags,
        usage_count=template.usage_count,
        version=template.version,
        version_id=version.id,
        body=version.body,
        variables=list(parse(version.body).variables),
        created_at=template.created_at,
        updated_at=template.updated_at,
    )


def _form(body: TemplateIn) -> TemplateForm:
    return TemplateForm(body.type, body.name, body.description, body.language, tuple(body.tags), body.body)


@router.get("/")
async def list_templates(
    user: CurrentUser,
    session: Session,
    pages: Pages,
    type: Annotated[TemplateType | None, Query()] = None,
) -> Page[TemplateOut]:
    """Newest change first."""
    found, total = await TemplateRepository(session).page(
        user.id, search=pages.search, type=type, offset=pages.offset, limit=pages.limit
    )
    return Page(items=[_out(row) for row in found], next_cursor=pages.next_cursor(total), total=total)


@router.post("/", status_code=status.HTTP_201_CREATED, responses=problems(ErrorCode.template_syntax))
async def create_template(body: TemplateIn, user: CurrentUser, session: Session) -> TemplateOut:
    return _out(await TemplatingService(session).create(user.id, _form(body)))


@router.post("/preview/")
async def check_template(body: TemplateCheckIn, user: CurrentUser) -> TemplateCheckOut:
    """What the editor shows while somebody types: variables, errors, and what an assistant would miss."""
    parsed = parse(body.body)
    known = {name.casefold() for name in RESERVED}
    return TemplateCheckOut(
        variables=list(parsed.variables),
        reserved=[name for name in parsed.variables if name.casefold() in known],
        errors=[FieldProblem.of(error) for error in parsed.errors],
        needs=[FieldProblem.of(error) for error in needs(body.body, body.type)],
    )


@router.get("/{template_id}/", responses=problems(ErrorCode.not_found))
async def read_template(template_id: UUID, user: CurrentUser, session: Session) -> TemplateOut:
    return _out(await TemplateRepository(session).get(user.id, template_id))


@router.put(
    "/{template_id}/",
    responses=problems(ErrorCode.not_found, ErrorCode.stale_version, ErrorCode.template_syntax),
)
async def update_template(template_id: UUID, body: TemplateUpdate, user: CurrentUser, session: Session) -> TemplateOut:
    """Saves a new version; assistants stay with the one they are pinned to."""
    service = TemplatingService(session)
    return _out(await service.update(user.id, template_id, body.version, _form(body)))


@router.delete(
    "/{template_id}/",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=problems(ErrorCode.not_found, ErrorCode.in_use),
)
async def delete_template(template_id: UUID, user: CurrentUser, session: Session) -> None:
    await TemplatingService(session).delete(user.id, template_id)
