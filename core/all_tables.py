"""All tables, imported for Alembic and the mapper."""

from core.ai.tables.provider_faults import ProviderFault
from core.ai.tables.transactions import AnonymousTotal, CallOutcome, Transaction, TransactionType, UsageSum
from core.approvals.tables.approval_links import ApprovalLink
from core.approvals.tables.approvals import Approval
from core.articles.tables import Announcement
from core.assistants.tables import Assistant, AssistantAccount, AssistantImage, AssistantStatus
from core.billing.tables import StripeEvent, StripePrice, SubscriptionRow
from core.brands.tables import Brand
from core.deliveries.tables.deliveries import Delivery
from core.deliveries.tables.delivery_log import DeliveryEntry
from core.demo.tables import DemoData, DemoItem, DemoItemKind
from core.installation.tables import KnownDatabase, SecretKeyUse
from core.media.tables import CardPreset, Media, MediaSource
from core.networks.tables import NetworkUsage
from core.notifications.rules import MailKind
from core.notifications.tables.mails import Mail, MailState
from core.notifications.tables.notifications import Digest, Notification, NotificationSetting
from core.posts.tables.calendar import CalendarFeed
from core.posts.tables.posts import Post, PostFile
from core.rate_limits.tables import RateLimit
from core.runs.tables import Run, RunStep, TextVersion
from core.social_accounts.tables import Account, ConnectAttempt, Grant, NetworkApp, ReplacedToken
from core.tables import Base
from core.templates.tables import StarterTemplate, Template, TemplateVersion, Tryout
from core.topics.tables import Topic, TopicSuggestion, TopicTree
from core.users.tables.security_events import SecurityEvent, SecurityEventKind
from core.users.tables.users import AccessToken, Invitation, LinkPurpose, MailLink, RecoveryCode, Scope, TokenKind, User
from core.websites.tables.feeds import Feed, FeedAddress, FeedArticle
from core.websites.tables.websites import Website
from core.workers.tables import WorkerBeat

__all__ = [
    "AccessToken",
    "Account",
    "Announcement",
    "AnonymousTotal",
    "Approval",
    "ApprovalLink",
    "Assistant",
    "AssistantAccount",
    "AssistantImage",
    "AssistantStatus",
    "Base",
    "Brand",
    "CalendarFeed",
    "CardPreset",
    "ConnectAttempt",
    "Delivery",
    "DeliveryEntry",
    "DemoData",
    "DemoItem",
    "DemoItemKind",
    "Digest",
    "Feed",
    "FeedAddress",
    "FeedArticle",
    "Grant",
    "Invitation",
    "KnownDatabase",
    "LinkPurpose",
    "Mail",
    "MailKind",
    "MailLink",
    "MailState",
    "Media",
    "MediaSource",
    "CallOutcome",
    "NetworkApp",
    "NetworkUsage",
    "Notification",
    "NotificationSetting",
    "Post",
    "PostFile",
    "ProviderFault",
    "RateLimit",
    "RecoveryCode",
    "ReplacedToken",
    "Run",
    "RunStep",
    "Scope",
    "SecretKeyUse",
    "SecurityEvent",
    "SecurityEventKind",
    "StarterTemplate",
    "StripeEvent",
    "StripePrice",
    "SubscriptionRow",
    "Template",
    "Tryout",
    "TemplateVersion",
    "TextVersion",
    "TokenKind",
    "Topic",
    "TopicSuggestion",
    "TopicTree",
    "Transaction",
    "TransactionType",
    "UsageSum",
    "User",
    "Website",
    "WorkerBeat",
]
