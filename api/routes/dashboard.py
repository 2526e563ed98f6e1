from datetime import UTC, datetime

from api.bodies import Router
from api.dependencies import AnyUser, Core, CurrentUser
from api.presenters import first_file_out
from api.schemas.dashboard import (
    AccountStatsOut,
    AccountToReconnectOut,
    ChannelCountsOut,
    DayOut,
    LeftOutRunsOut,
    NextOccurrenceOut,
    NextPostOut,
    PausedAssistantOut,
    PostCountsOut,
    PreparedOut,
    SetupStateOut,
    SetupStepOut,
    UnplannedAssistantOut,
    WaitingOut,
)
from core.dashboard.overview import Coming, Day
from core.dashboard.repository import NextPost, PreparedPost
from core.media.pictures import MediaService
from core.posts.calendar import title_of

router = Router(prefix="/users", tags=["overview"])


@router.get("/account_setup_state/")
async def read_account_setup_state(user: AnyUser, services: Core) -> SetupStateOut:
    """The steps to the first post, and which of them are done."""
    steps = await services.account_stats.setup(user)
    return SetupStateOut(
        steps=[SetupStepOut(key=key, done=done) for key, done in steps.items()], complete=all(steps.values())
    )


@router.get("/waiting/", tags=["notifications"])
async def read_waiting(user: CurrentUser, services: Core) -> WaitingOut:
    """How many things wait for the user, for all places that show it."""
    return WaitingOut.model_validate(await services.account_stats.waiting(user.id))


@router.get("/account_stats/")
async def read_account_stats(user: CurrentUser, services: Core) -> AccountStatsOut:
    """Upcoming posts, results and costs: the last 30 days in the user's time zone."""
    stats = await services.account_stats.stats(user.id, user.time_zone, datetime.now(UTC))
    return AccountStatsOut(
        time_zone=user.time_zone,
        posts_by_status=PostCountsOut.model_validate(stats.posts),
        articles_by_status=PostCountsOut.model_validate(stats.articles),
        posts_by_channel=[
            ChannelCountsOut(channel=channel, posts=count.posts, published=count.published, failed=count.failed)
            for channel, count in stats.channels.items()
        ],
        published_posts=stats.published_posts,
        published_posts_before=stats.published_posts_before,
        next_occurrences=[_next_occurrence_out(coming, services.media) for coming in stats.coming],
        next_posts=[_next_post_out(post, services.media) for post in stats.next_posts],
        days=[_day_out(day) for day in stats.days],
        input_tokens=stats.spending.input_tokens,
        output_tokens=stats.spending.output_tokens,
        cost_micros=stats.spending.cost_micros,
        cost_known=stats.spending.known,
        currency=stats.spending.currency,
        published_deliveries=stats.published,
        failed_deliveries=stats.failed,
        unknown_deliveries=stats.unknown,
        success_rate=stats.success_rate,
        open_approvals=stats.approvals,
        accounts_to_reconnect=[
            AccountToReconnectOut(id=account.id, channel=account.kind, name=account.called)
            for account in stats.to_reconnect
        ],
        left_out_runs=[LeftOutRunsOut.model_validate(runs) for runs in stats.left_out],
        paused_assistants=[
            PausedAssistantOut(id=row.id, name=row.name, until=pause.until, reason=pause.reason)
            for row, pause in stats.paused
        ],
        unplanned_assistants=[UnplannedAssistantOut.model_validate(assistant) for assistant in stats.unplanned],
    )


def _next_occurrence_out(coming: Coming, media: MediaService) -> NextOccurrenceOut:
    return NextOccurrenceOut(
        assistant_id=coming.assistant.id,
        assistant_name=coming.assistant.name,
        mode=coming.assistant.mode,
        channels=list(coming.channels),
        slot=coming.occurrence.slot,
        clock_change=coming.occurrence.clock_change,
        needs_login=coming.needs_login,
        prepared=_prepared_out(coming.prepared, media),
    )


def _next_post_out(post: NextPost, media: MediaService) -> NextPostOut:
    return NextPostOut(
        id=post.id,
        title=title_of(post),
        is_article=post.is_article,
        planned_at=post.planned_at,
        channels=list(post.channels),
        needs_login=post.needs_login,
        held=post.held,
        asks=post.asks,
        needs_approval=post.needs_approval,
        first_file=first_file_out(post.picture_id, post.file_kind, media),
    )


def _day_out(day: Day) -> DayOut:
    return DayOut(
        day=day.date,
        posts=PostCountsOut.model_validate(day.posts),
        articles=PostCountsOut.model_validate(day.articles),
        input_tokens=day.spending.input_tokens,
        output_tokens=day.spending.output_tokens,
        cost_micros=day.spending.cost_micros,
        cost_known=day.spending.known,
    )


def _prepared_out(prepared: PreparedPost | None, media: MediaService) -> PreparedOut | None:
    if prepared is None:
        return None
    return PreparedOut(
        topic_title=prepared.topic_title,
        post_id=prepared.post_id,
        first_file=first_file_out(prepared.picture_id, prepared.file_kind, media),
        asks=prepared.asks,
        needs_approval=prepared.needs_approval,
    )
