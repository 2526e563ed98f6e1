"""Social posts that announce an article."""

from uuid import UUID

from api.bodies import Router
from api.dependencies import Core, CurrentUser, Reading, Workflows
from api.errors import problems
from api.limits import CONNECTIONS, TRYOUTS, by_user
from api.presenters import post_out
from api.routes.post_writings import read_writing
from api.schemas.announcements import (
    AnnouncedOut,
    AnnounceIn,
    AnnouncementsOut,
    ByItselfOut,
    PageOut,
    RefusalOut,
    TakeTextIn,
)
from api.schemas.posts import PostOut
from api.schemas.problems import FieldProblem
from core.articles.announcements import Announcement, page_error
from core.articles.repository import AnnouncementRepository
from core.articles.rules.announcements import AnnouncementState
from core.container import Services
from core.errors import ErrorCode, InvalidInput, NotFound
from core.posts.repositories.post_lists import PostFilter, PostListRepository, PostSort
from core.posts.repositories.posts import PostRepository

router = Router(prefix="/articles/{article_id}/announcements", tags=["articles"])

_SHOWN = 50
_NOT_THERE = (ErrorCode.article_not_published, ErrorCode.page_not_reached, ErrorCode.page_not_shown)


async def _post(services: Services, user_id: UUID, post_id: UUID) -> PostOut:
    async with services.reading() as session:
        post, name = await PostRepository(session).get(user_id, post_id)
        return post_out(post, name, services.media)


@router.get("/", responses=problems(ErrorCode.not_found))
async def list_announcements(article_id: UUID, user: CurrentUser, session: Reading, services: Core) -> AnnouncementsOut:
    """The article's announcements, without deleted ones."""
    article, _ = await PostRepository(session).get(user.id, article_id)
    if article.article is None:
        raise NotFound(what="article", id=str(article_id))
    rows, *_ = await PostListRepository(session).page(
        user.id, PostFilter(announces_id=article_id), PostSort.created_latest, offset=0, limit=_SHOWN
    )
    row = await AnnouncementRepository(session).find_by_article(user.id, article_id)
    return AnnouncementsOut(
        posts=[post_out(post, name, services.media) for post, name in rows],
        by_itself=ByItselfOut(
            state=row.state,
            due_at=row.due_at if row.state is AnnouncementState.waiting else None,
            code=ErrorCode(row.error_code) if row.error_code else None,
        )
        if row
        else None,
    )


@router.post(
    "/page/",
    responses=problems(ErrorCode.not_found, ErrorCode.article_not_published),
    dependencies=[by_user(CONNECTIONS)],
)
async def ask_for_page(article_id: UUID, user: CurrentUser, services: Core) -> PageOut:
    """Request the article's page now and return whether readers get it. Saves nothing."""
    address, answer = await services.announcements.ask_for_page(user.id, article_id)
    code = None if answer.is_there else page_error(answer).code
    return PageOut(address=address, is_there=answer.is_there, status=answer.status, code=code)


@router.post(
    "/",
    status_code=201,
    responses=problems(ErrorCode.not_found, *_NOT_THERE, ErrorCode.invalid_input),
    dependencies=[by_user(TRYOUTS)],
)
async def announce_article(
    article_id: UUID, body: AnnounceIn, user: CurrentUser, services: Core, workflows: Workflows
) -> AnnouncedOut:
    """Create a draft of a social post with a link to the article, if readers get the article's page."""
    announcement = Announcement(article_id, body.id, tuple(body.account_ids), body.assistant_id, body.by_template)
    announced = await services.announcements.announce(user.id, announcement)
    writing, refusal = announced.writing, announced.refusal
    if writing:
        await workflows.start_tryout(user.id, writing.id)
    errors = refusal.errors if isinstance(refusal, InvalidInput) else ()
    return AnnouncedOut(
        post=await _post(services, user.id, announced.post_id),
        writing=await read_writing(user.id, announced.post_id, writing.id, services) if writing else None,
        refusal=RefusalOut(
            code=refusal.code, params=dict(refusal.params), errors=[FieldProblem.of(error) for error in errors]
        )
        if refusal
        else None,
    )


@router.post(
    "/{post_id}/text/",
    responses=problems(ErrorCode.not_found, ErrorCode.generation_in_progress, ErrorCode.post_not_editable),
)
async def take_announcement_text(
    article_id: UUID, post_id: UUID, body: TakeTextIn, user: CurrentUser, services: Core
) -> PostOut:
    """Use the template's text as the draft's text, shortened for channels for which it is too long."""
    await services.announcements.apply_text(user.id, article_id, post_id, body.writing_id)
    return await _post(services, user.id, post_id)
