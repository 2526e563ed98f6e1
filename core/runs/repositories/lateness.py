"""Whether it is too late for a run: decided from rows and by the database's clock, the same for every process."""

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
from core.errors import ErrorCode
from core.posts.tables.posts import Post
from core.runs.tables import Run

# a post leaves at its slot, which is past by then: without a window, too, it is not late at once
_LEAST = timedelta(minutes=1)
_BY_HAND = timedelta(days=1)
_FOR_NETWORK = timedelta(days=1)
CATCH_UP: Final = bindparam("catch_up", type_=Interval())
"""For statements that are built once."""

Window = timedelta | BindParameter[timedelta]


def overtaken() -> ColumnElement[bool]:
    """Of a `Run`: a newer one of its assistant is due by now, and has a chance to go out or has gone out. What is over
    and did not go out takes nobody's place. What a person asked for stands beside the schedule: it is never overtaken,
    and overtakes nothing."""
    newer = aliased(Run)
    return exists().where(
        Run.by_hand.is_(False),
        newer.by_hand.is_(False),
        newer.assistant_id == Run.assistant_id,
        newer.slot > Run.slot,
        newer.slot <= func.clock_timestamp(),
        newer.state.not_in(GONE_BY),
    )


def past(catch_up: Window, *, ahead: timedelta = timedelta(0), at_most: timedelta | None = None) -> ColumnElement[bool]:
    """Of a `Post`: its time is longer ago than a missed one is caught up, or will be then; at the latest after
    `at_most`. `catch_up` is for what has no window of its own."""
    of_run = (
        select(_window(catch_up))
        .where(Run.id == Post.run_id, Run.user_id == Post.user_id)
        .correlate(Post)
        .scalar_subquery()
    )
    window = func.greatest(func.coalesce(of_run, catch_up), _LEAST)
    if at_most is not None:
        window = func.least(window, at_most)
    return Post.planned_at <= func.clock_timestamp() + ahead - window


def _waits_for_network_until() -> ColumnElement[datetime | None]:
    """Of a `Post`: so long a delivery of it waits for its network, or for this server's settings to be mended. A day at
    least, whoever has made it: a network's limits end by then."""
    return Post.planned_at + func.greatest(_window(CATCH_UP), literal(_FOR_NETWORK, Interval()))


def _held_until() -> ColumnElement[datetime | None]:
    """Of a `Post`: so long a delivery of it waits for its account to be connected again. What a person sends waits a
    day, since nothing comes after it that would take its place."""
    by_hand = func.greatest(CATCH_UP, literal(_BY_HAND, Interval()))
    return Post.planned_at + case((Run.id.is_(None), by_hand), else_=_window(CATCH_UP))


def _window(catch_up: Window) -> ColumnElement[timedelta]:
    """Of a `Run`: what its assistant was set to when it began."""
    minutes = Run.stored_setup["catch_up_minutes"].astext.cast(Integer)
    return func.greatest(func.coalesce(func.make_interval(0, 0, 0, 0, 0, minutes), catch_up), _LEAST)


class LatenessRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def of_run(self, user_id: UUID, run_id: UUID, catch_up: timedelta) -> ErrorCode | None:
        """Why it must do nothing more that costs or shows, if so."""
        asked = {"user_id": user_id, "run_id": run_id, "catch_up": catch_up}
        row = (await self.session.execute(_of_run(), asked)).one_or_none()
        return _reason(*row) if row else None

    async def of_post(self, user_id: UUID, post_id: UUID, catch_up: timedelta) -> ErrorCode | None:
        """As `of_run`; a post without a run is overtaken by none, nor is one whose time a person has said."""
        asked = {"user_id": user_id, "post_id": post_id, "catch_up": catch_up}
        row = (await self.session.execute(_of_post(), asked)).one_or_none()
        return _reason(*row) if row else None

    async def past_by_then(
        self, user_id: UUID, post_id: UUID, catch_up: timedelta, ahead: timedelta, at_most: timedelta
    ) -> bool:
        """Whether so long from now the post will be too late, or later than `at_most`."""
        asked = select(past(catch_up, ahead=ahead, at_most=at_most)).where(Post.id == post_id, Post.user_id == user_id)
        return bool(await self.session.scalar(asked))

    async def waits_for_network_until(self, user_id: UUID, post_id: UUID, catch_up: timedelta) -> datetime | None:
        """How long a delivery of the post may wait for its network; None: no longer."""
        asked = {"user_id": user_id, "post_id": post_id, "catch_up": catch_up}
        return await self.session.scalar(_waits_for_network(), asked)

    async def held_until(self, user_id: UUID, post_id: UUID, catch_up: timedelta) -> datetime | None:
        """How long a delivery of the post may wait for its account to be connected again; None: no longer."""
        asked = {"user_id": user_id, "post_id": post_id, "catch_up": catch_up}
        return await self.session.scalar(_waits(), asked)


# built once: that takes as long as asking


@cache
def _of_run() -> Select[bool, bool]:
    late = func.coalesce(Post.planned_at, Run.slot) <= func.clock_timestamp() - _window(CATCH_UP)
    return (
        select(late, and_(func.coalesce(Post.pinned, False).is_(False), overtaken()))
        .select_from(Run)
        .outerjoin(Post, Post.run_id == Run.id)
        .where(Run.id == bindparam("run_id"), Run.user_id == bindparam("user_id"))
    )


@cache
def _of_post() -> Select[bool, bool]:
    return (
        select(
            func.coalesce(past(CATCH_UP), False),
            and_(Post.pinned.is_(False), func.coalesce(overtaken(), False)),
        )
        .select_from(Post)
        .outerjoin(Run, Run.id == Post.run_id)
        .where(Post.id == bindparam("post_id"), Post.user_id == bindparam("user_id"))
    )


@cache
def _waits() -> Select[datetime | None]:
    return _until(_held_until())


@cache
def _waits_for_network() -> Select[datetime | None]:
    return _until(_waits_for_network_until())


def _until(moment: ColumnElement[datetime | None]) -> Select[datetime | None]:
    return (
        select(case((moment > func.clock_timestamp(), moment)))
        .select_from(Post)
        .outerjoin(Run, and_(Run.id == Post.run_id, Run.user_id == Post.user_id))
        .where(Post.id == bindparam("post_id"), Post.user_id == bindparam("user_id"))
    )


def _reason(too_late: bool, taken_over: bool) -> ErrorCode | None:
    if too_late:
        return ErrorCode.missed_outage
    return ErrorCode.missed_overtaken if taken_over else None
