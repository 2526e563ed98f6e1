"""All tables, so that Alembic and the mapper know them."""

from core.models.accounts import Account, ConnectAttempt
from core.models.assistants import Assistant, AssistantAccount, AssistantStatus
from core.models.base import Base
from core.models.deliveries import Delivery
from core.models.limits import RateLimit
from core.models.mails import Mail, MailKind, MailState
from core.models.media import Media
from core.models.posts import Post, PostFile
from core.models.runs import Run, RunStep
from core.models.templates import Template, TemplateVersion
from core.models.topics import Topic, TopicTree
from core.models.transactions import AnonymousTotal, Transaction, TransactionType
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
from core.models.workers import WorkerBeat

__all__ = [
    "AccessToken",
    "Account",
    "AnonymousTotal",
    "Assistant",
    "AssistantAccount",
    "AssistantStatus",
    "Base",
    "ConnectAttempt",
    "Delivery",
    "Invitation",
    "LinkPurpose",
    "Mail",
    "MailKind",
    "MailLink",
    "MailState",
    "Media",
    "Post",
    "PostFile",
    "RateLimit",
    "RecoveryCode",
    "Run",
    "RunStep",
    "Scope",
    "Template",
    "TemplateVersion",
    "TokenKind",
    "Topic",
    "TopicTree",
    "Transaction",
    "TransactionType",
    "User",
    "WorkerBeat",
]
