"""Creates and removes demo data, which new users see before they have created anything.

`make demo` and the button of the empty dashboard do the same. Each object is noted in the transaction that creates it,
so that an interrupted creation can be removed, and nothing is active before everything exists. Demo data posts to the
sandbox or nowhere: with real networks, its assistants only write drafts, and are inactive until the user activates
them.
"""

import asyncio
import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncSession

from core.assistants.configuration import AssistantConfigurationService, AssistantForm
from core.assistants.repository import AssistantRepository, FullAssistant
from core.assistants.rules.assistants import ImageSource, Mode, SecondLook, TextPer, TopicLink
from core.assistants.rules.schedules import Frequency, Schedule
from core.assistants.tables import Assistant
from core.billing.entitlements import Entitlements
from core.brands.brands import BrandForm, BrandService
from core.clock import utcnow
from core.database import Sessions, notify_browsers, replan_queries
from core.demo.repository import KNOWN, DemoDataRepository, Kept, Removal
from core.demo.story_files import CARD, STORIES, Branches, Story, hyphens
from core.demo.tables import DemoData, DemoItemKind
from core.errors import Conflict, ErrorCode, SubscriptionRequired, Unavailable
from core.languages import language_of
from core.live import LiveKind
from core.media.cards import CardForm, CardService
from core.media.rules.cards import CardSettings
from core.media.rules.media import UNDO
from core.media.tables import Media
from core.networks.base import BaseChannel
from core.networks.registry import networks
from core.networks.sandbox_consent import consent
from core.social_accounts.connecting import AuthorizationRequest, ConnectingService
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.tables import Account
from core.templates.rules.model_settings import ImageSettings, TextSettings, image_to_json, text_to_json
from core.templates.rules.templates import Engine, TemplateType
from core.templates.versions import TemplateForm, TemplateService
from core.topics.repositories.topics import TopicRepository
from core.topics.rules import PickFrom, Strategy
from core.topics.topic_trees import TopicTreeService
from core.users.repositories.deletion import AccountDeletionRepository
from core.users.repositories.users import KnownUser
from core.users.tables.users import User

LASTS: Final = timedelta(days=7)
"""How long demo data posts, unless it is `lasting`."""

LEASE: Final = timedelta(minutes=1)
"""Lease on demo data while it is created, which takes a second or two."""

_LOOK = 0.2  # seconds
# minutes; spans a weekend, so that a post waits for approval from the start
_ASKING_LEAD = 4 * 24 * 60
_ANNOUNCED = (
    LiveKind.assistant,
    LiveKind.brand,
    LiveKind.template,
    LiveKind.topic_tree,
    LiveKind.media,
    LiveKind.account,
    LiveKind.post,
)
# columns that an assistant's user does not edit
_NOT_WRITTEN = frozenset(
    {
        "active",
        # also chosen by the worker (core/brands/tones.py)
        "brand_id",
        "created_at",
        "failures_from",
        "id",
        "pause_reason",
        "paused_at",
        "paused_until",
        "stretches",
        "updated_at",
        "user_id",
        "version",
    }
)
# what assistants of an older release have in new columns: left out, so that they still equal their fingerprint
_OF_BEFORE = (("text_per", TextPer.post), ("second_look", SecondLook.rules), ("topic_link", TopicLink.none))


class DemoDataState(StrEnum):
    absent = "absent"
    being_made = "being_made"
    incomplete = "incomplete"
    """The creation was interrupted: a removal or the next creation removes what exists."""
    present = "present"


@dataclass(frozen=True)
class DemoDataView:
    """A user's demo data. The counts are of what a removal deletes; `kept` is what the user changed or uses elsewhere.
    `publishes`: to the sandbox; if False, the assistants write drafts once they are activated. `pays`: a model writes
    the posts, and each costs something."""

    state: DemoDataState
    publishes: bool
    pays: bool
    assistants: int = 0
    posts: int = 0
    templates: int = 0
    topic_trees: int = 0
    pictures: int = 0
    accounts: int = 0
    kept: tuple[Kept, ...] = ()


