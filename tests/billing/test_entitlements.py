"""What a user may do by what they are subscribed to, and what becomes of their assistants when that ends."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import event, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from core import clock
from core.ai.model_calls import ModelRequest
from core.ai.repositories.transactions import Cause
from core.ai.rules.usage import UNKNOWN_USAGE, Spent, Usage
from core.ai.tables.transactions import Transaction, TransactionType
from core.assistants.configuration import AssistantConfigurationService
from core.assistants.rules.assistants import Mode, RunState
from core.assistants.tables import Assistant
from core.billing.repositories.allowances import AllowanceRepository
from core.billing.repositories.subscriptions import SubscriptionRepository
from core.billing.rules import Interval, Price, price_to_json
from core.billing.subscription_effects import follow
from core.container import Services, wire
from core.database import open_engine, open_sessions
from core.deliveries.removal import reset_to_draft
from core.deliveries.rules.deliveries import DeliveryOutcome
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode, NoMoreSpending, SubscriptionRequired
from core.ids import new_id
from core.networks.posts import Receipt
from core.notifications.rules import MailKind
from core.posts.publishing import PostEnding
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState, PostStatus, RemovalState
from core.posts.tables.posts import Post
from core.runs.repositories.runs import RunRepository
from core.settings import Settings
from core.templates.tables import Tryout
from core.users.tables.users import User
from tests.ai.test_model_calls import TEXT, answered, told, writing
from tests.api.made_posts import Posts
from tests.clocks import frozen_clock
from tests.conftest import Networks, mailed
from tests.factories import Factory
from tests.http_server import Server
from tests.scripted_network import ScriptedNetwork
from tests.subscribed import row_of, store_subscription, with_billing

NOW = datetime.now(UTC)
HOUR = timedelta(hours=1)
ENDED = ErrorCode.subscription_ended


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return with_billing(settings)


@pytest.fixture
async def models() -> AsyncIterator[Server]:
    running = Server()
    yield running
    running.stop()


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> ScriptedNetwork:
    scripted = ScriptedNetwork()
    scripted.install(monkeypatch)
    return scripted


@dataclass(frozen=True)
class Own:
    """Services on a database of their own: their transactions really run at once."""

    services: Services
    make: Factory
    user: User


@pytest.fixture
async def own(database: str, settings: Settings, networks: Networks) -> AsyncIterator[Own]:
    engine = open_engine(database)
    sessions = open_sessions(engine)
    services = wire(settings.model_copy(update={"database_url": database}), engine, sessions)
    make = Factory(sessions, services.vault)
    yield Own(services, make, await make.user())
    await engine.dispose()


async def activate(services: Services, user: User, assistant: Assistant) -> None:
    async with services.sessions.begin() as session:
        await AssistantConfigurationService(session, services.entitlements).activate(user.id, assistant.id)


async def resume(services: Services, user: User, assistant: Assistant) -> None:
    async with services.sessions.begin() as session:
        await AssistantConfigurationService(session, services.entitlements).resume(user.id, assistant.id)


async def pause(services: Services, user: User, assistant: Assistant, until: datetime | None = None) -> None:
    async with services.sessions.begin() as session:
        await AssistantConfigurationService(session, services.entitlements).pause(user.id, assistant.id, until)


async def deactivate(services: Services, user: User, assistant: Assistant) -> None:
    async with services.sessions.begin() as session:
        await AssistantConfigurationService(session).deactivate(user.id, assistant.id)


async def pauses(services: Services, *assistants: Assistant) -> list[str | None]:
    """Why each pauses: "" where a person wants it, None where it does not."""
    async with services.sessions() as session:
        rows = [await session.get_one(Assistant, one.id) for one in assistants]
        held = [row.pause(clock.utcnow()) for row in rows]
    return [found.reason or "" if found else None for found in held]


async def mails(services: Services, user: User) -> list[tuple[MailKind, dict[str, Any]]]:
    return [(mail.kind, mail.params) for mail in await mailed(services, user.email)]


async def three(services: Services, make: Factory, user: User) -> list[Assistant]:
    """Active by a subscription."""
    await store_subscription(services, user.id, "active")
    made = [await make.assistant(user, mode=Mode.draft, image=False) for _ in range(3)]
    for assistant in made:
        await activate(services, user, assistant)
    return made


# assistants


async def test_as_many_assistants_are_active_as_may_be(services: Services, make: Factory, user: User) -> None:
    one, another = [await make.assistant(user, mode=Mode.draft, image=False) for _ in range(2)]
    await activate(services, user, one)
    await activate(services, user, one)  # which changes nothing
    with pytest.raises(SubscriptionRequired) as raised:
        await activate(services, user, another)
    assert raised.value.params == {"limit": "active_assistants", "allowed": 1, "used": 1, "subscribed": 0}
    await deactivate(services, user, one)
    await activate(services, user, another)
    await store_subscription(services, user.id, "trialing")
    await activate(services, user, one)


async def test_of_two_activations_at_once_one_takes_the_last_place(own: Own) -> None:
    made = [await own.make.assistant(own.user, mode=Mode.draft, image=False) for _ in range(4)]
    ended = await asyncio.gather(*(activate(own.services, own.user, one) for one in made), return_exceptions=True)
    assert [type(end) for end in ended if end] == [SubscriptionRequired] * 3


async def test_what_pauses_by_hand_keeps_its_place_and_cannot_slip_past_the_limit(
    services: Services, make: Factory, user: User
) -> None:
    one, two, three_ = await three(services, make, user)
    for assistant in (one, two, three_):
        await pause(services, user, assistant)
    await store_subscription(services, user.id, "canceled")
    await services.subscriptions.sweep()
    assert await pauses(services, one, two, three_) == ["", "", ""]
    for let_go in (resume(services, user, one), pause(services, user, one, clock.utcnow() + HOUR)):
        with pytest.raises(SubscriptionRequired) as raised:
            await let_go
        assert raised.value.params == {"limit": "active_assistants", "allowed": 1, "used": 3, "subscribed": 0}
    for assistant in (two, three_):
        await deactivate(services, user, assistant)
    await resume(services, user, one)


async def test_of_the_demo_data_as_many_are_switched_on_as_may_be(
    services: Services, user: User, networks: Networks
) -> None:
    settings = services.settings.model_copy(update={"sandbox_url": networks.url})
    own = wire(settings, services.engine, services.sessions)
    assert [full.row.active for full in await own.demo_data.make(user)] == [True]
    async with services.sessions() as session:
        assert await session.scalar(select(func.count()).where(Assistant.user_id == user.id)) == 2


# the end


async def test_when_a_subscription_ends_all_assistants_pause_and_its_owner_hears_of_it_once(
    services: Services, make: Factory, user: User
) -> None:
    runs_on, by_hand, for_an_hour = await three(services, make, user)
    off = await make.assistant(user, mode=Mode.draft, image=False)
    await pause(services, user, by_hand)
    await pause(services, user, for_an_hour, clock.utcnow() + HOUR)
    stranger = await make.user()
    [theirs, *_] = await three(services, make, stranger)
    await store_subscription(services, user.id, "canceled")
    assert await services.subscriptions.sweep() == 1
    assert await services.subscriptions.sweep() == 0
    # what would go on by itself after an hour does not
    assert await pauses(services, runs_on, by_hand, for_an_hour, off, theirs) == [ENDED, "", ENDED, None, None]
    async with services.sessions() as session:
        assert (await session.get_one(Assistant, for_an_hour.id)).paused_until is None
    assert (await row_of(services, user.id)).locked_at is not None
    assert await mails(services, user) == [(MailKind.subscription_ended, {"paused": 2})]
    # each by its own button, for as far as what is free reaches: `by_hand` has that place
    with pytest.raises(SubscriptionRequired):
        await resume(services, user, runs_on)
    await deactivate(services, user, by_hand)
    await resume(services, user, runs_on)
    assert await services.subscriptions.sweep() == 0
    assert await pauses(services, runs_on) == [None]
    with pytest.raises(SubscriptionRequired):
        await services.subscriptions.resume_assistants(user.id)
    assert await pauses(services, for_an_hour) == [ENDED]


async def test_it_can_end_and_begin_again_any_number_of_times(services: Services, make: Factory, user: User) -> None:
    made = await three(services, make, user)
    for turn in range(1, 4):
        await store_subscription(services, user.id, "canceled", id=f"sub_{turn}")
        assert await services.subscriptions.sweep() == 1
        assert await pauses(services, *made) == [ENDED] * 3
        await store_subscription(services, user.id, "active", id=f"sub_{turn + 1}")
        await follow_up(services, user)
        assert (await row_of(services, user.id)).locked_at is None
        # nothing begins by itself
        assert await pauses(services, *made) == [ENDED] * 3
        assert len(await services.subscriptions.resume_assistants(user.id)) == 3
        assert await pauses(services, *made) == [None] * 3
        assert await services.subscriptions.resume_assistants(user.id) == []
        assert [kind for kind, _ in await mails(services, user)] == [MailKind.subscription_ended] * turn
    _, total, unread = await services.notifications.list_page(user.id, unread=True, offset=0, limit=9)
    assert total == unread == 0


async def follow_up(services: Services, user: User) -> None:
    """What each answer of the provider's is followed by."""
    async with services.sessions.begin() as session:
        row = await SubscriptionRepository(session).held(user.id)
        await follow(session, services.entitlements, row, clock.utcnow())


