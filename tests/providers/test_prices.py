from datetime import date

import pytest

from core.providers.prices import cost_micros
from core.providers.writers.base import Usage

TODAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("model", "usage", "micros"),
    [
        ("gpt-6-luna", Usage(1_000_000 // 4, 0), 25_000),
        ("gpt-6-luna", Usage(36, 87), 47),  # 3.6 + 43.5
        ("gpt-6-luna", Usage(5, 0), 1),  # a half is rounded up
        ("gpt-6-luna", Usage(4, 0), 0),
        ("gpt-6-luna", Usage(1000, 100, 400), 114),  # 60 + 4 + 50
        ("gpt-6-luna-2026-05-01", Usage(1000, 100, 400), 114),
        ("gpt-6.1-sol", Usage(1000, 0, 1000), 2000),  # no price for cached input
        ("gpt-6-luna", Usage(10, 0, 99), 0),  # more cached than sent
        ("gpt-6-sol", Usage(272_000, 1000), 554_000),
        ("gpt-6-sol", Usage(272_001, 1000), 1_103_004),  # twice the input, one and a half times the output
        ("gpt-image-2.5-flare", Usage(50, 1056), 31_930),
    ],
)
def test_cost_at_list_price(model: str, usage: Usage, micros: int) -> None:
    assert cost_micros("openai", model, usage, TODAY) == micros


@pytest.mark.parametrize(
    ("provider", "model", "usage", "on"),
    [
        ("openai", "gpt-7", Usage(1, 1), TODAY),
        ("elsewhere", "gpt-6-luna", Usage(1, 1), TODAY),
        ("openai", "gpt-6-luna", Usage(None, 1), TODAY),
        ("openai", "gpt-6-luna", Usage(1, None), TODAY),
        ("openai", "gpt-6-luna", Usage(1, 1), date(2026, 10, 31)),
    ],
)
def test_unknown_is_never_free(provider: str, model: str, usage: Usage, on: date) -> None:
    assert cost_micros(provider, model, usage, on) is None


@pytest.mark.parametrize("provider", ["demo", "cards"])
def test_what_uses_no_model_is_free(provider: str) -> None:
    assert cost_micros(provider, "anything", Usage(0, 0), TODAY) == 0
