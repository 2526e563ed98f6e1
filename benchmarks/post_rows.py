"""Thousands of posts for benchmarks, written directly to the database."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import insert

from benchmarks.serving import ApiServer
from core.deliveries.tables.deliveries import Delivery
from core.ids import new_id
from core.networks.rules.channels import AccountState, AccountType, ChannelKind
from core.posts.rules.posts import DeliveryState, PostSource, PostStatus
from core.posts.tables.posts import Post
from core.social_accounts.tables import Account
from core.users.tables.users import User

ACCOUNTS: Final = 4
_AT_ONCE: Final = 1_000
_TEXT: Final = "Rain is only drama to those who look at it through a window. " * 15
_STATUSES: Final = (*[PostStatus.published] * 7, PostStatus.complete, PostStatus.draft, PostStatus.failed)
_OUTCOMES: Final = {
    PostStatus.published: DeliveryState.published,
    PostStatus.complete: DeliveryState.pending,
    PostStatus.failed: DeliveryState.failed,
}


async def add_accounts(server: ApiServer, user: User) -> tuple[UUID, ...]:
    """Add accounts in the state connected, without a network behind them. Return their ids."""
    accounts = [
        Account(
            id=new_id(),
            user_id=user.id,
            kind=ChannelKind.linkedin,
            type=next(iter(AccountType)),
            external_id=f"benchmark {number}",
            name=f"Mara Lind {number}",
            own_state=AccountState.connected,
        )
        for number in range(1, ACCOUNTS + 1)
    ]
    async with server.services.sessions.begin() as session:
        session.add_all(accounts)
    return tuple(account.id for account in accounts)


async def add_posts(
    server: ApiServer,
    user: User,
    accounts: Sequence[UUID],
    times: Sequence[datetime],
    assistants: Sequence[UUID],
    statuses: Sequence[PostStatus] = _STATUSES,
) -> None:
    """Add one post per time: every 7th manual, every 30th with tags, every 500th with an unknown outcome."""
    posts: list[dict[str, Any]] = []
    deliveries: list[dict[str, Any]] = []
    for number, planned_at in enumerate(times):
        status = statuses[number % len(statuses)]
        by_hand = number % 7 == 0 or not assistants
        post = {
            "id": new_id(),
            "user_id": user.id,
            "assistant_id": None if by_hand else assistants[number % len(assistants)],
            "source": PostSource.person if by_hand else PostSource.assistant,
            "status": status,
            "content": f"Post {number}. {_TEXT}",
            "topic_title": f"Topic {number}",
            "tags": ["winter", f"Series {number % 40}"] if number % 30 == 0 else [],
            "planned_at": planned_at,
            "account_ids": [str(accounts[number % len(accounts)])] if by_hand else [],
        }
        posts.append(post)
        if status in _OUTCOMES:
            deliveries.extend(
                {
                    "id": new_id(),
                    "user_id": user.id,
                    "post_id": post["id"],
                    "account_id": accounts[(number + more) % len(accounts)],
                    "channel": ChannelKind.linkedin,
                    "state": DeliveryState.unknown if number % 500 == 0 else _OUTCOMES[status],
                    "content_hash": "",
                }
                for more in range(1 + number % 2)
            )
    async with server.services.sessions.begin() as session:
        for model, rows in ((Post, posts), (Delivery, deliveries)):
            for start in range(0, len(rows), _AT_ONCE):
                await session.execute(insert(model), rows[start : start + _AT_ONCE])
