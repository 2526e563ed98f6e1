"""The models that a template can choose on this installation."""

from dataclasses import dataclass
from datetime import date
from urllib.parse import urlsplit

from core.ai.pictures.base import PictureMaker
from core.ai.rules.prices import FREE, PriceBook
from core.ai.writers.base import Writer
from core.settings import OPENAI_URL

_REASONING = ("gpt-5", "gpt-6", "o1", "o3", "o4")


@dataclass(frozen=True)
class ModelChoice:
    name: str
    default: bool
    takes_temperature: bool
    takes_effort: bool
    priced: bool


@dataclass(frozen=True)
class Models:
    """`image_provider` None: there is no image model; cards are drawn instead."""

    text_provider: str
    text: tuple[ModelChoice, ...]
    image_provider: str | None
    image: tuple[ModelChoice, ...]


def models_of(writer: Writer, pictures: PictureMaker, base_url: str | None, prices: PriceBook, on: date) -> Models:
    """Return the configured models first. For OpenAI itself, add all others with a price on that day; another server's
    other models are unknown."""
    draws = pictures.provider not in FREE
    return Models(
        text_provider=writer.provider,
        text=_choices(writer, base_url, prices, on, draw=False),
        image_provider=pictures.provider if draws else None,
        image=_choices(pictures, base_url, prices, on, draw=True) if draws else (),
    )


def reasons(model: str) -> bool:
    """Return whether the name is a reasoning model's; a proxy may put a provider before the name."""
    return model.rsplit("/", 1)[-1].startswith(_REASONING)


def takes_temperature(model: str) -> bool:
    """Return whether a text model accepts a temperature; reasoning models refuse it."""
    return not reasons(model)


def takes_effort(model: str, base_url: str | None) -> bool:
    """Return whether a text model accepts a reasoning effort. Another server may; if it refuses, the request is
    repeated without."""
    return is_compatible(base_url) or reasons(model)


def is_compatible(base_url: str | None) -> bool:
    """Return whether the address is not OpenAI's own; other servers may know fewer models and parameters."""
    host = urlsplit(base_url or OPENAI_URL).hostname or ""
    return host != "api.openai.com" and not host.endswith(".api.openai.com")


def _choices(
    own: Writer | PictureMaker, base_url: str | None, prices: PriceBook, on: date, *, draw: bool
) -> tuple[ModelChoice, ...]:
    free = own.provider in FREE
    others = () if free or is_compatible(base_url) else prices.models(own.provider, on, draw=draw)
    return tuple(
        ModelChoice(
            name=name,
            default=name == own.model,
            takes_temperature=not draw and not free and takes_temperature(name),
            takes_effort=not draw and not free and takes_effort(name, base_url),
            priced=prices.has_price(own.provider, name, on),
        )
        for name in dict.fromkeys([own.model, *others])
    )
