"""Who may call what, for every operation of the OpenAPI document: those that come later included."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import select

from core.clock import utcnow
from core.container import Services
from core.errors import ErrorCode
from core.ids import new_id
from core.tables import Base
from core.templates.repositories.templates import TemplateRepository
from core.users.tables.security_events import SecurityEvent, SecurityEventKind
from core.users.tables.users import Scope, User
from temporal.gateway import Gateway
from tests.api.conftest import refused, wrong_fields
from tests.api.operations import Operation, document, operations, resolved
from tests.api.owned import Owned, own_everything
from tests.conftest import Networks, browsing
from tests.factories import Factory

OPERATIONS = operations()
WITH_TOKEN = [operation for operation in OPERATIONS if operation.needs_token]
# the rest only ends a token, whoever holds it
WITH_ACCESS = [operation for operation in WITH_TOKEN if operation.refuses(ErrorCode.account_disabled)]
# what an account is for before its e-mail is proven
ACCOUNT_CALLS = ("/auth/", "/users/")


@pytest.fixture
async def mine(services: Services, make: Factory, networks: Networks) -> Owned:
    return await own_everything(services, make, networks)


@pytest.fixture
async def another(services: Services, make: Factory, networks: Networks) -> Owned:
    return await own_everything(services, make, networks)


@asynccontextmanager
async def holding(services: Services, gateway: Gateway, user: User, scope: Scope) -> AsyncIterator[httpx2.AsyncClient]:
    """A script with an API key of the user's."""
    _, token = await services.account_security.add_api_key(user.id, "a script", scope)
    async with browsing(services, gateway) as client:
        client.headers["Authorization"] = f"Bearer {token}"
        await client.get("/users/me/")  # from now on it has been used
        yield client


async def ask(client: httpx2.AsyncClient, operation: Operation, owned: Owned) -> httpx2.Response:
    return await client.request(operation.method, owned.at(operation), **operation.sent())


def test_who_may_call_is_declared_in_full() -> None:
    assert set(document()["components"]["securitySchemes"]) == {"session", "api_key"}
    for operation in OPERATIONS:
        scope = "read" if operation.method == "GET" else "write"
        ways = [[], [{"session": []}], [{"session": []}, {"api_key": [scope]}]]
        assert operation.details.get("security", []) in ways, operation.name
        if operation in WITH_TOKEN and operation not in WITH_ACCESS:
            assert operation.path.startswith("/auth/"), f"whose token is it that {operation} gets?"


def test_whoever_needs_no_token_is_limited_or_brings_a_signature() -> None:
    for operation in OPERATIONS:
        if operation.needs_token:
            continue
        signed = any(found["name"] == "signature" and found["required"] for found in operation.parameters("query"))
        signed |= any(found["name"] == "stripe-signature" for found in operation.parameters("header"))
        fixed = operation.method == "GET" and not operation.details.get("parameters")
        assert operation.refuses(ErrorCode.rate_limited) or signed or fixed, operation.name


@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer made-up"}], ids=["no token", "unknown token"])
async def test_no_token_no_answer(anonymous: httpx2.AsyncClient, header: dict[str, str]) -> None:
    for operation in OPERATIONS:
        if header and operation in WITH_TOKEN and operation not in WITH_ACCESS:
            continue  # a token that is gone already is signed out
        path = operation.at(**{name: str(new_id()) for name in operation.ids})
        answer = await anonymous.request(operation.method, path, headers=header, **operation.sent())
        if operation.needs_token:
            assert answer.status_code == 401, f"{operation}: {answer.text}"
            refused(answer, 401, ErrorCode.unauthenticated)
        else:
            assert answer.status_code not in (401, 403), f"{operation} needs a token and does not say so"


async def rows_of(services: Services, user: User) -> dict[str, list[str]]:
    """All but what a refusal itself is recorded as."""
    found = {}
    async with services.sessions() as session:
        for table in Base.metadata.sorted_tables:
            if "user_id" in table.c:
                own = select(table).where(table.c.user_id == user.id)
                if table.name == SecurityEvent.__tablename__:
                    own = own.where(table.c.kind != SecurityEventKind.access_refused)
                rows = await session.execute(own)
                found[table.name] = sorted(map(str, rows.all()))
    return found


async def test_what_belongs_to_another_user_is_not_there(
    api: httpx2.AsyncClient, services: Services, another: Owned
) -> None:
    before = await rows_of(services, another.user)
    assert sum(map(len, before.values())) > 20
    tried = 0
    for operation in WITH_TOKEN:
        if not operation.ids:
            continue
        answer = await api.request(operation.method, another.hidden(operation), **operation.sent())
        assert answer.status_code == 404, f"{operation}: {answer.text}"
        assert refused(answer, 404, ErrorCode.not_found)["params"]["id"] in another.ids.values()
        tried += 1
    assert tried > 15
    assert await rows_of(services, another.user) == before


