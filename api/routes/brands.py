from uuid import UUID

from fastapi import status

from api.bodies import MEGABYTE, Router, up_to
from api.dependencies import Core, CurrentUser, Reading, Session
from api.errors import problems
from api.limits import BRAND_DRAFTS, by_user
from api.paging import Pages
from api.schemas.base import Page
from api.schemas.brands import BrandDraftIn, BrandDraftOut, BrandExampleOut, BrandIn, BrandOut, BrandUpdate, BrandUseOut
from core.ai.rules.usage import CURRENCY
from core.brands.brands import BrandForm, BrandService
from core.brands.drafts import DraftRequest
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


@router.post(
    "/", status_code=status.HTTP_201_CREATED, responses=problems(ErrorCode.not_found, *_WRONG), openapi_extra=_LONG
)
async def create_brand(body: BrandIn, user: CurrentUser, session: Session, services: Core) -> BrandOut:
    return brand_out(await BrandService(session).create(user.id, _form(body)), services)


@router.post(
    "/draft/",
    responses=problems(
        ErrorCode.brand_needs_model,
        ErrorCode.field_required,
        ErrorCode.content_too_long,
        ErrorCode.address_malformed,
        ErrorCode.address_not_allowed,
        ErrorCode.web_page_unreachable,
        ErrorCode.web_page_unusable,
        ErrorCode.web_page_empty,
        ErrorCode.subscription_required,
        ErrorCode.model_unavailable,
        ErrorCode.model_misconfigured,
    ),
    openapi_extra=_LONG,
    dependencies=[by_user(BRAND_DRAFTS)],
)
async def draft_brand(body: BrandDraftIn, user: CurrentUser, services: Core) -> BrandDraftOut:
    """Let the model draft a brand from a page of its website or from its posts. The call waits for the model; nothing
    is stored but what the call has cost."""
    request = DraftRequest(body.address, tuple(body.posts), body.language)
    draft = await services.brand_drafts.draft(user.id, request)
    voice = draft.voice
    return BrandDraftOut(
        name=voice.name,
        about=voice.about,
        audience=voice.audience,
        voice=voice.voice,
        dos=list(voice.dos),
        donts=list(voice.donts),
        address=voice.address,
        emoji=draft.emoji,
        hashtags=draft.hashtags,
        words_to_use=list(voice.words_to_use),
        words_to_avoid=list(voice.words_to_avoid),
        facts=list(voice.facts),
        examples=[BrandExampleOut(text=example.text, network="") for example in voice.examples],
        languages=list(draft.languages),
        accent=draft.accent,
        model=draft.model,
        cost_micros=draft.cost_micros,
        currency=CURRENCY,
    )


@router.get("/{brand_id}/", responses=problems(ErrorCode.not_found))
async def read_brand(brand_id: UUID, user: CurrentUser, session: Reading, services: Core) -> BrandOut:
    return brand_out(await BrandRepository(session).get(user.id, brand_id), services)


@router.get("/{brand_id}/uses/", responses=problems(ErrorCode.not_found))
async def list_brand_uses(brand_id: UUID, user: CurrentUser, session: Reading) -> list[BrandUseOut]:
    """What goes on without the brand if it is deleted: assistants, templates and saved looks of cards."""
    return [BrandUseOut.model_validate(use) for use in await BrandRepository(session).uses(user.id, brand_id)]


@router.put(
    "/{brand_id}/",
    responses=problems(ErrorCode.not_found, ErrorCode.stale_version, *_WRONG),
    openapi_extra=_LONG,
)
async def update_brand(
    brand_id: UUID, body: BrandUpdate, user: CurrentUser, session: Session, services: Core
) -> BrandOut:
    """Save the brand. Runs that have begun keep the voice that they began with."""
    return brand_out(await BrandService(session).update(user.id, brand_id, body.version, _form(body)), services)


@router.delete("/{brand_id}/", status_code=status.HTTP_204_NO_CONTENT, responses=problems(ErrorCode.not_found))
async def delete_brand(brand_id: UUID, user: CurrentUser, session: Session) -> None:
    """Delete the brand. Assistants, templates and cards that have chosen it go on without it."""
    await BrandService(session).delete(user.id, brand_id)
