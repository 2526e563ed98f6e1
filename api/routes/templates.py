import asyncio
from collections.abc import Sequence
from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query, Response, status

from api.bodies import MEGABYTE, Router, up_to
from api.dependencies import Core, CurrentUser, Reading, Session, Workflows
from api.errors import problems
from api.limits import CHECKS, EXPORTING, EXPORTS, IMPORTS, TRYOUTS, by_user
from api.paging import Cursor, Pages, Tag, cursor_at
from api.presenters import made_page_out
from api.schemas.base import Page
from api.schemas.problems import FieldProblem
from api.schemas.templates import (
    ModelsOut,
    TagCount,
    TemplateCheckIn,
    TemplateCheckOut,
    TemplateExport,
    TemplateExportItem,
    TemplateImportOut,
    TemplateIn,
    TemplateOut,
    TemplatePublishIn,
    TemplateRestoreIn,
    TemplateSettingsModel,
    TemplateSource,
    TemplateUpdate,
    TemplateVersionOut,
    TryoutDetail,
    TryoutIn,
    TryoutOut,
)
from core.ai.rules.usage import CURRENCY
from core.container import Services
from core.errors import ErrorCode
from core.ids import new_id
from core.languages import Language
from core.media.tables import Media
from core.templates.repositories.templates import TemplateRepository, TemplateSort, Versioned
from core.templates.rules.templates import (
    MAX_PROMPT,
    MOST_IN_FILE,
    RESERVED,
    TemplateType,
    Visibility,
    max_filled_length,
    missing_parts,
    parse,
)
from core.templates.tables import Tryout
from core.templates.tryouts import TryoutForm
from core.templates.versions import TemplateForm, TemplateService

router = Router(prefix="/templates", tags=["templates"])

_TEXT = up_to(MEGABYTE)  # a body and its values, in any encoding of their characters
_PORTION = 100  # templates of an export in memory at once, in addition to the file
_LARGEST_FILE = 5_000_000  # bytes: even with each character escaped, an import accepts the file

Number = Annotated[int, Path(ge=1, le=2**31 - 1)]
"""A version's number."""


def settings_out(stored: dict[str, Any]) -> TemplateSettingsModel:
    """Return the settings; values that versions of older releases lack get their default."""
    return TemplateSettingsModel.model_validate(
        {"text": stored.get("text") or {}, "image": {"engine": "ai"} | (stored.get("image") or {})}
    )


def template_out(row: Versioned, services: Services) -> TemplateOut:
    template, version, author, used_by = row
    return TemplateOut(
        id=template.id,
        type=template.type,
        visibility=template.visibility,
        name=template.name,
        description=template.description,
        language=template.language,
        tags=template.tags,
        usage_count=template.usage_count,
        used_by=used_by,
        author=author,
        source=(
            TemplateSource(id=template.copied_from, name=template.copied_name, author=template.copied_author)
            if template.copied_from
            else None
        ),
        version=template.version,
        version_id=version.id,
        body=version.body,
        settings=settings_out(version.settings),
        variables=list(parse(version.body).variables),
        published_at=template.published_at,
        sample_text=template.sample_text,
        sample_url=services.media.signed_url(template.sample_media_id) if template.sample_media_id else None,
        created_at=template.created_at,
        updated_at=template.updated_at,
    )


def _form(body: TemplateIn | TemplateExportItem) -> TemplateForm:
    return TemplateForm(
        body.type,
        body.name,
        body.description,
        body.language,
        tuple(body.tags),
        body.body,
        body.settings.model_dump(mode="json"),
    )


def _exported(row: Versioned) -> TemplateExportItem:
    template, version, *_ = row
    return TemplateExportItem(
        type=template.type,
        name=template.name,
        description=template.description,
        language=template.language,
        tags=template.tags,
        body=version.body,
        settings=settings_out(version.settings),
    )


def _attached(templates: list[TemplateExportItem], name: str) -> Response:
    return Response(
        TemplateExport(format="postloom-templates", version=1, templates=templates).model_dump_json(indent=2),
        media_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}.json"'},
    )


