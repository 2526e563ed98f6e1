"""What holds for every operation of the API, those that come later included."""

import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import select

from core.container import Services
from core.domain.errors import ErrorCode
from core.domain.ids import new_id
from core.models import Base, User
from core.repositories.posts import PostRepository
from core.repositories.templates import TemplateRepository
from tests.api.conftest import refused, wrong_fields
from tests.api.operations import Operation, operations, resolved
from tests.conftest import Networks, browsing
from tests.factories import Factory

# whoever asks for these is not signed in yet, or carries a signature instead
OPEN = {"sign_up", "sign_in", "sign_in_by_link", "read_file"}
OPERATIONS = operations()
WITH_IDS = [operation for operation in OPERATIONS if operation.ids and operation.name not in OPEN]
WITH_BODY = [operation for operation in OPERATIONS if operation.body_schema]


def test_only_these_are_open() -> None:
    assert {operation.name for operation in OPERATIONS if not operation.needs_token} == OPEN


@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer made-up"}], ids=["no token", "unknown token"])
async def test_no_token_no_answer(anonymous: httpx2.AsyncClient, header: dict[str, str]) -> None:
    for operation in OPERATIONS:
        if operation.name in OPEN or (operation.name == "sign_out" and header):
            continue  # a token that is gone already is signed out
        path = operation.at(**{name: str(new_id()) for name in operation.ids})
        answer = await anonymous.request(operation.method, path, json=operation.body(), headers=header)
        assert answer.status_code == 401, f"{operation}: {answer.text}"
        refused(answer, 401, ErrorCode.unauthenticated)


@dataclass(frozen=True)
class Owned:
    """One of everything that one user has."""

    user: User
    ids: dict[str, str]


async def own_everything(services: Services, make: Factory, networks: Networks) -> Owned:
    user = await make.user()
    account = await make.account(user, networks.url)
    assistant = await make.assistant(user, accounts=(account.id,))
    run, slot = new_id(), datetime.now(UTC)
    await services.drafting.begin(user.id, assistant.id, run, f"run-{run}", slot)
    await services.drafting.write(user.id, run, 1)
    await services.imaging.make(user.id, run, 1)
    checked = await services.drafting.check(user.id, run)
    async with services.sessions() as session:
        post = await PostRepository(session).of_run(user.id, run)
        assert post is not None
        assert assistant.template_version_id is not None
        template = (await TemplateRepository(session).version(user.id, assistant.template_version_id)).template_id
    return Owned(
        user,
        {
            "account_id": str(account.id),
            "assistant_id": str(assistant.id),
            "delivery_id": str(checked.deliveries[0][0]),
            "media_id": str(post.files[0].media_id),
            "post_id": str(post.id),
            "run_id": str(run),
            "template_id": str(template),
            "tree_id": str(assistant.topic_tree_id),
        },
    )


async def rows_of(services: Services, user: User) -> dict[str, list[str]]:
    found = {}
    async with services.sessions() as session:
        for table in Base.metadata.sorted_tables:
            if "user_id" in table.c:
                rows = await session.execute(select(table).where(table.c.user_id == user.id))
                found[table.name] = sorted(map(str, rows.all()))
    return found


@pytest.fixture
async def another(services: Services, make: Factory, networks: Networks) -> Owned:
    return await own_everything(services, make, networks)


async def test_what_belongs_to_another_user_is_not_there(
    api: httpx2.AsyncClient, services: Services, another: Owned
) -> None:
    before = await rows_of(services, another.user)
    assert sum(map(len, before.values())) > 20
    for operation in WITH_IDS:
        unknown = set(operation.ids) - set(another.ids)
        assert not unknown, f"own_everything has to make an object for {unknown}, which {operation} names"
        answer = await api.request(operation.method, operation.at(**another.ids), json=operation.body())
        assert answer.status_code == 404, f"{operation}: {answer.text}"
        assert refused(answer, 404, ErrorCode.not_found)["params"]["id"] in another.ids.values()
    assert await rows_of(services, another.user) == before


async def test_naming_another_users_objects_in_a_body_is_refused(
    api: httpx2.AsyncClient, services: Services, another: Owned
) -> None:
    """Every id that a body takes, wherever it stands."""
    theirs = {**another.ids, "topic_tree_id": another.ids["tree_id"]}
    async with services.sessions() as session:
        template = await TemplateRepository(session).get(another.user.id, UUID(another.ids["template_id"]))
    theirs["template_version_id"] = theirs["image_template_version_id"] = str(template[1].id)
    tried = 0
    for operation in WITH_BODY:
        if operation.ids or not operation.body_schema:
            continue
        for name, schema in operation.body_schema.get("properties", {}).items():
            if "uuid" not in json.dumps(schema):
                continue
            one = theirs[name.removesuffix("s")]
            body = {**(operation.body() or {}), name: [one] if name.endswith("s") else one}
            refused(await api.request(operation.method, operation.at(), json=body), 404, ErrorCode.not_found)
            tried += 1
    assert tried >= 4


