import json
import re
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.ai import price_lists as cost_module
from core.ai.catalogue import ModelChoice, models_of, takes_temperature
from core.ai.pictures import open_pictures
from core.ai.price_lists import open_prices
from core.ai.rules.prices import LongContext, Price, price_from_json, price_to_json
from core.ai.rules.usage import Usage
from core.ai.writers import open_writer

TODAY = date(2026, 11, 21)
LISTED = open_prices()


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
    assert LISTED.cost_micros("openai", model, usage, TODAY) == micros


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
    assert LISTED.cost_micros(provider, model, usage, on) is None


@pytest.mark.parametrize("provider", ["demo", "cards"])
def test_what_uses_no_model_is_free(provider: str) -> None:
    assert LISTED.cost_micros(provider, "anything", Usage(0, 0), TODAY) == 0


MODELS = st.sampled_from([*LISTED.models("openai", TODAY, draw=False), *LISTED.models("openai", TODAY, draw=True)])
TOKENS = st.integers(0, 10_000_000)


def exact(model: str, usage: Usage) -> Decimal:
    """The same rule, by single tokens and without rounding: what is cached is a part of what was sent."""
    prices = _price(model)
    given, made, cached = usage.input_tokens or 0, usage.output_tokens or 0, usage.cached_tokens or 0
    cached = min(cached, given)
    spent_in = Decimal(prices["input"]) * (given - cached)
    spent_in += Decimal(prices.get("cached_input", prices["input"])) * cached
    spent_out = Decimal(prices["output"]) * made
    return spent_in * 2 + spent_out * Decimal("1.5") if given > 272_000 else spent_in + spent_out


def _price(model: str) -> dict[str, str]:
    [prices] = json.loads(Path(cost_module.__file__).with_name("prices.json").read_text())
    found: dict[str, str] = prices["usd_per_million_tokens"]["openai"][model]
    return found


@given(model=MODELS, given_tokens=TOKENS, made=TOKENS, cached=st.none() | TOKENS)
def test_cost_is_the_exact_sum_rounded_half_up(model: str, given_tokens: int, made: int, cached: int | None) -> None:
    usage = Usage(given_tokens, made, cached)
    cost = LISTED.cost_micros("openai", model, usage, TODAY)
    assert isinstance(cost, int)
    assert Decimal("-0.5") <= exact(model, usage) - cost < Decimal("0.5")


@given(model=MODELS, given_tokens=TOKENS, made=TOKENS, cached=TOKENS, more=st.integers(1, 1000))
def test_more_tokens_never_cost_less_and_cached_ones_never_more(
    model: str, given_tokens: int, made: int, cached: int, more: int
) -> None:
    assume(cached + more <= given_tokens)

    def cost(*usage: int) -> int:
        found = LISTED.cost_micros("openai", model, Usage(*usage), TODAY)
        assert found is not None
        return found

    base = cost(given_tokens, made, cached)
    assert base <= cost(given_tokens + more, made, cached)
    assert base <= cost(given_tokens, made + more, cached)
    assert base >= cost(given_tokens, made, cached + more)
    # more cached than sent is all of it cached
    assert cost(given_tokens, made, given_tokens) == cost(given_tokens, made, given_tokens + more)


# which models there are to choose from


def test_openai_itself_has_all_that_the_list_names() -> None:
    models = models_of(
        open_writer("sk-key", None, "gpt-6-sol"), open_pictures("sk-key", None, "gpt-image-9"), None, LISTED, TODAY
    )
    first, *others = models.text
    assert first == ModelChoice("gpt-6-sol", default=True, takes_temperature=False, takes_effort=True, priced=True)
    assert {choice.name for choice in others} == set(LISTED.models("openai", TODAY, draw=False)) - {"gpt-6-sol"}
    assert not any(choice.default for choice in others)
    assert not any("image" in choice.name for choice in models.text)
    assert models.image[0] == ModelChoice(
        "gpt-image-9", default=True, takes_temperature=False, takes_effort=False, priced=False
    )
    assert [choice.name for choice in models.image[1:]] == list(LISTED.models("openai", TODAY, draw=True))


def test_of_another_server_only_its_own_are_known() -> None:
    url = "http://127.0.0.1:1/v1"
    models = models_of(open_writer(None, url, "llama"), open_pictures(None, url, "flux"), url, LISTED, TODAY)
    assert models.text == (ModelChoice("llama", default=True, takes_temperature=True, takes_effort=True, priced=False),)
    assert [choice.name for choice in models.image] == ["flux"]


