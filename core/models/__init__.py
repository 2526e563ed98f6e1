"""All tables, so that Alembic and the mapper know them."""

from core.models.accounts import Account, ConnectAttempt, Grant, NetworkApp, ReplacedToken
from core.models.announcements import Announcement
from core.models.approval_links import ApprovalLink
from core.models.approvals import Approval
from core.models.assistants import Assistant, AssistantAccount, AssistantImage, AssistantStatus
from core.models.base import Base
from core.models.calendar import CalendarFeed
from core.models.deliveries import Delivery
from core.models.delivery_log import DeliveryEntry
from core.models.demo_data import DemoData, DemoItem, DemoItemKind
from core.models.feeds import Feed, FeedAddress, FeedArticle
from core.models.limits import RateLimit
from core.models.mails import Mail, MailKind, MailState
from core.models.media import CardPreset, Media, MediaSource
from core.models.network_usage import NetworkUsage
from core.models.notifications import Digest, Notification, NotificationSetting
from core.models.posts import Post, PostFile
from core.models.provider_faults import ProviderFault
from core.models.runs import Run, RunStep, TextVersion
from core.models.security_events import SecurityEvent, SecurityEventKind
from core.models.subscriptions import StripeEvent, StripePrice, SubscriptionRow
from core.models.templates import StarterTemplate, Template, TemplateVersion, Tryout
from core.models.topics import Topic, TopicSuggestion, TopicTree
from core.models.transactions import AnonymousTotal, CallOutcome, Transaction, TransactionType
from core.models.users import (
    AccessToken,
    Invitation,
    LinkPurpose,
    MailLink,
    RecoveryCode,
    Scope,
    TokenKind,
    User,
)
from core.models.websites import Website
from core.models.workers import WorkerBeat

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
    "User",
    "Website",
    "WorkerBeat",
]