async def _fileful(templates: TemplateRepository, user_id: UUID, offset: int) -> tuple[list[TemplateExportItem], bool]:
    """Return as many templates as one import accepts, by name from `offset`, and whether more follow."""
    items: list[TemplateExportItem] = []
    size = 0
    while True:
        rows, total = await templates.page(
            user_id, search="", type=None, sort=TemplateSort.name, offset=offset + len(items), limit=_PORTION
        )
        for item in map(_exported, rows):
            size += len(item.model_dump_json(indent=2).encode())
            if len(items) == MOST_IN_FILE or (items and size > _LARGEST_FILE):
                return items, True
            items.append(item)
        if not rows or offset + len(items) >= total:
            return items, False


@router.get("/")
async def list_templates(
    user: CurrentUser,
    session: Reading,
    services: Core,
    pages: Pages,
    type: Annotated[TemplateType | None, Query()] = None,
    visibility: Annotated[Visibility | None, Query()] = None,
    language: Annotated[Language | None, Query()] = None,
    tag: Tag = None,
    sort: Annotated[TemplateSort, Query()] = TemplateSort.changed,
) -> Page[TemplateOut]:
    """The user's templates, by default newest change first."""
    rows, total = await TemplateRepository(session).page(
        user.id,
        search=pages.search,
        type=type,
        visibility=visibility,
        language=language,
        tag=tag,
        sort=sort,
        offset=pages.offset,
        limit=pages.limit,
    )
    items = [template_out(row, services) for row in rows]
    return Page(items=items, next_cursor=pages.next_cursor(total), total=total)


@router.post(
    "/", status_code=status.HTTP_201_CREATED, responses=problems(ErrorCode.template_syntax), openapi_extra=_TEXT
)
async def create_template(body: TemplateIn, user: CurrentUser, session: Session, services: Core) -> TemplateOut:
    return template_out(await TemplateService(session).create(user.id, _form(body)), services)


@router.post("/preview/", openapi_extra=_TEXT, dependencies=[by_user(CHECKS)])
async def check_template(body: TemplateCheckIn, user: CurrentUser) -> TemplateCheckOut:
    """Check a template being edited: variables, errors, and what an assistant would lack."""
    parsed = parse(body.body)
    reserved = {name.casefold() for name in RESERVED}
    return TemplateCheckOut(
        variables=list(parsed.variables),
        reserved=[name for name in parsed.variables if name.casefold() in reserved],
        errors=[FieldProblem.of(error) for error in parsed.errors],
        needs=[FieldProblem.of(error) for error in missing_parts(body.body, body.type)],
        longest=max_filled_length(body.body),
        limit=MAX_PROMPT,
    )


@router.get("/tags/")
async def list_template_tags(user: CurrentUser, session: Reading) -> list[TagCount]:
    """Tags of the user's templates, most used first."""
    return [TagCount(tag=tag, count=count) for tag, count in await TemplateRepository(session).tags(user.id)]


@router.get("/models/")
async def list_models(user: CurrentUser, services: Core) -> ModelsOut:
    """The models with which this server can write and draw, and what is not configured."""
    return ModelsOut.model_validate(services.models())


@router.get("/export/", response_class=Response, dependencies=[by_user(EXPORTS, EXPORTING)])
async def export_templates(user: CurrentUser, session: Reading, offset: Cursor) -> Response:
    """Up to 1,000 templates by name as a JSON file, which can be imported again. If more follow, the header `Link` has
    the address of the next file, with a cursor."""
    items, more = await _fileful(TemplateRepository(session), user.id, offset)
    answer = _attached(items, "postloom-templates")
    if more:
        following = f"/api{router.prefix}/export/?cursor={cursor_at(offset + len(items))}"
        answer.headers["Link"] = f'<{following}>; rel="next"'
    return answer


@router.post(
    "/import/",
    status_code=status.HTTP_201_CREATED,
    responses=problems(ErrorCode.template_import_unreadable, ErrorCode.template_syntax, ErrorCode.template_too_many),
    openapi_extra=up_to(16 * MEGABYTE),
    dependencies=[by_user(IMPORTS)],
)
async def import_templates(
    body: TemplateExport, user: CurrentUser, session: Session, services: Core
) -> TemplateImportOut:
    """Import an exported file with up to 1,000 templates: all or none. Logos that are not the user's are left out."""
    service = TemplateService(session)
    rows = await service.import_all(user.id, [_form(item) for item in body.templates])
    return TemplateImportOut(templates=await asyncio.to_thread(lambda: [template_out(row, services) for row in rows]))


