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
    """What readers get at an article's address."""

    address: str
    is_there: bool
    status: int | None = Field(description="After redirects; None: nobody answers, or nobody may ask there")
    code: ErrorCode | None = Field(description="Why it is announced to nobody yet")


class ByItselfOut(Out):
    """The automatic announcement of an article by its website."""

    state: AnnouncementState
    due_at: datetime | None = Field(description="When its address is asked again, while it waits")
    code: ErrorCode | None = Field(description="Why it waits, has failed, or is a draft")


class AnnouncementsOut(Out):
    posts: list[PostOut] = Field(description="The newest 50")
    by_itself: ByItselfOut | None


class AnnounceIn(In):
    id: UUID = Field(description="Of the social post, chosen by the client: sent once more, it is the same post")
    account_ids: list[UUID] = Field(max_length=50)
    assistant_id: UUID | None = Field(
        default=None, description="Whose hashtags it has, and on whose budget its text is written"
    )
    by_template: bool = Field(
        default=False, description="Its text is written by the assistant's template. Else it is the article's summary"
    )


class RefusalOut(Out):
    code: ErrorCode
    params: dict[str, object]
    errors: list[FieldProblem]


class AnnouncedOut(Out):
    """The draft, with the summary until the written text is taken."""

    post: PostOut
    writing: WritingOut | None = Field(description="The text that is on its way, and is taken once it is there")
    refusal: RefusalOut | None = Field(description="Why none is, though one was wanted")


class TakeTextIn(In):
    writing_id: UUID
