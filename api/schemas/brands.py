from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, StringConstraints

from api.schemas.base import ONE_LINE, In, Out
from api.schemas.cards import COLOUR
from core.brands.rules import (
    MAX_EXAMPLE,
    MAX_EXAMPLES,
    MAX_LINE,
    MAX_LINES,
    MAX_NAME,
    MAX_TEXT,
    MAX_UTM,
    MAX_UTM_VALUE,
    Address,
    BrandUseKind,
    EmojiUse,
    HashtagUse,
)
from core.languages import Language
from core.media.rules.cards import CardFont
from core.networks.rules.channels import ChannelKind

# the rules refuse what is longer, at its field and with the limit; this only bounds the request
_AnyLine = Annotated[str, StringConstraints(max_length=5_000), Field(json_schema_extra={"maxLength": MAX_LINE})]
_AnyValue = Annotated[str, StringConstraints(max_length=5_000), Field(json_schema_extra={"maxLength": MAX_UTM_VALUE})]
_AnyName = Annotated[str, StringConstraints(max_length=200)]
_Lines = Annotated[list[_AnyLine], Field(max_length=200, json_schema_extra={"maxItems": MAX_LINES})]
_Text = Annotated[str, StringConstraints(max_length=20_000), Field(json_schema_extra={"maxLength": MAX_TEXT})]
_Colour = Annotated[str | None, Field(pattern=COLOUR)]

_EXAMPLE_NETWORK = "Network that the post was written for; empty: it fits all"
_UTM = "Parameters of the brand's links by name; `{network}` in a value is replaced by the network's name"
_FONT = "Font of cards; null: the card's own"


class BrandExampleIn(In):
    text: str = Field(max_length=20_000, json_schema_extra={"maxLength": MAX_EXAMPLE})
    network: ChannelKind | Literal[""] = Field(default="", description=_EXAMPLE_NETWORK)


class BrandIn(In):
    name: Annotated[str, Field(max_length=MAX_NAME), ONE_LINE]
    about: _Text = Field(default="", description="What the brand does")
    audience: _Text = Field(default="", description="For whom it does that")
    voice: _Text = Field(default="", description="Adjectives and sentences about the tone")
    dos: _Lines = Field(default_factory=list)
    donts: _Lines = Field(default_factory=list)
    address: Address = Address.any
    emoji: EmojiUse = EmojiUse.sparing
    hashtags: HashtagUse = HashtagUse.network
    words_to_use: _Lines = Field(default_factory=list)
    words_to_avoid: _Lines = Field(default_factory=list)
    facts: _Lines = Field(default_factory=list, description="What is always true, so that texts may state it")
    examples: list[BrandExampleIn] = Field(
        default_factory=list, max_length=100, json_schema_extra={"maxItems": MAX_EXAMPLES}
    )
    languages: list[Language] = Field(default_factory=list, max_length=20, description="Languages it writes in")
    logo_id: UUID | None = Field(default=None, description="An image of the media library")
    ground: _Colour = None
    ink: _Colour = None
    accent: _Colour = None
    font: CardFont | None = Field(default=None, description=_FONT)
    utm: dict[_AnyName, _AnyValue] = Field(
        default_factory=dict,
        max_length=100,
        description=_UTM,
        examples=[{"utm_source": "{network}", "utm_medium": "social"}],
        json_schema_extra={"maxProperties": MAX_UTM},
    )


class BrandUpdate(BrandIn):
    version: int = Field(description="The edited version; if it is not the newest: 409 stale_version")


class BrandExampleOut(Out):
    text: str
    network: ChannelKind | Literal[""] = Field(description=_EXAMPLE_NETWORK)


class BrandOut(Out):
    id: UUID
    name: str
    about: str
    audience: str
    voice: str
    dos: list[str]
    donts: list[str]
    address: Address
    emoji: EmojiUse
    hashtags: HashtagUse
    words_to_use: list[str]
    words_to_avoid: list[str]
    facts: list[str]
    examples: list[BrandExampleOut]
    languages: list[Language]
    logo_id: UUID | None
    logo_url: str | None
    ground: str | None
    ink: str | None
    accent: str | None
    font: CardFont | None = Field(description=_FONT)
    utm: dict[str, str] = Field(description=_UTM)
    assistants: int = Field(description="Number of assistants that have chosen the brand")
    version: int
    created_at: datetime
    updated_at: datetime


class BrandUseOut(Out):
    kind: BrandUseKind = Field(
        description="An assistant that has chosen the brand, or whose template has; a template, in any of its "
        "versions; a saved look of cards"
    )
    name: str


class BrandDraftIn(In):
    """A website's address, or posts of the brand, or both."""

    address: str = Field(default="", max_length=2_000, examples=["https://example.org"])
    posts: list[Annotated[str, StringConstraints(max_length=20_000)]] = Field(
        default_factory=list, max_length=MAX_EXAMPLES, description="Earlier posts"
    )
    language: Language = Field(description="Language of the drafted descriptions")


class BrandDraftOut(Out):
    """A draft for the form. Nothing is stored."""

    name: str
    about: str
    audience: str
    voice: str
    dos: list[str]
    donts: list[str]
    address: Address
    emoji: EmojiUse | None = Field(description="null: the model did not answer")
    hashtags: HashtagUse | None = Field(description="null: the model did not answer")
    words_to_use: list[str]
    words_to_avoid: list[str]
    facts: list[str]
    examples: list[BrandExampleOut] = Field(description="The posts that the draft was made from")
    languages: list[Language]
    accent: str | None = Field(description="The colour that the page names for itself")
    model: str
    cost_micros: int | None = Field(description="Millionths of `currency`; null: unknown")
    currency: str
