"""The vocabulary of every route.

Dependencies are all `async`, those that wait for nothing, too: FastAPI hands each one that is not to a thread, which
took a third of the processor time of a call.
"""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import HTTPBearer
from sqlalchemy.ext.asyncio import AsyncSession

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
        """Raises Unauthenticated."""
        found = await super().__call__(request)
        if found is None:
            raise Unauthenticated
        return found.credentials


get_token = _Bearer(auto_error=False, scheme_name="HTTPBearer", description="Opaque token from signing in")


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


# function scope: the commit happens before the reply leaves, so a failed commit is never a success
Session = Annotated[AsyncSession, Depends(get_session, scope="function")]


async def get_reading(services: Core) -> AsyncIterator[AsyncSession]:
    async with services.reading() as session:
        yield session


Reading = Annotated[AsyncSession, Depends(get_reading, scope="function")]
"""For what only reads: what is changed on it is not saved together."""


Token = Annotated[str, Security(get_token)]


READING = frozenset({"GET", "HEAD"})
"""Methods that a key with the scope `read` may use."""


async def get_address(request: Request) -> str:
    return address_of(request)


Address = Annotated[str, Depends(get_address)]
"""What a caller is counted by before anybody knows who it is."""


UNKNOWN_TOKENS = Limit("unknown-tokens", 120, timedelta(seconds=1))
"""By network address: a page whose session has ended makes a dozen calls before it asks to sign in."""


async def get_access(request: Request, token: Token) -> Access:
    """Whose token it is, looked up once for each request. Raises Unauthenticated, Throttled for too many unknown tokens
    from one address, and Forbidden for a disabled user or a key that may only read."""
    if not hasattr(request.state, "access"):
        request.state.access = await _authenticate(request, token)
    access: Access = request.state.access
    return access


async def _authenticate(request: Request, token: str) -> Access:
    services = await get_services(request)
    try:
        access = await services.identity.authenticate(token)
    except Unauthenticated:
        # afterwards: whoever has a right token is never refused for what others send from the same address
        await services.limiting.use(*counted_by_network(UNKNOWN_TOKENS, address_of(request)))
        raise
    if access.scope is Scope.read and request.method not in READING:
        await services.identity.refuse(access)
    return access


async def get_any_user(access: Annotated[Access, Depends(get_access)]) -> KnownUser:
    return access.user


AnyUser = Annotated[KnownUser, Depends(get_any_user)]
"""Verified or not: for the account calls alone."""


WRITES = Limit("writes", 600, timedelta(seconds=0.5))
"""All that a user may change in all: more than anybody does by hand, and no flood of rows."""


async def get_user(access: Annotated[Access, Depends(get_access)], request: Request, services: Core) -> KnownUser:
    user = access.user
    if not user.is_email_verified:
        raise Conflict(ErrorCode.email_not_verified)
    if request.method not in READING:
        await services.limiting.use((WRITES, str(user.id)))
    return user


CurrentUser = Annotated[KnownUser, Depends(get_user)]


async def get_person(access: Annotated[Access, Depends(get_access)], services: Core) -> Access:
    """A signed-in person, not a script: a stolen key must not lock its owner out."""
    if access.kind is not TokenKind.session:
        await services.identity.refuse(access)
    return access


Person = Annotated[Access, Depends(get_person)]


async def get_device(request: Request) -> str:
    return device_of(request)


Device = Annotated[str, Depends(get_device)]
