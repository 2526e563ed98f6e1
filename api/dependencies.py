"""The dependencies of the routes.

All dependencies are `async`, also those that wait for nothing: FastAPI runs others in threads, which took a third of
a call's processor time.
"""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import HTTPBearer
from sqlalchemy.ext.asyncio import AsyncSession
from structlog.contextvars import bind_contextvars

from api.callers import address_of, counted_by_network, device_of
from core.container import Services
from core.errors import Conflict, ErrorCode, Unauthenticated
from core.rate_limits.limiting import Limit
from core.users.identity import Access
from core.users.repositories.users import KnownUser
from core.users.tables.users import Scope, TokenKind
from temporal.gateway import Gateway


class _Bearer(HTTPBearer):
    async def __call__(self, request: Request) -> str:  # type: ignore[override]
        """Raise Unauthenticated."""
        authorization = await super().__call__(request)
        if authorization is None:
            raise Unauthenticated
        return authorization.credentials


get_token = _Bearer(auto_error=False, scheme_name="HTTPBearer", description="Opaque token from a sign-in")


async def get_services(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


async def get_gateway(request: Request) -> Gateway:
    gateway: Gateway = request.app.state.gateway
    return gateway


Core = Annotated[Services, Depends(get_services)]
Workflows = Annotated[Gateway, Depends(get_gateway)]


async def get_session(services: Core) -> AsyncIterator[AsyncSession]:
    async with services.sessions.begin() as session:
        yield session


# function scope: commit before the reply is sent, so that a failed commit is never a success
Session = Annotated[AsyncSession, Depends(get_session, scope="function")]


async def get_reading(services: Core) -> AsyncIterator[AsyncSession]:
    async with services.reading() as session:
        yield session


Reading = Annotated[AsyncSession, Depends(get_reading, scope="function")]
"""For reads only: writes on it are not in one transaction."""


Token = Annotated[str, Security(get_token)]


READING = frozenset({"GET", "HEAD"})
"""Methods that a key with the scope `read` may use."""


async def get_address(request: Request) -> str:
    return address_of(request)


Address = Annotated[str, Depends(get_address)]
"""The caller's address, for limits before authentication."""


UNKNOWN_TOKENS = Limit("unknown-tokens", 120, timedelta(seconds=1))
"""By network address: a page with an ended session makes a dozen calls before it asks to sign in."""


async def get_access(request: Request, token: Token) -> Access:
    """Return the token's user, authenticated once per request. Raise Unauthenticated, Throttled for too many unknown
    tokens from one address, and Forbidden for a disabled user or a read-only key that writes."""
    if not hasattr(request.state, "access"):
        request.state.access = await _authenticate(request, token)
    access: Access = request.state.access
    return access


async def _authenticate(request: Request, token: str) -> Access:
    services = await get_services(request)
    try:
        access = await services.identity.authenticate(token)
    except Unauthenticated:
        # count only failures: a valid token is never refused for other callers at its address
        await services.limiting.use(*counted_by_network(UNKNOWN_TOKENS, address_of(request)))
        raise
    bind_contextvars(user_id=str(access.user.id))  # for the log lines of this request
    if access.scope is Scope.read and request.method not in READING:
        await services.identity.refuse(access)
    return access


async def get_any_user(access: Annotated[Access, Depends(get_access)]) -> KnownUser:
    return access.user


AnyUser = Annotated[KnownUser, Depends(get_any_user)]
"""Verified or not: only for account routes."""


WRITES = Limit("writes", 600, timedelta(seconds=0.5))
"""A user's writes in total: more than anybody does by hand, but no flood of rows."""


async def get_user(access: Annotated[Access, Depends(get_access)], request: Request, services: Core) -> KnownUser:
    user = access.user
    if not user.is_email_verified:
        raise Conflict(ErrorCode.email_not_verified)
    if request.method not in READING:
        await services.limiting.use((WRITES, str(user.id)))
    return user


CurrentUser = Annotated[KnownUser, Depends(get_user)]


async def get_person(access: Annotated[Access, Depends(get_access)], services: Core) -> Access:
    """Require a signed-in person, not an API key: a stolen key must not lock its owner out."""
    if access.kind is not TokenKind.session:
        await services.identity.refuse(access)
    return access


Person = Annotated[Access, Depends(get_person)]


async def get_device(request: Request) -> str:
    return device_of(request)


Device = Annotated[str, Depends(get_device)]
