"""What `make demo` begins with, by the same step, where the sandbox stands in for network and Stripe."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from cli.demo import EMAIL, ZONE, seed
from core.assistants.rules.assistants import Mode
from core.assistants.tables import Assistant
from core.billing.rules import SubscriptionStatus
from core.container import Services, open_services
from core.deliveries.tables.deliveries import Delivery
from core.posts.rules.posts import DeliveryState
from core.posts.tables.posts import Post
from core.runs.tables import Run
from core.settings import Settings
from core.users.tables.users import User
from tests.conftest import Networks


async def expect_history(services: Services, user_id: UUID) -> None:
    """The weekdays of a fortnight, all of them in the past, with one that failed and one of which nobody knows."""
    now = datetime.now(UTC)
    async with services.sessions() as session:
        posts = (await session.scalars(select(Post).where(Post.user_id == user_id).order_by(Post.planned_at))).all()
        deliveries = (await session.scalars(select(Delivery).where(Delivery.user_id == user_id))).all()
        runs = (await session.scalars(select(Run).where(Run.user_id == user_id))).all()
    assert 9 <= len(posts) <= 10
    for post in posts:
        assert post.planned_at
        assert timedelta(hours=1) < now - post.planned_at < timedelta(days=14)
        assert post.planned_at.astimezone(ZoneInfo(ZONE)).hour == 9
        assert abs(post.created_at - post.planned_at) < timedelta(minutes=5)
        assert post.content
    states = Counter(one.state for one in deliveries)
    assert states == {DeliveryState.published: len(posts) - 2, DeliveryState.failed: 1, DeliveryState.unknown: 1}
    assert all(one.permalink for one in deliveries if one.state is DeliveryState.published)
    assert all(one.called_at and now - one.called_at > timedelta(minutes=50) for one in deliveries)
    assert len(runs) == len(posts)


async def test_two_assistants_post_and_the_trial_has_begun(
    lasting: AsyncEngine, settings: Settings, networks: Networks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEMPORAL_ADDRESS", "127.0.0.1:1")  # away: the reconcile brings it later
    await networks.client.delete("/stripe/state/?all=true")
    demo = settings.model_copy(
        update=Settings(
            environment="test",
            database_url=lasting.url.render_as_string(hide_password=False),
            sandbox_url=networks.url,
            stripe_secret_key="sk_test_demo",
            stripe_webhook_secret="whsec_demo",
            stripe_price_id="price_sandbox",
            stripe_api_url=f"{networks.url}/stripe",
        ).model_dump(exclude_unset=True)
    )
    for _ in range(2):  # what is there already is kept
        assert "/signin?link#token=" in await seed(demo)
        async with open_services(demo) as services:
            async with services.sessions() as session:
                active = (await session.scalars(select(Assistant).where(Assistant.active))).all()
                user = await session.scalar(select(User).where(User.email == EMAIL))
            assert user
            assert len(active) == 2
            assert {found.mode for found in active} == {Mode.automatic, Mode.approval}
            await expect_history(services, user.id)
            standing = await services.subscriptions.standing(user.id, ZONE, datetime.now(UTC))
            assert standing.subscription.status is SubscriptionStatus.trial
