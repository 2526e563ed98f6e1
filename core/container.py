"""All services, wired once per process."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncEngine

from core.ai.catalogue import Models, models_of
from core.ai.model_calls import Meter, ModelCallService
from core.ai.pictures import open_cards, open_image_model
from core.ai.pictures.base import PictureMaker
from core.ai.provider_faults import FaultService
from core.ai.rules.prices import PriceBook
from core.ai.spending import SpendingService
from core.ai.writers import open_writer
from core.ai.writers.base import Writer
from core.approvals.mail_links import ApprovalLinkService
from core.approvals.questions import ApprovalService
from core.articles.announcements import AnnouncementService
from core.articles.auto_announcements import AutoAnnouncementService
from core.articles.revisions import RevisionService
from core.articles.writing import ArticleWritingService
from core.assistants.dry_runs import DryRunService
from core.assistants.skipping import SlotSkipService
from core.billing.entitlements import Entitlements
from core.billing.rules import Limits
from core.billing.stripe import Stripe
from core.billing.subscriptions import SubscriptionService
from core.brands.drafts import BrandDraftService
from core.brands.tones import ToneService
from core.crypto import Vault
from core.dashboard.overview import AccountStatsService
from core.database import APPLICATION, Sessions, open_engine, open_reading, open_sessions
from core.deliveries.answers import DeliveryDecisionService
from core.deliveries.delivering import DeliveringService
from core.deliveries.first_comments import FirstCommentService
from core.deliveries.jobs import DeliveryJobs
from core.deliveries.removal import RemovalService
from core.deliveries.staging import StagingService
from core.demo.demo_data import DemoDataService
from core.demo.demo_texts import DemoTexts
from core.feeds.feeds import TopicFeedService
from core.feeds.reading import FeedReadingService
from core.ids import new_id
from core.installation.secret_keys import SecretKeyService
from core.installation.start_checks import StartChecks
from core.media.cards import CardService
from core.media.documents import CarouselDocuments
from core.media.library import GalleryService
from core.media.pictures import MediaService
from core.media.sequences import CardSequences
from core.media.storage import open_storage
from core.networks.registry import channels, networks, sites
from core.networks.usage import NetworkUsageService
from core.notifications.bell import NotificationService
from core.notifications.mailing import MailingService
from core.notifications.smtp import open_mailer
from core.outgoing import http
from core.outgoing.destinations import Outside
from core.outgoing.pages import PageReader
from core.posts.bulk_changes import PostBulkService
from core.posts.calendar import CalendarService
from core.posts.calendar_feed import CalendarFeedService
from core.posts.composing import ComposingService
from core.posts.csv_export import PostExportService
from core.posts.csv_import import PostImportService
from core.posts.publishing import PublishingService
from core.posts.writings import PostWritingService
from core.rate_limits.limiting import LimitingService
from core.runs.carousels import PageStructuring
from core.runs.drafting import DraftingService
from core.runs.imaging import ImagingService
from core.runs.projecting import ProjectingService
from core.runs.retention import RetentionService
from core.runs.rewriting import RewritingService
from core.settings import Settings, WrongSetting, secret_keys
from core.settings_check import prices_of
from core.social_accounts.account_check import AccountCheckService
from core.social_accounts.connecting import ConnectingService
from core.social_accounts.renewal import RenewalService
from core.templates.marketplace import MarketplaceService
from core.templates.tryouts import TryoutService
from core.topics.suggestions import SuggestionService
from core.users.deletion import AccountDeletionService
from core.users.export import AccountExportService
from core.users.identity import IdentityService
from core.users.invitations import InvitationService
from core.users.password_hashing import Hashing
from core.users.security import AccountSecurityService
from core.users.security_events import SecurityEventService
from core.websites.feed_storage import FeedStorage
from core.websites.site_feeds import FeedService
from core.websites.site_passwords import SitePasswords
from core.websites.sites import WebsiteService
from core.websites.taxonomy import TaxonomyService
from core.workers.health import HealthService


@dataclass(frozen=True)
class SharedServices:
    """What the services of all areas use. Each class below adds the services of one area to those that it needs."""

    settings: Settings
    engine: AsyncEngine
    sessions: Sessions
    reading: Sessions
    """Sessions without a transaction, for reads only."""
    worker_id: UUID
    """The id of this process, new at each start."""
    vault: Vault
    hashing: Hashing

    @property
    def catch_up(self) -> timedelta:
        """How late a post may still be published."""
        return timedelta(seconds=self.settings.catch_up_seconds)


@dataclass(frozen=True)
class ModelServices(SharedServices):
    """Models and what they cost, subscriptions and their limits."""

    subscriptions: SubscriptionService
    entitlements: Entitlements
    writer: Writer
    image_model: PictureMaker | None
    card_maker: PictureMaker
    prices: PriceBook
    meter: Meter
    model_calls: ModelCallService
    spending: SpendingService
    demo_texts: DemoTexts

    @property
    def pictures(self) -> PictureMaker:
        """The image model, or cards if none is configured."""
        return self.image_model or self.card_maker

    def models(self) -> Models:
        """Return the models with which this installation can write and draw."""
        return models_of(
            self.writer, self.pictures, self.settings.openai_base_url, self.prices, datetime.now(UTC).date()
        )


@dataclass(frozen=True)
class AccountServices(ModelServices):
    """Media, social accounts and websites."""

    media: MediaService
    gallery: GalleryService
    cards: CardService
    sequences: CardSequences
    carousel_documents: CarouselDocuments
    feeds: FeedService
    connecting: ConnectingService
    account_checks: AccountCheckService
    renewals: RenewalService
    faults: FaultService
    network_usage: NetworkUsageService
    site_passwords: SitePasswords
    taxonomies: TaxonomyService
    websites: WebsiteService


@dataclass(frozen=True)
class WritingServices(AccountServices):
    """Templates, runs and approvals."""

    marketplace: MarketplaceService
    tryouts: TryoutService
    dry_runs: DryRunService
    post_writings: PostWritingService
    suggestions: SuggestionService
    topic_feeds: TopicFeedService
    topic_feed_readings: FeedReadingService
    brand_drafts: BrandDraftService
    tones: ToneService
    article_writing: ArticleWritingService
    drafting: DraftingService
    imaging: ImagingService
    projecting: ProjectingService
    retention: RetentionService
    rewriting: RewritingService
    slot_skips: SlotSkipService
    approvals: ApprovalService
    approval_links: ApprovalLinkService


@dataclass(frozen=True)
class PostServices(WritingServices):
    """Posts, their deliveries and the calendar."""

    composing: ComposingService
    publishing: PublishingService
    staging: StagingService
    delivering: DeliveringService
    delivery_decisions: DeliveryDecisionService
    removals: RemovalService
    revisions: RevisionService
    first_comments: FirstCommentService
    announcements: AnnouncementService
    auto_announcements: AutoAnnouncementService
    post_bulk: PostBulkService
    post_export: PostExportService
    post_import: PostImportService
    calendar: CalendarService
    calendar_feed: CalendarFeedService


@dataclass(frozen=True)
class Services(PostServices):
    """All services: the last ones are those of users, and of the process."""

    identity: IdentityService
    account_security: AccountSecurityService
    security_events: SecurityEventService
    invitations: InvitationService
    account_export: AccountExportService
    account_deletion: AccountDeletionService
    account_stats: AccountStatsService
    mailing: MailingService
    notifications: NotificationService
    demo_data: DemoDataService
    limiting: LimitingService
    health: HealthService
    start_checks: StartChecks
    secret_keys: SecretKeyService

    async def close(self) -> None:
        for network in channels():
            await network.close()
        await self.writer.close()
        await self.pictures.close()
        await self.engine.dispose()


def wire(
    settings: Settings,
    engine: AsyncEngine,
    sessions: Sessions,
    *,
    reading: Sessions | None = None,
    probes: Sessions | None = None,
) -> Services:
    """Connections are opened when first used. `probes` are used for readiness checks only."""
    http.use_user_agent(settings.user_agent)
    vault, reading = Vault.from_secrets(secret_keys(settings)), reading or sessions
    shared = SharedServices(settings, engine, sessions, reading, new_id(), vault, Hashing())
    accounts = _add_accounts(_add_models(shared))
    return _add_users(_add_posts(_add_writing(accounts)), probes or reading)


def _add_models(shared: SharedServices) -> ModelServices:
    settings, sessions = shared.settings, shared.sessions
    subscriptions = SubscriptionService(
        sessions,
        shared.reading,
        _stripe(settings),
        settings.public_url,
        settings.trial_days,
        timedelta(days=settings.past_due_days),
        _limits(settings.free_assistants, settings.free_posts, settings.free_model_cost),
        _limits(settings.plan_assistants, settings.plan_posts, settings.plan_model_cost),
    )
    entitlements, prices = subscriptions.entitlements, prices_of(settings)
    api_key, base_url = _api_key(settings), settings.openai_base_url
    writer = open_writer(api_key, base_url, settings.text_model, settings.reasoning_effort)
    return ModelServices(
        **vars(shared),
        subscriptions=subscriptions,
        entitlements=entitlements,
        writer=writer,
        image_model=open_image_model(api_key, base_url, settings.image_model),
        card_maker=open_cards(),
        prices=prices,
        meter=Meter(sessions, prices, entitlements),
        model_calls=ModelCallService(sessions),
        spending=SpendingService(shared.reading),
        demo_texts=DemoTexts(writer.model, str(settings.sandbox_url) if settings.sandbox_url else None),
    )


def _add_accounts(shared: ModelServices) -> AccountServices:
    settings, sessions, vault = shared.settings, shared.sessions, shared.vault
    storage = open_storage(settings.media_url, settings.media_fetch_url)
    media = MediaService(sessions, storage, vault, settings.public_url)
    cards = CardService(sessions, media)
    for site in sites():
        site.use_article_store(FeedStorage(sessions, storage, media.decoder, settings.public_url))
    usage = NetworkUsageService(sessions, shared.reading, vault)
    for network in networks():
        network.use_usage_store(usage)
    feeds = FeedService(sessions, shared.reading, storage, settings.public_url)
    connecting = ConnectingService(sessions, vault, settings.public_url)
    return AccountServices(
        **vars(shared),
        media=media,
        gallery=GalleryService(sessions, media),
        cards=cards,
        sequences=CardSequences(media, cards),
        carousel_documents=CarouselDocuments(media, cards),
        feeds=feeds,
        connecting=connecting,
        account_checks=AccountCheckService(sessions, connecting, settings.public_url, settings.media_fetch_url),
        renewals=RenewalService(sessions, connecting.grants),
        faults=FaultService(sessions, connecting),
        network_usage=usage,
        site_passwords=SitePasswords(connecting),
        taxonomies=TaxonomyService(sessions, connecting),
        websites=WebsiteService(sessions, connecting, feeds),
    )


def _add_writing(shared: AccountServices) -> WritingServices:
    sessions, catch_up, faults = shared.sessions, shared.catch_up, shared.faults
    meter, writer, media = shared.meter, shared.writer, shared.media
    structuring = PageStructuring(meter, writer)
    tryouts = TryoutService(sessions, meter, writer, shared.card_maker, shared.image_model, media, structuring)
    approvals = ApprovalService(sessions, shared.vault)
    documents = shared.carousel_documents
    imaging = ImagingService(
        sessions, meter, shared.card_maker, shared.image_model, media, structuring, documents, catch_up
    )
    pages = PageReader(Outside.from_setting(shared.settings.internal_pages))
    return WritingServices(
        **vars(shared),
        marketplace=MarketplaceService(sessions),
        tryouts=tryouts,
        dry_runs=DryRunService(sessions, tryouts),
        post_writings=PostWritingService(sessions, tryouts, pages),
        suggestions=SuggestionService(sessions, meter, writer),
        topic_feeds=TopicFeedService(sessions, pages),
        topic_feed_readings=FeedReadingService(sessions, pages, timedelta(minutes=shared.settings.topic_feed_minutes)),
        brand_drafts=BrandDraftService(sessions, meter, writer, pages),
        tones=ToneService(sessions),
        article_writing=ArticleWritingService(sessions, meter, writer, faults, catch_up),
        drafting=DraftingService(sessions, meter, writer, faults, catch_up, shared.demo_texts),
        imaging=imaging,
        projecting=ProjectingService(sessions, shared.entitlements),
        retention=RetentionService(sessions, shared.settings.retention_days),
        rewriting=RewritingService(sessions, meter, writer, approvals, imaging, catch_up),
        slot_skips=SlotSkipService(sessions),
        approvals=approvals,
        approval_links=ApprovalLinkService(sessions, approvals),
    )


def _add_posts(shared: WritingServices) -> PostServices:
    sessions, catch_up, worker_id = shared.sessions, shared.catch_up, shared.worker_id
    connecting, entitlements = shared.connecting, shared.entitlements
    composing = ComposingService(sessions, shared.carousel_documents)
    publishing = PublishingService(sessions, entitlements)
    jobs, decisions = DeliveryJobs(sessions, connecting, shared.media), DeliveryDecisionService(sessions)
    staging, removals = StagingService(sessions, jobs, catch_up, worker_id), RemovalService(sessions, connecting)
    announcements = AnnouncementService(sessions, composing, shared.post_writings)
    calendar = CalendarService(shared.reading)
    return PostServices(
        **vars(shared),
        composing=composing,
        publishing=publishing,
        staging=staging,
        delivering=DeliveringService(sessions, jobs, staging, shared.faults, catch_up, entitlements, worker_id),
        delivery_decisions=decisions,
        removals=removals,
        revisions=RevisionService(sessions, jobs, removals),
        first_comments=FirstCommentService(sessions, connecting),
        announcements=announcements,
        auto_announcements=AutoAnnouncementService(sessions, announcements, publishing, shared.demo_texts),
        post_bulk=PostBulkService(sessions, publishing, shared.approvals, decisions, removals),
        post_export=PostExportService(sessions),
        post_import=PostImportService(sessions),
        calendar=calendar,
        calendar_feed=CalendarFeedService(sessions, calendar, shared.vault, shared.settings.public_url),
    )


def _add_users(shared: PostServices, probes: Sessions) -> Services:
    settings, sessions, vault, hashing = shared.settings, shared.sessions, shared.vault, shared.hashing
    media, connecting, public_url = shared.media, shared.connecting, settings.public_url
    offers_trial = settings.stripe_secret_key is not None and settings.trial_days > 0
    mailer = open_mailer(settings.smtp_url)
    return Services(
        **vars(shared),
        identity=IdentityService(sessions, shared.reading, vault, hashing, settings.session_days),
        account_security=AccountSecurityService(sessions, vault, hashing),
        security_events=SecurityEventService(sessions),
        invitations=InvitationService(sessions, vault, public_url, settings.invitation_days, settings.invitations_open),
        account_export=AccountExportService(sessions, media),
        account_deletion=AccountDeletionService(sessions, media, connecting, hashing),
        account_stats=AccountStatsService(sessions, offers_trial=offers_trial),
        mailing=MailingService(sessions, vault, mailer, settings.mail_from, public_url, media),
        notifications=NotificationService(sessions),
        demo_data=DemoDataService(
            sessions,
            connecting,
            shared.cards,
            shared.demo_texts.sandbox_url,
            pays=bool(_api_key(settings) or settings.openai_base_url),
            entitlements=shared.entitlements,
        ),
        limiting=LimitingService(sessions, vault, on=settings.rate_limits),
        health=HealthService(sessions, probes),
        start_checks=StartChecks(settings, sessions, vault, media.storage),
        secret_keys=SecretKeyService(sessions, vault),
    )


def _api_key(settings: Settings) -> str | None:
    return settings.openai_api_key.get_secret_value() if settings.openai_api_key else None


def _limits(assistants: int | None, posts: int | None, cost: float | None) -> Limits:
    return Limits(assistants, posts, None if cost is None else round(cost * 1_000_000))


def _stripe(settings: Settings) -> Stripe | None:
    """Return None if this installation does not charge."""
    if settings.stripe_secret_key is None or settings.stripe_price_id is None:
        return None
    return Stripe(
        settings.stripe_secret_key.get_secret_value(),
        [one.get_secret_value() for one in settings.stripe_webhook_secret],
        settings.stripe_price_id,
        settings.stripe_api_url,
    )


@asynccontextmanager
async def open_services(
    settings: Settings, *, pool_size: int = 10, application: str = APPLICATION
) -> AsyncIterator[Services]:
    """`application`: the name of its connections in PostgreSQL. Raise WrongSetting if no database is configured."""
    if settings.database_url is None:
        raise WrongSetting("DATABASE_URL", "is not set; `make run` starts an embedded database")
    engine = open_engine(settings.database_url, pool_size=pool_size, application=application)
    # own pool: under load the others are taken
    probing = open_engine(settings.database_url, pool_size=1, application=application)
    services = wire(
        settings,
        engine,
        open_sessions(engine),
        reading=open_reading(engine),
        probes=open_reading(probing),
    )
    try:
        yield services
    finally:
        await services.close()
        await probing.dispose()