async def test_a_field_that_nobody_knows_is_refused(api: httpx2.AsyncClient) -> None:
    for operation in WITH_BODY:
        path = operation.at(**{name: str(new_id()) for name in operation.ids})
        answer = await api.request(operation.method, path, json={**(operation.body() or {}), "nonsense": 1})
        assert wrong_fields(answer) == {"nonsense": ErrorCode.invalid_input}, operation.name


HUGE = "9" * 5000
BAD_IDS = ["not-an-id", "%00", "0", "%F0%9F%99%82", "a" * 3000, "..%2f..", "00000000-0000-0000-0000-00000000000g"]
BAD_QUERIES = ["%00", "-1", "abc", HUGE, "%FF", "", "%F0%9F%99%82", "1e400", "b3g="]
BAD_BODIES = [b"", b"{", b"null", b"[]", b'"x"', b"\xff\xfe", b'{"\\ud800": 1}', b"[" * 50_000, b"NaN"]
BAD_VALUES = [
    "null", "-1", "1e400", HUGE, '"\\u0000"', '"\\ud800"', '["\\u0000"]', '{"\\u0000": "\\u0000"}', '["\\ud800"]',
    '"9999-12-31"', json.dumps("x" * 30_000), '"%_\\\\"', "[[[[]]]]", '["00000000-0000-7000-8000-000000000000"]',
]  # fmt: skip


def spoilt_bodies(operation: Operation) -> Iterator[bytes]:
    """Whole bodies, then a valid one with one field spoilt, one level down too."""
    yield from BAD_BODIES
    valid, schema = operation.body() or {}, operation.body_schema or {}
    for name, inner in schema.get("properties", {}).items():
        for value in BAD_VALUES:
            yield spoilt(valid, name, value)
        for deeper in resolved(inner).get("properties", {}):
            for value in BAD_VALUES:
                yield spoilt(valid, name, spoilt(valid[name], deeper, value).decode())


def spoilt(valid: dict[str, Any], name: str, value: str) -> bytes:
    rest = {key: inner for key, inner in valid.items() if key != name}
    return f"{json.dumps(rest)[:-1]}{', ' if rest else ''}{json.dumps(name)}: {value}}}".encode()


def is_a_problem(answer: httpx2.Response, what: str) -> None:
    assert answer.status_code < 500, f"{what}: {answer.status_code}"
    if answer.status_code >= 400:
        problem = answer.json()
        assert answer.headers["content-type"] == "application/problem+json", what
        assert problem["status"] == answer.status_code, what
        assert problem["code"] in set(ErrorCode), what


@pytest.fixture
async def mine(services: Services, make: Factory, networks: Networks) -> Owned:
    return await own_everything(services, make, networks)


@pytest.fixture
async def owner(services: Services, away: Any, mine: Owned) -> AsyncIterator[httpx2.AsyncClient]:
    async with browsing(services, away, mine.user) as client:
        yield client


async def test_bad_ids_and_queries_are_the_callers_fault(owner: httpx2.AsyncClient, mine: Owned) -> None:
    for operation in OPERATIONS:
        for name in (found["name"] for found in operation.parameters("path")):
            for bad in BAD_IDS:
                path = operation.at(**{**mine.ids, name: bad})
                answer = await owner.request(operation.method, path, json=operation.body())
                is_a_problem(answer, f"{operation} {path[:100]}")
                assert answer.status_code >= 400
        for name in (found["name"] for found in operation.parameters("query")):
            for bad in BAD_QUERIES:
                path = f"{operation.at(**mine.ids)}?{name}={bad}"
                answer = await owner.request(operation.method, path, json=operation.body())
                is_a_problem(answer, f"{operation} {path[:100]}")


async def test_bad_bodies_are_the_callers_fault(owner: httpx2.AsyncClient, mine: Owned) -> None:
    kind = {"Content-Type": "application/json"}
    for operation in WITH_BODY:
        for body in spoilt_bodies(operation):
            answer = await owner.request(operation.method, operation.at(**mine.ids), content=body, headers=kind)
            is_a_problem(answer, f"{operation} {body[:300]!r}")
        answer = await owner.request(operation.method, operation.at(**mine.ids), data={"name": "x"})
        is_a_problem(answer, f"{operation} with a form")


async def test_a_body_that_never_ends_is_cut_off(api: httpx2.AsyncClient) -> None:
    async def endless() -> AsyncIterator[bytes]:
        yield b'{"name": "'
        for _ in range(64):
            yield b"x" * 1024 * 1024

    kind = {"Content-Type": "application/json"}
    answer = await api.post("/topics/", content=endless(), headers=kind)
    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/problem+json"


async def test_many_wrong_fields_are_told_in_a_small_answer(api: httpx2.AsyncClient) -> None:
    answer = await api.post("/templates/preview/", json={f"field{at}" * 100: 1 for at in range(2000)})
    assert len(refused(answer, 422, ErrorCode.invalid_input)["errors"]) == 100
    assert len(answer.content) < 100_000
