"""All tables, so that Alembic and the mapper know them."""

from core.models.accounts import Account, ConnectAttempt
from core.models.assistants import Assistant, AssistantAccount, AssistantStatus
from core.models.base import Base
from core.models.deliveries import Delivery
from core.models.media import Media
from core.models.posts import Post, PostFile
from core.models.runs import Run, RunStep
from core.models.templates import Template, TemplateVersion
from core.models.topics import Topic, TopicTree
from core.models.transactions import Transaction, TransactionType
from core.models.users import AccessToken, Invitation, LinkPurpose, MailLink, User
from core.models.workers import WorkerBeat

__all__ = [
    "AccessToken",
    "Account",
    "Assistant",
    "AssistantAccount",
    "AssistantStatus",
    "Base",
    "ConnectAttempt",
    "Delivery",
    "Invitation",
    "LinkPurpose",
    "MailLink",
    "Media",
    "Post",
    "PostFile",
    "Run",
    "RunStep",
    "Template",
    "TemplateVersion",
    "Topic",
    "TopicTree",
    "Transaction",
    "TransactionType",
    "User",
    "WorkerBeat",
]
