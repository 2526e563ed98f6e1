"""Every call of the client against Stripe's own check of its parameters."""

import inspect
from collections.abc import Iterator
from datetime import UTC
from typing import Any

import pytest
import stripe

from core.billing.rules import Interval
from core.billing.stripe import Stripe
from core.errors import ErrorCode, Misconfigured
from tests.billing.stripe_mock import find_stripe_mock, mocking

BACK = "https://app.example.org/subscription"


@pytest.fixture(scope="module")
def mock() -> Iterator[str]:
    program = find_stripe_mock()
    if program is None:
        pytest.skip("stripe-mock is not on PATH, and there is no Go to build it with")
    with mocking(program) as url:
        yield url


async def test_every_call_has_the_shape_that_stripe_takes(mock: str) -> None:
    client = Stripe("sk_test_123", ["whsec_1"], "price_1", mock)
    calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
        ("price", (), {}),
        ("make_customer", ("u1", "ada@example.org", "0"), {}),
        ("has_customer", ("cus_1",), {}),
        ("open_checkout", ("cus_1", "u1"), {"trial_days": 14, "back": BACK, "key": "k1"}),
        ("open_checkout", ("cus_1", "u1"), {"trial_days": 0, "back": BACK, "key": "k2"}),
        ("checkout", ("cs_test_1",), {}),
        ("close_checkout", ("cs_test_1",), {}),
        ("portal", ("cus_1", BACK), {}),
        ("subscriptions", ("cus_1",), {}),
        ("end_at_period_end", ("sub_1",), {}),
        ("go_on", ("sub_1",), {"at_period_end": True}),
        ("go_on", ("sub_1",), {"at_period_end": False}),
        ("remove_customer", ("cus_1",), {}),
    ]
    asking = {name for name, _ in inspect.getmembers(Stripe, inspect.iscoroutinefunction) if not name.startswith("_")}
    assert {name for name, *_ in calls} == asking - {"read_event"}  # which asks nothing
    answers = {name: await getattr(client, name)(*said, **more) for name, said, more in calls}
    assert answers["price"].interval is Interval.month
    assert answers["make_customer"].startswith("cus_")
    assert answers["checkout"].open
    assert answers["portal"].startswith("https://")
    [paid] = answers["subscriptions"]
    assert paid.price
    assert paid.period_start.tzinfo is paid.period_end.tzinfo is UTC


async def test_what_stripe_does_not_know_is_refused(mock: str) -> None:
    """So that the test above proves something."""
    client = Stripe("sk_test_123", ["whsec_1"], "price_1", mock)
    with pytest.raises(Misconfigured) as raised:
        await client._ask(lambda v1: v1.customers.create({"e_mail": "ada@example.org"}))
    assert raised.value.code == ErrorCode.billing_misconfigured
    assert isinstance(raised.value.__cause__, stripe.InvalidRequestError)
