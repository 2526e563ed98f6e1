from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Select, Text, cast, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import joinedload

from core.assistants.tables import Assistant
from core.errors import NotFound
from core.posts.tables.posts import Post
from core.websites.repositories.feeds import FeedRepository
from core.websites.tables.feeds import Feed
from core.websites.tables.websites import Website


@dataclass(frozen=True)
class CountedWebsite:
    row: Website
    articles: int
    assistant: Assistant | None
    """The assistant that writes for it."""
    feed: Feed | None
    """Of a website that is served here."""


class WebsiteRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    def _owned(self, user_id: UUID) -> Select[Website]:
        return select(Website).where(Website.user_id == user_id).options(joinedload(Website.account, innerjoin=True))

    async def list_all(self, user_id: UUID) -> list[CountedWebsite]:
        """Return all websites by name."""
        rows = await self.session.scalars(self._owned(user_id).order_by(func.lower(Website.name), Website.id))
        return await self._counted(user_id, rows.all())

    async def get(self, user_id: UUID, website_id: UUID) -> CountedWebsite:
        website = await self.find(user_id, website_id)
        if website is None:
            raise NotFound(what="website", id=str(website_id))
        return (await self._counted(user_id, [website]))[0]

    async def find(self, user_id: UUID, website_id: UUID, *, lock: bool = False) -> Website | None:
        query = self._owned(user_id).where(Website.id == website_id)
        return await self.session.scalar(query.with_for_update(of=Website) if lock else query)

    async def find_by_account(self, user_id: UUID, account_id: UUID) -> Website | None:
        return await self.session.scalar(self._owned(user_id).where(Website.account_id == account_id))

    async def by_accounts(self, user_id: UUID, account_ids: Sequence[UUID]) -> dict[UUID, Website]:
        """Return the websites by account. No query without ids."""
        if not account_ids:
            return {}
        rows = await self.session.scalars(self._owned(user_id).where(Website.account_id.in_(account_ids)))
        return {row.account_id: row for row in rows}

    async def name_for(self, post: Post) -> str | None:
        """Return the name of an article's site. None for a social post, or if the site was removed."""
        return (await self.names_for(post.user_id, [post])).get(post.id)

    async def names_for(self, user_id: UUID, posts: Sequence[Post]) -> dict[UUID, str]:
        """Return the sites' names by article. No query without articles."""
        sites = {post.id: UUID(post.account_ids[0]) for post in posts if post.article is not None and post.account_ids}
        websites = await self.by_accounts(user_id, list(sites.values()))
        return {post_id: websites[account_id].name for post_id, account_id in sites.items() if account_id in websites}

    async def _counted(self, user_id: UUID, rows: Sequence[Website]) -> list[CountedWebsite]:
        if not rows:
            return []
        account = Post.account_ids[0].astext
        counted = await self.session.execute(
            select(account, func.count())
            .where(
                Post.user_id == user_id,
                Post.deleted_at.is_(None),
                Post.article.is_not(None),
                account.in_([cast(str(row.account_id), Text) for row in rows]),
            )
            .group_by(account)
        )
        numbers = {row[0]: row[1] for row in counted}
        writing = await self.session.scalars(
            select(Assistant).where(Assistant.user_id == user_id, Assistant.website_id.in_([row.id for row in rows]))
        )
        assistants = {assistant.website_id: assistant for assistant in writing}
        feeds = await FeedRepository(self.session).by_accounts(user_id, [row.account_id for row in rows])
        return [
            CountedWebsite(row, numbers.get(str(row.account_id), 0), assistants.get(row.id), feeds.get(row.account_id))
            for row in rows
        ]
