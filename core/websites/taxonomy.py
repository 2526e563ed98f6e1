"""Categories and tags of websites, read from each site and cached."""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.articles.rules.articles import ArticleFields
from core.clock import utcnow
from core.database import Sessions
from core.errors import ErrorCode, FieldError, NotFound, ProviderError
from core.networks.base import BaseChannel, supports
from core.networks.registry import channel
from core.posts.tables.posts import Post
from core.social_accounts.connecting import ConnectingService
from core.websites.repositories.websites import WebsiteRepository
from core.websites.rules.terms import StoredTaxonomy

FRESH: Final = timedelta(minutes=5)
"""How long the cache is used without asking the site again."""
_WITHIN: Final = timedelta(seconds=20)


@dataclass(frozen=True)
class SiteTerms:
    """`read_at`: None if nothing was read yet. `error`: why reading failed now; the cached terms are older."""

    sorts: bool
    kept: StoredTaxonomy
    read_at: datetime | None
    error: ErrorCode | None = None


@dataclass(frozen=True)
class TaxonomyService:
    sessions: Sessions
    connecting: ConnectingService

    async def get_terms(self, user_id: UUID, website_id: UUID, *, anew: bool = False) -> SiteTerms:
        """Return a website's terms, read from its site if the cache is some minutes old, or `anew`. Raises NotFound."""
        async with self.sessions() as session:
            website = await WebsiteRepository(session).find(user_id, website_id)
        if website is None:
            raise NotFound(what="website", id=str(website_id))
        stored = StoredTaxonomy.from_json(website.terms) if website.terms else StoredTaxonomy()
        account, site = website.account, channel(website.account.kind)
        if not supports(site, BaseChannel.terms):
            return SiteTerms(False, stored, None)
        read_at = website.terms_at
        if read_at and utcnow() - read_at < FRESH and not anew:
            return SiteTerms(True, stored, read_at)
        if account.disconnected_at is not None:
            return SiteTerms(True, stored, read_at, ErrorCode.account_disconnected)
        try:
            async with asyncio.timeout(_WITHIN.total_seconds()):
                terms = await site.terms(self.connecting.credentials(account))
        except ProviderError as error:
            return SiteTerms(True, stored, read_at, error.code)
        except TimeoutError:
            return SiteTerms(True, stored, read_at, ErrorCode.provider_unavailable)
        except ValueError:  # the secret key was lost
            return SiteTerms(True, stored, read_at, ErrorCode.delivery_needs_reconnect)
        async with self.sessions.begin() as session:
            row = await WebsiteRepository(session).find(user_id, website_id, lock=True)
            if row is None:
                raise NotFound(what="website", id=str(website_id))
            stored = (StoredTaxonomy.from_json(row.terms) if row.terms else StoredTaxonomy()).updated_with(terms)
            row.terms, row.terms_at = stored.to_json(), utcnow()
            return SiteTerms(True, stored, row.terms_at)


async def unknown_categories(session: AsyncSession, post: Post) -> list[FieldError]:
    """Return the article's categories that its site no longer has, by the cache. Empty if nothing was read yet."""
    if post.article is None or not post.account_ids:
        return []
    category_ids = ArticleFields.from_json(post.article).categories
    website = await WebsiteRepository(session).find_by_account(post.user_id, UUID(post.account_ids[0]))
    if not category_ids or website is None or website.terms is None:
        return []
    stored = StoredTaxonomy.from_json(website.terms)
    current_ids, deleted = {category.id for category in stored.terms.categories}, stored.gone or {}
    return [
        FieldError("fields.categories", ErrorCode.category_gone, category=deleted.get(category_id, category_id))
        for category_id in category_ids
        if category_id not in current_ids
    ]
