from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from api.schemas.base import ONE_LINE, In, Out, Page, Tag
from api.schemas.cards import CardIn
from core.languages import Language
from core.media.rules.cards import CardNote
from core.media.rules.media import DOCUMENT_TITLE, LEAST_PAGES, MediaKind
from core.media.tables import MediaSource


class CarouselPlace(Out):
    """The place of a page in its carousel."""

    number: int = Field(description="From 1")
    count: int
    sequence_id: str | None = Field(description="The same for all pages; null: a page that opens as a single card only")


class MediaOut(Out):
    id: UUID
    source: MediaSource
    by_assistant: bool = Field(description="Whether only a run made the image, and no person made or uploaded it too")
    name: str
    alt: str
    tags: list[str]
    kind: MediaKind
    mime: str
    width: int = Field(description="Pixels; of a document, those of its first page at 72 per inch")
    height: int
    bytes: int
    pages: int | None = Field(description="Of a document")
    seconds: float | None = Field(description="Length of a video")
    of_pages: bool = Field(description="Whether a document was made from a carousel's pages")
    made_by: str = Field(description="Provider and model of a generated image; empty for uploads")
    url: str
    thumbnail_url: str
    page_url: str | None = Field(
        description="Of a document: the address of a picture of each page, with the page's number for `{page}`"
    )
    card: CardIn | None = Field(description="The card's words and settings; null: not a card")
    card_notes: list[CardNote] = Field(description="Changes that keep a card readable")
    carousel: CarouselPlace | None = Field(description="null: not a page of a carousel")
    version: int = Field(description="Version of name, alt text and tags; required to change them")
    created_at: datetime
    updated_at: datetime


class MediaCounts(Out):
    """Number of pictures by origin; `own`: all that no assistant made."""

    own: int
    upload: int
    ai: int
    card: int
    assistant: int


class KindCounts(Out):
    """Number of files by kind."""

    image: int
    document: int
    video: int


class MediaPage(Page[MediaOut]):
    origins: MediaCounts = Field(description="Counts with all filters but the origin's applied")
    kinds: KindCounts = Field(description="Counts with all filters but the kind's applied")


class MediaUse(Out):
    """What uses the picture. Only a scheduled post prevents its deletion."""

    kind: Literal["post", "template", "card_preset", "assistant", "brand"]
    id: UUID
    name: str
    blocks: bool


class MediaDetail(MediaOut):
    uses: list[MediaUse]


class UploadOut(MediaOut):
    duplicate: bool = Field(description="Whether the library already had this image, which is returned")
    first_frame_only: bool = Field(description="Whether the upload was animated, and reduced to its first frame")
    page_sizes_differ: bool = Field(
        description="Whether a document's pages have several sizes: networks show all in the size of the first"
    )


class PageDocumentIn(In):
    media_ids: list[UUID] = Field(
        min_length=LEAST_PAGES,
        max_length=50,
        description="Pages of carousels, of one size, in order",
    )
    title: Annotated[str, Field(max_length=DOCUMENT_TITLE), ONE_LINE] = Field(
        default="", description="What readers see as its name; empty: the headline of the first page"
    )
    language: Language | None = Field(default=None, description="Of the pages, for programs that read aloud")


class MediaUpdate(In):
    version: int = Field(description="The edited version; if it is not the newest: 409 stale_version")
    name: Annotated[str, Field(max_length=200), ONE_LINE] | None = None
    alt: str | None = Field(default=None, max_length=1000)
    tags: list[Tag] | None = Field(default=None, max_length=20)