@pytest.mark.parametrize(
    ("status", "ends"),
    [
        ("active", False),
        ("trialing", False),
        ("past_due", False),
        ("incomplete", False),
        ("incomplete_expired", False),
        ("unpaid", True),
        ("paused", True),
        ("canceled", True),
        ("of another year", True),
    ],
)
async def test_it_ends_where_it_was_had_and_unlocks_nothing_more(
    services: Services, make: Factory, user: User, status: str, ends: bool
) -> None:
    assistant = await make.assistant(user, mode=Mode.draft, image=False)
    await activate(services, user, assistant)
    await store_subscription(services, user.id, status, since=clock.utcnow() if status == "past_due" else None)
    assert await services.subscriptions.sweep() == int(ends)
    assert await pauses(services, assistant) == [ENDED if ends else None]


async def test_a_failed_payment_is_told_once_with_its_grace_time_after_which_all_ends(
    services: Services, make: Factory, user: User
) -> None:
    made = await three(services, make, user)
    failed = clock.utcnow() - timedelta(days=2)
    await store_subscription(services, user.id, "past_due", since=failed)
    for _ in range(2):
        assert await services.subscriptions.sweep() == 0
    assert await pauses(services, *made) == [None] * 3
    until = (failed + timedelta(days=7)).isoformat()
    assert await mails(services, user) == [(MailKind.payment_failed, {"until": until})]
    # the next period's is another one
    again = clock.utcnow() - timedelta(hours=1)
    await store_subscription(services, user.id, "past_due", since=again)
    await services.subscriptions.sweep()
    assert [kind for kind, _ in await mails(services, user)] == [MailKind.payment_failed] * 2
    with clock.use_clock(frozen_clock(again + timedelta(days=7))):
        assert await services.subscriptions.sweep() == 1
    assert await pauses(services, *made) == [ENDED] * 3
    assert (await mails(services, user))[-1] == (MailKind.subscription_ended, {"paused": 3})


