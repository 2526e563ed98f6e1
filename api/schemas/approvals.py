from datetime import datetime

from pydantic import Field

from api.schemas.assistants import UsedTemplateOut
from api.schemas.base import Out
from api.schemas.posts import PostOut
from api.schemas.websites import ArticleShownOut


class AskedOut(Out):
    """A post that waits for an answer, and how it was made."""

    post: PostOut
    article: ArticleShownOut | None = Field(description="The post is one, which goes to a site")
    slot: datetime | None = Field(description="For which it was made; None where its run is gone")
    by_hand: bool = Field(description="A person asked for it at `slot`, which is no occurrence of the schedule")
    topic: str = Field(description="What it was made about, as it was called then")
    topic_path: list[str] = Field(description="Titles above the topic, root first, as they were then")
    template: UsedTemplateOut | None = Field(description="Of its text. None: deleted since")
    input_tokens: int | None
    output_tokens: int | None
    cost_micros: int | None = Field(description="Millionths of the currency; None where a cost is unknown")
    cost_known: bool
    currency: str
