"""Sites that articles go to: connected by a form, named, and removed again. What was published there stays, unless
it is served here."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from core.database import Sessions, notify_browsers
from core.domain.channels import ChannelKind
from core.domain.errors import Conflict, ErrorCode, FieldError, InvalidInput, NotFound
from core.domain.ids import new_id
from core.domain.live import LiveKind
from core.domain.texts import one_line
from core.models import Account, Website
from core.providers.channels import channel
from core.providers.channels.served_here import ServedHere
from core.repositories.websites import WebsiteRepository
from core.services.connecting import Connected, ConnectingService, Disconnected
from core.services.feeds import FeedFacts, FeedService

MAX_NAME = 120


@dataclass(frozen=True)
class WebsiteService:
    sessions: Sessions
    connecting: ConnectingService
    feeds: FeedService

    async def connect(self, user_id: UUID, kind: ChannelKind, form: Mapping[str, str], language: str) -> UUID:
        """A site connected once more is the same website. Returns its id; raises as `ConnectingService.start`,
        NotFound for what is no kind of site."""
        if not kind.is_site:
            raise NotFound(what="website kind", id=kind)
        here = isinstance(channel(kind), ServedHere)
        if here:
            await self.feeds.must_be_free(user_id, form)
        connected = await self.connecting.start(user_id, kind, form)
        assert isinstance(connected, Connected)  # a form leads to it at once
        account = connected.accounts[0]
        try:
            return await self._kept(account, _called(form, account.base_url), language, served_here=here)
        except InvalidInput:  # somebody was faster
            await self.connecting.disconnect(user_id, account.id)
            raise

    async def _kept(self, account: Account, name: str, language: str, *, served_here: bool) -> UUID:
        user_id = account.user_id
        async with self.sessions.begin() as session:
            if served_here:
                await self.feeds.open(session, account)
            websites = WebsiteRepository(session)
            website = await websites.of_account(user_id, account.id)
            if website is None:
                website = Website(
                    id=new_id(),
                    user_id=user_id,
                    account_id=account.id,
                    name=name,
                    language=language,
                )
                session.add(website)
            await notify_browsers(session, user_id, LiveKind.website, website.id)
            return website.id

    async def change(
        self, user_id: UUID, website_id: UUID, version: int, name: str, language: str, feed: FeedFacts | None = None
    ) -> None:
        """`feed`: of one that is served here; None: as it was. Raises NotFound, Conflict (stale_version), InvalidInput
        at `name` or `feed.<name>`."""
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

    async def remove(self, user_id: UUID, website_id: UUID) -> Disconnected | None:
        """Its access is given back. Its articles stay, here and there; of one that is served here nothing is shown any
        more, until it is connected again. None: it was disconnected before."""
        async with self.sessions.begin() as session:
            website = await WebsiteRepository(session).find(user_id, website_id, lock=True)
            if website is None:
                raise NotFound(what="website", id=str(website_id))
            account_id, connected = website.account_id, website.account.disconnected_at is None
            await session.delete(website)
            await notify_browsers(session, user_id, LiveKind.website, website_id)
        return await self.connecting.disconnect(user_id, account_id) if connected else None


def _called(form: Mapping[str, str], url: str) -> str:
    """As its owner calls it, or as people name a site whose name nobody has told: `lindhof.example/blog`."""
    return (one_line(form.get("site_name", "")) or url.partition("://")[2].removeprefix("www."))[:MAX_NAME]
