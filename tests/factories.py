"""Rows for tests, with default values that a test can override."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import httpx2
from obstore.store import LocalStore

from core.assistants.configuration import AssistantConfigurationService, AssistantForm
from core.assistants.rules.assistants import ImageSource, Mode
from core.assistants.rules.schedules import Frequency, Schedule
from core.assistants.tables import Assistant
from core.crypto import Vault
from core.database import Sessions
from core.ids import new_id
from core.media.storage import Storage
from core.networks.rules.channels import ChannelKind
from core.social_accounts.connecting import AuthorizationRequest, ConnectingService, ConnectResult
from core.social_accounts.tables import Account
from core.templates.rules.templates import TemplateType
from core.templates.versions import TemplateForm, TemplateService
from core.topics.rules import PickFrom, Strategy
from core.topics.topic_trees import TopicTreeService
from core.users.tables.users import User
from core.websites.site_feeds import FeedService
from core.websites.sites import WebsiteService

TOPICS = "- Cargo bikes\n-- Weather\n--- Rain without drama\n--- Riding in snow\n-- Money\n--- What a service costs"
TEXT = "Write a short post about ((Topic)) for people who ride to work."
IMAGE = "((Topic))\n((Content))"


@dataclass(frozen=True)
class Factory:
    sessions: Sessions
    vault: Vault

    async def user(self, email: str | None = None, *, verified: bool = True) -> User:
        user = User(
            id=new_id(),
            email=email or f"{new_id()}@example.org",
            password_hash="nobody signs in with it",
            is_email_verified=verified,
        )
        async with self.sessions.begin() as session:
            session.add(user)
        return user

    async def template(self, user: User, body: str = TEXT, type: TemplateType = TemplateType.text) -> UUID:
        """Create a template. Return its version's id."""
        async with self.sessions.begin() as session:
            _, version, *_ = await TemplateService(session).create(
                user.id, TemplateForm(type, f"A {type} template", "", "en", (), body)
            )
            return version.id

    async def tree(self, user: User, text: str = TOPICS) -> UUID:
        async with self.sessions.begin() as session:
            return (await TopicTreeService(session).create(user.id, "Cargo bikes", text))[0].id

    async def account(
        self, user: User, url: str, person: str = "mara-lind", kind: ChannelKind = ChannelKind.linkedin
    ) -> Account:
        """Connect an account over the network's consent page. `url` is the server, for Mastodon."""
        connected = await self._connect(user, url, person, kind)
        return connected.accounts[0]

    async def accounts(self, user: User, url: str, person: str, kind: ChannelKind) -> list[Account]:
        """Connect all accounts of a consent that leads to several."""
        choice = (await self._connect(user, url, person, kind)).choice
        assert choice is not None
        found = [candidate.profile.external_id for candidate in choice.candidates]
        connecting = ConnectingService(self.sessions, self.vault, "http://postloom.test")
        return await connecting.choose(user.id, choice.grant_id, found)

    async def _connect(self, user: User, url: str, person: str, kind: ChannelKind) -> ConnectResult:
        connecting = ConnectingService(self.sessions, self.vault, "http://postloom.test")
        departure = await connecting.start(user.id, kind, {"server": url})
        assert isinstance(departure, AuthorizationRequest)
        # the stand-in has no TLS, and loading all certificate authorities takes longer than the rest
        async with httpx2.AsyncClient(verify=False) as browser:
            answer = await browser.get(f"{departure.authorize_url}&sandbox_person={person}")
        back = parse_qs(urlsplit(answer.headers["location"]).query)
        return await connecting.finish(
            user.id,
            kind,
            state=back["state"][0],
            browser_secret=departure.browser_secret,
            code=back["code"][0],
            error=None,
        )

    async def website(self, user: User, url: str) -> UUID:
        """Connect a WordPress site by its form. Return its id."""
        connecting = ConnectingService(self.sessions, self.vault, "http://postloom.test")
        # a new password each time: a revoked one stays refused
        form = {"site": url, "username": "ada-lindqvist", "app_password": new_id().hex[:24]}
        feeds = FeedService(self.sessions, self.sessions, Storage(LocalStore), "http://postloom.test")
        websites = WebsiteService(self.sessions, connecting, feeds)
        return await websites.connect(user.id, ChannelKind.wordpress, form, "en")

    async def assistant(
        self,
        user: User,
        *,
        accounts: tuple[UUID, ...] = (),
        mode: Mode = Mode.automatic,
        schedule: Schedule | None = None,
        image: bool = True,
        lead_minutes: int = 1,
        text: str = TEXT,
        topics: str = TOPICS,
        pick_from: PickFrom = PickFrom.leaves,
        **more: Any,
    ) -> Assistant:
        form = AssistantForm(
            name="Commuter tips",
            tags=("commuting",),
            topic_tree_id=await self.tree(user, topics),
            strategy=Strategy.in_order,
            pick_from=pick_from,
            template_version_id=await self.template(user, text),
            image_source=more.pop("image_source", ImageSource.template if image else ImageSource.none),
            image_template_version_id=await self.template(user, IMAGE, TemplateType.image) if image else None,
            variables={},
            account_ids=accounts,
            schedule=schedule or Schedule(Frequency.cron, "Europe/Berlin", cron="* * * * *"),
            mode=mode,
            language="en",
            lead_minutes=lead_minutes,
            **more,
        )
        async with self.sessions.begin() as session:
            return (await AssistantConfigurationService(session).create(user.id, form)).row
