"""Settings that work, but maybe not as the operator expects: printed by `postloom settings`, and by each worker when
it starts."""

from collections.abc import Iterator
from datetime import date

from core.ai.price_lists import open_prices
from core.ai.rules.prices import PriceBook
from core.settings import Settings, WrongSetting


def prices_of(settings: Settings) -> PriceBook:
    """Raise WrongSetting if the file cannot be read as prices."""
    try:
        return open_prices(settings.prices_file)
    except ValueError as error:
        raise WrongSetting("PRICES_FILE", str(error)) from error


def warnings(settings: Settings, prices: PriceBook, today: date) -> Iterator[str]:
    """Yield one line per warning, which begins with the name of the setting. Raise nothing."""
    if settings.model_on:
        for name in ("text_model", "image_model"):
            model = getattr(settings, name)
            if model and not prices.has_price("openai", model, today):
                yield (
                    f"{name.upper()}: {model} has no price today, so the cost of its calls is unknown and a "
                    "subscription's limit ignores them (set PRICES_FILE, see docs/prices.md)"
                )
    if settings.stripe_secret_key is None:
        for name in ("stripe_webhook_secret", "stripe_price_id"):
            if getattr(settings, name):
                yield f"{name.upper()}: is set, but nobody is charged without STRIPE_SECRET_KEY (docs/subscriptions.md)"
