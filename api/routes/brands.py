from uuid import UUID

from fastapi import status

from api.bodies import MEGABYTE, Router, up_to
from api.dependencies import Core, CurrentUser, Reading, Session
from api.errors import problems
from api.paging import Pages
from api.schemas.base import Page
from api.schemas.brands import BrandExampleOut, BrandIn, BrandOut, BrandUpdate
from core.brands.brands import BrandForm, BrandService
from core.brands.repository import BrandRepository, CountedBrand
from core.brands.rules import BrandVoice, Example
from core.container import Services
from core.errors import ErrorCode
from core.media.rules.cards import CardLook

router = Router(prefix="/brands", tags=["brands"])

_LONG = up_to(MEGABYTE)  # twenty example posts, in any encoding of their characters
_WRONG = (ErrorCode.name_required, ErrorCode.content_too_long, ErrorCode.utm_name_malformed)


def brand_out(row: CountedBrand, services: Services) -> BrandOut:
    brand, assistants = row
    return BrandOut(
        id=brand.id,
        name=brand.name,
        about=brand.about,
        audience=brand.audience,
        voice=brand.voice,
        dos=brand.dos,
        donts=brand.donts,
        address=brand.address,
        emoji=brand.emoji,
        hashtags=brand.hashtags,
        words_to_use=brand.words_to_use,
        words_to_avoid=brand.words_to_avoid,
        facts=brand.facts,
        examples=[BrandExampleOut.model_validate(example) for example in brand.examples],
        languages=brand.languages,
        logo_id=brand.logo_id,
        logo_url=services.media.signed_url(brand.logo_id) if brand.logo_id else None,
        ground=brand.ground,
        ink=brand.ink,
        accent=brand.accent,
        font=brand.font,
        utm=brand.utm,
        assistants=assistants,
        version=brand.version,
        created_at=brand.created_at,
        updated_at=brand.updated_at,
    )


def _form(body: BrandIn) -> BrandForm:
    return BrandForm(
        BrandVoice(
            name=body.name,
            about=body.about,
            audience=body.audience,
            voice=body.voice,
            dos=tuple(body.dos),
            donts=tuple(body.donts),
            address=body.address,
            emoji=body.emoji,
            hashtags=body.hashtags,
            words_to_use=tuple(body.words_to_use),
            words_to_avoid=tuple(body.words_to_avoid),
            facts=tuple(body.facts),
            examples=tuple(Example(example.text, example.network) for example in body.examples),
            utm=body.utm,
        ),
        tuple(body.languages),
        CardLook(body.font, body.ground, body.ink, body.accent, body.logo_id),
    )


@router.get("/")
async def list_brands(user: CurrentUser, session: Reading, services: Core, pages: Pages) -> Page[BrandOut]:
    """The user's brands by name."""
    rows, total = await BrandRepository(session).page(
        user.id, search=pages.search, offset=pages.offset, limit=pages.limit
    )
    items = [brand_out(row, services) for row in rows]
    return Page(items=items, next_cursor=pages.next_cursor(total), total=total)


@router.post("/", status_code=status.HTTP_201_CREATED, responses=problems(*_WRONG), openapi_extra=_LONG)
async def create_brand(body: BrandIn, user: CurrentUser, session: Session, services: Core) -> BrandOut:
    return brand_out(await BrandService(session).create(user.id, _form(body)), services)


@router.get("/{brand_id}/", responses=problems(ErrorCode.not_found))
async def read_brand(brand_id: UUID, user: CurrentUser, session: Reading, services: Core) -> BrandOut:
    return brand_out(await BrandRepository(session).get(user.id, brand_id), services)


@router.put(
    "/{brand_id}/",
    responses=problems(ErrorCode.not_found, ErrorCode.stale_version, *_WRONG),
    openapi_extra=_LONG,
)
async def update_brand(
    brand_id: UUID, body: BrandUpdate, user: CurrentUser, session: Session, services: Core
) -> BrandOut:
    """Save the brand. Runs that have begun keep what they began with."""
    return brand_out(await BrandService(session).update(user.id, brand_id, body.version, _form(body)), services)


@router.delete("/{brand_id}/", status_code=status.HTTP_204_NO_CONTENT, responses=problems(ErrorCode.not_found))
async def delete_brand(brand_id: UUID, user: CurrentUser, session: Session) -> None:
    """Delete the brand. Assistants, templates and cards that have chosen it go on without it."""
    await BrandService(session).delete(user.id, brand_id)
