"""A page of the list of posts, read in one statement.

The database makes one JSON text of the page: its posts, what belongs to each, and how many there are of each status.
Read row by row, in a statement for each table, it took four times the processor time, most of it for objects that
could be changed and saved, which nobody does with a list."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import ColumnElement, literal_column

from core.domain.approvals import ApprovalState, AtDeadline
from core.domain.channels import AccountType, ChannelKind, called
from core.domain.posts import CommentState, DeliveryState, PostSource, PostStatus, RemovalState


class _Listed(msgspec.Struct, frozen=True, array_like=True):
    """Each has of its table the columns that a list shows, named as there: what stands there is what is read, in that
    order and without the names, which would be half of the text."""


class ListedAccount(_Listed, frozen=True, gc=False):
    kind: ChannelKind
    type: AccountType
    base_url: str
    external_id: str
    name: str
    site_name: str | None
    disconnected_at: datetime | None

    @property
    def called(self) -> str:
        return called(self.kind, self.name, self.site_name, self.base_url)


class ListedDelivery(_Listed, frozen=True, gc=False):
    id: UUID
    account_id: UUID
    account: ListedAccount
    channel: ChannelKind
    content: str | None
    state: DeliveryState
    attempts: int
    provider_id: str | None
    permalink: str | None
    error_code: str | None
    error_detail: str | None
    called_at: datetime | None
    held_until: datetime | None
    retry_at: datetime | None
    settled_at: datetime | None
    decided_at: datetime | None
    removal: RemovalState | None
    removal_due_at: datetime | None
    removal_attempts: int
    removal_error_code: str | None
    removal_error_detail: str | None
    removed_at: datetime | None
    comment: CommentState | None
    comment_due_at: datetime | None
    comment_attempts: int
    comment_error_code: str | None
    comment_error_detail: str | None


class ListedMedia(_Listed, frozen=True, gc=False):
    mime: str
    width: int
    height: int
    card_notes: Sequence[str]


class ListedFile(_Listed, frozen=True, gc=False):
    media_id: UUID
    media: ListedMedia
    alt: str


class ListedApproval(_Listed, frozen=True, gc=False):
    state: ApprovalState
    at_deadline: AtDeadline
    deadline_at: datetime
    decided_at: datetime | None
    by_deadline: bool
    remark: str
    at_once: bool
    rewrite_error: str | None


class ListedPost(_Listed, frozen=True, gc=False):
    id: UUID
    assistant_id: UUID | None
    assistant_name: str | None
    source: PostSource
    status: PostStatus
    content: str
    content_hash: str
    first_comment: str
    topic_title: str
    language: str
    written_by: str
    planned_at: datetime | None
    time_zone: str
    acknowledged_at: datetime | None
    pinned: bool
    account_ids: list[str]
    variants: list[dict[str, Any]]
    tags: list[str]
    is_article: bool
    link: dict[str, Any] | None
    announces_id: UUID | None
    leaves: bool
    version: int
    created_at: datetime
    updated_at: datetime
    files: Sequence[ListedFile]
    deliveries: Sequence[ListedDelivery]
    approval: ListedApproval | None
    """What was asked about it as it is now."""


_posts: Final = msgspec.json.Decoder(list[ListedPost])
_numbers: Final = msgspec.json.Decoder(dict[PostStatus, int])


def read(answer: str | None) -> Sequence[ListedPost]:
    """What `AS_JSON` said of posts, put together; None: there were none."""
    return _posts.decode(answer) if answer else ()


def read_numbers(answer: str | None) -> dict[PostStatus, int]:
    """Of an object with a number for each status that some have; None: there were none."""
    return _numbers.decode(answer) if answer else {}


def _fields(shape: type[_Listed], table: str, **others: str) -> str:
    """The fields of `shape` as a JSON array: each of `others`, or the table's column of that name."""
    return f"json_build_array({', '.join(others.get(name, f'{table}.{name}') for name in shape.__struct_fields__)})"


def _list(item: str, order: str, of: str) -> str:
    table = order.partition(".")[0]
    return (
        f"coalesce((SELECT json_agg({item} ORDER BY {order}) FROM {of}"
        f" WHERE {table}.post_id = posts.id AND {table}.user_id = posts.user_id), '[]')"
    )


_FILES = _list(
    _fields(ListedFile, "post_files", media=_fields(ListedMedia, "media")),
    "post_files.position",
    "post_files JOIN media ON media.id = post_files.media_id",
)
_SITE_NAME = "(SELECT websites.name FROM websites WHERE websites.account_id = accounts.id)"
_DELIVERIES = _list(
    _fields(ListedDelivery, "deliveries", account=_fields(ListedAccount, "accounts", site_name=_SITE_NAME)),
    "deliveries.id",
    "deliveries JOIN accounts ON accounts.id = deliveries.account_id",
)
_APPROVAL = (
    f"(SELECT {_fields(ListedApproval, 'approvals')} FROM approvals WHERE approvals.post_id = posts.id"
    " AND approvals.user_id = posts.user_id AND approvals.content_hash = posts.content_hash)"
)
# as text: SQLAlchemy would take longer to look through its two hundred parts at each call than all else takes
AS_JSON: ColumnElement[Any] = literal_column(
    _fields(
        ListedPost,
        "posts",
        assistant_name="assistants.name",
        is_article="posts.article IS NOT NULL",
        files=_FILES,
        deliveries=_DELIVERIES,
        approval=_APPROVAL,
    )
)
"""Of a post, beside its assistant."""
