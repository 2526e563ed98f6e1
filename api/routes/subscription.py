from typing import NoReturn

from api.bodies import Router
from api.dependencies import AnyUser, Person
from api.errors import problems
from api.schemas.subscription import BillingMode, CheckoutOut, SubscriptionOut, SubscriptionStatus
from core.domain.errors import Conflict, ErrorCode

router = Router(prefix="/users", tags=["subscription"])

_SELF_HOSTED = SubscriptionOut(
    mode=BillingMode.self_hosted,
    status=SubscriptionStatus.none,
    price_cents=None,
    currency=None,
    trial_days_left=None,
    first_billing_date=None,
    next_billing_date=None,
    end_date=None,
    configured=False,
    settings=["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_PRICE_ID"],
)


@router.get("/subscription/")
async def read_subscription(user: AnyUser) -> SubscriptionOut:
    """What is subscribed to, what it costs, and when it is charged next."""
    return _SELF_HOSTED


@router.get("/verify-subscription/")
async def verify_subscription(user: AnyUser) -> SubscriptionOut:
    """The same, once the payment provider was asked: for the way back from its page."""
    return _SELF_HOSTED


@router.post("/cancel_subscription/", responses=problems(ErrorCode.billing_not_configured))
async def cancel_subscription(person: Person) -> SubscriptionOut:
    """End it when the period that is paid for ends."""
    _refuse()


@router.post("/create_checkout_session/", responses=problems(ErrorCode.billing_not_configured))
async def create_checkout_session(person: Person) -> CheckoutOut:
    """The payment provider's page on which the subscription starts."""
    _refuse()


def _refuse() -> NoReturn:
    """Nobody is charged where payments are not set up."""
    raise Conflict(ErrorCode.billing_not_configured)
