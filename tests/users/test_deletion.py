"""Leaving while one of the user's posts is being published."""

import asyncio
from datetime import UTC, datetime, timedelta

from core.clock import use_clock
from core.container import Services
from core.deliveries.tables.deliveries import Delivery
from core.ids import new_id
from core.networks.registry import channel
from core.posts.rules.posts import DeliveryState, PostStatus
from core.posts.tables.posts import Post
from tests.account_deletion import PASSWORD, sign_up
from tests.conftest import Networks
from tests.factories import Factory
from tests.patience import PATIENCE


async def test_a_running_call_is_waited_for_by_the_clock_of_its_fence(
    services: Services, make: Factory, networks: Networks
) -> None:
    """The database has set it; the clock of this process is behind."""
    user, _ = await sign_up(services, "leaves@example.org")
    account = await make.account(user, networks.url)
    called_at = datetime.now(UTC) - channel(account.kind).call_timeout - timedelta(seconds=5)  # the call is over
    async with services.sessions.begin() as session:
        post = Post(id=new_id(), user_id=user.id, content="Rain.", status=PostStatus.complete)
        session.add(post)
        await session.flush()
        session.add(
            Delivery(
                id=new_id(),
                user_id=user.id,
                post_id=post.id,
                account_id=account.id,
                channel=account.kind,
                state=DeliveryState.publishing,
                called_at=called_at,
                content_hash="",
            )
        )
    with use_clock(lambda: datetime.now(UTC) - timedelta(hours=1)):
        await asyncio.wait_for(services.account_deletion.request(user.id, PASSWORD), PATIENCE)
