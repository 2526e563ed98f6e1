"""Runs of an assistant."""

from typing import Annotated
from uuid import UUID

from fastapi import Query

from api.bodies import Router
from api.dependencies import Core, CurrentUser, Reading
from api.errors import problems
from api.paging import Pages
from api.presenters import listed_run_out, run_evidence_out
from api.schemas.base import Moment
from api.schemas.runs import RunEvidenceOut, RunPage
from core.approvals.repositories.approval_links import ApprovalLinkRepository
from core.assistants.repository import AssistantRepository
from core.assistants.rules.assistants import RunState
from core.errors import ErrorCode
from core.posts.repositories.posts import PostRepository
from core.runs.repositories.run_lists import RunFilter, RunListRepository, RunSort

router = Router(prefix="/assistants/{assistant_id}/runs", tags=["assistants"])

_State = Annotated[RunState | None, Query(description="Only runs in this state")]


@router.get("/", responses=problems(ErrorCode.not_found))
async def list_runs(
    assistant_id: UUID,
    user: CurrentUser,
    session: Reading,
    pages: Pages,
    state: _State = None,
    sort: Annotated[RunSort, Query(description="Order by slot")] = RunSort.newest,
    slot_from: Annotated[Moment | None, Query(description="Slots at or after this time")] = None,
    slot_before: Annotated[Moment | None, Query(description="Slots before this time")] = None,
    by_itself: Annotated[bool, Query(description="Leave out runs that a person cancelled or skipped")] = False,
) -> RunPage:
    """Runs with their results, newest slot first, including missed ones."""
    await AssistantRepository(session).ensure_exists(user.id, assistant_id)
    filter = RunFilter(slot_from, slot_before, by_itself)
    runs, counts = await RunListRepository(session).list_page(
        user.id, assistant_id, filter, state=state, sort=sort, offset=pages.offset, limit=pages.limit
    )
    total = counts.get(state, 0) if state else sum(counts.values())
    items = [listed_run_out(run) for run in runs]
    return RunPage(items=items, next_cursor=pages.next_cursor(total), total=total, counts=counts)


@router.get("/{run_id}/", responses=problems(ErrorCode.not_found))
async def read_run(
    assistant_id: UUID, run_id: UUID, user: CurrentUser, services: Core, state: _State = None
) -> RunEvidenceOut:
    """All stored data of a run: steps, failed attempts, prompts, calls, deliveries. `state` filters its neighbours."""
    async with services.sessions() as session:
        evidence = await RunListRepository(session).evidence(user.id, assistant_id, run_id, state)
        post = await PostRepository(session).find_by_run(user.id, run_id, deleted=False)
        approval = post.approval if post else None
        by_link = approval is not None and await ApprovalLinkRepository(session).has_decided(approval)
    return run_evidence_out(evidence, post, services.media, by_link=by_link)
