from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, field_validator

from api.schemas.base import MOST_VARIABLES, ONE_LINE, In, Out, Tag, Value, VariableName, Verbatim
from api.schemas.cards import CardSettingsModel
from api.schemas.problems import FieldProblem
from core.ai.rules.generation import GenerationState
from core.errors import ErrorCode, FieldError, InvalidInput
from core.languages import Language
from core.media.rules.media import ImageSize
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
    temperature: float | None = Field(default=None, ge=0, le=MAX_TEMPERATURE, description="null: the model's own")
    max_characters: int | None = Field(
        default=None, ge=MIN_CHARACTERS, le=MAX_CHARACTERS, description="null: what the channels allow"
    )
    tone: str = Field(default="", max_length=500, description="Brand voice, in words")
    effort: ReasoningEffort | None = Field(
        default=None,
        # during a deployment an older release does not know the field; leave it out unless it is used
        exclude_if=lambda effort: effort is None,
        description="How much a model thinks before it writes; null: as the server is set",
    )


class ImageSettingsModel(In):
    engine: Engine = Engine.card
    model: str | None = Field(default=None, max_length=100, description="null: the server's model")
    size: ImageSize = ImageSize.square
    quality: ImageQuality = ImageQuality.auto
    style: str = Field(default="", max_length=500, description="Words that are added to the prompt")
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
    version: int = Field(description="The version that was edited; another one was saved since: 409 stale_version")


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
    usage_count: int = Field(description="Posts made with it, and copies taken of it")
    used_by: int = Field(description="Number of assistants that are pinned to one of its versions")
    author: str = Field(description="Display name of its owner")
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
    reserved: list[str] = Field(description="Those of the variables that Postloom fills itself")
    errors: list[FieldProblem] = Field(description="Syntax: with line and column")
    needs: list[FieldProblem] = Field(description="What an assistant would miss")
    longest: int = Field(description="Characters of the prompt with every value as long as it may be")
    limit: int = Field(description="Characters that a filled prompt may have")


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
    used_by: int = Field(description="Number of assistants that are pinned to it")
    created_at: datetime


class TemplateRestoreIn(In):
    version: int = Field(description="The newest version that was seen: 409 stale_version where it is another")


class TemplatePublishIn(In):
    version: int
    sample_tryout_id: UUID | None = Field(
        default=None, description="A try-out whose output becomes the sample; null keeps the sample there is"
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
    version: int | None = Field(description="The saved version that was tried; null for unsaved changes")
    type: TemplateType
    body: str
    settings: TemplateSettingsModel
    language: Language
    inputs: dict[str, str]
    state: GenerationState
    attempt: int
    reason: str | None = Field(description="An error code: why it failed, or why it waits for its next attempt")
    detail: str = Field(description="What the provider said when it failed")
    next_try_at: datetime | None
    prompt_cut: bool = Field(description="The model has not read all of the prompt: its context is too small")
    output: str = Field(description="The text; while it runs, as far as it has come")
    media_id: UUID | None
    image_url: str | None
    image_width: int | None
    image_height: int | None
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
    json_output: dict[str, Any] = Field(description="Output and evidence as one document, the prompt among them")


class ModelChoice(Out):
    name: str
    default: bool
    takes_temperature: bool
    takes_effort: bool = Field(description="Whether it may be told how much to think before it writes")
    priced: bool = Field(description="Whether its cost is known")


class ModelsOut(Out):
    """The models with which this server can write and draw."""

    text_provider: str = Field(description="`demo` is the built-in demo writer")
    text: list[ModelChoice]
    image_provider: str | None = Field(description="null: no image model, cards stand in")
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
    copied: bool = Field(description="Whether you have a copy of it")
    variables: list[str]
    sample_text: str
    sample_is_demo: bool = Field(description="The sample's text was written by the built-in demo writer")
    sample_url: str | None
    card: CardSettingsModel | None = Field(description="What the sample's words are drawn with; null: no card")
    updated_at: datetime


class MarketTemplateDetail(MarketTemplateOut):
    body: str
    settings: TemplateSettingsModel


class TagCount(Out):
    tag: str
    count: int