async def test_until_the_email_is_verified_only_the_account_calls_work(
    services: Services, away: Gateway, mine: Owned
) -> None:
    async with services.sessions.begin() as session:
        (await session.get_one(User, mine.user.id)).is_email_verified = False
    waiting = set()
    for operation in WITH_TOKEN:
        async with browsing(services, away, mine.user) as client:
            answer = await ask(client, operation, mine)
        if answer.status_code == 409 and answer.json()["code"] == ErrorCode.email_not_verified:
            refused(answer, 409, ErrorCode.email_not_verified)
            waiting.add(operation.name)
        else:
            assert operation.path.startswith(ACCOUNT_CALLS), f"{operation}: {answer.text}"
            assert answer.status_code != 500, operation.name
    assert waiting == {operation.name for operation in OPERATIONS if operation.refuses(ErrorCode.email_not_verified)}


async def test_a_key_that_reads_changes_nothing(services: Services, away: Gateway, mine: Owned) -> None:
    async with holding(services, away, mine.user, Scope.read) as client:
        for operation in WITH_ACCESS:
            if operation.name == "read_website_terms":  # what a site has answered is kept for some minutes
                assert (await ask(client, operation, mine)).status_code == 200
        before = await rows_of(services, mine.user)
        for operation in WITH_ACCESS:
            if operation.method == "GET" and operation.takes_keys:
                if not operation.streams:
                    answer = await ask(client, operation, mine)
                    assert answer.status_code == 200, f"{operation}: {answer.text}"
            else:
                refused(await ask(client, operation, mine), 403, ErrorCode.scope_missing)
        assert await rows_of(services, mine.user) == before


async def test_a_key_never_does_what_only_the_person_may(services: Services, away: Gateway, mine: Owned) -> None:
    async with holding(services, away, mine.user, Scope.write) as client:
        before = await rows_of(services, mine.user)
        for operation in WITH_TOKEN:
            if not operation.takes_keys:
                refused(await ask(client, operation, mine), 403, ErrorCode.scope_missing)
        assert await rows_of(services, mine.user) == before
        for operation in WITH_ACCESS:
            if operation.takes_keys and not operation.streams:
                answer = await ask(client, operation, mine)
                assert answer.status_code not in (401, 403, 500), f"{operation}: {answer.text}"


async def test_a_disabled_user_does_nothing(services: Services, away: Gateway, mine: Owned) -> None:
    async with browsing(services, away, mine.user) as person, holding(services, away, mine.user, Scope.write) as script:
        async with services.sessions.begin() as session:
            (await session.get_one(User, mine.user.id)).disabled_at = utcnow()
        before = await rows_of(services, mine.user)
        for operation in WITH_ACCESS:
            for client in (person, script):
                refused(await ask(client, operation, mine), 403, ErrorCode.account_disabled)
        assert await rows_of(services, mine.user) == before


async def test_naming_another_users_objects_in_a_body_is_refused(
    api: httpx2.AsyncClient, services: Services, another: Owned
) -> None:
    """Every id that a body takes, wherever it stands."""
    theirs = {**another.ids, "topic_tree_id": another.ids["tree_id"], "image_media_id": another.ids["media_id"]}
    theirs["logo_id"] = another.ids["media_id"]
    theirs["id"] = another.ids["post_id"]  # one that the client chooses
    async with services.sessions() as session:
        template = await TemplateRepository(session).get(another.user.id, UUID(another.ids["template_id"]))
    theirs["template_version_id"] = theirs["image_template_version_id"] = str(template[1].id)
    tried = 0
    for operation in WITH_TOKEN:
        if operation.ids or not operation.body_schema:
            continue
        for name, schema in operation.body_schema.get("properties", {}).items():
            if "uuid" not in json.dumps(schema):
                continue
            one = theirs[name.removesuffix("s")]
            others = [str(new_id()) for _ in range(resolved(schema).get("minItems", 1) - 1)]
            body = {**(operation.body() or {}), name: [one, *others] if name.endswith("s") else one}
            answer = await api.request(operation.method, operation.at(), json=body)
            if name == "brand_id":  # told at its field, as in the settings of templates
                assert wrong_fields(answer) == {name: ErrorCode.not_found}, operation.name
            else:
                refused(answer, 404, ErrorCode.not_found)
            tried += 1
    assert tried >= 4
