"""Parts of an article that a model writes for its author: read, watched and cancelled like those of posts
(`post_writings.py`)."""

from uuid import UUID

from fastapi import status

from api.bodies import MEGABYTE, Router, up_to
from api.dependencies import Core, CurrentUser, Workflows
from api.errors import problems
from api.limits import TRYOUTS, by_user
from api.routes.post_writings import read_writing
from api.schemas.post_writings import ArticlePartIn, ArticlePassageIn, PartTemplateIn, WritingOut
from core.articles.rules.outlines import WantedPart
from core.errors import ErrorCode
from core.posts.writings import PassageOrder, TemplateOrder

router = Router(prefix="/articles/{article_id}/writings", tags=["articles"])

_LONG = up_to(MEGABYTE)


def _by(body: ArticlePartIn, by: PartTemplateIn) -> TemplateOrder:
    return TemplateOrder(
        template_id=by.template_id,
        brand_id=by.brand_id,
        topic_tree_id=by.topic_tree_id,
        topic_id=by.topic_id,
        inputs=by.inputs,
        language=body.language,
        time_zone=body.time_zone,
        planned_at=body.planned_at,
    )


@router.post(
    "/part/",
    status_code=status.HTTP_202_ACCEPTED,
    responses=problems(
        ErrorCode.not_found,
        ErrorCode.template_required,
        ErrorCode.variable_value_required,
        ErrorCode.content_empty,
        ErrorCode.content_too_long,
        ErrorCode.subscription_required,
    ),
    openapi_extra=_LONG,
    dependencies=[by_user(TRYOUTS)],
)
async def write_article_part(
    article_id: UUID, body: ArticlePartIn, user: CurrentUser, services: Core, workflows: Workflows
) -> WritingOut:
    """Let a model write one part of the article: its outline, a section, the summary, the search result's text, or all
    of it again with a remark. The call returns before it is written; the article stays unchanged."""
    part = WantedPart(
        part=body.part,
        title=body.title,
        headings=tuple(body.headings),
        text=body.text,
        number=body.number,
        remark=body.remark.strip(),
    )
    by = _by(body, body.by) if body.by else None
    tryout = await services.post_writings.order_part(user.id, article_id, part, by, body.language)
    await workflows.start_tryout(user.id, tryout.id)
    return await read_writing(user.id, article_id, tryout.id, services)


@router.post(
    "/passage/",
    status_code=status.HTTP_202_ACCEPTED,
    responses=problems(
        ErrorCode.not_found, ErrorCode.content_empty, ErrorCode.content_too_long, ErrorCode.subscription_required
    ),
    openapi_extra=_LONG,
    dependencies=[by_user(TRYOUTS)],
)
async def rewrite_article_passage(
    article_id: UUID, body: ArticlePassageIn, user: CurrentUser, services: Core, workflows: Workflows
) -> WritingOut:
    """Let a model rewrite a passage of the text with a remark. Only its replacement is written."""
    order = PassageOrder(body.text, body.start, body.end, body.remark, body.language)
    tryout = await services.post_writings.order_passage(user.id, article_id, order)
    await workflows.start_tryout(user.id, tryout.id)
    return await read_writing(user.id, article_id, tryout.id, services)