async def test_a_trial_that_ends_is_told_three_days_before_and_once(services: Services, make: Factory) -> None:
    ends = clock.utcnow() + timedelta(days=3, minutes=1)
    user, has_ended_it = await make.user(), await make.user()
    price = Price("price_1", 2900, "EUR", Interval.month, 1, "Postloom", livemode=True)
    await store_subscription(services, user.id, "trialing", trial_end=ends, price=price)
    await store_subscription(services, has_ended_it.id, "trialing", trial_end=ends, cancel_at_period_end=True)
    await services.subscriptions.sweep()
    assert await mails(services, user) == []
    for minutes in (2, 3, 60):
        with clock.use_clock(frozen_clock(NOW + timedelta(minutes=minutes))):
            assert await services.subscriptions.sweep() == 0
    assert await mails(services, user) == [
        (MailKind.trial_ending, {"until": ends.isoformat(), "price": price_to_json(price)})
    ]
    assert await mails(services, has_ended_it) == []


# models


async def begun(services: Services, make: Factory, user: User, mode: Mode = Mode.draft, **more: Any) -> UUID:
    assistant = await make.assistant(user, mode=mode, image=False, **more)
    return await another(services, assistant)


async def another(services: Services, assistant: Assistant) -> UUID:
    run = new_id()
    slot = datetime.now(UTC) + timedelta(minutes=1)
    await services.drafting.begin(assistant.user_id, assistant.id, run, f"run-{run}", slot)
    return run


