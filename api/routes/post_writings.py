"""Texts and images that templates make for a post being composed, and rewritten passages of it."""

from collections.abc import Sequence
from uuid import UUID

from fastapi import status

from api.bodies import MEGABYTE, Router, up_to
from api.dependencies import Core, CurrentUser, Workflows
from api.errors import problems
from api.limits import TRYOUTS, by_user
from api.presenters import made_page_out
from api.schemas.post_writings import (
    NetworkTextOut,
    OutlineOut,
    PassageIn,
    SearchFieldsOut,
    TemplateImageIn,
    TemplateTextIn,
    WritingOut,
    WrittenLinkOut,
)
from core.ai.rules.usage import CURRENCY
from core.container import Services
from core.errors import ErrorCode
from core.media.tables import Media
from core.posts.writings import (
    PassageOrder,
    TemplateOrder,
    link_of,
    outline_of,
    search_of,
    text_of,
    texts_of,
    writing_of,
)
from core.templates.rules.templates import TemplateType
from core.templates.tables import Tryout

router = Router(prefix="/social-media-posts/{post_id}/writings", tags=["posts"])

_LONG = up_to(MEGABYTE)  # a text and many values, in any encoding of their characters


def _out(tryout: Tryout, budgeted: bool, alt: str, pages: Sequence[Media], services: Services) -> WritingOut:
    assert tryout.post_id is not None  # selected by its post
    media = tryout.media_id
    return WritingOut(
        id=tryout.id,
        post_id=tryout.post_id,
        kind=writing_of(tryout),
        state=tryout.state,
        attempt=tryout.attempt,
        reason=ErrorCode(tryout.reason) if tryout.reason else None,
        detail=tryout.detail,
        next_try_at=tryout.next_try_at,
        text=text_of(tryout),
        texts=[NetworkTextOut(channel=kind, content=text) for kind, text in texts_of(tryout).items()],
        link=WrittenLinkOut(url=link.url, title=link.title) if (link := link_of(tryout)) else None,
        outline=OutlineOut.model_validate(outline) if (outline := outline_of(tryout)) else None,
        search=SearchFieldsOut(title=search[0], description=search[1]) if (search := search_of(tryout)) else None,
        media_id=media,
        image_url=services.media.signed_url(media) if media else None,
        image_width=tryout.image_width,
        image_height=tryout.image_height,
        alt=alt,
        pages=[made_page_out(page, services.media) for page in pages],
        provider=tryout.provider,
        model=tryout.model,
        input_tokens=tryout.input_tokens,
        output_tokens=tryout.output_tokens,
        cost_micros=tryout.cost_micros,
        currency=CURRENCY,
        on_budget=budgeted,
        duration_ms=tryout.duration_ms,
        created_at=tryout.created_at,
        finished_at=tryout.finished_at,
    )


async def read_writing(user_id: UUID, post_id: UUID, writing_id: UUID, services: Services) -> WritingOut:
    tryout, budgeted, alt = await services.post_writings.get(user_id, post_id, writing_id)
    pages = await services.tryouts.made_pages(user_id, [tryout])
    return _out(tryout, budgeted, alt, pages.get(tryout.id, []), services)


def _order(body: TemplateTextIn | TemplateImageIn, *, address: str = "", content: str = "") -> TemplateOrder:
    return TemplateOrder(
        template_id=body.template_id,
        brand_id=body.brand_id,
        topic_tree_id=body.topic_tree_id,
        topic_id=body.topic_id,
        inputs=body.inputs,
        address=address,
        content=content,
        language=body.language,
        time_zone=body.time_zone,
        planned_at=body.planned_at,
        account_ids=tuple(body.account_ids),
        per_network=body.per_network,
    )


@router.post(
    "/text/",
    status_code=status.HTTP_202_ACCEPTED,
    responses=problems(
        ErrorCode.not_found,
        ErrorCode.template_required,
        ErrorCode.variable_value_required,
        ErrorCode.subscription_required,
        ErrorCode.address_malformed,
        ErrorCode.address_not_allowed,
        ErrorCode.web_page_empty,
        ErrorCode.web_page_reserved,
        ErrorCode.web_page_unreachable,
        ErrorCode.web_page_unusable,
    ),
    openapi_extra=_LONG,
    dependencies=[by_user(TRYOUTS)],
)
async def write_post_text(
    post_id: UUID, body: TemplateTextIn, user: CurrentUser, services: Core, workflows: Workflows
) -> WritingOut:
    """Let a template write a text for the post. The call returns before it is written; read it, or watch the live
    stream. The post stays unchanged."""
    tryout = await services.post_writings.order_by_template(
        user.id, post_id, TemplateType.text, _order(body, address=body.address)
    )
    await workflows.start_tryout(user.id, tryout.id)
    return await read_writing(user.id, post_id, tryout.id, services)


@router.post(
    "/passage/",
    status_code=status.HTTP_202_ACCEPTED,
    responses=problems(
        ErrorCode.not_found, ErrorCode.content_empty, ErrorCode.content_too_long, ErrorCode.subscription_required
    ),
    openapi_extra=_LONG,
    dependencies=[by_user(TRYOUTS)],
)
async def rewrite_post_passage(
    post_id: UUID, body: PassageIn, user: CurrentUser, services: Core, workflows: Workflows
) -> WritingOut:
    """Let a model rewrite a passage of the text with a remark, as for a text. Only its replacement is written."""
    order = PassageOrder(body.text, body.start, body.end, body.remark, body.language, tuple(body.account_ids))
    tryout = await services.post_writings.order_passage(user.id, post_id, order)
    await workflows.start_tryout(user.id, tryout.id)
    return await read_writing(user.id, post_id, tryout.id, services)


@router.post(
    "/image/",
    status_code=status.HTTP_202_ACCEPTED,
    responses=problems(
        ErrorCode.not_found, ErrorCode.image_template_required, ErrorCode.content_empty, ErrorCode.subscription_required
    ),
    openapi_extra=_LONG,
    dependencies=[by_user(TRYOUTS)],
)
async def draw_post_image(
    post_id: UUID, body: TemplateImageIn, user: CurrentUser, services: Core, workflows: Workflows
) -> WritingOut:
    """Let an image template draw for the post's text. The image is stored in the media library."""
    order = _order(body, content=body.content)
    tryout = await services.post_writings.order_by_template(user.id, post_id, TemplateType.image, order)
    await workflows.start_tryout(user.id, tryout.id)
    return await read_writing(user.id, post_id, tryout.id, services)


@router.get("/{writing_id}/", responses=problems(ErrorCode.not_found))
async def read_post_writing(post_id: UUID, writing_id: UUID, user: CurrentUser, services: Core) -> WritingOut:
    return await read_writing(user.id, post_id, writing_id, services)


@router.post(
    "/{writing_id}/cancel/",
    responses=problems(ErrorCode.not_found, ErrorCode.tryout_over, ErrorCode.temporal_unavailable),
)
async def cancel_post_writing(
    post_id: UUID, writing_id: UUID, user: CurrentUser, services: Core, workflows: Workflows
) -> WritingOut:
    """Cancel the writing. Model calls made so far are booked."""
    tryout = await services.post_writings.open(user.id, post_id, writing_id)
    if not await workflows.cancel_tryout(tryout.id):
        # its workflow was not started yet, or an operator has terminated it
        await services.tryouts.cancel(user.id, tryout.id)
    return await read_writing(user.id, post_id, writing_id, services)
