"""Whether it is too late for a run: decided from rows and by the database's clock, the same for every process."""

from datetime import timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, exists, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from core.domain.assistants import RunState
from core.domain.errors import ErrorCode
from core.models import Post, Run


def overtaken() -> ColumnElement[bool]:
    """Of a `Run`: a newer one of its assistant is due by now, and has a chance to go out or has gone out. One that
    failed, was missed or skipped takes nobody's place."""
    newer = aliased(Run)
    return exists().where(
        newer.assistant_id == Run.assistant_id,
        newer.slot > Run.slot,
        newer.slot <= func.clock_timestamp(),
        newer.state.not_in((RunState.failed, RunState.missed, RunState.skipped)),
    )


def past(catch_up: timedelta) -> ColumnElement[bool]:
    """Of a `Post`: its time is longer ago than a missed one is caught up."""
    return Post.planned_at <= func.clock_timestamp() - catch_up


class LatenessRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def of_run(self, user_id: UUID, run_id: UUID, catch_up: timedelta) -> ErrorCode | None:
        """Why it must do nothing more that costs or shows, if so."""
        row = (
            await self.session.execute(
                select(Run.slot <= func.clock_timestamp() - catch_up, overtaken()).where(
                    Run.id == run_id, Run.user_id == user_id
                )
            )
        ).one_or_none()
        return _reason(*row) if row else None

    async def of_post(self, user_id: UUID, post_id: UUID, catch_up: timedelta) -> ErrorCode | None:
        """As `of_run`; a post without a run is overtaken by none."""
        row = (
            await self.session.execute(
                select(func.coalesce(past(catch_up), False), func.coalesce(overtaken(), False))
                .select_from(Post)
                .outerjoin(Run, Run.id == Post.run_id)
                .where(Post.id == post_id, Post.user_id == user_id)
            )
        ).one_or_none()
        return _reason(*row) if row else None


def _reason(too_late: bool, taken_over: bool) -> ErrorCode | None:
    if too_late:
        return ErrorCode.missed_outage
    return ErrorCode.missed_overtaken if taken_over else None