async def test_a_run_beyond_what_may_be_spent_asks_nobody_and_its_owner_is_told_once(
    services: Services, make: Factory, user: User, models: Server
) -> None:
    runs = [await begun(services, make, user), await begun(services, make, user)]
    async with writing(services, models.url, free_model_cost=0.003) as own:
        for run in runs:
            with pytest.raises(NoMoreSpending) as raised:
                await own.drafting.write(user.id, run, 1)
            assert (raised.value.code, raised.value.retryable) == (ErrorCode.subscription_required, False)
            assert await own.projecting.fail(user.id, run, raised.value.code) is RunState.skipped
        assert models.requests == []
        [(kind, params)] = await mails(services, user)
        assert kind is MailKind.allowance_reached
        assert (params["limit"], params["allowed"], params["subscribed"]) == ("cost_micros", 3000, False)
        # with a subscription there is room
        await store_subscription(services, user.id, "active")
        said = {"type": "output_text", "text": TEXT, "annotations": []}
        models.answers("/v1/responses", answered(said, usage=told(321, 45)))
        await own.drafting.write(user.id, await begun(services, make, user), 1)
    assert len(models.requests) == 1


async def test_a_cost_that_nobody_knows_is_refused_only_beyond_what_is_known(
    services: Services, make: Factory, user: User, models: Server
) -> None:
    said = {"type": "output_text", "text": TEXT, "annotations": []}
    models.answers("/v1/responses", answered(said, usage=told(321, 45)))
    runs = [await begun(services, make, user), await begun(services, make, user)]
    async with writing(services, models.url, text_model="home-made", free_model_cost=0) as own:
        await own.drafting.write(user.id, runs[0], 1)
        async with services.sessions.begin() as session:
            await session.execute(update(Transaction).where(Transaction.user_id == user.id).values(cost_micros=1))
        with pytest.raises(NoMoreSpending):
            await own.drafting.write(user.id, runs[1], 1)
    assert len(models.requests) == 1


async def test_what_costs_nothing_is_never_refused(services: Services, make: Factory, user: User) -> None:
    own = wire(with_billing(services.settings, free_model_cost=0), services.engine, services.sessions)
    assistant = await make.assistant(user, mode=Mode.draft)
    run = await another(own, assistant)
    await own.drafting.write(user.id, run, 1)
    await own.imaging.make(user.id, run, 1)


async def test_calls_at_once_never_spend_more_than_may_be_spent(own: Own) -> None:
    """All of one user, whatever they are for."""
    rows = [
        Tryout(id=new_id(), user_id=own.user.id, type="text", body="", settings={}, language="en", inputs={})
        for _ in range(8)
    ]
    async with own.services.sessions.begin() as session:
        session.add_all(rows)
    most = Usage(4000, 1000)
    price = own.services.prices.cost_micros("openai", "gpt-6-luna", most, NOW.date())
    assert price is not None
    meter = replace(
        own.services.meter,
        entitlements=wire(
            with_billing(own.services.settings, free_model_cost=3.5 * price / 1_000_000),
            own.services.engine,
            own.services.sessions,
        ).entitlements,
    )

    async def one(row: Tryout) -> None:
        async def model() -> Spent:
            await asyncio.sleep(0.1)
            return Spent("openai", "gpt-6-luna", UNKNOWN_USAGE, None)

        cause = Cause(own.user.id, TransactionType.text, tryout_id=row.id)
        await meter.call(cause, ModelRequest("openai", "gpt-6-luna", most), model)

    ended = await asyncio.gather(*map(one, rows), return_exceptions=True)
    assert [type(end) for end in ended if end] == [NoMoreSpending] * 5
    async with own.services.sessions() as session:
        assert await session.scalar(select(func.count()).where(Transaction.user_id == own.user.id)) == 3


# posts


