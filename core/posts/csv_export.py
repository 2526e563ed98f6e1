"""Export of a list of posts as a CSV file, which is written while it is sent."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from core.database import Sessions
from core.networks.rules.channels import PostContent
from core.posts.fitting import content_of
from core.posts.repositories.post_lists import PostFilter, PostListRepository, PostSort
from core.posts.rules.csv_columns import content_cells
from core.posts.rules.post_csv import BOM, MOST_LINES, list_cell, written
from core.posts.rules.posts import published_at
from core.posts.tables.posts import Post
from core.social_accounts.account_names import AccountNames
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.tables import Account

_PORTION = 200  # posts that are in memory at once

COLUMNS: Final = (
    "id",
    "status",
    *content_cells(PostContent()),
    "topic",
    "planned_at",
    "time_zone",
    "accounts",
    "channels",
    "tags",
    "image_ids",
    "assistant",
    "source",
    "published_at",
    "links",
    "errors",
    "created_at",
    "updated_at",
)
"""Times are ISO 8601 with their offset, planned times in the post's own time zone. Several accounts, channels, tags,
images, links or errors in one cell are separated by commas. An account is given by its name, with the network in
brackets if accounts share the name, or else by its id. `errors` are codes of deliveries."""


@dataclass(frozen=True)
class PostExportService:
    sessions: Sessions

    async def export(self, user_id: UUID, filter: PostFilter, sort: PostSort) -> tuple[str, AsyncIterator[bytes]]:
        """Return a file name, and the file in portions: the first 10,000 matching posts in that order, each portion
        read when it is sent."""
        async with self.sessions() as session:
            ids = await PostListRepository(session).ids(user_id, filter, sort, MOST_LINES)
        return f"posts-{datetime.now(UTC):%Y-%m-%d}.csv", self._portions(user_id, ids)

    async def _portions(self, user_id: UUID, ids: Sequence[UUID]) -> AsyncIterator[bytes]:
        yield (BOM + written([COLUMNS])).encode()
        for at in range(0, len(ids), _PORTION):
            async with self.sessions() as session:
                rows = await PostListRepository(session).of_ids(user_id, ids[at : at + _PORTION])
                accounts = [account for account, _ in await AccountRepository(session).list_connected(user_id)]
            goes = _Destinations(accounts)
            yield written([_cells(post, assistant, goes) for post, assistant in rows]).encode()


class _Destinations:
    """The accounts and channels of posts; of drafts, the selected ones."""

    def __init__(self, accounts: Sequence[Account]) -> None:
        self.names = AccountNames(accounts)
        self.kinds = {account.id: account.kind for account in accounts}

    def accounts(self, post: Post) -> list[str]:
        names = {delivery.account_id: delivery.account.called for delivery in post.deliveries}
        return [self.names.name_of(id) if id in self.kinds else names[id] for id in names or self._meant(post)]

    def channels(self, post: Post) -> list[str]:
        kinds = [delivery.channel for delivery in post.deliveries] or [self.kinds[id] for id in self._meant(post)]
        return sorted({kind.value for kind in kinds})

    def _meant(self, post: Post) -> list[UUID]:
        return [id for account_id in post.account_ids if (id := UUID(account_id)) in self.kinds]


def _cells(post: Post, assistant: str | None, goes: _Destinations) -> list[str]:
    deliveries = post.deliveries
    return [
        str(post.id),
        post.status,
        *content_cells(content_of(post)).values(),
        post.topic_title,
        _moment(post.planned_at, ZoneInfo(post.time_zone)),
        post.time_zone,
        list_cell(goes.accounts(post)),
        list_cell(goes.channels(post)),
        list_cell(post.tags),
        list_cell([str(file.media_id) for file in post.files]),
        assistant or "",
        post.source,
        _moment(published_at(deliveries)),
        list_cell([delivery.permalink for delivery in deliveries if delivery.permalink]),
        list_cell([delivery.error_code for delivery in deliveries if delivery.error_code]),
        _moment(post.created_at),
        _moment(post.updated_at),
    ]


def _moment(at: datetime | None, zone: tzinfo = UTC) -> str:
    return at.astimezone(zone).isoformat(timespec="seconds") if at else ""
