from typing import Annotated
from uuid import UUID

from fastapi import Path, Query, Response, status

from api.bodies import Router
from api.dependencies import Core, CurrentUser, Person
from api.errors import problems
from api.limits import ASK_PASSWORD, FEEDS, by_address
from api.presenters import first_file_out
from api.schemas.base import Moment
from api.schemas.calendar import (
    CalendarFeedAddressOut,
    CalendarFeedOut,
    CalendarLeftOutOut,
    CalendarMoreOut,
    CalendarOut,
    CalendarPostOut,
    CalendarRunOut,
    FreeMomentsOut,
    PlannedSlotOut,
    QuestionOut,
    SentOut,
    SentRemovalOut,
)
from api.schemas.security import PasswordIn
from core.errors import ErrorCode
from core.media.pictures import MediaService
from core.networks.rules.channels import ChannelKind
from core.posts.calendar import LONGEST_DAYS, Entries, EntryStatus, fixed_reason, title_of
from core.posts.repositories.calendar import PlannedPost, SentPost

router = Router(prefix="/calendar", tags=["calendar"])


@router.get("/", responses=problems(ErrorCode.period_too_long))
async def read_calendar(
    user: CurrentUser,
    services: Core,
    begin: Annotated[Moment, Query(alias="from", examples=["2026-11-01T00:00:00Z"])],
    end: Annotated[
        Moment,
        Query(alias="to", description=f"At most {LONGEST_DAYS} days later", examples=["2026-12-01T00:00:00Z"]),
    ],
    statuses: Annotated[
        list[EntryStatus] | None, Query(alias="status", description="Any of these", max_length=20)
    ] = None,
    assistant_id: Annotated[UUID | None, Query()] = None,
    channel: Annotated[ChannelKind | None, Query()] = None,
) -> CalendarOut:
    """The entries of a period: posts by their time, runs without a post, future slots, and days left out."""
    query = Entries(begin, end, frozenset(statuses) if statuses else None, assistant_id, channel)
    calendar = await services.calendar.read(user.id, query, user.time_zone, user.language)
    return CalendarOut(
        time_zone=user.time_zone,
        posts=[_post_out(post, services.media) for post in calendar.posts],
        runs=[CalendarRunOut.model_validate(run) for run in calendar.runs],
        planned=[PlannedSlotOut.model_validate(slot) for slot in calendar.planned],
        left_out=[CalendarLeftOutOut.model_validate(day) for day in calendar.left_out],
        more=[CalendarMoreOut(day=day, count=count) for day, count in calendar.more.items()],
    )


def _post_out(post: PlannedPost, media: MediaService) -> CalendarPostOut:
    return CalendarPostOut(
        id=post.id,
        assistant_id=post.assistant_id,
        assistant_name=post.assistant_name,
        source=post.source,
        status=post.status,
        is_article=post.is_article,
        title=title_of(post),
        planned_at=post.planned_at,
        deliveries=[_sent_out(sent) for sent in post.deliveries],
        channels=list(post.channels),
        approval=_question_out(post),
        acknowledged_at=post.acknowledged_at,
        first_file=first_file_out(post.picture_id, post.file_kind, media),
        version=post.version,
        fixed=fixed_reason(post.status, post.deliveries),
    )


def _sent_out(sent: SentPost) -> SentOut:
    return SentOut(
        channel=sent.channel,
        state=sent.state,
        called_at=sent.called_at,
        error_code=sent.error_code,
        removal=SentRemovalOut(state=sent.removal) if sent.removal else None,
    )


def _question_out(post: PlannedPost) -> QuestionOut | None:
    if not (post.approval_state and post.at_deadline and post.deadline_at):
        return None
    return QuestionOut(
        state=post.approval_state,
        at_deadline=post.at_deadline,
        deadline_at=post.deadline_at,
        at_once=bool(post.at_once),
    )


@router.get("/free/")
async def read_free_moments(user: CurrentUser, services: Core) -> FreeMomentsOut:
    """The next times with nothing else planned around them, for a post by hand."""
    return FreeMomentsOut(moments=list(await services.calendar.free_moments(user.id, user.time_zone, user.language)))


@router.get("/feed/")
async def read_calendar_feed(user: CurrentUser, _: Person, services: Core) -> CalendarFeedOut:
    """Whether the user's calendar has a secret address."""
    return CalendarFeedOut(created_at=await services.calendar_feed.made_at(user.id))


@router.post("/feed/", responses=problems(ErrorCode.password_wrong), dependencies=[ASK_PASSWORD])
async def renew_calendar_feed(body: PasswordIn, user: CurrentUser, _: Person, services: Core) -> CalendarFeedAddressOut:
    """Create a new secret address; an earlier one stops working. A changed password ends it, too."""
    proven = await services.account_security.prove_password(user.id, body.current_password)
    feed = await services.calendar_feed.renew(user.id, proven)
    return CalendarFeedAddressOut(address=feed.address, created_at=feed.created_at)


@router.post(
    "/feed/address/",
    responses=problems(ErrorCode.password_wrong, ErrorCode.not_found),
    dependencies=[ASK_PASSWORD],
)
async def show_calendar_feed(body: PasswordIn, user: CurrentUser, _: Person, services: Core) -> CalendarFeedAddressOut:
    """The current secret address. The owner sees in the recent activity that it was shown."""
    await services.account_security.prove_password(user.id, body.current_password)
    feed = await services.calendar_feed.show(user.id)
    return CalendarFeedAddressOut(address=feed.address, created_at=feed.created_at)


@router.delete("/feed/", status_code=status.HTTP_204_NO_CONTENT)
async def remove_calendar_feed(user: CurrentUser, _: Person, services: Core) -> None:
    """Remove the secret address. Idempotent."""
    await services.calendar_feed.remove(user.id)


@router.get(
    "/feed/{token}.ics",
    dependencies=[by_address(FEEDS)],
    responses=problems(ErrorCode.not_found) | {200: {"content": {"text/calendar": {"schema": {"type": "string"}}}}},
    response_class=Response,
)
async def read_calendar_file(token: Annotated[str, Path(max_length=100)], services: Core) -> Response:
    """The calendar as iCalendar for other programs, by its secret address: a month back and two ahead."""
    return Response(
        await services.calendar_feed.read(token),
        media_type="text/calendar; charset=utf-8",
        headers={"Cache-Control": "private, no-store", "Content-Disposition": 'inline; filename="postloom.ics"'},
    )
