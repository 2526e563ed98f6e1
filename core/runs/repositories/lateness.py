"""Whether a run or post is too late, decided from rows and by the database's clock, the same for every process."""

from datetime import datetime, timedelta
from functools import cache
from typing import Final
from uuid import UUID

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Integer,
    Interval,
    Select,
    and_,
    bindparam,
    case,
    exists,
    func,
    literal,
    select,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from core.assistants.rules.assistants import GONE_BY
from core.deliveries.rules.retries import BY_HAND_WINDOW, NETWORK_WINDOW, SHORTEST_WINDOW
from core.errors import ErrorCode
from core.posts.tables.posts import Post
from core.runs.tables import Run

CATCH_UP: Final = bindparam("catch_up", type_=Interval())
"""Parameter for statements that are built once."""

Window = timedelta | BindParameter[timedelta]


def is_overtaken() -> ColumnElement[bool]:
    """Condition on `Run`: a newer run of its assistant is due, and was published or still can be. Runs requested by a
    person are never overtaken, and overtake nothing."""
    newer = aliased(Run)
    return exists().where(
        Run.by_hand.is_(False),
        newer.by_hand.is_(False),
        newer.assistant_id == Run.assistant_id,
        newer.slot > Run.slot,
        newer.slot <= func.clock_timestamp(),
        newer.state.not_in(GONE_BY),
    )


def is_past(
    catch_up: Window, *, ahead: timedelta = timedelta(0), at_most: timedelta | None = None
) -> ColumnElement[bool]:
    """Condition on `Post`: its time is longer ago than the catch-up window, or will be in `ahead`; the window is at
    most `at_most`. `catch_up` applies to posts without a window of their own."""
    of_run = (
        select(_window(catch_up))
        .where(Run.id == Post.run_id, Run.user_id == Post.user_id)
        .correlate(Post)
        .scalar_subquery()
    )
    window = func.greatest(func.coalesce(of_run, catch_up), SHORTEST_WINDOW)
    if at_most is not None:
        window = func.least(window, at_most)
    return Post.planned_at <= func.clock_timestamp() + ahead - window


def _network_deadline() -> ColumnElement[datetime | None]:
    """Until when deliveries of a `Post` wait for their network or this server's settings: at least a day, because
    networks' rate limits end by then."""
    return Post.planned_at + func.greatest(_window(CATCH_UP), literal(NETWORK_WINDOW, Interval()))


def _account_deadline() -> ColumnElement[datetime | None]:
    """Until when deliveries of a `Post` wait for their account. A post that a person sends waits for a day, because no
    newer one replaces it."""
    by_hand = func.greatest(CATCH_UP, literal(BY_HAND_WINDOW, Interval()))
    return Post.planned_at + case((Run.id.is_(None), by_hand), else_=_window(CATCH_UP))


def _window(catch_up: Window) -> ColumnElement[timedelta]:
    """The catch-up window of a `Run`, as its assistant was configured when it began."""
    minutes = Run.stored_setup["catch_up_minutes"].astext.cast(Integer)
    return func.greatest(func.coalesce(func.make_interval(0, 0, 0, 0, 0, minutes), catch_up), SHORTEST_WINDOW)


class LatenessRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def run_code(self, user_id: UUID, run_id: UUID, catch_up: timedelta) -> ErrorCode | None:
        """Return why the run must do nothing more that costs or shows, or None."""
        parameters = {"user_id": user_id, "run_id": run_id, "catch_up": catch_up}
        row = (await self.session.execute(_run_query(), parameters)).one_or_none()
        return _lateness_code(*row) if row else None

    async def post_code(self, user_id: UUID, post_id: UUID, catch_up: timedelta) -> ErrorCode | None:
        """As `run_code`, for a post. A post without a run is never overtaken, nor is one whose time a person has
        set."""
        parameters = {"user_id": user_id, "post_id": post_id, "catch_up": catch_up}
        row = (await self.session.execute(_post_query(), parameters)).one_or_none()
        return _lateness_code(*row) if row else None

    async def is_past_in(
        self, user_id: UUID, post_id: UUID, catch_up: timedelta, ahead: timedelta, at_most: timedelta
    ) -> bool:
        """Return whether in `ahead` from now the post is too late, or later than `at_most`."""
        statement = select(is_past(catch_up, ahead=ahead, at_most=at_most)).where(
            Post.id == post_id, Post.user_id == user_id
        )
        return bool(await self.session.scalar(statement))

    async def network_deadline(self, user_id: UUID, post_id: UUID, catch_up: timedelta) -> datetime | None:
        """Return until when a delivery of the post may wait for its network, or None if that is over."""
        parameters = {"user_id": user_id, "post_id": post_id, "catch_up": catch_up}
        return await self.session.scalar(_network_deadline_query(), parameters)

    async def account_deadline(self, user_id: UUID, post_id: UUID, catch_up: timedelta) -> datetime | None:
        """Return until when a delivery of the post may wait for its account, or None if that is over."""
        parameters = {"user_id": user_id, "post_id": post_id, "catch_up": catch_up}
        return await self.session.scalar(_account_deadline_query(), parameters)


# cached: building takes as long as executing


@cache
def _run_query() -> Select[bool, bool]:
    late = func.coalesce(Post.planned_at, Run.slot) <= func.clock_timestamp() - _window(CATCH_UP)
    return (
        select(late, and_(func.coalesce(Post.pinned, False).is_(False), is_overtaken()))
        .select_from(Run)
        .outerjoin(Post, Post.run_id == Run.id)
        .where(Run.id == bindparam("run_id"), Run.user_id == bindparam("user_id"))
    )


@cache
def _post_query() -> Select[bool, bool]:
    return (
        select(
            func.coalesce(is_past(CATCH_UP), False),
            and_(Post.pinned.is_(False), func.coalesce(is_overtaken(), False)),
        )
        .select_from(Post)
        .outerjoin(Run, Run.id == Post.run_id)
        .where(Post.id == bindparam("post_id"), Post.user_id == bindparam("user_id"))
    )


@cache
def _account_deadline_query() -> Select[datetime | None]:
    return _deadline_query(_account_deadline())


@cache
def _network_deadline_query() -> Select[datetime | None]:
    return _deadline_query(_network_deadline())


def _deadline_query(moment: ColumnElement[datetime | None]) -> Select[datetime | None]:
    return (
        select(case((moment > func.clock_timestamp(), moment)))
        .select_from(Post)
        .outerjoin(Run, and_(Run.id == Post.run_id, Run.user_id == Post.user_id))
        .where(Post.id == bindparam("post_id"), Post.user_id == bindparam("user_id"))
    )


def _lateness_code(too_late: bool, taken_over: bool) -> ErrorCode | None:
    if too_late:
        return ErrorCode.missed_outage
    return ErrorCode.missed_overtaken if taken_over else None
