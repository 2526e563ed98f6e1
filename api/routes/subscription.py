from dataclasses import asdict
from typing import NoReturn

from api.bodies import Router
from api.dependencies import AnyUser, Core, Person
from api.errors import problems
from api.schemas.subscription import CheckoutOut, SubscriptionOut, UsedOut
from core.clock import utcnow
from core.container import Services
from core.domain.errors import Conflict, ErrorCode
from core.domain.usage import CURRENCY
from core.models import User

router = Router(prefix="/users", tags=["subscription"])


@router.get("/subscription/")
async def read_subscription(user: AnyUser, services: Core) -> SubscriptionOut:
    """What is subscribed to, what it costs, when it is charged next, and what was used this month."""
    return await _read(user, services)


@router.get("/verify-subscription/")
async def verify_subscription(user: AnyUser, services: Core) -> SubscriptionOut:
    """The same, once the payment provider was asked: for the way back from its page."""
    return await _read(user, services)


async def _read(user: User, services: Services) -> SubscriptionOut:
    found = await services.subscribing.standing(user.id, user.time_zone, utcnow())
    used = UsedOut(month=found.month.first, cost_currency=CURRENCY, **asdict(found.used))
    return SubscriptionOut(**asdict(found.subscription), used=used)


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
