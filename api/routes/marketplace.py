from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query, status

from api.bodies import Router
from api.dependencies import Core, CurrentUser
from api.errors import problems
from api.paging import Pages, Search, Tag
from api.routes.templates import settings_out, template_out
from api.schemas.base import Page
from api.schemas.cards import CardSettingsModel
from api.schemas.templates import ImageSettingsModel, MarketTemplateDetail, MarketTemplateOut, TagCount, TemplateOut
from core.ai.writers.base import DEMO_MODEL
from core.container import Services
from core.errors import ErrorCode
from core.languages import Language
from core.templates.repositories.marketplace import MarketFilter, MarketRow, MarketSort
from core.templates.rules.templates import Engine, Origin, TemplateType, parse

router = Router(prefix="/marketplace", tags=["marketplace"])


def _out(row: MarketRow, services: Services) -> MarketTemplateOut:
    image = settings_out(row.settings).image
    return MarketTemplateOut(
        id=row.id,
        origin=row.origin,
        type=row.type,
        name=row.name,
        description=row.description,
        language=row.language,
        tags=row.tags,
        author=row.author,
        usage_count=row.usage_count,
        own=row.own,
        copied=row.copied,
        variables=list(parse(row.body).variables),
        sample_text=row.sample_text,
        sample_is_demo=row.sample_written_by == DEMO_MODEL,
        sample_url=services.media.signed_url(row.sample_media_id) if row.sample_media_id else None,
        is_carousel=row.type == TemplateType.image and image.engine is Engine.carousel,
        card=_sample_card(row, image) if row.type == TemplateType.image else None,
        updated_at=row.updated_at,
    )


def _sample_card(row: MarketRow, image: ImageSettingsModel) -> CardSettingsModel | None:
    if image.engine is not Engine.ai:
        return image.card
    # bundled samples were made without an image model: they show the card that replaces the image
    return image.card.model_copy(update={"size": image.size}) if row.origin == Origin.starter else None


async def _filter(
    search: Search,
    type: Annotated[TemplateType | None, Query()] = None,
    language: Annotated[Language | None, Query()] = None,
    origin: Annotated[Origin | None, Query()] = None,
) -> MarketFilter:
    return MarketFilter(search, type, language, origin)


_Filtered = Annotated[MarketFilter, Depends(_filter)]


@router.get("/")
async def list_marketplace(
    user: CurrentUser,
    services: Core,
    pages: Pages,
    filter: _Filtered,
    tag: Tag = None,
    sort: Annotated[MarketSort, Query()] = MarketSort.popular,
) -> Page[MarketTemplateOut]:
    rows, total = await services.marketplace.page(user.id, filter, tag, sort, offset=pages.offset, limit=pages.limit)
    items = [_out(template, services) for template in rows]
    return Page(items=items, next_cursor=pages.next_cursor(total), total=total)


@router.get("/tags/")
async def list_marketplace_tags(user: CurrentUser, services: Core, filter: _Filtered) -> list[TagCount]:
    """The tags of the templates that pass the other filters, with their number of templates."""
    return [TagCount(tag=tag, count=count) for tag, count in await services.marketplace.tags(user.id, filter)]


@router.get("/{template_id}/", responses=problems(ErrorCode.not_found))
async def read_market_template(template_id: UUID, user: CurrentUser, services: Core) -> MarketTemplateDetail:
    """A template with its whole text and settings."""
    row = await services.marketplace.get(user.id, template_id)
    return MarketTemplateDetail(**_out(row, services).model_dump(), body=row.body, settings=settings_out(row.settings))


@router.post("/{template_id}/copy/", status_code=status.HTTP_201_CREATED, responses=problems(ErrorCode.not_found))
async def copy_market_template(template_id: UUID, user: CurrentUser, services: Core) -> TemplateOut:
    """Create a private copy, which names its source and is independent of it."""
    return template_out(await services.marketplace.copy(user.id, template_id), services)