@router.get("/{template_id}/", responses=problems(ErrorCode.not_found))
async def read_template(template_id: UUID, user: CurrentUser, session: Reading, services: Core) -> TemplateOut:
    return template_out(await TemplateRepository(session).get(user.id, template_id), services)


@router.put(
    "/{template_id}/",
    responses=problems(ErrorCode.not_found, ErrorCode.stale_version, ErrorCode.template_syntax),
    openapi_extra=_TEXT,
)
async def update_template(
    template_id: UUID, body: TemplateUpdate, user: CurrentUser, session: Session, services: Core
) -> TemplateOut:
    """Save a new version; assistants keep the version they are pinned to."""
    service = TemplateService(session)
    return template_out(await service.update(user.id, template_id, body.version, _form(body)), services)


@router.delete(
    "/{template_id}/",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=problems(ErrorCode.not_found, ErrorCode.in_use),
)
async def delete_template(template_id: UUID, user: CurrentUser, session: Session) -> None:
    """Delete a template; other users' copies stay."""
    await TemplateService(session).delete(user.id, template_id)


@router.get(
    "/{template_id}/export/",
    responses=problems(ErrorCode.not_found),
    response_class=Response,
    dependencies=[by_user(EXPORTS)],
)
async def export_template(template_id: UUID, user: CurrentUser, session: Reading) -> Response:
    """One template as a JSON file."""
    return _attached([_exported(await TemplateRepository(session).get(user.id, template_id))], "postloom-template")


@router.get("/{template_id}/versions/", responses=problems(ErrorCode.not_found))
async def list_template_versions(
    template_id: UUID, user: CurrentUser, session: Reading, pages: Pages
) -> Page[TemplateVersionOut]:
    """A template's versions, newest first."""
    rows, total = await TemplateService(session).versions(user.id, template_id, offset=pages.offset, limit=pages.limit)
    items = [
        TemplateVersionOut(
            id=version.id,
            number=version.number,
            type=version.type,
            name=version.name,
            description=version.description,
            language=version.language,
            tags=version.tags,
            body=version.body,
            settings=settings_out(version.settings),
            restored_from=version.restored_from,
            used_by=used_by,
            created_at=version.created_at,
        )
        for version, used_by in rows
    ]
    return Page(items=items, next_cursor=pages.next_cursor(total), total=total)


@router.post(
    "/{template_id}/versions/{number}/restore/",
    responses=problems(ErrorCode.not_found, ErrorCode.stale_version, ErrorCode.in_use),
)
async def restore_template_version(
    template_id: UUID, number: Number, body: TemplateRestoreIn, user: CurrentUser, session: Session, services: Core
) -> TemplateOut:
    """Save an older version as the newest; the versions between stay."""
    return template_out(await TemplateService(session).restore(user.id, template_id, body.version, number), services)


@router.post("/{template_id}/publish/", responses=problems(ErrorCode.not_found, ErrorCode.stale_version))
async def publish_template(
    template_id: UUID, body: TemplatePublishIn, user: CurrentUser, session: Session, services: Core
) -> TemplateOut:
    """Show the template in the marketplace: name, description, tags, text, settings, sample and your display name."""
    service = TemplateService(session)
    return template_out(await service.publish(user.id, template_id, body.version, body.sample_tryout_id), services)


@router.post("/{template_id}/unpublish/", responses=problems(ErrorCode.not_found, ErrorCode.stale_version))
async def unpublish_template(
    template_id: UUID, body: TemplateRestoreIn, user: CurrentUser, session: Session, services: Core
) -> TemplateOut:
    """Remove the template from the marketplace; copies stay."""
    return template_out(await TemplateService(session).unpublish(user.id, template_id, body.version), services)


