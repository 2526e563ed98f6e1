from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from api.schemas.base import ONE_LINE, In, Out, Tag
from core.languages import Language
from core.media.rules.cards import MAX_ALT, MAX_FOOT, MAX_HEADLINE, MAX_TEXT, CardFont, CardLayout, CardNote
from core.media.rules.media import ImageRatio
from core.media.rules.sequences import MAX_PAGES, PageKind

COLOUR = r"^#[0-9a-f]{6}$"


class CardSettingsModel(In):
    layout: CardLayout | None = Field(default=None, description="null: chosen to fit the words")
    size: ImageRatio = ImageRatio.square
    font: CardFont = CardFont.schibsted
    ground: str | None = Field(default=None, pattern=COLOUR, description="null: a palette chosen to fit the words")
    ink: str | None = Field(default=None, pattern=COLOUR)
    accent: str | None = Field(default=None, pattern=COLOUR)
    logo_id: UUID | None = Field(default=None, description="An image of the media library")
    foot: str = Field(default="", max_length=MAX_FOOT)
    brand_id: UUID | None = Field(
        default=None,
        # during a deployment an older release does not know the field; leave it out unless it is used
        exclude_if=lambda brand_id: brand_id is None,
        description="Brand whose logo, colours and font replace these, as far as it has some",
    )


class CardIn(In):
    headline: str = Field(max_length=MAX_HEADLINE)
    text: str = Field(default="", max_length=MAX_TEXT)
    settings: CardSettingsModel = Field(default_factory=CardSettingsModel)


class CardSaveIn(CardIn):
    alt: str = Field(default="", max_length=MAX_ALT)
    tags: list[Tag] = Field(default_factory=list, max_length=20)


class CardPreviewOut(Out):
    image: str = Field(description="Image in base64")
    mime: str
    width: int
    height: int
    layout: CardLayout = Field(description="The chosen layout")
    notes: list[CardNote] = Field(description="Changes that keep the card readable")


class CardPageModel(In):
    kind: PageKind
    headline: str = Field(
        max_length=MAX_HEADLINE, description="Of a number: the figure; of a quotation: the words; else a headline"
    )
    text: str = Field(
        default="", max_length=MAX_TEXT, description="Of a list: a line for each item; of a quotation: its source"
    )
    alt: str = Field(default="", max_length=MAX_ALT, description="Alternative text; empty: what stands on the page")


class CardSequenceIn(In):
    """The settings' layout is not used: each page has its kind."""

    pages: list[CardPageModel] = Field(
        max_length=MAX_PAGES, description="A cover, 2 to 9 pages, and maybe a call to action"
    )
    settings: CardSettingsModel = Field(default_factory=CardSettingsModel)
    seed: str = Field(
        default="",
        max_length=MAX_HEADLINE,
        description="Decides colours that the settings leave open; empty: the cover's headline does",
    )


class CardSequencePreviewIn(CardSequenceIn):
    only: int | None = Field(
        default=None,
        ge=0,
        lt=MAX_PAGES,
        description="The page to draw, from 0; other pages may be incomplete. null: all",
    )


class CardSequenceSaveIn(CardSequenceIn):
    tags: list[Tag] = Field(default_factory=list, max_length=20)


class CardDocumentIn(CardSequenceIn):
    title: Annotated[str, Field(min_length=1, max_length=200), ONE_LINE] = Field(description="Title of the document")
    language: Language


class CardPagesIn(In):
    text: str = Field(max_length=20_000, description="A post; its sentences and lists become pages")
    title: Annotated[str, Field(max_length=MAX_HEADLINE), ONE_LINE] = Field(
        default="", description="Headline of the cover; empty: the first sentence"
    )


class CardPageOut(Out):
    kind: PageKind
    headline: str
    text: str
    alt: str


class CardSequenceOut(Out):
    """A saved carousel, to be edited again."""

    pages: list[CardPageOut]
    settings: CardSettingsModel
    seed: str
    tags: list[str] = Field(description="Tags of the page by which the carousel was found")


class CardPagePreviewOut(Out):
    image: str = Field(description="Image in base64")
    mime: str
    width: int
    height: int
    alt: str
    notes: list[CardNote] = Field(description="Changes that keep the page readable")


class MadePageOut(Out):
    """A page of a carousel that was made for a try-out or a post."""

    media_id: UUID
    url: str = Field(description="Signed address; expires")
    alt: str
    width: int
    height: int


class PaletteOut(Out):
    name: str
    ground: str
    ink: str
    accent: str


class CardOptionsOut(Out):
    layouts: list[CardLayout]
    fonts: list[CardFont]
    palettes: list[PaletteOut]


class CardPresetIn(In):
    name: Annotated[str, Field(min_length=1, max_length=80), ONE_LINE]
    settings: CardSettingsModel


class CardPresetOut(Out):
    id: UUID
    name: str
    settings: CardSettingsModel
    logo_url: str | None
    created_at: datetime
    updated_at: datetime