@dataclass(frozen=True)
class DemoDataService:
    sessions: Sessions
    connecting: ConnectingService
    cards: CardService
    sandbox_url: str | None
    pays: bool
    entitlements: Entitlements
    patience: timedelta = timedelta(seconds=10)
    """How long a removal waits for ending workflows and for texts and images in progress."""

    @property
    def publishes(self) -> bool:
        """Whether there is a network whose calls all go to the sandbox."""
        return self._network is not None

    @property
    def _network(self) -> BaseChannel | None:
        url = self.sandbox_url
        return next(
            (network for network in networks() if url and network.configured() and network.calls_only(url)), None
        )

    async def view(self, user_id: UUID) -> DemoDataView:
        async with self.sessions() as session:
            rows = DemoDataRepository(session)
            demo_data = await rows.get(user_id)
            if demo_data is None:
                return DemoDataView(DemoDataState.absent, self.publishes, self.pays)
            removal = await rows.removal(user_id, demo_data.created_at, _like)
            counts = {kind: len(removal.of(kind)) for kind in DemoItemKind}
            return DemoDataView(
                _state(demo_data),
                self.publishes,
                self.pays,
                assistants=counts[DemoItemKind.assistant],
                posts=await rows.count_posts(user_id, removal),
                templates=counts[DemoItemKind.template],
                topic_trees=counts[DemoItemKind.topic_tree],
                pictures=await rows.count_pictures(user_id, removal),
                accounts=counts[DemoItemKind.account],
                kept=removal.kept,
            )

    async def make(self, user: User | KnownUser, *, lasting: bool = False) -> Sequence[FullAssistant]:
        """Create demo data. Return its active assistants, whose workflows the caller notifies; if that fails, the
        reconciliation does. They post for a week, or if `lasting` until they are stopped.

        Remains of an interrupted creation are removed first. Raise Conflict: demo_data_exists, generation_in_progress;
        RetrySafe, Misconfigured or InvalidInput (connect_failed) if the sandbox does not answer.
        """
        await self._claim(user.id)
        try:
            await self._clear(user.id)
            connected = [await self._connect(user.id, story) for story in STORIES if self.publishes]
            assistant_ids = await self._save(user, connected or [() for _ in STORIES], lasting)
            for story in STORIES:
                await self._picture(user.id, story)
            return await self._complete(user.id, assistant_ids)
        finally:
            await self._release(user.id)

    async def switch_off(self, user_id: UUID) -> Sequence[FullAssistant]:
        """Deactivate the demo data, the first step of a removal. Return assistants whose workflows the caller ends.
        Raise Conflict (generation_in_progress) while it is being created."""
        async with self.sessions.begin() as session:
            rows = DemoDataRepository(session)
            demo_data = await rows.locked(user_id)
            if demo_data is None:
                return []
            _expect_idle(demo_data)
            removal = await rows.removal(user_id, demo_data.created_at, _like)
            await rows.cancel_deliveries(user_id, removal)
            configuring = AssistantConfigurationService(session)
            return [await configuring.deactivate(user_id, id) for id in removal.of(DemoItemKind.assistant)]

    async def remove(self, user_id: UUID, ended: Mapping[UUID, int]) -> None:
        """Remove everything created, and what its assistants made, the second step. What the user changed or uses
        elsewhere stays and becomes the user's.

        `ended` are the versions with which the workflows of the assistants were ended. Raise Unavailable if one of
        them has not confirmed its end yet; both steps can be repeated.
        """
        async with self.sessions() as session:
            rows = DemoDataRepository(session)
            demo_data = await rows.get(user_id)
            if demo_data is None:
                return
            removal = await rows.removal(user_id, demo_data.created_at, _like)
        await self._settle(user_id, removal, ended)
        async with self.sessions.begin() as session:
            rows = DemoDataRepository(session)
            demo_data = await rows.locked(user_id)
            if demo_data is None:
                return
            _expect_idle(demo_data)
            removal = await rows.removal(user_id, demo_data.created_at, _like)
            for assistant_id in removal.of(DemoItemKind.assistant):
                await AssistantRepository(session).lock(user_id, assistant_id)
            if not await _all_ended(session, user_id, removal, ended):
                raise Unavailable(ErrorCode.temporal_unavailable)
            await self._remove(session, user_id, removal)
            await rows.forget(user_id)

    async def _claim(self, user_id: UUID) -> None:
        async with self.sessions.begin() as session:
            demo_data = await DemoDataRepository(session).begin(user_id)
            _expect_idle(demo_data)
            if demo_data.complete:
                raise Conflict(ErrorCode.demo_data_exists)
            demo_data.busy_until = utcnow() + LEASE

    async def _clear(self, user_id: UUID) -> None:
        """Remove what an interrupted creation left; nothing of it was ever active."""
        async with self.sessions.begin() as session:
            rows = DemoDataRepository(session)
            demo_data = await rows.begin(user_id)
            await self._remove(session, user_id, await rows.removal(user_id, demo_data.created_at, _like))
            await rows.forget_items(user_id)

    async def _release(self, user_id: UUID) -> None:
        """End the lease, so that the next creation or removal need not wait for it."""
        async with self.sessions.begin() as session:
            if demo_data := await DemoDataRepository(session).locked(user_id):
                demo_data.busy_until = None

    async def _connect(self, user_id: UUID, story: Story) -> tuple[UUID, ...]:
        """Connect an account like a browser: the sandbox's consent page redirects with a code."""

        async def note(session: AsyncSession, added: Sequence[Account]) -> None:
            for account in added:
                await DemoDataRepository(session).note(user_id, DemoItemKind.account, account.id, "new")

        network = self._network
        assert network is not None  # `make` has checked `publishes`
        departure = await self.connecting.start(user_id, network.kind)
        assert isinstance(departure, AuthorizationRequest)  # this network has a consent page
        state, code = await consent(departure.authorize_url, story.person)
        connected = await self.connecting.finish(
            user_id,
            network.kind,
            state=state,
            browser_secret=departure.browser_secret,
            code=code,
            error=None,
            added=note,
        )
        return tuple(account.id for account in connected.accounts[:1])

    async def _save(
        self, user: User | KnownUser, connected: Sequence[tuple[UUID, ...]], lasting: bool
    ) -> Sequence[UUID]:
        """Save all rows in one transaction, with the accounts of each story. Return the inactive assistants."""
        async with self.sessions.begin() as session:
            return [
                await self._create_story(session, user, story, accounts, lasting)
                for story, accounts in zip(STORIES, connected, strict=True)
            ]

    async def _create_story(
        self, session: AsyncSession, user: User | KnownUser, story: Story, account_ids: tuple[UUID, ...], lasting: bool
    ) -> UUID:
        rows, templates = DemoDataRepository(session), TemplateService(session)
        voice = BrandForm(story.brand, languages=(language_of(story.language),))
        brand, _ = await BrandService(session).create(user.id, voice)
        versions = []
        for form in _templates(story, brand.id):
            template, version, *_ = await templates.create(user.id, form)
            await rows.note(user.id, DemoItemKind.template, template.id, str(template.version))
            versions.append(version.id)
        tree, *_ = [
            await self._create_topic_tree(session, user.id, name, branches) for name, branches in story.trees.items()
        ]
        for account_id in account_ids:
            await rows.note(user.id, DemoItemKind.account, account_id, KNOWN)
        text, image = versions
        today = utcnow().astimezone(ZoneInfo(user.time_zone)).date()
        assistant = await AssistantConfigurationService(session).create(
            user.id,
            AssistantForm(
                name=story.assistant,
                tags=(story.tag,),
                topic_tree_id=tree,
                strategy=Strategy.least_recent,
                pick_from=PickFrom.leaves,
                template_version_id=text,
                image_source=ImageSource.template,
                image_template_version_id=image,
                variables={},
                account_ids=account_ids,
                schedule=Schedule(
                    Frequency.cron,
                    user.time_zone,
                    cron=story.cron,
                    end_date=None if lasting else today + LASTS,
                ),
                mode=_mode(story, account_ids, lasting),
                language=story.language,
                lead_minutes=_ASKING_LEAD if lasting and story.asks else 1,
                brand_id=brand.id,
            ),
        )
        await rows.note(user.id, DemoItemKind.assistant, assistant.row.id, _like(assistant.row))
        return assistant.row.id

    async def _create_topic_tree(self, session: AsyncSession, user_id: UUID, name: str, branches: Branches) -> UUID:
        tree, _, _ = await TopicTreeService(session).create(user_id, name, hyphens(name, branches))
        notes_by_topic = {topic: notes for topics in branches.values() for topic, notes in topics.items()}
        await TopicRepository(session).write_notes(user_id, tree.id, notes_by_topic)
        await DemoDataRepository(session).note(user_id, DemoItemKind.topic_tree, tree.id, str(tree.version))
        return tree.id

    async def _picture(self, user_id: UUID, story: Story) -> None:
        async def note(session: AsyncSession, media: Media) -> None:
            await DemoDataRepository(session).note(user_id, DemoItemKind.media, media.id, str(media.version))

        *_, last = story.branches.values()
        *_, title = last
        form = CardForm(title, story.tree, CardSettings(foot=story.assistant))
        await self.cards.save(user_id, form, f"{title}. {story.tree}", [story.tag], added=note)

    async def _complete(self, user_id: UUID, assistant_ids: Sequence[UUID]) -> Sequence[FullAssistant]:
        async with self.sessions.begin() as session:
            demo_data = await DemoDataRepository(session).begin(user_id)
            demo_data.complete = True
            if not self.publishes:
                return []
            configuring, active = AssistantConfigurationService(session, self.entitlements), []
            for assistant_id in assistant_ids:
                with suppress(SubscriptionRequired):  # it stays inactive; the user can activate it instead of another
                    active.append(await configuring.activate(user_id, assistant_id))
            return active

    async def _settle(self, user_id: UUID, removal: Removal, ended: Mapping[UUID, int]) -> None:
        """Wait until its workflows have ended and nothing is in progress, at most for `patience`: an image drawn later
        may be left over."""
        began = utcnow()
        while utcnow() < began + self.patience:
            async with self.sessions() as session:
                over = await _all_ended(session, user_id, removal, ended)
                calls = await AccountDeletionRepository(session).calls(user_id)
                calling = any(called_at > began - LEASE for _, called_at in calls)
                if over and not calling and not await DemoDataRepository(session).is_making(user_id, removal):
                    return
            await asyncio.sleep(_LOOK)

    async def _remove(self, session: AsyncSession, user_id: UUID, removal: Removal) -> None:
        await replan_queries(session)
        rows = DemoDataRepository(session)
        # too long ago for a restore, so that the next sweep removes the files
        await rows.remove(user_id, removal, utcnow() - 2 * UNDO)
        await self._disconnect(session, user_id, removal.of(DemoItemKind.account))
        for kind in _ANNOUNCED:
            await notify_browsers(session, user_id, kind)

    async def _disconnect(self, session: AsyncSession, user_id: UUID, account_ids: Collection[UUID]) -> None:
        """Disconnect and delete the accounts; one named by a post of the user stays as a disconnected account."""
        named = await DemoDataRepository(session).named_by_posts(user_id, account_ids)
        for account_id in account_ids:
            account = await AccountRepository(session).get(user_id, account_id)
            await self.connecting.disconnect_in_session(session, account)
            if account_id not in named:
                await session.delete(account)


