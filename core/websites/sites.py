"""Websites for articles: connecting, naming and removing them. Published articles stay, except on sites served here."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from core.assistants.repository import AssistantRepository
from core.database import Sessions, notify_browsers
from core.errors import Conflict, ErrorCode, FieldError, InvalidInput, NotFound, ProviderError
from core.ids import new_id
from core.live import LiveKind
from core.networks.base import BaseChannel, supports
from core.networks.registry import channel
from core.networks.rules.channels import AccountType, ChannelKind, FieldName
from core.social_accounts.connecting import ConnectingService, ConnectResult, DisconnectResult
from core.social_accounts.tables import Account
from core.texts.rules.texts import one_line
from core.websites.repositories.websites import WebsiteRepository
from core.websites.site_feeds import FeedFacts, FeedService
from core.websites.site_passwords import CallbackParameters, SitePasswords
from core.websites.tables.websites import Website

logger = logging.getLogger(__name__)

MAX_NAME = 120


@dataclass(frozen=True)
class WebsiteService:
    sessions: Sessions
    connecting: ConnectingService
    feeds: FeedService

    async def connect(
        self,
        user_id: UUID,
        kind: ChannelKind,
        form: Mapping[str, str],
        language: str,
        website_id: UUID | None = None,
    ) -> UUID:
        """Connect a site and return its website's id. A site connected again is the same website, `website_id` if that
        is intended. Raises as `ConnectingService.start`, NotFound if `kind` is no site, InvalidInput for another
        website's address that is served here."""
        if not kind.is_site:
            raise NotFound(what="website kind", id=kind)
        if supports(channel(kind), BaseChannel.feeds_of):
            await self.feeds.ensure_address_free(user_id, form, website_id)
        connected = await self.connecting.start(user_id, kind, form)
        assert isinstance(connected, ConnectResult)  # connecting by a form has one step
        try:
            called = one_line(form.get(FieldName.site_name, ""))
            return await self._save(user_id, connected, language, called)
        except InvalidInput:  # a site served here: its address was taken meanwhile
            await self.connecting.disconnect(user_id, connected.accounts[0].id)
            raise

    async def finish_connect(
        self,
        user_id: UUID,
        kind: ChannelKind,
        *,
        state: str,
        browser_secret: str,
        handed: CallbackParameters | None,
        language: str,
    ) -> UUID:
        """As `connect`, with the parameters that the site's page returned. Raises as `SitePasswords.connect`."""
        passwords = SitePasswords(self.connecting)
        connected = await passwords.connect(user_id, kind, state=state, browser_secret=browser_secret, handed=handed)
        return await self._save(user_id, connected, language)

    async def _save(self, user_id: UUID, connected: ConnectResult, language: str, called: str = "") -> UUID:
        """`called`: the name given by the user, if any."""
        account = connected.accounts[0]
        async with self.sessions() as session:
            existing = await WebsiteRepository(session).find_by_account(user_id, account.id)
        name = called or ("" if existing else await _own_name(account.kind, account.base_url))
        async with self.sessions.begin() as session:
            if supports(channel(account.kind), BaseChannel.feeds_of):
                await self.feeds.open(session, account)
            websites = WebsiteRepository(session)
            website = await websites.find_by_account(user_id, account.id)
            if website is None:
                website = Website(
                    id=new_id(),
                    user_id=user_id,
                    account_id=account.id,
                    name=name[:MAX_NAME] or _called(account),
                    language=language,
                )
                session.add(website)
            elif called and called != website.name:
                website.name, website.version = called[:MAX_NAME], website.version + 1
            await notify_browsers(session, user_id, LiveKind.website, website.id)
            return website.id

    async def change(
        self, user_id: UUID, website_id: UUID, version: int, name: str, language: str, feed: FeedFacts | None = None
    ) -> None:
        """Change the website. `feed`: settings of a site served here; None: unchanged. Raises NotFound, Conflict
        (stale_version), InvalidInput at `name` or `feed.<name>`."""
        name = one_line(name)
        if not name:
            raise InvalidInput(errors=[FieldError("name", ErrorCode.name_required)])
        if len(name) > MAX_NAME:
            raise InvalidInput(
                errors=[FieldError("name", ErrorCode.content_too_long, length=len(name), limit=MAX_NAME)]
            )
        async with self.sessions.begin() as session:
            website = await WebsiteRepository(session).find(user_id, website_id, lock=True)
            if website is None:
                raise NotFound(what="website", id=str(website_id))
            if website.version != version:
                raise Conflict(current=website.version)
            website.name, website.language, website.version = name, language, version + 1
            await self.feeds.describe(session, website, feed)
            await notify_browsers(session, user_id, LiveKind.website, website.id)

    async def set_announcements(
        self, user_id: UUID, website_id: UUID, version: int, assistant_id: UUID | None, *, publishes: bool
    ) -> None:
        """Set the assistant that announces future articles; None: no announcements. `publishes`: at once, else as
        drafts. Raises NotFound, Conflict (stale_version), InvalidInput at `assistant_id`."""
        async with self.sessions.begin() as session:
            website = await WebsiteRepository(session).find(user_id, website_id, lock=True)
            if website is None:
                raise NotFound(what="website", id=str(website_id))
            if website.version != version:
                raise Conflict(current=website.version)
            if assistant_id is not None:
                try:
                    chosen = (await AssistantRepository(session).get(user_id, assistant_id)).row
                except NotFound as error:
                    raise InvalidInput(errors=[FieldError("assistant_id", ErrorCode.not_found)]) from error
                if chosen.website_id is not None:
                    code = ErrorCode.assistant_writes_articles
                    raise InvalidInput(code, errors=[FieldError("assistant_id", code)])
            website.announce_assistant_id, website.version = assistant_id, version + 1
            website.announce_publishes = publishes and assistant_id is not None
            await notify_browsers(session, user_id, LiveKind.website, website.id)

    async def remove(self, user_id: UUID, website_id: UUID) -> DisconnectResult | None:
        """Remove the website and revoke its access. Its articles stay, here and there. Return None if it was
        disconnected before. Raises NotFound; Conflict (in_use, with the name in `by`) while an assistant writes for
        it."""
        async with self.sessions.begin() as session:
            website = await WebsiteRepository(session).find(user_id, website_id, lock=True)
            if website is None:
                raise NotFound(what="website", id=str(website_id))
            if assistant := await AssistantRepository(session).find_by_website(user_id, website_id):
                raise Conflict(ErrorCode.in_use, by=assistant.name)
            account_id, connected = website.account_id, website.account.disconnected_at is None
            await session.delete(website)
            await notify_browsers(session, user_id, LiveKind.website, website_id)
        return await self.connecting.disconnect(user_id, account_id) if connected else None


async def _own_name(kind: ChannelKind, base_url: str) -> str:
    """Return the site's own name; empty if it has none or does not answer: the user can change the name."""
    try:
        return one_line(await channel(kind).site_name(base_url))[:MAX_NAME].strip()
    except ProviderError as error:
        logger.info("a site's name could not be read: %s", error.code)
        return ""


def _called(account: Account) -> str:
    """Return the account's name if it publishes as the site itself, else a name from its address:
    `lindhof.example/blog`."""
    if account.type is AccountType.organisation and (name := one_line(account.name)):
        return name[:MAX_NAME]
    return account.base_url.partition("://")[2].removeprefix("www.")[:MAX_NAME]