def _tryout(tryout: Tryout, pages: Sequence[Media], services: Services) -> TryoutOut:
    media = tryout.media_id
    assert tryout.template_id is not None  # selected by its template
    return TryoutOut(
        id=tryout.id,
        template_id=tryout.template_id,
        version=tryout.number,
        type=tryout.type,
        body=tryout.body,
        settings=settings_out({tryout.type.value: tryout.settings}),
        language=tryout.language,
        inputs=tryout.inputs,
        state=tryout.state,
        attempt=tryout.attempt,
        reason=tryout.reason,
        detail=tryout.detail,
        next_try_at=tryout.next_try_at,
        prompt_cut=tryout.prompt_cut,
        output=tryout.output,
        media_id=media,
        image_url=services.media.signed_url(media) if media else None,
        image_width=tryout.image_width,
        image_height=tryout.image_height,
        pages=[made_page_out(page, services.media) for page in pages],
        provider=tryout.provider,
        model=tryout.model,
        input_tokens=tryout.input_tokens,
        output_tokens=tryout.output_tokens,
        cost_micros=tryout.cost_micros,
        currency=CURRENCY,
        duration_ms=tryout.duration_ms,
        request_id=tryout.request_id,
        created_at=tryout.created_at,
        started_at=tryout.started_at,
        finished_at=tryout.finished_at,
    )


async def _detail(tryout: Tryout, services: Services) -> TryoutDetail:
    pages = await services.tryouts.made_pages(tryout.user_id, [tryout])
    shown = _tryout(tryout, pages.get(tryout.id, []), services)
    return TryoutDetail(**shown.model_dump(), json_output=await services.tryouts.json_output(tryout))


@router.get("/{template_id}/tryouts/", responses=problems(ErrorCode.not_found))
async def list_tryouts(template_id: UUID, user: CurrentUser, services: Core, pages: Pages) -> Page[TryoutOut]:
    """Try-outs, newest first, without their prompts. The search covers inputs and output."""
    tryouts, total = await services.tryouts.page(
        user.id, template_id, search=pages.search, offset=pages.offset, limit=pages.limit
    )
    made = await services.tryouts.made_pages(user.id, tryouts)
    items = [_tryout(tryout, made.get(tryout.id, []), services) for tryout in tryouts]
    return Page(items=items, next_cursor=pages.next_cursor(total), total=total)


@router.post(
    "/{template_id}/tryouts/",
    status_code=status.HTTP_202_ACCEPTED,
    responses=problems(
        ErrorCode.not_found,
        ErrorCode.template_syntax,
        ErrorCode.variable_value_required,
        ErrorCode.subscription_required,
    ),
    openapi_extra=_TEXT,
    dependencies=[by_user(TRYOUTS)],
)
async def start_tryout(
    template_id: UUID, body: TryoutIn, user: CurrentUser, services: Core, workflows: Workflows
) -> TryoutDetail:
    """Try the template out. The call returns before the result; read it, or watch the live stream."""
    form = TryoutForm(body.body, body.settings.model_dump(mode="json"), body.language, body.inputs)
    tryout = await services.tryouts.order(user.id, template_id, new_id(), form)
    await workflows.start_tryout(user.id, tryout.id)
    return await _detail(tryout, services)


@router.get("/{template_id}/tryouts/{tryout_id}/", responses=problems(ErrorCode.not_found))
async def read_tryout(template_id: UUID, tryout_id: UUID, user: CurrentUser, services: Core) -> TryoutDetail:
    return await _detail(await services.tryouts.get(user.id, template_id, tryout_id), services)


@router.post(
    "/{template_id}/tryouts/{tryout_id}/cancel/",
    responses=problems(ErrorCode.not_found, ErrorCode.tryout_over, ErrorCode.temporal_unavailable),
)
async def cancel_tryout(
    template_id: UUID, tryout_id: UUID, user: CurrentUser, services: Core, workflows: Workflows
) -> TryoutDetail:
    """Cancel the try-out. Model calls made so far are booked."""
    tryout = await services.tryouts.open(user.id, template_id, tryout_id)
    if not await workflows.cancel_tryout(tryout.id):
        # its workflow was not started yet, or an operator has terminated it
        await services.tryouts.cancel(user.id, tryout.id)
    return await _detail(await services.tryouts.get(user.id, template_id, tryout_id), services)


@router.delete(
    "/{template_id}/tryouts/{tryout_id}/",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=problems(ErrorCode.not_found, ErrorCode.generation_in_progress),
)
async def delete_tryout(template_id: UUID, tryout_id: UUID, user: CurrentUser, services: Core) -> None:
    """Delete a try-out from the history. Its cost stays in the transactions."""
    await services.tryouts.remove(user.id, template_id, tryout_id)