def _mode(story: Story, account_ids: Collection[UUID], lasting: bool) -> Mode:
    if not account_ids:
        return Mode.draft
    return Mode.approval if lasting and story.asks else Mode.automatic


def _templates(story: Story, brand_id: UUID) -> tuple[TemplateForm, TemplateForm]:
    text = {"text": text_to_json(TextSettings(brand_id=brand_id))}
    image = {"image": image_to_json(ImageSettings(engine=Engine.card, card=CardSettings(brand_id=brand_id)))}
    form = TemplateForm(
        TemplateType.text, story.template, story.description, story.language, (story.tag,), story.body, text
    )
    return form, replace(form, type=TemplateType.image, name=story.picture, description="", body=CARD, settings=image)


def _like(assistant: Assistant) -> str:
    """Return a fingerprint of the columns that the user edits; accounts are compared separately."""
    written = {
        column.key: getattr(assistant, column.key)
        for column in Assistant.__table__.columns
        if column.key not in _NOT_WRITTEN and (column.key, getattr(assistant, column.key)) not in _OF_BEFORE
    }
    return hashlib.sha256(json.dumps(written, sort_keys=True, default=str).encode()).hexdigest()


async def _all_ended(session: AsyncSession, user_id: UUID, removal: Removal, ended: Mapping[UUID, int]) -> bool:
    """Return whether every assistant's workflow knows that it has to end, by its answer or its saved version."""
    for assistant_id in removal.of(DemoItemKind.assistant):
        full = await AssistantRepository(session).get(user_id, assistant_id)
        version, noted = full.row.version, full.status.applied_version if full.status else 0
        is_ended = version == 1 or ended.get(assistant_id) == version or noted >= version
        if full.row.active or not is_ended:
            return False
    return True


def _expect_idle(row: DemoData) -> None:
    if row.busy_until is not None and row.busy_until > utcnow():
        raise Conflict(ErrorCode.generation_in_progress)


def _state(row: DemoData) -> DemoDataState:
    if row.complete:
        return DemoDataState.present
    busy = row.busy_until is not None and row.busy_until > utcnow()
    return DemoDataState.being_made if busy else DemoDataState.incomplete
