from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, field_validator

from api.schemas.base import MOST_VARIABLES, ONE_LINE, In, Out, Tag, Value, VariableName, Verbatim
from api.schemas.cards import CardSettingsModel, MadePageOut
from api.schemas.problems import FieldProblem
from core.ai.rules.generation import GenerationState
from core.errors import ErrorCode, FieldError, InvalidInput
from core.languages import Language
from core.media.rules.media import ImageRatio
from core.templates.rules.model_settings import MAX_CHARACTERS, MAX_TEMPERATURE, MIN_CHARACTERS
from core.templates.rules.templates import (
    MOST_IN_FILE,
    Engine,
    ImageQuality,
    Origin,
    ReasoningEffort,
    TemplateType,
    Visibility,
)


class TextSettingsModel(In):
    model: str | None = Field(default=None, max_length=100, description="null: the server's model")
    temperature: float | None = Field(default=None, ge=0, le=MAX_TEMPERATURE, description="null: the model's default")
    max_characters: int | None = Field(
        default=None, ge=MIN_CHARACTERS, le=MAX_CHARACTERS, description="null: the channels' limits"
    )
    brand_id: UUID | None = Field(
        default=None,
        # during a deployment an older release does not know the field; leave it out unless it is used
        exclude_if=lambda brand_id: brand_id is None,
        description="Brand that texts are written for, unless the assistant has chosen one",
    )
    tone: str = Field(default="", max_length=500, description="Voice where there is no brand, from older releases")
    effort: ReasoningEffort | None = Field(
        default=None,
        # during a deployment an older release does not know the field; leave it out unless it is used
        exclude_if=lambda effort: effort is None,
        description="How much a model thinks before it writes; null: the server's setting",
    )


class ImageSettingsModel(In):
    engine: Engine = Engine.card
    model: str | None = Field(default=None, max_length=100, description="null: the server's model")
    size: ImageRatio = ImageRatio.square
    quality: ImageQuality = ImageQuality.auto
    style: str = Field(default="", max_length=500, description="Words added to the prompt")
    card: CardSettingsModel = Field(default_factory=CardSettingsModel)


class TemplateSettingsModel(In):
    """The part for the template's type applies; the other is kept in case the type changes."""

    text: TextSettingsModel = Field(default_factory=TextSettingsModel)
    image: ImageSettingsModel = Field(default_factory=ImageSettingsModel)


class TemplateIn(In):
    type: TemplateType
    name: Annotated[str, Field(max_length=120), ONE_LINE]
    description: str = Field(default="", max_length=2000)
    language: Language
    tags: list[Tag] = Field(default_factory=list, max_length=20)
    body: Verbatim = Field(max_length=20_000, examples=["Write a short post about ((Topic))."])
    settings: TemplateSettingsModel = Field(default_factory=TemplateSettingsModel)


class TemplateUpdate(TemplateIn):
    version: int = Field(description="The edited version; if it is not the newest: 409 stale_version")


class TemplateSource(Out):
    """The origin of a copy; `id` is its template in the marketplace while it exists there."""

    id: UUID
    name: str
    author: str


class TemplateOut(Out):
    id: UUID
    type: TemplateType
    visibility: Visibility
    name: str
    description: str
    language: Language
    tags: list[str]
    usage_count: int = Field(description="Posts made with the template, plus copies of it")
    used_by: int = Field(description="Number of assistants pinned to a version of the template")
    author: str = Field(description="Display name of the owner")
    source: TemplateSource | None
    version: int
    version_id: UUID
    body: str
    settings: TemplateSettingsModel
    variables: list[str]
    published_at: datetime | None
    sample_text: str
    sample_url: str | None
    created_at: datetime
    updated_at: datetime


class TemplateCheckIn(In):
    type: TemplateType
    body: Verbatim = Field(max_length=20_000)


class TemplateCheckOut(Out):
    variables: list[str]
    reserved: list[str] = Field(description="Variables that Postloom fills in")
    errors: list[FieldProblem] = Field(description="Syntax errors with line and column")
    needs: list[FieldProblem] = Field(description="What an assistant needs and the template lacks")
    longest: int = Field(description="Characters of the prompt if every value has its maximum length")
    limit: int = Field(description="Maximum characters of a filled prompt")


class TemplateVersionOut(Out):
    id: UUID
    number: int
    type: TemplateType
    name: str
    description: str
    language: Language
    tags: list[str]
    body: str
    settings: TemplateSettingsModel
    restored_from: int | None
    used_by: int = Field(description="Number of assistants pinned to the version")
    created_at: datetime


