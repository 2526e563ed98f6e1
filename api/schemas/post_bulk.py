from uuid import UUID

from pydantic import Field

from api.schemas.base import In, Moment, Out, Tag
from api.schemas.problems import Value
from core.errors import ErrorCode
from core.posts.bulk_changes import BulkAction

MOST = 200


class PickedPostIn(In):
    """A post as it was shown."""

    id: UUID
    version: int
    content_hash: str = Field(default="", max_length=64, description="The post's `content_hash`; required to approve")
    planned_at: Moment | None = Field(
        default=None, description="move: the exact new time, instead of `days`; used to undo a move"
    )


class PostBulkIn(In):
    action: BulkAction
    posts: list[PickedPostIn] = Field(
        min_length=1, max_length=MOST, examples=[[{"id": "00000000-0000-7000-8000-000000000000", "version": 1}]]
    )
    remark: str = Field(default="", max_length=1000, description="decline: the reason")
    days: int = Field(
        default=0, ge=-366, le=366, description="move: number of days; the time of day in the post's time zone stays"
    )
    add: list[Tag] = Field(default=[], max_length=20, description="tag: tags to add")
    account_ids: list[UUID] = Field(
        default=[],
        max_length=50,
        description="there, not_there, send_again, take_back, remove: only these accounts; empty: all accounts",
    )
    remove: list[Tag] = Field(default=[], max_length=20, description="tag: tags to remove")


class PostRefusalOut(Out):
    code: ErrorCode
    params: dict[str, Value]


class PostBulkResultOut(Out):
    id: UUID
    refusal: PostRefusalOut | None = Field(description="Why the post was not changed; null: it was changed")
    confirmed: bool = Field(description="false: saved, takes effect when the worker is available")


class PostBulkOut(Out):
    """One result per post, in the order of the request."""

    results: list[PostBulkResultOut]
    done: int
    refused: int
    repeats: list[UUID] = Field(
        description="move: posts with the same text as another post of the same account within an hour"
    )
