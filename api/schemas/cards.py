from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from api.schemas.base import ONE_LINE, In, Out, Tag
from core.media.rules.cards import CardFont, CardLayout, CardNote
from core.media.rules.media import ImageRatio

COLOUR = r"^#[0-9a-f]{6}$"


class CardSettingsModel(In):
    layout: CardLayout | None = Field(default=None, description="null: chosen to fit the words")
    size: ImageRatio = ImageRatio.square
    font: CardFont = CardFont.schibsted
    ground: str | None = Field(default=None, pattern=COLOUR, description="null: a palette chosen to fit the words")
    ink: str | None = Field(default=None, pattern=COLOUR)
    accent: str | None = Field(default=None, pattern=COLOUR)
    logo_id: UUID | None = Field(default=None, description="An image of the media library")
    foot: str = Field(default="", max_length=80)
    brand_id: UUID | None = Field(
        default=None,
        # during a deployment an older release does not know the field; leave it out unless it is used
        exclude_if=lambda brand_id: brand_id is None,
        description="Brand whose logo, colours and font replace these, as far as it has some",
    )


class CardIn(In):
    headline: str = Field(max_length=200)
    text: str = Field(default="", max_length=1000)
    settings: CardSettingsModel = Field(default_factory=CardSettingsModel)


class CardSaveIn(CardIn):
    alt: str = Field(default="", max_length=1000)
    tags: list[Tag] = Field(default_factory=list, max_length=20)


class CardPreviewOut(Out):
    image: str = Field(description="Image in base64")
    mime: str
    width: int
    height: int
    layout: CardLayout = Field(description="The chosen layout")
    notes: list[CardNote] = Field(description="Changes that keep the card readable")


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
