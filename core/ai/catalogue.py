"""Which models a template may ask for on this installation."""

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
    """`image_provider` None: there is no image model, cards stand in."""

    text_provider: str
    text: tuple[ModelChoice, ...]
    image_provider: str | None
    image: tuple[ModelChoice, ...]


def models_of(writer: Writer, pictures: PictureMaker, base_url: str | None, prices: PriceBook, on: date) -> Models:
    """The server's own model first. OpenAI itself has all others with a price of that day, too; of another server
    nobody knows more than the one that it was set up with."""
    draws = pictures.provider not in FREE
    return Models(
        text_provider=writer.provider,
        text=_choices(writer, base_url, prices, on, draw=False),
        image_provider=pictures.provider if draws else None,
        image=_choices(pictures, base_url, prices, on, draw=True) if draws else (),
    )


def reasons(model: str) -> bool:
    """Whether it thinks before it writes, as far as its name tells; a proxy may put a provider before the name."""
    return model.rsplit("/", 1)[-1].startswith(_REASONING)


def takes_temperature(model: str) -> bool:
    """Of text models: those that reason refuse one."""
    return not reasons(model)


def takes_effort(model: str, base_url: str | None) -> bool:
    """Of text models: whether they can be told how much to think. Of another server nobody knows, and one that refuses
    it is asked without."""
    return is_compatible(base_url) or reasons(model)


def is_compatible(base_url: str | None) -> bool:
    """Whether the address is another server than OpenAI's own, which may know fewer models and parameters."""
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
