"""A message of the payment provider that never came is made up for by the daily comparison, on the real parts."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from temporalio.api.sdk.v1 import WorkflowMetadata
from temporalio.client import WorkflowHandle

from core.billing.rules import SubscriptionStatus
from core.clock import utcnow
from core.container import wire
from temporal.worker import run_worker
from tests.conftest import GRACEFUL, Stack
from tests.workflows.conftest import Record
from tests.workflows.support import eventually
from workflows.names import COMPARISON

Handle = WorkflowHandle[Any, Any]


@pytest.fixture
def charging(stack: Stack) -> Stack:
    """The same, where subscriptions are on and Stripe's messages are lost: no endpoint is known there."""
    services = stack.services
    charged = {
        "stripe_secret_key": "sk_test_comparison",
        "stripe_webhook_secret": ("whsec_comparison",),
        "stripe_price_id": "price_sandbox",
        "stripe_api_url": f"{stack.networks.url}/stripe",
    }
    settings = type(services.settings).model_validate(services.settings.model_dump() | charged)
    return replace(stack, services=wire(settings, services.engine, services.sessions))


async def status(stack: Stack, user_id: UUID) -> SubscriptionStatus:
    return (await stack.services.subscriptions.standing(user_id, "Europe/Berlin", utcnow())).subscription.status


async def test_what_was_never_told_is_known_after_a_day_at_the_latest(charging: Stack, record: Record) -> None:
    subscribing = charging.services.subscriptions
    user = await charging.make.user("ines@example.org")
    page = await subscribing.checkout(user.id)
    assert (await charging.networks.client.post(page, data={"card": "good"})).is_redirect
    assert await status(charging, user.id) is SubscriptionStatus.none
    async with run_worker(charging.client, charging.services, graceful=GRACEFUL):
        await charging.gateway.ensure_comparison()
        await charging.gateway.ensure_comparison()  # one is enough
        await eventually(lambda: is_trial(charging, user.id))
        handle: Handle = charging.client.get_workflow_handle(COMPARISON)
        await eventually(lambda: says(handle, "subscriptions that differed: 1"))
        assert "STRIPE_WEBHOOK_SECRET" in await details(handle)
        await record("comparison.found-one", COMPARISON)
        assert str(user.id) not in (await handle.fetch_history()).to_json()
        await handle.terminate()


async def test_where_nobody_is_charged_any_more_it_ends(stack: Stack, record: Record) -> None:
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        await stack.gateway.ensure_comparison()
        await stack.client.get_workflow_handle(COMPARISON).result()
    await record("comparison.not-charged", COMPARISON)


async def is_trial(stack: Stack, user_id: UUID) -> bool:
    return await status(stack, user_id) is SubscriptionStatus.trial


async def details(handle: Handle) -> str:
    told: WorkflowMetadata = await handle.query("__temporal_workflow_metadata", result_type=WorkflowMetadata)
    return str(told.current_details)


async def says(handle: Handle, words: str) -> bool:
    return words in await details(handle)