class TemplateRestoreIn(In):
    version: int = Field(description="The newest version seen; if there is a newer one: 409 stale_version")


class TemplatePublishIn(In):
    version: int
    sample_tryout_id: UUID | None = Field(
        default=None, description="Try-out whose output becomes the sample; null: keep the current sample"
    )


class TemplateExportItem(In):
    type: TemplateType
    name: Annotated[str, Field(max_length=120), ONE_LINE]
    description: str = Field(default="", max_length=2000)
    language: Language
    tags: list[Tag] = Field(default_factory=list, max_length=20)
    body: Verbatim = Field(max_length=20_000)
    settings: TemplateSettingsModel = Field(default_factory=TemplateSettingsModel)


class TemplateExport(In):
    """The file format of template export and import."""

    format: Literal["postloom-templates"]
    version: Literal[1]
    templates: list[TemplateExportItem] = Field(max_length=MOST_IN_FILE)

    @field_validator("templates", mode="before")
    @classmethod
    def _few_enough(cls, value: object) -> object:
        """Raise InvalidInput (template_too_many) before each template is validated."""
        if isinstance(value, list) and len(value) > MOST_IN_FILE:
            raise InvalidInput(errors=[FieldError("templates", ErrorCode.template_too_many, limit=MOST_IN_FILE)])
        return value


class TemplateImportOut(Out):
    templates: list[TemplateOut]


class TryoutIn(In):
    """The tryout uses the editor's current content, saved or not."""

    body: Verbatim = Field(max_length=20_000)
    settings: TemplateSettingsModel = Field(default_factory=TemplateSettingsModel)
    language: Language
    inputs: dict[VariableName, Value] = Field(
        default_factory=dict,
        max_length=MOST_VARIABLES,
        description="A value for each variable",
        examples=[{"Topic": "Winter tyres"}],
    )


class TryoutOut(Out):
    id: UUID
    template_id: UUID
    version: int | None = Field(description="The saved version; null: unsaved changes")
    type: TemplateType
    body: str
    settings: TemplateSettingsModel
    language: Language
    inputs: dict[str, str]
    state: GenerationState
    attempt: int
    reason: str | None = Field(description="Error code: why the last attempt failed")
    detail: str = Field(description="The provider's message about the failure")
    next_try_at: datetime | None
    prompt_cut: bool = Field(description="Whether the model's context was too small for the whole prompt")
    output: str = Field(description="The text, or the part written so far")
    media_id: UUID | None
    image_url: str | None
    image_width: int | None
    image_height: int | None
    pages: list[MadePageOut] = Field(
        default_factory=list, description="Of a carousel, in order; the first one is also the image"
    )
    provider: str
    model: str
    input_tokens: int | None
    output_tokens: int | None
    cost_micros: int | None = Field(description="Millionths of `currency`; null: unknown")
    currency: str
    duration_ms: int | None
    request_id: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class TryoutDetail(TryoutOut):
    json_output: dict[str, Any] = Field(description="Output, prompt and evidence as one document")


class ModelChoice(Out):
    name: str
    default: bool
    takes_temperature: bool
    takes_effort: bool = Field(description="Whether the thinking effort can be set")
    priced: bool = Field(description="Whether the price is known")


class ModelsOut(Out):
    """The models with which this server can write and draw."""

    text_provider: str = Field(description="`demo`: the built-in demo writer")
    text: list[ModelChoice]
    image_provider: str | None = Field(description="null: no image model, cards are used instead")
    image: list[ModelChoice]


class MarketTemplateOut(Out):
    id: UUID
    origin: Origin
    type: TemplateType
    name: str
    description: str
    language: Language
    tags: list[str]
    author: str
    usage_count: int
    own: bool
    copied: bool = Field(description="Whether the user has a copy")
    variables: list[str]
    sample_text: str
    sample_is_demo: bool = Field(description="Whether the built-in demo writer wrote the sample")
    sample_url: str | None
    is_carousel: bool = Field(description="Whether the template makes the pages of a carousel")
    card: CardSettingsModel | None = Field(description="Card settings of the sample; null: no card")
    updated_at: datetime


class MarketTemplateDetail(MarketTemplateOut):
    body: str
    settings: TemplateSettingsModel


class TagCount(Out):
    tag: str
    count: int