@dataclass(frozen=True)
class Publishing:
    services: Services
    user: User
    posts: Posts

    async def out(self, count: int, at: datetime | None = None) -> None:
        moment = at or clock.utcnow()
        for _ in range(count):
            await self.posts.add(
                status=PostStatus.published, delivery=DeliveryState.published, called_at=moment, settled_at=moment
            )

    async def draft(self) -> UUID:
        return await self.posts.add(f"About {new_id()}", account_ids=[str(self.posts.account.id)], source="person")

    async def publish(self, planned_at: datetime | None = None) -> tuple[UUID, UUID]:
        """A draft; its delivery too."""
        post_id = await self.draft()
        changed = await self.services.publishing.publish(self.user.id, post_id, 1, planned_at)
        return post_id, changed.deliveries[0][0]

    async def deliver(self, delivery_id: UUID) -> DeliveryOutcome:
        async def at_once() -> None:
            return

        return await self.services.delivering.deliver(self.user.id, delivery_id, wait=at_once)

    async def post(self, post_id: UUID) -> Post:
        async with self.services.sessions() as session:
            found, _ = await PostRepository(session).get(self.user.id, post_id)
            return found


@pytest.fixture
async def publishing(services: Services, make: Factory, user: User, networks: Networks) -> Publishing:
    return Publishing(services, user, Posts(services, user, await make.account(user, networks.url)))


async def test_no_more_posts_are_planned_than_may_be_published(publishing: Publishing) -> None:
    await publishing.out(2, clock.utcnow() - timedelta(days=40))  # of another month
    await publishing.out(1)
    await publishing.publish()
    await publishing.out(1)
    with pytest.raises(SubscriptionRequired) as raised:
        await publishing.publish()
    assert raised.value.params == {"limit": "published_posts", "allowed": 2, "used": 2, "subscribed": 0}
    # the next month has room
    await publishing.publish(clock.utcnow() + timedelta(days=32))
    await store_subscription(publishing.services, publishing.user.id, "active")
    await publishing.publish()


async def test_what_was_taken_down_has_been_published_all_the_same(publishing: Publishing) -> None:
    moment = clock.utcnow()
    await publishing.out(1)
    gone = await publishing.posts.add(
        status=PostStatus.published, delivery=DeliveryState.published, called_at=moment, settled_at=moment
    )
    async with publishing.services.sessions.begin() as session:  # as soon as its site has deleted it
        post = await PostRepository(session).lock_with_deliveries(publishing.user.id, gone)
        [delivery] = post.deliveries
        delivery.removal, delivery.removed_at = RemovalState.removed, moment
        reset_to_draft(post, delivery)
    with pytest.raises(SubscriptionRequired) as raised:
        await publishing.publish()
    assert raised.value.params["used"] == 2
    # published anew in the same month it counts once
    await publishing.services.publishing.publish(publishing.user.id, gone, 1, None)


async def test_what_was_taken_down_counts_also_once_it_was_planned_anew_and_called_off(publishing: Publishing) -> None:
    services, user_id, moment = publishing.services, publishing.user.id, clock.utcnow()
    await publishing.out(1)
    gone = await publishing.posts.add(
        account_ids=[str(publishing.posts.account.id)],
        status=PostStatus.published,
        delivery=DeliveryState.published,
        called_at=moment,
        settled_at=moment,
    )

    async def taken_down() -> None:
        async with services.sessions.begin() as session:
            post = await PostRepository(session).lock_with_deliveries(user_id, gone)
            [delivery] = post.deliveries
            delivery.removal, delivery.removed_at = RemovalState.removed, moment
            reset_to_draft(post, delivery)

    async def used() -> list[Any]:
        """As it is refused by, and as it is shown."""
        with pytest.raises(SubscriptionRequired) as raised:
            await publishing.publish()
        async with services.sessions() as session:
            shown = await AllowanceRepository(session).used(user_id, moment - timedelta(days=1), clock.utcnow())
        return [raised.value.params["used"], shown.published_posts]

    await taken_down()
    assert await used() == [2, 2]
    changed = await services.publishing.publish(user_id, gone, 1, clock.utcnow() + timedelta(minutes=5))
    assert await used() == [2, 2], "it waits, and may be called off"
    await services.publishing.cancel(user_id, gone, changed.version)
    assert await used() == [2, 2]
    # once, also where it is out again in the same month
    version = (await publishing.post(gone)).version
    again = await services.publishing.publish(user_id, gone, version, None)
    async with services.sessions.begin() as session:
        delivery = await session.get_one(Delivery, again.deliveries[0][0])
        delivery.state, delivery.called_at, delivery.settled_at = DeliveryState.published, moment, moment
        (await session.get_one(Post, gone)).status = PostStatus.published
    assert await used() == [2, 2]
    # and it is of no other month than those in which it was out
    async with services.sessions() as session:
        before = await AllowanceRepository(session).used(user_id, moment - timedelta(days=9), moment)
    assert before.published_posts == 0


