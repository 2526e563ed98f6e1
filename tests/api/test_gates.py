"""Who may call what: verified or not, a person or a script, reading or writing."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import httpx2
import pytest
from sqlalchemy import func, select

from core.container import Services
from core.errors import ErrorCode
from core.ids import new_id
from core.notifications.tables.mails import Mail
from core.topics.tables import TopicTree
from core.users.tables.users import AccessToken, MailLink, Scope, User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused
from tests.api.operations import Operation, operations
from tests.conftest import browsing

TREE: dict[str, Any] = {"name": "Cargo bikes", "text": "- Cargo bikes\n-- Weather"}
SIGNED_IN = [found for found in operations() if found.needs_token]
# what a person does with the account itself, and no script
PERSONAL = [found for found in SIGNED_IN if {"security", "account-data"} & set(found.details["tags"])]
# what leads to a verified e-mail, or has to be possible without one
ACCOUNT_TAGS = {"auth", "users", "security", "account-data", "subscription"}
CLOSED = [
    found
    for found in SIGNED_IN
    if not ACCOUNT_TAGS & set(found.details["tags"]) and found.name != "read_account_setup_state"
]


async def call(client: httpx2.AsyncClient, operation: Operation) -> httpx2.Response:
    ids = {name: str(new_id()) for name in operation.ids}
    return await client.request(operation.method, operation.at(**ids), **operation.sent())


async def with_key(services: Services, gateway: Gateway, user: User, scope: Scope) -> AsyncIterator[httpx2.AsyncClient]:
    _, token = await services.account_security.add_api_key(user.id, "Script", scope)
    async with browsing(services, gateway) as client:
        client.headers["Authorization"] = f"Bearer {token}"
        yield client


@pytest.fixture
async def reading(services: Services, away: Gateway, user: User) -> AsyncIterator[httpx2.AsyncClient]:
    """A script whose key may only read."""
    async for client in with_key(services, away, user, Scope.read):
        yield client


@pytest.fixture
async def writing(services: Services, away: Gateway, user: User) -> AsyncIterator[httpx2.AsyncClient]:
    async for client in with_key(services, away, user, Scope.write):
        yield client


async def change(services: Services, user: User, **values: Any) -> None:
    async with services.sessions.begin() as session:
        row = await session.get_one(User, user.id)
        for name, value in values.items():
            setattr(row, name, value)


# verified


@pytest.mark.parametrize("operation", CLOSED, ids=str)
async def test_until_verified_the_rest_of_the_product_is_closed(
    api: httpx2.AsyncClient, services: Services, user: User, operation: Operation
) -> None:
    await change(services, user, is_email_verified=False)
    refused(await call(api, operation), 409, ErrorCode.email_not_verified)


@pytest.mark.parametrize(
    "path",
    ["/users/me/", "/users/me/sessions/", "/users/me/api-keys/", "/users/me/second-factor/"],
)
async def test_until_verified_the_account_itself_is_open(
    api: httpx2.AsyncClient, services: Services, user: User, path: str
) -> None:
    await change(services, user, is_email_verified=False)
    done(await api.get(path))


async def test_verified_everything_opens(api: httpx2.AsyncClient, services: Services, user: User) -> None:
    await change(services, user, is_email_verified=False)
    refused(await api.post("/topics/", json=TREE), 409, ErrorCode.email_not_verified)
    await change(services, user, is_email_verified=True)
    done(await api.post("/topics/", json=TREE), 201)


async def test_a_key_opens_no_more_than_its_owner_may(
    writing: httpx2.AsyncClient, services: Services, user: User
) -> None:
    await change(services, user, is_email_verified=False)
    refused(await writing.get("/topics/"), 409, ErrorCode.email_not_verified)
    done(await writing.get("/users/me/"))


# scopes


async def test_a_key_that_may_read_reads(reading: httpx2.AsyncClient, api: httpx2.AsyncClient) -> None:
    done(await api.post("/topics/", json=TREE), 201)
    assert done(await reading.get("/topics/"))["total"] == 1
    done(await reading.get("/users/me/"))


@pytest.mark.parametrize("operation", [found for found in SIGNED_IN if found.method != "GET"], ids=str)
async def test_a_key_that_may_read_changes_nothing(reading: httpx2.AsyncClient, operation: Operation) -> None:
    refused(await call(reading, operation), 403, ErrorCode.scope_missing)


async def test_what_was_refused_is_not_there(reading: httpx2.AsyncClient, services: Services, user: User) -> None:
    refused(await reading.post("/topics/", json=TREE), 403, ErrorCode.scope_missing)
    async with services.sessions() as session:
        assert await session.scalar(select(func.count()).where(TopicTree.user_id == user.id)) == 0


async def test_a_key_that_may_write_does_both(writing: httpx2.AsyncClient) -> None:
    done(await writing.post("/topics/", json=TREE), 201)
    assert done(await writing.get("/topics/"))["total"] == 1


# persons


@pytest.mark.parametrize("operation", PERSONAL, ids=str)
async def test_no_key_touches_the_account_itself(
    writing: httpx2.AsyncClient, reading: httpx2.AsyncClient, services: Services, user: User, operation: Operation
) -> None:
    for script in (reading, writing):
        refused(await call(script, operation), 403, ErrorCode.scope_missing)
    async with services.sessions() as session:
        row = await session.get_one(User, user.id)
        assert (row.email, row.password_hash, row.deletion_requested_at) == (user.email, user.password_hash, None)
        assert await session.scalar(select(func.count()).where(AccessToken.user_id == user.id)) == 2
        for table in (Mail, MailLink):
            assert await session.scalar(select(func.count()).select_from(table)) == 0


def test_the_walks_walk_over_something() -> None:
    assert {"list_topic_trees", "list_posts", "activate_assistant"} <= {found.name for found in CLOSED}
    assert {"change_password", "change_email", "create_api_key", "end_session", "offer_second_factor", "delete_me"} <= {
        found.name for found in PERSONAL
    }


async def test_a_key_does_not_rename_its_owner(writing: httpx2.AsyncClient, services: Services, user: User) -> None:
    refused(await writing.patch("/users/me/", json={"display_name": "Taken over"}), 403, ErrorCode.scope_missing)
    async with services.sessions() as session:
        assert (await session.get_one(User, user.id)).display_name == user.display_name


# nobody


async def test_a_disabled_user_is_refused_whatever_the_token(
    api: httpx2.AsyncClient, writing: httpx2.AsyncClient, services: Services, user: User
) -> None:
    await change(services, user, disabled_at=datetime.now(UTC))
    for client in (api, writing):
        for path in ("/users/me/", "/topics/", "/users/me/sessions/"):
            refused(await client.get(path), 403, ErrorCode.account_disabled)
    await change(services, user, disabled_at=None)
    done(await api.get("/topics/"))
