from typing import NoReturn

from api.bodies import Router
from api.dependencies import AnyUser, Person
from api.errors import problems
from api.schemas.subscription import CheckoutOut, SubscriptionOut
from core.domain.errors import Conflict, ErrorCode
from core.domain.subscriptions import SELF_HOSTED

router = Router(prefix="/users", tags=["subscription"])


@router.get("/subscription/")
async def read_subscription(user: AnyUser) -> SubscriptionOut:
    """What is subscribed to, what it costs, and when it is charged next."""
    return SubscriptionOut.model_validate(SELF_HOSTED)


@router.get("/verify-subscription/")
async def verify_subscription(user: AnyUser) -> SubscriptionOut:
    """The same, once the payment provider was asked: for the way back from its page."""
    return SubscriptionOut.model_validate(SELF_HOSTED)


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
