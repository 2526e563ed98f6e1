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
    content_hash: str = Field(default="", max_length=64, description="What an approval is bound to")
    planned_at: Moment | None = Field(
        default=None,
        description="move: exactly to this time, whatever the days: takes a move back over a change of the clock, too",
    )


class PostBulkIn(In):
    action: BulkAction
    posts: list[PickedPostIn] = Field(
        min_length=1, max_length=MOST, examples=[[{"id": "00000000-0000-7000-8000-000000000000", "version": 1}]]
    )
    remark: str = Field(default="", max_length=1000, description="decline: why")
    days: int = Field(
        default=0, ge=-366, le=366, description="move: by so many days, at the same time of day in the post's time zone"
    )
    add: list[Tag] = Field(default=[], max_length=20, description="tag: what they get")
    account_ids: list[UUID] = Field(
        default=[],
        max_length=50,
        description="there, not_there, send_again, take_back, remove: on these accounts alone; empty: on all of theirs",
    )
    remove: list[Tag] = Field(default=[], max_length=20, description="tag: what they lose")


class PostRefusalOut(Out):
    code: ErrorCode
    params: dict[str, Value]


class PostBulkResultOut(Out):
    id: UUID
    refusal: PostRefusalOut | None = Field(description="Why nothing was changed. None: it is done")
    confirmed: bool = Field(description="By its workflow. False: saved, takes effect when the worker is back")


class PostBulkOut(Out):
    """One result per post, in the order of the request."""

    results: list[PostBulkResultOut]
    done: int
    refused: int
    repeats: list[UUID] = Field(
        description="move: which of them say the same as another post by the same account within an hour"
    )
