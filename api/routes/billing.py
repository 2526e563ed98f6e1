import asyncio
from dataclasses import asdict
from typing import Annotated

from fastapi import Header, Query, Request, Response, status

from api.bodies import MEGABYTE, Router, up_to
from api.dependencies import AnyUser, Core, CurrentUser, Person, Workflows
from api.errors import problems
from api.limits import ASK_STRIPE
from api.schemas.billing import CheckoutOut, LimitsOut, PortalOut, SubscriptionOut, UsedOut
from core.ai.rules.usage import CURRENCY
from core.assistants.repository import AssistantRepository
from core.clock import utcnow
from core.container import Services
from core.errors import ErrorCode
from core.users.repositories.users import KnownUser

router = Router(prefix="/users", tags=["subscription"])
webhooks = Router(prefix="/webhooks", tags=["subscription"])

# possible errors of each call to Stripe
_AWAY = (ErrorCode.billing_unavailable, ErrorCode.billing_misconfigured)
_AT_ONCE = 8
"""Workflows notified during the call; the others are notified within seconds."""
_AWAY_OR_NOT_SET = (ErrorCode.billing_not_configured, *_AWAY)


@router.get("/subscription/")
async def read_subscription(user: AnyUser, services: Core) -> SubscriptionOut:
    """The subscription, its price, its next charge and this month's usage, as stored: Stripe is not called."""
    return await _read(user, services)


@router.get(
    "/verify-subscription/",
    dependencies=[ASK_STRIPE],
    responses=problems(ErrorCode.checkout_incomplete, *_AWAY),
)
async def verify_subscription(
    user: AnyUser,
    services: Core,
    session_id: Annotated[
        str | None, Query(max_length=255, description="Id of the checkout session from which the user returns")
    ] = None,
) -> SubscriptionOut:
    """The subscription after a call to Stripe, for the return from Stripe's page."""
    await services.subscriptions.verify(user.id, session_id)
    return await _read(user, services)


async def _read(user: KnownUser, services: Services) -> SubscriptionOut:
    standing = await services.subscriptions.standing(user.id, user.time_zone, utcnow())
    return SubscriptionOut(
        **asdict(standing.subscription),
        as_of=standing.fetched_at,
        used=UsedOut(month=standing.month.first, cost_currency=CURRENCY, **asdict(standing.used)),
        limits=LimitsOut(**asdict(standing.limits)),
        free=LimitsOut(**asdict(standing.free)),
        plan=LimitsOut(**asdict(standing.plan)),
        paused_assistants=standing.paused_assistants,
    )


@router.post(
    "/create_checkout_session/",
    dependencies=[ASK_STRIPE],
    responses=problems(ErrorCode.already_subscribed, *_AWAY_OR_NOT_SET),
)
async def create_checkout_session(person: Person, services: Core) -> CheckoutOut:
    """The payment provider's page on which the subscription starts."""
    return CheckoutOut(checkout_url=await services.subscriptions.checkout(person.user.id))


@router.post(
    "/create_portal_session/",
    dependencies=[ASK_STRIPE],
    responses=problems(ErrorCode.not_subscribed, *_AWAY_OR_NOT_SET),
)
async def create_portal_session(person: Person, services: Core) -> PortalOut:
    """The payment provider's page with payment method and invoices."""
    return PortalOut(portal_url=await services.subscriptions.portal(person.user.id))


@router.post(
    "/cancel_subscription/",
    dependencies=[ASK_STRIPE],
    responses=problems(ErrorCode.not_subscribed, *_AWAY_OR_NOT_SET),
)
async def cancel_subscription(person: Person, services: Core) -> SubscriptionOut:
    """Cancel at the end of the paid period."""
    await services.subscriptions.end(person.user.id)
    return await _read(person.user, services)


@router.post(
    "/resume_subscription/",
    dependencies=[ASK_STRIPE],
    responses=problems(ErrorCode.not_subscribed, *_AWAY_OR_NOT_SET),
)
async def resume_subscription(person: Person, services: Core) -> SubscriptionOut:
    """Undo the cancellation."""
    await services.subscriptions.resume(person.user.id)
    return await _read(person.user, services)


@router.post("/resume_assistants/", responses=problems(ErrorCode.subscription_required))
async def resume_assistants(user: CurrentUser, services: Core, workflows: Workflows) -> SubscriptionOut:
    """Resume assistants that were paused because the subscription ended: as many as allowed; refused if none is."""
    resumed = await services.subscriptions.resume_assistants(user.id)
    async with services.sessions() as session:
        assistants = AssistantRepository(session)
        active = [await assistants.get(user.id, assistant_id) for assistant_id in resumed[:_AT_ONCE]]
    # if a notification fails, the reconcile does it later
    await asyncio.gather(
        *(
            workflows.assistants.configure(full.row, full.status, {account.kind for account in full.accounts})
            for full in active
        )
    )
    return await _read(user, services)


@webhooks.post(
    "/stripe/",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=problems(ErrorCode.webhook_forged, ErrorCode.billing_not_configured),
    openapi_extra=up_to(MEGABYTE, security=[]),
)
async def take_stripe_event(
    request: Request, services: Core, stripe_signature: Annotated[str, Header(max_length=2000)] = ""
) -> Response:
    """Stripe's webhook: store the event, which a worker processes later."""
    await services.subscriptions.keep_event(await request.body(), stripe_signature)
    return Response(status_code=status.HTTP_204_NO_CONTENT)
