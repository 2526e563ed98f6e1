"""What reading the settings does not find out: wrong prices and settings of networks, and settings that work, but maybe
not as the operator expects."""

from collections.abc import Iterator
from datetime import date

from pydantic import ValidationError

from core.ai.price_lists import open_prices
from core.ai.rules.prices import PriceBook
from core.networks.registry import settings_of_networks
from core.settings import Settings, WrongSetting


def prices_of(settings: Settings) -> PriceBook:
    """Raise WrongSetting if the file cannot be read as prices."""
    try:
        return open_prices(settings.prices_file)
    except ValueError as error:
        raise WrongSetting("PRICES_FILE", str(error)) from error


def check_settings(settings: Settings) -> PriceBook:
    """Return the prices. Raise WrongSetting for them, and for the settings of the networks."""
    for _, kind in settings_of_networks():
        try:
            kind()
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            name = f"{kind.model_config.get('env_prefix', '')}{first['loc'][0]}".upper()
            raise WrongSetting(name, first["msg"].removeprefix("Value error, ")) from None
    return prices_of(settings)


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
