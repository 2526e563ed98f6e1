import asyncio

from api.bodies import Router
from api.dependencies import Core, CurrentUser, Reading, Workflows
from api.errors import problems
from api.limits import LINKS, by_address
from api.paging import Cursor, cursor_at
from api.presenters import approval_link_out, asked_out
from api.schemas.approval_links import ApprovalLinkIn, ApprovalLinkOut, LinkDecisionIn
from api.schemas.approvals import AskedOut
from api.schemas.base import Page
from core.approvals.repositories.approvals import ApprovalRepository
from core.clock import utcnow
from core.errors import ErrorCode

router = Router(prefix="/approvals", tags=["approvals"])

_PAGE_SIZE = 50


@router.get("/")
async def list_approvals(user: CurrentUser, session: Reading, services: Core, offset: Cursor) -> Page[AskedOut]:
    """Posts that wait for an answer, next deadline first. Answer at `/social-media-posts/{id}/decision/`."""
    approvals, total = await ApprovalRepository(session).list_open(user.id, utcnow(), offset=offset, limit=_PAGE_SIZE)
    after = offset + _PAGE_SIZE
    return Page(
        # in a thread: rendering long articles takes a while
        items=await asyncio.to_thread(lambda: [asked_out(approval, services.media) for approval in approvals]),
        next_cursor=cursor_at(after) if after < total else None,
        total=total,
    )


@router.post("/link/", responses=problems(ErrorCode.link_invalid), dependencies=[by_address(LINKS)])
async def read_approval_link(body: ApprovalLinkIn, services: Core) -> ApprovalLinkOut:
    """The question behind a mail's link, and whether it can still be answered. Decides nothing."""
    view = await services.approval_links.view(body.post_id, body.token)
    return await asyncio.to_thread(approval_link_out, view, services.media)


@router.post(
    "/link/decision/",
    responses=problems(ErrorCode.link_invalid, ErrorCode.approval_outdated, ErrorCode.approval_expired),
    dependencies=[by_address(LINKS)],
)
async def decide_by_link(body: LinkDecisionIn, services: Core, workflows: Workflows) -> ApprovalLinkOut:
    """Approve or decline exactly what the mail's link shows, until the deadline."""
    changed, content_hash = await services.approval_links.decide(
        body.post_id, body.token, approved=body.approved, remark=body.remark
    )
    if await workflows.posts.send_decision(changed, content_hash):
        await services.publishing.mark_synced(changed)
    view = await services.approval_links.view(body.post_id, body.token)
    return await asyncio.to_thread(approval_link_out, view, services.media)