async def test_a_planned_post_does_not_pass_and_is_tried_again_after_subscribing(
    publishing: Publishing, network: ScriptedNetwork
) -> None:
    services, user = publishing.services, publishing.user
    planned = [await publishing.publish() for _ in range(3)]
    network.publishes += [Receipt("urn:1", ""), Receipt("urn:2", ""), Receipt("urn:3", "")]
    ended = [await publishing.deliver(delivery_id) for _, delivery_id in planned]
    assert ended == [DeliveryOutcome.published, DeliveryOutcome.published, DeliveryOutcome.failed]
    assert network.calls == ["publish", "publish"]
    post_id, delivery_id = planned[2]
    # as its workflow ends
    assert await services.publishing.end(user.id, post_id) == PostEnding(
        PostStatus.failed, ErrorCode.subscription_required
    )
    [delivery] = (await publishing.post(post_id)).deliveries
    assert (delivery.state, delivery.error_code) == (DeliveryState.failed, ErrorCode.subscription_required)
    # told once, by one mail, however many posts it stops
    [(kind, params)] = await mails(services, user)
    assert (kind, params["limit"], params["allowed"]) == (MailKind.allowance_reached, "published_posts", 2)
    with pytest.raises(SubscriptionRequired):
        await services.publishing.retry(user.id, post_id)
    await store_subscription(services, user.id, "active")
    await services.publishing.retry(user.id, post_id)
    assert await publishing.deliver(delivery_id) is DeliveryOutcome.published


async def test_a_post_counts_once_on_however_many_channels(
    publishing: Publishing, network: ScriptedNetwork, make: Factory, networks: Networks
) -> None:
    await publishing.out(1)
    post_id, first = await publishing.publish()
    second = await make.account(publishing.user, networks.url, "jonas-weber")
    async with publishing.services.sessions.begin() as session:
        row = await session.get_one(Delivery, first)
        other = Delivery(
            id=new_id(),
            user_id=row.user_id,
            post_id=post_id,
            account_id=second.id,
            channel=second.kind,
            state=DeliveryState.pending,
            content_hash=row.content_hash,
        )
        session.add(other)
    network.publishes += [Receipt("urn:1", ""), Receipt("urn:2", "")]
    assert await publishing.deliver(first) is DeliveryOutcome.published
    await publishing.out(1)
    assert await publishing.deliver(other.id) is DeliveryOutcome.published


@pytest.mark.parametrize("state", [DeliveryState.publishing, DeliveryState.unknown])
async def test_what_may_be_out_counts_until_somebody_knows(
    publishing: Publishing, network: ScriptedNetwork, state: DeliveryState
) -> None:
    _, delivery_id = await publishing.publish()
    await publishing.out(1)
    await publishing.posts.add(status=PostStatus.complete, delivery=state, called_at=clock.utcnow())
    assert await publishing.deliver(delivery_id) is DeliveryOutcome.failed
    assert network.calls == []


async def test_of_deliveries_at_once_as_many_go_out_as_may(
    own: Own, network: ScriptedNetwork, networks: Networks
) -> None:
    account = await own.make.account(own.user, networks.url)
    publishing = Publishing(own.services, own.user, Posts(own.services, own.user, account))
    planned = [await publishing.publish() for _ in range(6)]
    network.publishes += [Receipt(f"urn:{at}", "") for at in range(6)]
    ended = await asyncio.gather(*(publishing.deliver(delivery_id) for _, delivery_id in planned))
    assert sorted(ended) == [DeliveryOutcome.failed] * 4 + [DeliveryOutcome.published] * 2
    assert network.calls == ["publish"] * 2


