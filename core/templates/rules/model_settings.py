"""A template's settings for its model. They are part of each version, so an assistant's pin includes them."""

from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from core.media.rules.cards import CardSettings, card_from_json, card_to_json
from core.media.rules.media import ImageRatio
from core.templates.rules.templates import Engine, ImageQuality, ReasoningEffort

MIN_CHARACTERS = 50
MAX_CHARACTERS = 10_000
MAX_TEMPERATURE = 2.0


@dataclass(frozen=True)
class TextSettings:
    """`model` None is the server's model. `temperature` is for models that accept one; None is the model's default.
    `effort` is for reasoning models; None is the server's setting. `max_characters` None is the channels' limit.
    `brand_id` is the brand that texts are written for; an assistant's own wins. `tone` is the voice in words where
    there is no brand, as in versions of older releases."""

    model: str | None = None
    temperature: float | None = None
    max_characters: int | None = None
    tone: str = ""
    effort: ReasoningEffort | None = None
    brand_id: UUID | None = None


@dataclass(frozen=True)
class ImageSettings:
    """`model`, `size`, `quality` and `style` (words in the prompt) are for `ai`. `card` is for cards and the pages of a
    carousel; cards replace `ai` on a server without an image model."""

    engine: Engine = Engine.card
    model: str | None = None
    size: ImageRatio = ImageRatio.square
    quality: ImageQuality = ImageQuality.auto
    style: str = ""
    card: CardSettings = field(default_factory=CardSettings)


def text_from_json(stored: dict[str, Any]) -> TextSettings:
    """Read settings. Missing ones, as in versions saved by an older release, take their default."""
    return TextSettings(
        model=stored.get("model"),
        temperature=stored.get("temperature"),
        max_characters=stored.get("max_characters"),
        tone=stored.get("tone", ""),
        effort=ReasoningEffort(effort) if (effort := stored.get("effort")) else None,
        brand_id=UUID(brand) if (brand := stored.get("brand_id")) else None,
    )


def text_to_json(settings: TextSettings) -> dict[str, Any]:
    # left out if unset: during an update the older release still runs and does not know these settings
    effort = {"effort": settings.effort.value} if settings.effort else {}
    brand = {"brand_id": str(settings.brand_id)} if settings.brand_id else {}
    return {
        "model": settings.model,
        "temperature": settings.temperature,
        "max_characters": settings.max_characters,
        "tone": settings.tone,
        **effort,
        **brand,
    }


def one_image(stored: dict[str, Any]) -> dict[str, Any]:
    """Return an image template's settings for an article, which shows one image above its text and no carousel."""
    settings = image_from_json(stored)
    return image_to_json(replace(settings, engine=Engine.card)) if settings.engine is Engine.carousel else stored


def image_from_json(stored: dict[str, Any]) -> ImageSettings:
    """As `text_from_json`. The default engine is `ai`, since versions without one are from before cards could be
    chosen: the server's image model, or cards if it has none."""
    return ImageSettings(
        engine=Engine(stored.get("engine", Engine.ai)),
        model=stored.get("model"),
        size=ImageRatio(stored.get("size", ImageRatio.square)),
        quality=ImageQuality(stored.get("quality", ImageQuality.auto)),
        style=stored.get("style", ""),
        card=card_from_json(stored.get("card") or {}),
    )


def image_to_json(settings: ImageSettings) -> dict[str, Any]:
    return {
        "engine": settings.engine.value,
        "model": settings.model,
        "size": settings.size.value,
        "quality": settings.quality.value,
        "style": settings.style,
        "card": card_to_json(settings.card),
    }


def logo_of_settings(settings: dict[str, Any]) -> UUID | None:
    """Return the picture on the cards of a template's settings (`text` and `image` as JSON)."""
    return image_from_json(settings.get("image") or {}).card.logo_id


def brands_of_settings(settings: dict[str, Any]) -> dict[str, UUID]:
    """Return the brands that a template's settings name, by field."""
    named = {
        "settings.text.brand_id": text_from_json(settings.get("text") or {}).brand_id,
        "settings.image.card.brand_id": image_from_json(settings.get("image") or {}).card.brand_id,
    }
    return {field: brand_id for field, brand_id in named.items() if brand_id}


def without_own(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings without logo and brand: they are their owner's, so nobody else's template may use them."""
    return without_brands(without_logo(settings))


def without_brands(settings: dict[str, Any]) -> dict[str, Any]:
    """Return a copy of the settings in which neither texts nor cards name a brand."""
    shared = deepcopy(settings)
    for part in (shared.get("text"), (shared.get("image") or {}).get("card")):
        if part:
            part.pop("brand_id", None)
    return shared


def without_logo(settings: dict[str, Any]) -> dict[str, Any]:
    """Return a copy of the settings whose cards show no logo."""
    shared = deepcopy(settings)
    card = (shared.get("image") or {}).get("card")
    if card:
        card["logo_id"] = None
    return shared
