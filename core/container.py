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
from core.crypto import Vault
from core.dashboard.overview import AccountStatsService
from core.database import Sessions, open_engine, open_reading, open_sessions
from core.deliveries.answers import DeliveryDecisionService
from core.deliveries.delivering import DeliveringService
from core.deliveries.first_comments import FirstCommentService
from core.deliveries.jobs import DeliveryJobs
from core.deliveries.removal import RemovalService
from core.deliveries.staging import StagingService
from core.demo.demo_data import DemoDataService
from core.demo.demo_texts import DemoTexts
from core.ids import new_id
from core.media.cards import CardService
from core.media.library import GalleryService
from core.media.pictures import MediaService
from core.media.storage import open_storage
from core.networks.registry import channels, networks, sites
from core.networks.usage import NetworkUsageService
from core.notifications.bell import NotificationService
from core.notifications.mailing import MailingService
from core.notifications.smtp import open_mailer
from core.outgoing import http
from core.posts.bulk_changes import PostBulkService
from core.posts.calendar import CalendarService
from core.posts.calendar_feed import CalendarFeedService
from core.posts.composing import ComposingService
from core.posts.csv_export import PostExportService
from core.posts.csv_import import PostImportService
from core.posts.publishing import PublishingService
from core.posts.writings import PostWritingService
from core.rate_limits.limiting import LimitingService
from core.runs.drafting import DraftingService
from core.runs.imaging import ImagingService
from core.runs.projecting import ProjectingService
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
from core.websites.feeds import FeedService
from core.websites.site_passwords import SitePasswords
from core.websites.sites import WebsiteService
from core.websites.taxonomy import TaxonomyService
from core.workers.health import HealthService