def test_without_a_key_there_is_the_demo_writer_and_no_image_model() -> None:
    models = models_of(open_writer(None, None, None), open_pictures(None, None, None), None, LISTED, TODAY)
    assert (models.text_provider, models.image_provider, models.image) == ("demo", None, ())
    assert models.text == (
        ModelChoice("demo-writer", default=True, takes_temperature=False, takes_effort=False, priced=True),
    )


@pytest.mark.parametrize(
    ("model", "takes"),
    [("gpt-6-luna", False), ("gpt-5.4-mini", False), ("openai/gpt-6-sol", False), ("gpt-4.1", True), ("llama", True)],
)
def test_models_that_reason_take_no_temperature(model: str, takes: bool) -> None:
    assert takes_temperature(model) is takes


def test_before_the_first_list_nothing_has_a_price() -> None:
    assert not LISTED.has_price("openai", "gpt-6-luna", date(2026, 10, 31))
    assert LISTED.models("openai", date(2026, 10, 31), draw=False) == ()


# an operator's own file


def own(folder: Path, *prices: dict[str, object], replace: bool = False) -> Path:
    file = folder / "prices.json"
    file.write_text(json.dumps({"replace": replace, "prices": prices}))
    return file


LLAMA = {"model": "llama-4", "since": "2026-01-01", "input": "0.05", "output": 0.2}


def test_ones_own_models_have_their_own_prices(tmp_path: Path) -> None:
    prices = open_prices(own(tmp_path, LLAMA, LLAMA | {"since": "2026-11-21", "input": "0.10"}))
    assert prices.cost_micros("openai", "llama-4", Usage(100, 10), date(2025, 12, 31)) is None
    assert prices.cost_micros("openai", "llama-4", Usage(100, 10), date(2026, 11, 20)) == 7
    assert prices.cost_micros("openai", "llama-4", Usage(100, 10), TODAY) == 12
    assert prices.cost_micros("openai", "gpt-6-luna", Usage(36, 87), TODAY) == 47


def test_ones_own_price_goes_before_the_bundled_one_while_it_counts(tmp_path: Path) -> None:
    agreed = {"model": "gpt-6-luna", "since": "2026-01-01", "until": "2026-11-22", "input": 1, "output": 1}
    prices = open_prices(own(tmp_path, agreed))
    assert prices.cost_micros("openai", "gpt-6-luna-2026-05-01", Usage(36, 87), TODAY) == 123
    assert prices.cost_micros("openai", "gpt-6-luna", Usage(36, 87), date(2026, 11, 22)) == 47


def test_bundled_prices_can_be_replaced(tmp_path: Path) -> None:
    prices = open_prices(own(tmp_path, LLAMA | {"draws": True}, replace=True))
    assert not prices.has_price("openai", "gpt-6-luna", TODAY)
    assert (prices.models("openai", TODAY, draw=True), prices.models("openai", TODAY, draw=False)) == (("llama-4",), ())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "cannot be read: No such file or directory"),
        ("prices", "has something wrong: Invalid JSON"),
        ('{"prices": [{"model": "a"}]}', "has something wrong at prices.0.since: Field required"),
        (json.dumps({"prices": [LLAMA | {"input": "-1"}]}), "at prices.0.input: Input should be greater than"),
        (json.dumps({"prices": [LLAMA | {"input": "NaN"}]}), "at prices.0.input: Input should be a finite number"),
        (json.dumps({"prices": [LLAMA | {"until": "2026-01-01"}]}), "until must be after since"),
        (json.dumps({"prices": [], "extra": 1}), "at extra: Extra inputs"),
    ],
)
def test_a_wrong_file_says_where(tmp_path: Path, text: str | None, said: str) -> None:
    file = tmp_path / "prices.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(ValueError, match=re.escape(said)) as refused:
        open_prices(file)
    assert "\n" not in str(refused.value)


PRICE = st.builds(
    Price,
    since=st.dates(),
    input=st.decimals(0, 1000, places=4),
    output=st.decimals(0, 1000, places=4),
    cached_input=st.none() | st.decimals(0, 1000, places=4),
    long_context=st.none()
    | st.builds(LongContext, st.integers(1, 10**6), st.decimals(0, 9, places=2), st.just(Decimal(1))),
)


@given(price=PRICE, usage=st.builds(Usage, TOKENS, TOKENS, st.none() | TOKENS))
def test_a_kept_price_reckons_the_same(price: Price, usage: Usage) -> None:
    kept = price_from_json(json.loads(json.dumps(price_to_json(price))))
    assert kept == price
    assert kept.cost_micros(usage) == price.cost_micros(usage)
