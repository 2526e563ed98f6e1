from datetime import datetime

from pydantic import Field

from api.schemas.base import Out
from api.schemas.posts import PostOut
from api.schemas.runs import UsedTemplateOut
from api.schemas.websites import ArticleShownOut


class AskedOut(Out):
    """A post that waits for an answer, and how it was made."""

    post: PostOut
    article: ArticleShownOut | None = Field(description="The article to decide about; null: it is a social post")
    slot: datetime | None = Field(description="Slot of the post's run; null: the run no longer exists")
    by_hand: bool = Field(description="Whether a person started the run, so that `slot` is not in the schedule")
    topic: str = Field(description="The topic's title when the run began")
    topic_path: list[str] = Field(description="Titles above the topic when the run began, root first")
    template: UsedTemplateOut | None = Field(description="Template of the text; null: it was deleted")
    input_tokens: int | None
    output_tokens: int | None
    cost_micros: int | None = Field(description="Millionths of the currency; null: at least one cost is unknown")
    cost_known: bool
    currency: str
