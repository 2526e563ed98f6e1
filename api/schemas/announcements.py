from datetime import datetime
from uuid import UUID

from pydantic import Field

from api.schemas.base import In, Out
from api.schemas.post_writings import WritingOut
from api.schemas.posts import PostOut
from api.schemas.problems import FieldProblem
from core.articles.rules.announcements import AnnouncementState
from core.errors import ErrorCode


class PageOut(Out):
    """The answer that readers get at an article's address."""

    address: str
    is_there: bool
    status: int | None = Field(description="HTTP status after redirects; null: no answer, or not allowed to ask")
    code: ErrorCode | None = Field(description="Why the article cannot be announced yet")


class ByItselfOut(Out):
    """The automatic announcement of an article by its website."""

    state: AnnouncementState
    due_at: datetime | None = Field(description="Next check of the article's page, while the announcement waits")
    code: ErrorCode | None = Field(description="Why the announcement waits, failed or stayed a draft")


class AnnouncementsOut(Out):
    posts: list[PostOut] = Field(description="The newest 50 announcements")
    by_itself: ByItselfOut | None


class AnnounceIn(In):
    id: UUID = Field(description="Id of the post, chosen by the client; a repeated call creates no second post")
    account_ids: list[UUID] = Field(max_length=50)
    assistant_id: UUID | None = Field(
        default=None, description="Assistant whose hashtags the post gets and whose budget pays for the text"
    )
    by_template: bool = Field(
        default=False,
        description="Whether the assistant's template writes the text, instead of using the article's summary",
    )


class RefusalOut(Out):
    code: ErrorCode
    params: dict[str, object]
    errors: list[FieldProblem]


class AnnouncedOut(Out):
    """The draft. Its text is the article's summary until the written text is taken."""

    post: PostOut
    writing: WritingOut | None = Field(description="The text being written for the post")
    refusal: RefusalOut | None = Field(description="Why no text is written although `by_template` is true")


class TakeTextIn(In):
    writing_id: UUID
