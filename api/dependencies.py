"""The vocabulary of every route."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from sqlalchemy.ext.asyncio import AsyncSession

from core.container import Services
from core.domain.errors import Unauthenticated
from core.models import User
from temporal.gateway import Gateway

_bearer = HTTPBearer(auto_error=False, description="Opaque token from signing in")


def get_services(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


def get_gateway(request: Request) -> Gateway:
    gateway: Gateway = request.app.state.gateway
    return gateway


Core = Annotated[Services, Depends(get_services)]
Assistants = Annotated[Gateway, Depends(get_gateway)]


async def get_session(services: Core) -> AsyncIterator[AsyncSession]:
    async with services.sessions.begin() as session:
        yield session


# function scope: the commit happens before the reply leaves, so a failed commit is never a success
Session = Annotated[AsyncSession, Depends(get_session, scope="function")]


def get_token(credentials: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)]) -> str:
    if credentials is None:
        raise Unauthenticated
    return credentials.credentials


Token = Annotated[str, Depends(get_token)]


async def get_user(token: Token, services: Core) -> User:
    return await services.identity.authenticate(token)


CurrentUser = Annotated[User, Depends(get_user)]


def get_device(request: Request) -> str:
    """What a person recognises a signed-in device by."""
    return request.headers.get("user-agent", "")[:200]


Device = Annotated[str, Depends(get_device)]