@dataclass(frozen=True)
class Services:
    settings: Settings
    engine: AsyncEngine
    sessions: Sessions
    reading: Sessions
    """Sessions without a transaction, for reads only."""
    worker_id: UUID
    """The id of this process, new at each start."""
    vault: Vault
    writer: Writer
    pictures: PictureMaker
    """The image model, or cards if none is configured."""
    hashing: Hashing
    identity: IdentityService
    account_security: AccountSecurityService
    security_events: SecurityEventService
    invitations: InvitationService
    account_export: AccountExportService
    account_deletion: AccountDeletionService
    connecting: ConnectingService
    account_checks: AccountCheckService
    media: MediaService
    gallery: GalleryService
    cards: CardService
    marketplace: MarketplaceService
    tryouts: TryoutService
    dry_runs: DryRunService
    post_writings: PostWritingService
    suggestions: SuggestionService
    prices: PriceBook
    meter: Meter
    model_calls: ModelCallService
    faults: FaultService
    article_writing: ArticleWritingService
    drafting: DraftingService
    demo_texts: DemoTexts
    imaging: ImagingService
    staging: StagingService
    delivering: DeliveringService
    delivery_decisions: DeliveryDecisionService
    mailing: MailingService
    notifications: NotificationService
    projecting: ProjectingService
    publishing: PublishingService
    composing: ComposingService
    site_passwords: SitePasswords
    taxonomies: TaxonomyService
    websites: WebsiteService
    announcements: AnnouncementService
    auto_announcements: AutoAnnouncementService
    feeds: FeedService
    approvals: ApprovalService
    approval_links: ApprovalLinkService
    rewriting: RewritingService
    post_bulk: PostBulkService
    removals: RemovalService
    revisions: RevisionService
    first_comments: FirstCommentService
    renewals: RenewalService
    post_export: PostExportService
    post_import: PostImportService
    slot_skips: SlotSkipService
    account_stats: AccountStatsService
    spending: SpendingService
    entitlements: Entitlements
    subscriptions: SubscriptionService
    calendar: CalendarService
    calendar_feed: CalendarFeedService
    demo_data: DemoDataService
    limiting: LimitingService
    network_usage: NetworkUsageService
    health: HealthService

    def models(self) -> Models:
        """Return the models with which this installation can write and draw."""
        return models_of(
            self.writer, self.pictures, self.settings.openai_base_url, self.prices, datetime.now(UTC).date()
        )

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
    reading = reading or sessions
    http.use_user_agent(settings.user_agent)
    vault = Vault.from_secrets(secret_keys(settings))
    api_key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else None
    base_url = settings.openai_base_url
    writer = open_writer(api_key, base_url, settings.text_model, settings.reasoning_effort)
    prices = prices_of(settings)
    subscriptions = SubscriptionService(
        sessions,
        reading,
        _stripe(settings),
        settings.public_url,
        settings.trial_days,
        timedelta(days=settings.past_due_days),
        _limits(settings.free_assistants, settings.free_posts, settings.free_model_cost),
        _limits(settings.plan_assistants, settings.plan_posts, settings.plan_model_cost),
    )
    entitlements = subscriptions.entitlements
    meter = Meter(sessions, prices, entitlements)
    cards = open_cards()
    image_model = open_image_model(api_key, base_url, settings.image_model)
    storage = open_storage(settings.media_url, settings.media_fetch_url)
    media = MediaService(sessions, storage, vault, settings.public_url)
    for site in sites():
        site.use_article_store(FeedStorage(sessions, storage, media.decoder, settings.public_url))
    usage = NetworkUsageService(sessions, reading, vault)
    for network in networks():
        network.use_usage_store(usage)
    feeds = FeedService(sessions, reading, storage, settings.public_url)
    hashing = Hashing()
    connecting = ConnectingService(sessions, vault, settings.public_url)
    drawn = CardService(sessions, media)
    faults = FaultService(sessions, connecting)
    calendar = CalendarService(reading)
    sandbox_url = str(settings.sandbox_url) if settings.sandbox_url else None
    demo_texts = DemoTexts(writer.model, sandbox_url)
    catch_up = timedelta(seconds=settings.catch_up_seconds)
    publishing, approvals = PublishingService(sessions, entitlements), ApprovalService(sessions, vault)
    jobs, delivery_decisions = DeliveryJobs(sessions, connecting, media), DeliveryDecisionService(sessions)
    worker_id = new_id()
    staging = StagingService(sessions, jobs, catch_up, worker_id)
    removals = RemovalService(sessions, connecting)
    tryouts = TryoutService(sessions, meter, writer, cards, image_model, media)
    composing, post_writings = ComposingService(sessions), PostWritingService(sessions, tryouts)
    announcements = AnnouncementService(sessions, composing, post_writings)
    return Services(
        settings=settings,
        engine=engine,
        sessions=sessions,
        reading=reading,
        worker_id=worker_id,
        vault=vault,
        writer=writer,
        pictures=image_model or cards,
        hashing=hashing,
        identity=IdentityService(sessions, reading, vault, hashing, settings.session_days),
        account_security=AccountSecurityService(sessions, vault, hashing),
        security_events=SecurityEventService(sessions),
        invitations=InvitationService(
            sessions, vault, settings.public_url, settings.invitation_days, settings.invitations_open
        ),
        account_export=AccountExportService(sessions, media),
        account_deletion=AccountDeletionService(sessions, media, connecting, hashing),
        connecting=connecting,
        account_checks=AccountCheckService(sessions, connecting, settings.public_url, settings.media_fetch_url),
        media=media,
        gallery=GalleryService(sessions, media),
        cards=drawn,
        marketplace=MarketplaceService(sessions),
        tryouts=tryouts,
        dry_runs=DryRunService(sessions, tryouts),
        post_writings=post_writings,
        suggestions=SuggestionService(sessions, meter, writer),
        prices=prices,
        meter=meter,
        model_calls=ModelCallService(sessions),
        faults=faults,
        article_writing=ArticleWritingService(sessions, meter, writer, faults, catch_up),
        drafting=DraftingService(sessions, meter, writer, faults, catch_up, demo_texts),
        demo_texts=demo_texts,
        imaging=ImagingService(sessions, meter, cards, image_model, media, catch_up),
        staging=staging,
        delivering=DeliveringService(sessions, jobs, staging, faults, catch_up, entitlements, worker_id),
        delivery_decisions=delivery_decisions,
        mailing=MailingService(
            sessions, vault, open_mailer(settings.smtp_url), settings.mail_from, settings.public_url, media
        ),
        notifications=NotificationService(sessions),
        projecting=ProjectingService(sessions, entitlements),
        publishing=publishing,
        composing=composing,
        site_passwords=SitePasswords(connecting),
        taxonomies=TaxonomyService(sessions, connecting),
        websites=WebsiteService(sessions, connecting, feeds),
        announcements=announcements,
        auto_announcements=AutoAnnouncementService(sessions, announcements, publishing, demo_texts),
        feeds=feeds,
        approvals=approvals,
        approval_links=ApprovalLinkService(sessions, approvals),
        rewriting=RewritingService(sessions, meter, writer, approvals, catch_up),
        post_bulk=PostBulkService(sessions, publishing, approvals, delivery_decisions, removals),
        removals=removals,
        revisions=RevisionService(sessions, jobs, removals),
        first_comments=FirstCommentService(sessions, connecting),
        renewals=RenewalService(sessions, connecting.grants),
        post_export=PostExportService(sessions),
        post_import=PostImportService(sessions),
        slot_skips=SlotSkipService(sessions),
        account_stats=AccountStatsService(
            sessions, offers_trial=settings.stripe_secret_key is not None and settings.trial_days > 0
        ),
        spending=SpendingService(reading),
        entitlements=entitlements,
        subscriptions=subscriptions,
        calendar=calendar,
        calendar_feed=CalendarFeedService(sessions, calendar, vault, settings.public_url),
        demo_data=DemoDataService(
            sessions,
            connecting,
            drawn,
            sandbox_url,
            pays=bool(api_key or base_url),
            entitlements=entitlements,
        ),
        limiting=LimitingService(sessions, vault, on=settings.rate_limits),
        network_usage=usage,
        health=HealthService(sessions, probes or reading),
    )


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
async def open_services(settings: Settings, *, pool_size: int = 10) -> AsyncIterator[Services]:
    """Raise WrongSetting if no database is configured."""
    if settings.database_url is None:
        raise WrongSetting("DATABASE_URL", "is not set; `make run` starts an embedded database")
    engine = open_engine(settings.database_url, pool_size=pool_size)
    probing = open_engine(settings.database_url, pool_size=1)  # own pool: under load the others are taken
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
