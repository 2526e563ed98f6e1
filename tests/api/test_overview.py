"""What the dashboard is told: set-up, what comes next, how it went, what it cost."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any

import httpx2
import pytest
from sqlalchemy import select, update

from core.ai.tables.transactions import Transaction, TransactionType
from core.approvals.rules import ApprovalState, AtDeadline
from core.approvals.tables.approvals import Approval
from core.assistants.configuration import AssistantConfigurationService
from core.assistants.rules.assistants import Mode, RunState
from core.assistants.rules.schedules import Frequency, Schedule
from core.assistants.tables import Assistant
from core.billing.tables import SubscriptionRow
from core.container import Services
from core.dashboard.overview import DAYS, Stats, day_bounds
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode
from core.ids import new_id
from core.media.tables import Media
from core.networks.rules.channels import AccountState, AccountType, ChannelKind
from core.posts.rules.posts import DeliveryState, PostStatus, RemovalState
from core.posts.tables.posts import Post, PostFile
from core.runs.tables import Run
from core.social_accounts.tables import Account
from core.tables import Base
from core.templates.rules.templates import TemplateType
from core.topics.tables import Topic
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused
from tests.conftest import Networks, browsing
from tests.factories import Factory
from tests.statements import record_statements
from tests.subscribed import store_subscription
from tests.videos import Film, stored_video

NOW = datetime(2026, 11, 21, 15, 30, tzinfo=UTC)


async def save(services: Services, *rows: Base) -> None:
    async with services.sessions.begin() as session:
        for row in rows:
            session.add(row)
            await session.flush()


def a_post(user: User, planned: datetime | None, status: PostStatus = PostStatus.published, **more: Any) -> Post:
    return Post(id=new_id(), user_id=user.id, planned_at=planned, status=status, **more)


def a_delivery(
    post: Post, account: Account, state: DeliveryState, settled: datetime | None, *, called: datetime | None = None
) -> Delivery:
    return Delivery(
        user_id=post.user_id,
        post_id=post.id,
        account_id=account.id,
        channel=account.kind,
        state=state,
        content_hash="",
        settled_at=settled,
        called_at=called,
    )


def a_call(user: User, at: datetime, cost: int | None, tokens: tuple[int | None, int | None] = (10, 5)) -> Transaction:
    return Transaction(
        user_id=user.id,
        key=str(new_id()),
        type=TransactionType.text,
        provider="openai",
        model="a-model",
        input_tokens=tokens[0],
        output_tokens=tokens[1],
        cost_micros=cost,
        duration_ms=1,
        created_at=at,
    )


def an_account(user: User, name: str, state: AccountState = AccountState.connected, **more: Any) -> Account:
    return Account(
        id=new_id(),
        user_id=user.id,
        kind=ChannelKind.linkedin,
        type=AccountType.person,
        external_id=name,
        name=name,
        own_state=state,
        **more,
    )


async def a_run(
    services: Services, user: User, assistant: Assistant, slot: datetime, state: RunState, **more: Any
) -> None:
    run, made = new_id(), {"user_id": user.id, "assistant_id": assistant.id}
    await save(services, Run(id=run, workflow_id=f"run-{run}", slot=slot, state=state, **made, **more))


async def activate(services: Services, assistant: Assistant) -> None:
    async with services.sessions.begin() as session:
        await AssistantConfigurationService(session).activate(assistant.user_id, assistant.id)


def made_on(stats: Stats) -> list[date]:
    """The days that a published post is counted on, once for each post."""
    return [day.date for day in stats.days for _ in range(day.posts[PostStatus.published])]


# the way to the first post


async def steps_of(api: httpx2.AsyncClient) -> dict[str, bool]:
    state = done(await api.get("/users/account_setup_state/"))
    steps = {step["key"]: step["done"] for step in state["steps"]}
    assert state["complete"] == all(steps.values())
    return steps


async def test_each_step_of_the_setup_is_done_by_what_it_makes(
    services: Services, away: Gateway, make: Factory, user: User, networks: Networks
) -> None:
    async with services.sessions.begin() as session:
        await session.execute(update(User).where(User.id == user.id).values(is_email_verified=False))
    order = [
        "verify_email",
        "connect_account",
        "create_template",
        "create_topic_tree",
        "create_assistant",
        "activate_assistant",
    ]
    async with browsing(services, away, user) as api:
        assert await steps_of(api) == dict.fromkeys(order, False)
        assert list(await steps_of(api)) == order

        async with services.sessions.begin() as session:
            await session.execute(update(User).where(User.id == user.id).values(is_email_verified=True))
        account = await make.account(user, networks.url)
        await make.template(user, "((Topic))", TemplateType.image)
        assert [name for name, is_done in (await steps_of(api)).items() if is_done] == order[:2], "no text template yet"

        await make.template(user)
        await make.tree(user)
        assert [name for name, is_done in (await steps_of(api)).items() if is_done] == order[:4]

        assistant = await make.assistant(user, accounts=(account.id,))
        assert [name for name, is_done in (await steps_of(api)).items() if is_done] == order[:5]
        await activate(services, assistant)
        assert await steps_of(api) == dict.fromkeys(order, True)

        done(await api.delete(f"/accounts/{account.id}/"))
        assert (await steps_of(api))["connect_account"] is False, "a removed account is none"


async def test_what_others_have_is_no_step_of_mine(
    services: Services, away: Gateway, make: Factory, user: User, networks: Networks
) -> None:
    theirs = await make.assistant(user, accounts=((await make.account(user, networks.url)).id,))
    await activate(services, theirs)
    async with browsing(services, away, await make.user()) as api:
        assert [name for name, is_done in (await steps_of(api)).items() if is_done] == ["verify_email"]


async def test_the_trial_is_a_step_where_one_can_be_had_and_is_had_once(
    services: Services, away: Gateway, make: Factory, user: User
) -> None:
    offering = replace(services, account_stats=replace(services.account_stats, offers_trial=True))
    async with browsing(offering, away, user) as api:
        assert list((await steps_of(api)).items())[-1] == ("start_trial", False)
        await save(services, SubscriptionRow(user_id=user.id, had_one=True))
        assert (await steps_of(api))["start_trial"] is True, "also once it has ended"
    async with browsing(offering, away, await make.user()) as theirs:
        assert (await steps_of(theirs))["start_trial"] is False
    async with browsing(services, away, user) as api:
        assert "start_trial" not in await steps_of(api), "nobody is charged here"


async def test_what_takes_nothing_more_waits_where_it_is_listed(
    services: Services, away: Gateway, make: Factory, networks: Networks, user: User
) -> None:
    async def told() -> tuple[int, int]:
        waiting = done(await api.get("/users/waiting/"))
        return waiting["accounts"], waiting["websites"]

    await make.account(user, networks.url)
    await make.website(user, networks.url)
    async with browsing(services, away, user) as api:
        assert await told() == (0, 0)
        for kind, count in ((ChannelKind.wordpress, (0, 1)), (ChannelKind.linkedin, (1, 1))):
            async with services.sessions.begin() as session:
                await session.execute(
                    update(Account).where(Account.kind == kind).values(own_state=AccountState.needs_reconnecting)
                )
            assert await told() == count
        async with browsing(services, away, await make.user()) as theirs:
            assert done(await theirs.get("/users/waiting/"))["websites"] == 0


async def test_what_is_wrong_with_the_subscription_waits_for_its_user(
    services: Services, away: Gateway, make: Factory, user: User
) -> None:
    async def told() -> bool:
        waiting: bool = done(await api.get("/users/waiting/"))["subscription"]
        return waiting

    async with browsing(services, away, user) as api:
        assistant = await make.assistant(user)
        await save(services, SubscriptionRow(user_id=user.id, had_one=True))
        assert not await told()
        await store_subscription(services, user.id, "past_due", since=NOW)
        assert await told(), "a charge has failed"
        await store_subscription(services, user.id, "unpaid", since=NOW)
        assert not await told(), "it is tried no more, and there was nothing to pause"
        async with services.sessions.begin() as session:
            await session.execute(
                update(Assistant)
                .where(Assistant.id == assistant.id)
                .values(active=True, paused_at=NOW, pause_reason=ErrorCode.subscription_ended)
            )
        assert await told(), "an assistant pauses"
        async with browsing(services, away, await make.user()) as theirs:
            assert done(await theirs.get("/users/waiting/"))["subscription"] is False
        async with services.sessions.begin() as session:
            await session.execute(update(Assistant).values(pause_reason=ErrorCode.budget_spent))
        assert not await told(), "for another reason"


# figures


async def test_an_account_without_anything_has_figures_too(api: httpx2.AsyncClient) -> None:
    stats = done(await api.get("/users/account_stats/"))
    nothing = {status.value: 0 for status in (*PostStatus, DeliveryState.unknown)}
    assert stats["posts_by_status"] == stats["articles_by_status"] == nothing
    assert stats["posts_by_channel"] == [
        {"channel": kind, "posts": 0, "published": 0, "failed": 0} for kind in ChannelKind
    ]
    assert (stats["published_posts"], stats["published_posts_before"], stats["left_out_runs"]) == (0, 0, [])
    assert (stats["success_rate"], stats["open_approvals"]) == (None, 0), "no delivery is not a rate of 0"
    assert (stats["next_occurrences"], stats["accounts_to_reconnect"]) == ([], [])
    assert (stats["cost_micros"], stats["cost_known"], stats["currency"]) == (0, True, "USD")
    days = [date.fromisoformat(day["day"]) for day in stats["days"]]
    assert len(days) == DAYS
    assert all(later - earlier == timedelta(days=1) for earlier, later in pairwise(days))
    assert all(day["posts"] == nothing and day["cost_micros"] == 0 and day["cost_known"] for day in stats["days"])


async def test_figures_are_for_those_who_have_proved_their_email(
    services: Services, api: httpx2.AsyncClient, user: User
) -> None:
    async with services.sessions.begin() as session:
        await session.execute(update(User).where(User.id == user.id).values(is_email_verified=False))
    refused(await api.get("/users/account_stats/"), 409, ErrorCode.email_not_verified)
    done(await api.get("/users/account_setup_state/"))


async def test_posts_and_deliveries_are_counted(
    services: Services, api: httpx2.AsyncClient, user: User, make: Factory
) -> None:
    now = datetime.now(UTC)
    fresh, old = now - timedelta(days=2), now - timedelta(days=45)
    mara, jonas = an_account(user, "Mara"), an_account(user, "Jonas")
    both = a_post(user, fresh)
    half = a_post(user, fresh, PostStatus.failed)
    long_ago = a_post(user, old)
    waiting = a_post(user, now + timedelta(hours=30), PostStatus.complete)
    draft = a_post(user, None, PostStatus.draft)
    unclear = a_post(user, fresh, PostStatus.complete)
    removed = a_post(user, fresh, PostStatus.failed)
    gone = a_delivery(removed, mara, DeliveryState.published, fresh)
    gone.removal, gone.removed_at = RemovalState.removed, fresh
    stranger = await make.user()
    theirs, foreign = a_post(stranger, fresh), an_account(stranger, "Not mine")
    await save(
        services,
        mara,
        jonas,
        both,
        half,
        long_ago,
        waiting,
        draft,
        unclear,
        removed,
        gone,
        a_delivery(removed, jonas, DeliveryState.failed, fresh),
        a_delivery(unclear, mara, DeliveryState.unknown, None, called=fresh),
        a_delivery(both, mara, DeliveryState.published, fresh),
        a_delivery(both, jonas, DeliveryState.published, fresh),
        a_delivery(half, mara, DeliveryState.published, fresh),
        a_delivery(half, jonas, DeliveryState.failed, fresh),
        a_delivery(long_ago, mara, DeliveryState.failed, old),
        a_delivery(waiting, mara, DeliveryState.pending, None),
        a_delivery(waiting, jonas, DeliveryState.cancelled, fresh),
        theirs,
        foreign,
        a_delivery(theirs, foreign, DeliveryState.failed, fresh),
    )
    stats = done(await api.get("/users/account_stats/"))
    assert stats["posts_by_status"] == {"draft": 1, "complete": 1, "published": 2, "failed": 2, "unknown": 1}
    assert stats["posts_by_channel"] == [
        {"channel": "linkedin", "posts": 6, "published": 4, "failed": 2},
        *({"channel": kind.value, "posts": 0, "published": 0, "failed": 0} for kind in list(ChannelKind)[1:]),
    ]
    assert (stats["published_posts"], stats["published_posts_before"]) == (2, 1), (
        "also what is online in part, unless it was deleted there"
    )
    assert (stats["published_deliveries"], stats["failed_deliveries"]) == (4, 2)
    assert stats["success_rate"] == pytest.approx(4 / 7), "of what was sent; what nobody knows of is no success"
    assert stats["unknown_deliveries"] == 1
    by_day = {day["day"]: day["posts"] for day in stats["days"]}
    assert by_day[fresh.date().isoformat()] == {"draft": 0, "complete": 0, "published": 1, "failed": 2, "unknown": 1}
    assert by_day[now.date().isoformat()] == {"draft": 1, "complete": 0, "published": 0, "failed": 0, "unknown": 0}, (
        "no date: made"
    )
    assert sum(sum(posts.values()) for posts in by_day.values()) == 5

    # the dashboard's numbers lead to lists of just these
    async def listed(**filters: str) -> int:
        return int(done(await api.get("/social-media-posts/", params=filters))["total"])

    first, last = (date.fromisoformat(stats["days"][at]["day"]) for at in (0, -1))
    span = {"planned_from": f"{first}T00:00:00Z", "planned_before": f"{last + timedelta(days=1)}T00:00:00Z"}
    assert await listed(state="live", **span) == stats["published_posts"]
    days = stats["days"]
    assert await listed(status="failed", **span) == sum(day["posts"]["failed"] for day in days)
    assert await listed(state="unknown", **span) == sum(day["posts"]["unknown"] for day in days)
    assert await listed(status="draft") == stats["posts_by_status"]["draft"]
    in_the_list = await listed(status="complete")
    assert in_the_list == stats["posts_by_status"]["complete"] + stats["posts_by_status"]["unknown"]


async def test_an_article_counts_as_a_post_does_wherever_posts_are_counted(
    services: Services, api: httpx2.AsyncClient, user: User, make: Factory, networks: Networks
) -> None:
    await make.website(user, networks.url)
    async with services.sessions() as session:
        site = (await session.scalars(select(Account).where(Account.user_id == user.id))).one()
    now = datetime.now(UTC)
    fresh, old = now - timedelta(days=2), now - timedelta(days=45)
    mara = an_account(user, "Mara")
    of: dict[str, Any] = {"article": {}, "account_ids": [str(site.id)]}
    post, out, long_ago = a_post(user, fresh), a_post(user, fresh, **of), a_post(user, old, **of)
    lost, unclear = a_post(user, fresh, PostStatus.failed, **of), a_post(user, fresh, PostStatus.complete, **of)
    await save(
        services,
        *(mara, post, out, long_ago, lost, unclear, a_post(user, None, PostStatus.draft, **of)),
        a_delivery(post, mara, DeliveryState.published, fresh),
        a_delivery(out, site, DeliveryState.published, fresh),
        a_delivery(lost, site, DeliveryState.failed, fresh),
        a_delivery(unclear, site, DeliveryState.unknown, None, called=fresh),
    )
    stats = done(await api.get("/users/account_stats/"))
    assert stats["posts_by_status"] == {"draft": 1, "complete": 0, "published": 3, "failed": 1, "unknown": 1}
    assert stats["articles_by_status"] == stats["posts_by_status"] | {"published": 2}
    assert (stats["published_posts"], stats["published_posts_before"]) == (2, 1)
    assert stats["success_rate"] == 2 / 4, "an article that was refused is no success"
    days = {day["day"]: day for day in stats["days"]}
    day = days[fresh.date().isoformat()]
    assert day["posts"] == {"draft": 0, "complete": 0, "published": 2, "failed": 1, "unknown": 1}
    assert day["articles"] == day["posts"] | {"published": 1}
    assert [one for one in stats["posts_by_channel"] if one["posts"]] == [
        {"channel": "linkedin", "posts": 1, "published": 1, "failed": 0},
        {"channel": "wordpress", "posts": 3, "published": 1, "failed": 1},
    ]

    async def listed(**filters: str) -> int:
        params = {"articles_too": "true", **filters}
        return int(done(await api.get("/social-media-posts/", params=params))["total"])

    first, last = (date.fromisoformat(stats["days"][at]["day"]) for at in (0, -1))
    span = {"planned_from": f"{first}T00:00:00Z", "planned_before": f"{last + timedelta(days=1)}T00:00:00Z"}
    assert await listed(state="live", **span) == stats["published_posts"]
    assert await listed(status="failed", **span) == sum(one["posts"]["failed"] for one in stats["days"])
    assert await listed(state="unknown") == stats["posts_by_status"]["unknown"]
    assert await listed(status="draft") == stats["posts_by_status"]["draft"]


async def test_an_unknown_cost_is_not_zero(services: Services, user: User) -> None:
    today, before, longer = NOW, NOW - timedelta(days=1), NOW - timedelta(days=3)
    await save(
        services,
        a_call(user, today, 1_500),
        a_call(user, today, 700),
        a_call(user, before, None, (None, 7)),
        a_call(user, before, 40),
        a_call(user, longer, None),
        a_call(user, NOW - timedelta(days=DAYS), 1_000_000),
    )
    stats = await services.account_stats.stats(user.id, "UTC", NOW)
    spent = {(NOW.date() - day.date).days: day.spending for day in stats.days}
    assert (spent[0].cost_micros, spent[0].known, spent[0].input_tokens) == (2_200, True, 20)
    assert (spent[1].cost_micros, spent[1].known) == (40, False)
    assert (spent[1].input_tokens, spent[1].output_tokens) == (10, 12)
    assert (spent[2].cost_micros, spent[2].known) == (0, True), "a day without a call cost nothing, and that is known"
    assert (spent[3].cost_micros, spent[3].known) == (None, False)
    assert (stats.spending.cost_micros, stats.spending.known) == (2_240, False)
    assert (stats.spending.input_tokens, stats.spending.output_tokens) == (40, 27)


async def test_what_was_spent_is_the_sum_of_the_list_of_these_days(
    services: Services, api: httpx2.AsyncClient, user: User
) -> None:
    now = datetime.now(UTC)
    await save(services, *(a_call(user, now - timedelta(days=days), 100 + days) for days in (0, 1, DAYS - 1, DAYS)))
    stats = done(await api.get("/users/account_stats/"))
    period = {"from": stats["days"][0]["day"], "to": stats["days"][-1]["day"]}
    listed = done(await api.get("/transactions/totals/", params=period))
    for name in ("cost_micros", "input_tokens", "output_tokens"):
        assert listed[name] == stats[name] > 0


async def test_accounts_and_missed_runs_that_need_a_look(
    services: Services, api: httpx2.AsyncClient, user: User, make: Factory
) -> None:
    lost = an_account(user, "Lost", AccountState.needs_reconnecting)
    now, assistant, other = datetime.now(UTC), await make.assistant(user), await make.assistant(user)
    await save(
        services,
        lost,
        an_account(user, "Fine"),
        an_account(user, "Removed", AccountState.needs_reconnecting, disconnected_at=now),
        an_account(await make.user(), "Not mine", AccountState.needs_reconnecting),
    )
    left_out = ((1, RunState.missed), (2, RunState.missed), (40, RunState.missed), (5, RunState.skipped))
    for days, state in (*left_out, (3, RunState.failed)):
        await a_run(services, user, assistant, now - timedelta(days=days), state)
    await a_run(services, user, other, now - timedelta(days=4), RunState.skipped)
    await a_run(services, user, other, now - timedelta(days=3), RunState.skipped, reason=ErrorCode.skipped_by_hand)
    stats = done(await api.get("/users/account_stats/"))
    assert stats["accounts_to_reconnect"] == [{"id": str(lost.id), "channel": "linkedin", "name": "Lost"}]
    assert [(one["assistant_id"], one["missed"], one["skipped"]) for one in stats["left_out_runs"]] == [
        (str(assistant.id), 2, 1),
        (str(other.id), 0, 1),
    ]
    # each number leads to a list of just these
    first, last = (date.fromisoformat(stats["days"][at]["day"]) for at in (0, -1))
    span = {"slot_from": f"{first}T00:00:00Z", "slot_before": f"{last + timedelta(days=1)}T00:00:00Z"}
    for one in stats["left_out_runs"]:
        for kind in ("missed", "skipped"):
            query = span | {"state": kind, "by_itself": "true"}
            listed = done(await api.get(f"/assistants/{one['assistant_id']}/runs/", params=query))
            assert listed["total"] == len(listed["items"]) == listed["counts"].get(kind, 0) == one[kind]
    everything = done(await api.get(f"/assistants/{other.id}/runs/"))
    assert everything["counts"] == {"skipped": 2}


# days on the user's own clock


@pytest.mark.parametrize(
    ("zone", "day", "begins", "hours"),
    [
        ("UTC", date(2026, 11, 21), "2026-11-21T00:00", 24),
        ("Pacific/Auckland", date(2026, 11, 21), "2026-11-20T11:00", 24),
        ("Europe/Berlin", date(2026, 3, 29), "2026-03-28T23:00", 23),
        ("America/New_York", date(2026, 11, 1), "2026-11-01T04:00", 25),
        ("America/Santiago", date(2026, 9, 6), "2026-09-06T04:00", 23),  # has no midnight
        ("America/Havana", date(2025, 11, 2), "2025-11-02T04:00", 25),  # has two midnights
        ("Asia/Kathmandu", date(2026, 11, 21), "2026-11-20T18:15", 24),
        ("Australia/Lord_Howe", date(2026, 4, 5), "2026-04-04T13:00", 24.5),
    ],
)
def test_a_day_is_as_long_as_the_clock_makes_it(zone: str, day: date, begins: str, hours: float) -> None:
    begin, end = day_bounds(day, 1, zone)
    assert begin == datetime.fromisoformat(f"{begins}+00:00")
    assert end - begin == timedelta(hours=hours)


async def test_a_day_begins_at_the_users_midnight(services: Services, user: User) -> None:
    """In Auckland it is 21 November from 11:00 UTC of the day before on."""
    midnight = datetime(2026, 11, 20, 11, tzinfo=UTC)
    second = timedelta(seconds=1)
    await save(services, a_post(user, midnight - second), a_post(user, midnight), a_call(user, midnight - second, 3))
    for now, today in ((midnight - second, date(2026, 11, 20)), (midnight, date(2026, 11, 21))):
        stats = await services.account_stats.stats(user.id, "Pacific/Auckland", now)
        assert stats.days[-1].date == today
        assert stats.days[0].date == today - timedelta(days=DAYS - 1)
        spent = {day.date: day.spending.cost_micros for day in stats.days}
        assert spent[date(2026, 11, 20)] == 3
    assert made_on(stats) == [date(2026, 11, 20), date(2026, 11, 21)]
    assert made_on(await services.account_stats.stats(user.id, "UTC", midnight)) == [date(2026, 11, 20)] * 2


async def test_the_first_of_the_days_is_whole(services: Services, user: User) -> None:
    first = datetime(2026, 10, 22, 22, tzinfo=UTC)  # 23 October in Berlin, before the clocks went back
    second = timedelta(seconds=1)
    await save(services, a_post(user, first - second), a_post(user, first), a_call(user, first - second, 9))
    stats = await services.account_stats.stats(user.id, "Europe/Berlin", NOW)
    assert stats.days[0].date == date(2026, 10, 23)
    assert made_on(stats) == [date(2026, 10, 23)]
    assert stats.published_posts_before == 1
    assert stats.spending.cost_micros == 0


async def test_an_hour_that_comes_twice_is_one_day(services: Services, user: User) -> None:
    """1 November 2026 in New York: 01:30 twice, and 25 hours from midnight to midnight."""
    moments = ["2026-11-01T03:59", "2026-11-01T05:30", "2026-11-01T06:30", "2026-11-02T04:59", "2026-11-02T05:00"]
    await save(services, *(a_post(user, datetime.fromisoformat(f"{moment}+00:00")) for moment in moments))
    stats = await services.account_stats.stats(user.id, "America/New_York", NOW)
    assert made_on(stats) == [date(2026, 10, 31), *[date(2026, 11, 1)] * 3, date(2026, 11, 2)]


async def test_the_answer_is_in_the_users_time_zone(
    services: Services, away: Gateway, make: Factory, user: User
) -> None:
    """Kiritimati is a day ahead of Honolulu, 24 hours, whatever the hour."""
    lasts = []
    for zone in ("Pacific/Kiritimati", "Pacific/Honolulu"):
        async with services.sessions.begin() as session:
            await session.execute(update(User).where(User.id == user.id).values(time_zone=zone))
        async with browsing(services, away, user) as api:
            stats = done(await api.get("/users/account_stats/"))
        assert stats["time_zone"] == zone
        lasts.append(date.fromisoformat(stats["days"][-1]["day"]))
    assert lasts[0] - lasts[1] == timedelta(days=1)


# what comes next


async def due(services: Services, make: Factory, user: User, schedule: Schedule, **more: Any) -> Assistant:
    assistant = await make.assistant(user, schedule=schedule, **more)
    await activate(services, assistant)
    return assistant


def at(*slots: str) -> Sequence[datetime]:
    return [datetime.fromisoformat(f"{slot}+00:00") for slot in slots]


async def test_the_next_five_dates_of_all_active_assistants(services: Services, make: Factory, user: User) -> None:
    account = an_account(user, "Mara")
    await save(services, account)
    daily = Schedule(Frequency.daily, "Europe/Berlin", ("09:00",))
    weekly = Schedule(Frequency.weekly, "UTC", ("08:30", "12:00"), days_of_week=(1,))
    often = await due(services, make, user, daily, accounts=(account.id,))
    seldom = await due(services, make, user, weekly, mode=Mode.draft)
    await make.assistant(user, schedule=Schedule(Frequency.cron, "UTC", cron="* * * * *"))  # inactive
    over = Schedule(Frequency.daily, "UTC", ("09:00",), end_date=date(2026, 11, 20))
    await due(services, make, user, over, mode=Mode.draft)
    await due(services, make, await make.user(), daily, mode=Mode.draft)

    stats = await services.account_stats.stats(user.id, "Pacific/Auckland", NOW)  # a Saturday
    found = [(coming.occurrence.slot, coming.assistant.id) for coming in stats.coming]
    slots = at("2026-11-22T08:00", "2026-11-23T08:00", "2026-11-23T08:30", "2026-11-23T12:00", "2026-11-24T08:00")
    assert found == list(zip(slots, [often.id, often.id, seldom.id, seldom.id, often.id], strict=True))
    assert [list(coming.channels) for coming in stats.coming[1:3]] == [["linkedin"], []]


async def test_an_assistant_that_cannot_be_planned_takes_no_date_from_the_others(
    services: Services, make: Factory, user: User
) -> None:
    daily = Schedule(Frequency.daily, "UTC", ("09:00",))
    stuck, other = [await due(services, make, user, daily, mode=Mode.draft) for _ in range(2)]
    async with services.sessions.begin() as session:
        row = await session.get_one(Assistant, stuck.id)
        row.schedule = (row.schedule or {}) | {"time_slots": ["25:61"]}
    stats = await services.account_stats.stats(user.id, "UTC", NOW)
    assert {coming.assistant.id for coming in stats.coming} == {other.id}


async def test_a_clock_change_is_told(services: Services, make: Factory, user: User) -> None:
    await due(services, make, user, Schedule(Frequency.daily, "Europe/Berlin", ("02:30",)), mode=Mode.draft)
    stats = await services.account_stats.stats(user.id, "UTC", datetime(2026, 3, 27, 12, tzinfo=UTC))
    # 02:30 does not exist on the 29th and moves forward by the gap
    slots = at("2026-03-28T01:30", "2026-03-29T01:30", "2026-03-30T00:30", "2026-03-31T00:30", "2026-04-01T00:30")
    assert [coming.occurrence.slot for coming in stats.coming] == slots
    assert [coming.occurrence.clock_change for coming in stats.coming] == [0, 60, 0, 0, 0]


async def test_a_date_names_its_assistant(
    services: Services, api: httpx2.AsyncClient, make: Factory, user: User
) -> None:
    schedule = Schedule(Frequency.cron, "UTC", cron="* * * * *")
    assistant = await due(services, make, user, schedule, mode=Mode.draft)
    coming = done(await api.get("/users/account_stats/"))["next_occurrences"]
    assert len(coming) == 5
    assert {entry["assistant_id"] for entry in coming} == {str(assistant.id)}
    assert {(entry["assistant_name"], entry["mode"]) for entry in coming} == {("Commuter tips", "draft")}
    slots = [datetime.fromisoformat(entry["slot"]) for entry in coming]
    assert all(later - earlier == timedelta(minutes=1) for earlier, later in pairwise(slots))


async def test_a_prepared_date_tells_its_topic_and_picture(
    services: Services, api: httpx2.AsyncClient, make: Factory, user: User
) -> None:
    assistant = await due(services, make, user, Schedule(Frequency.daily, "UTC", ("09:00",)), mode=Mode.draft)
    first, second, third, *_ = [
        coming.occurrence.slot
        for coming in (await services.account_stats.stats(user.id, "UTC", datetime.now(UTC))).coming
    ]
    async with services.sessions() as session:
        topic = await session.scalar(select(Topic).where(Topic.user_id == user.id, Topic.title == "Riding in snow"))
    assert topic is not None
    stranger = await make.user()
    written, chosen, begun, foreign = (
        Run(
            id=new_id(),
            user_id=owner.id,
            assistant_id=of.id,
            workflow_id=str(new_id()),
            slot=slot,
            topic_id=found,
        )
        for owner, of, slot, found in (
            (user, assistant, first, None),
            (user, assistant, second, topic.id),
            (user, assistant, third, None),
            (stranger, await make.assistant(stranger), first, topic.id),
        )
    )
    post = a_post(user, first, PostStatus.complete, run_id=written.id, topic_title="Rain without drama")
    picture = Media(
        id=new_id(), user_id=user.id, sha256="0" * 64, storage_key="-", mime="image/png", width=3, height=2, bytes=1
    )
    await save(
        services,
        written,
        chosen,
        begun,
        foreign,
        post,
        picture,
        PostFile(user_id=user.id, post_id=post.id, media_id=picture.id, position=0),
    )
    coming = done(await api.get("/users/account_stats/"))["next_occurrences"]
    told = [entry["prepared"] for entry in coming]
    assert (told[0]["topic_title"], told[0]["post_id"]) == ("Rain without drama", str(post.id))
    assert str(picture.id) in told[0]["first_file"]["thumbnail_url"]
    assert told[0]["first_file"]["kind"] == "image"
    assert told[1] == {
        "topic_title": "Riding in snow",
        "post_id": None,
        "first_file": None,
        "asks": False,
        "needs_approval": False,
    }
    assert told[2:] == [None] * 3, "without a topic there is nothing to tell yet"


async def test_posts_that_go_out_at_none_of_the_dates_are_next_too(
    services: Services, api: httpx2.AsyncClient, make: Factory, user: User
) -> None:
    assistant = await due(services, make, user, Schedule(Frequency.daily, "UTC", ("09:00",)), mode=Mode.draft)
    now = datetime.now(UTC)
    first, second, third, fourth, *_ = [
        coming.occurrence.slot for coming in (await services.account_stats.stats(user.id, "UTC", now)).coming
    ]
    stranger = await make.user()
    account, away = an_account(user, "Mara"), an_account(user, "Jonas", AccountState.needs_reconnecting)
    gone, theirs = an_account(user, "Old", disconnected_at=now), an_account(stranger, "Mara")
    runs = [
        Run(id=new_id(), user_id=user.id, assistant_id=assistant.id, workflow_id=str(new_id()), slot=slot)
        for slot in (first, second, third)
    ]
    hour, asked = timedelta(hours=1), "a" * 64
    at_date = a_post(user, first, PostStatus.complete, run_id=runs[0].id, topic_title="At its date")
    moved = a_post(user, second + hour, PostStatus.complete, run_id=runs[1].id, content="\n Moved\nby an hour")
    deleted = a_post(user, third, PostStatus.draft, run_id=runs[2].id, topic_title="Deleted", deleted_at=now)
    by_hand = a_post(user, first + hour, PostStatus.complete, content="By hand")
    article = a_post(user, first + 2 * hour, PostStatus.complete, content="# x", topic_title="A title", article={})
    waiting = a_post(user, first + 3 * hour, PostStatus.draft, content="Asked about", content_hash=asked)
    # it goes out as soon as somebody says so, not at its time; the other one has got a time of its own since
    at_once = a_post(user, first + hour, PostStatus.draft, content="Asked for now", content_hash=asked)
    pinned = a_post(user, first + 4 * hour, PostStatus.draft, content="Moved since", content_hash=asked, pinned=True)
    nowhere = a_post(user, first + hour, PostStatus.complete, content="Its account is gone")
    past = a_post(user, now - hour, PostStatus.complete, content="Late")
    draft = a_post(user, first + hour, PostStatus.draft, content="A draft")
    foreign = a_post(stranger, first + hour, PostStatus.complete, content="Of somebody else")
    approvals = [
        Approval(
            id=new_id(),
            user_id=user.id,
            post_id=post.id,
            content_hash=asked,
            deadline_at=first + 2 * hour,
            state=ApprovalState.waiting,
            at_deadline=AtDeadline.publish if post is pinned else AtDeadline.skip,
            at_once=post is not waiting,
        )
        for post in (waiting, at_once, pinned)
    ]
    pending = DeliveryState.pending
    film = await stored_video(services, user.id, Film(300_000))
    cover = Media(
        id=new_id(), user_id=user.id, sha256="1" * 64, storage_key="-", mime="image/png", width=3, height=2, bytes=1
    )
    await save(
        services,
        *(account, away, gone, theirs, *runs),
        *(at_date, moved, deleted, by_hand, article, waiting, nowhere, past, draft, foreign, at_once, pinned),
        *approvals,
        *(a_delivery(post, account, pending, None) for post in (at_date, moved, by_hand, article, past)),
        *(a_delivery(post, account, pending, None) for post in (deleted, draft, at_once, pinned)),
        *(a_delivery(post, away, pending, None) for post in (by_hand, waiting)),
        a_delivery(by_hand, gone, pending, None),
        a_delivery(nowhere, gone, pending, None),
        a_delivery(foreign, theirs, pending, None),
        cover,
        PostFile(user_id=user.id, post_id=by_hand.id, media_id=film, position=0),
        PostFile(user_id=user.id, post_id=article.id, media_id=film, position=0, cover_id=cover.id),
    )
    stats = done(await api.get("/users/account_stats/"))
    files = [one["first_file"] for one in stats["next_posts"]]
    assert [file and file["kind"] for file in files] == ["video", "video", None, None, None]
    # the thumbnail: the file itself is no image
    for file, picture_id in zip(files, (film, cover.id), strict=False):
        assert file["thumbnail_url"].startswith(f"/api/media/{picture_id}/file/?")
        assert "thumbnail=true" in file["thumbnail_url"]
    assert [(one["title"], one["is_article"], one["needs_login"], one["held"]) for one in stats["next_posts"]] == [
        ("By hand", False, True, False),
        ("A title", True, False, False),
        ("Asked about", False, True, True),
        ("Moved since", False, False, False),
        ("Moved", False, False, False),
    ]
    assert [one["id"] for one in stats["next_posts"]] == [
        str(one.id) for one in (by_hand, article, waiting, pinned, moved)
    ]
    assert {tuple(one["channels"]) for one in stats["next_posts"]} == {("linkedin",)}
    assert [one["asks"] for one in stats["next_posts"]] == [False, False, True, True, False]
    # without an answer the second of them goes out all the same
    assert [one["needs_approval"] for one in stats["next_posts"]] == [False, False, True, False, False]
    # nothing goes out any more at the dates of the post that was moved and of the one that was deleted
    slots = [datetime.fromisoformat(one["slot"]) for one in stats["next_occurrences"]]
    assert slots[:2] == [first, fourth]


# cost of the answer


async def test_more_rows_take_no_more_queries(
    services: Services, api: httpx2.AsyncClient, user: User, make: Factory
) -> None:
    taken: dict[str, list[int]] = {"/users/account_setup_state/": [], "/users/account_stats/": []}
    now = datetime.now(UTC)
    for _ in range(3):
        for path, counts in taken.items():
            with record_statements() as statements:
                done(await api.get(path))
            counts.append(len([one for one in statements if one.startswith("SELECT")]))
        for _ in range(3):
            account = an_account(user, str(new_id()), AccountState.needs_reconnecting)
            post = a_post(user, now)
            await save(
                services,
                account,
                post,
                a_delivery(post, account, DeliveryState.published, now),
                a_call(user, now, 5),
            )
            daily = Schedule(Frequency.daily, "UTC", ("09:00",))
            assistant = await due(services, make, user, daily, accounts=(account.id,), topics="- A\n-- B")
            await a_run(services, user, assistant, now, RunState.missed)
    assert all(len(set(counts)) == 1 for counts in taken.values()), taken
    # each with the one that finds out whose token it is
    assert {path: counts[0] for path, counts in taken.items()} == {
        "/users/account_setup_state/": 2,
        "/users/account_stats/": 12,
    }
