from typing import Annotated
from uuid import UUID

from fastapi import Query
from pydantic import AwareDatetime

from api.bodies import Router
from api.dependencies import Core, CurrentUser
from api.errors import problems
from api.schemas.calendar import (
    AskedOut,
    CalendarLeftOutOut,
    CalendarOut,
    CalendarPostOut,
    CalendarRunOut,
    PlannedSlotOut,
    SentOut,
)
from core.domain.channels import ChannelKind
from core.domain.errors import ErrorCode
from core.repositories.calendar import PlannedPost
from core.services.calendar import LONGEST_DAYS, Entries, EntryStatus, title_of, why_fixed
from core.services.media import MediaService

router = Router(prefix="/calendar", tags=["calendar"])


@router.get("/", responses=problems(ErrorCode.period_too_long))
async def read_calendar(
    user: CurrentUser,
    services: Core,
    begin: Annotated[AwareDatetime, Query(alias="from", examples=["2026-11-01T00:00:00Z"])],
    end: Annotated[
        AwareDatetime,
        Query(alias="to", description=f"At most {LONGEST_DAYS} days later", examples=["2026-12-01T00:00:00Z"]),
    ],
    status: Annotated[list[EntryStatus] | None, Query(description="Only entries of these", max_length=20)] = None,
    assistant_id: Annotated[UUID | None, Query()] = None,
    channel: Annotated[ChannelKind | None, Query()] = None,
) -> CalendarOut:
    """What stands in a period: posts by their time, runs without one, slots to come, and days that are left out."""
    statuses = frozenset(status) if status else None
    found = await services.calendar.read(
        user.id, Entries(begin, end, statuses, assistant_id, channel), user.time_zone, user.language
    )
    return CalendarOut(
        time_zone=user.time_zone,
        posts=[_post_out(post, services.media) for post in found.posts],
        runs=[CalendarRunOut.model_validate(run) for run in found.runs],
        planned=[PlannedSlotOut.model_validate(slot) for slot in found.planned],
        left_out=[CalendarLeftOutOut.model_validate(day) for day in found.left_out],
        cut=found.cut,
    )


def _post_out(post: PlannedPost, media: MediaService) -> CalendarPostOut:
    asked = post.approval_state and post.at_deadline
    return CalendarPostOut(
        id=post.id,
        assistant_id=post.assistant_id,
        assistant_name=post.assistant_name,
        source=post.source,
        status=post.status,
        title=title_of(post),
        planned_at=post.planned_at,
        deliveries=[SentOut.model_validate(sent) for sent in post.deliveries],
        approval=AskedOut(state=post.approval_state, at_deadline=post.at_deadline) if asked else None,
        acknowledged_at=post.acknowledged_at,
        thumbnail_url=media.signed_url(post.media_id, thumbnail=True) if post.media_id else None,
        version=post.version,
        fixed=why_fixed(post.status, post.deliveries),
    )