async def test_no_text_is_paid_for_that_could_not_go_out(
    publishing: Publishing, services: Services, make: Factory, user: User
) -> None:
    assistant = await make.assistant(user, image=False, accounts=(publishing.posts.account.id,))
    await publishing.out(1)
    fits = await another(services, assistant)
    await services.drafting.write(user.id, fits, 1)
    await services.drafting.check(user.id, fits)  # its post goes out before that of the next run
    for run in [await another(services, assistant) for _ in range(2)]:
        async with services.sessions.begin() as session:
            later = update(Assistant).where(Assistant.id == assistant.id).values(catch_up_minutes=60)
            await session.execute(later)
        with pytest.raises(SubscriptionRequired) as raised:
            await services.drafting.write(user.id, run, 1)
        assert raised.value.params == {"limit": "published_posts", "allowed": 2, "used": 2, "subscribed": 0}
        assert await services.projecting.fail(user.id, run, raised.value.code) is RunState.skipped
    async with services.sessions() as session:
        found = await RunRepository(session).get(user.id, run)
    assert (found.state, found.reason) == (RunState.skipped, ErrorCode.subscription_required)
    [(kind, params)] = await mails(services, user)
    assert (kind, params["limit"]) == (MailKind.allowance_reached, "published_posts")
    # what is kept as a draft needs none of it
    await services.drafting.write(user.id, await begun(services, make, user), 1)


@pytest.mark.parametrize("mode", [Mode.automatic, Mode.approval])
async def test_of_runs_that_are_prepared_at_once_as_many_are_paid_for_as_may_go_out(
    own: Own, networks: Networks, mode: Mode
) -> None:
    services, user = own.services, own.user
    account = await own.make.account(user, networks.url)
    await Publishing(services, user, Posts(services, user, account)).out(1)
    slot = datetime.now(UTC) + timedelta(minutes=1)
    runs = [new_id() for _ in range(4)]
    for number, run in enumerate(runs):
        assistant = await own.make.assistant(user, mode=mode, image=False, accounts=(account.id,))
        later = timedelta(seconds=number % 2)  # all at one instant, or one after the other
        await services.drafting.begin(user.id, assistant.id, run, f"run-{run}", slot + later)

    async def write(run: UUID) -> UUID:
        await services.drafting.write(user.id, run, 1)
        return run

    ended = await asyncio.gather(*map(write, runs), return_exceptions=True)
    refused = [end for end in ended if isinstance(end, SubscriptionRequired)]
    [made] = [end for end in ended if isinstance(end, UUID)]
    assert [end.params for end in refused] == [
        {"limit": "published_posts", "allowed": 2, "used": 2, "subscribed": 0}
    ] * 3
    async with services.sessions() as session:
        assert await session.scalar(select(func.count()).where(Transaction.user_id == user.id)) == 1
    for run in runs:
        if run != made:
            assert await services.projecting.fail(user.id, run, refused[0].code) is RunState.skipped
    assert [kind for kind, _ in await mails(services, user)] == [MailKind.allowance_reached]
    # it keeps its place, whatever it does next, and gives it back where nothing comes of it
    await services.drafting.write(user.id, made, 2)
    await services.drafting.check(user.id, made)
    another_one = await another(services, assistant)
    with pytest.raises(SubscriptionRequired):
        await services.drafting.write(user.id, another_one, 1)
    await services.projecting.fail(user.id, made, ErrorCode.run_cancelled)
    await services.drafting.write(user.id, another_one, 1)


# nobody is charged


async def test_where_nobody_is_charged_nothing_is_asked(
    services: Services,
    make: Factory,
    user: User,
    networks: Networks,
    network: ScriptedNetwork,
    connection: AsyncConnection,
) -> None:
    free = services.settings.model_copy(update={"stripe_secret_key": None, "free_assistants": 0, "free_posts": 0})
    own = wire(free, services.engine, services.sessions)
    publishing = Publishing(own, user, Posts(own, user, await make.account(user, networks.url)))
    asked: list[str] = []

    def heard(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if "subscriptions" in statement:
            asked.append(statement)

    event.listen(connection.sync_connection, "before_cursor_execute", heard)
    network.publishes.append(Receipt("urn:1", ""))
    assistant = await make.assistant(user, image=False, accounts=(publishing.posts.account.id,))
    await activate(own, user, assistant)
    await own.drafting.write(user.id, await another(own, assistant), 1)
    _, delivery_id = await publishing.publish()
    assert await publishing.deliver(delivery_id) is DeliveryOutcome.published
    assert await own.subscriptions.sweep() == 0
    assert asked == []
