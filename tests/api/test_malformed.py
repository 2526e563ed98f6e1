"""Input that nobody means: it is the caller's fault, and the answer says so as it says everything."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx2
import hypothesis
import pytest
import schemathesis
from requests import PreparedRequest, Request
from schemathesis import Case, CheckFunction, GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from core.container import Services
from core.errors import ErrorCode
from core.ids import new_id
from tests.api.conftest import refused, wrong_fields
from tests.api.operations import Operation, changed_operations, document, operations, resolved
from tests.api.owned import Owned, own_everything
from tests.conftest import Networks, browsing
from tests.factories import Factory

OPERATIONS = operations()
WITH_BODY = [operation for operation in OPERATIONS if operation.body_schema]


async def test_a_field_that_nobody_knows_is_refused(api: httpx2.AsyncClient) -> None:
    for operation in WITH_BODY:
        path = operation.at(**{name: str(new_id()) for name in operation.ids})
        answer = await api.request(operation.method, path, json={**(operation.body() or {}), "nonsense": 1})
        assert wrong_fields(answer) == {"nonsense": ErrorCode.invalid_input}, operation.name


HUGE = "9" * 5000
TOO_BIG = ["99999999999999", "9223372036854775808"]
"""Numbers like any other to JSON and to Python, and too big for a column."""
BAD_IDS = [
    "not-an-id", "%00", "0", "%F0%9F%99%82", "a" * 3000, "..%2f..", "00000000-0000-0000-0000-00000000000g", *TOO_BIG,
]  # fmt: skip
BAD_QUERIES = ["%00", "-1", "abc", HUGE, "%FF", "", "%F0%9F%99%82", "1e400", "b3g=", *TOO_BIG]
BAD_BODIES = [b"", b"{", b"null", b"[]", b'"x"', b"\xff\xfe", b'{"\\ud800": 1}', b"[" * 50_000, b"NaN"]
BAD_VALUES = [
    "null", "-1", "1e400", HUGE, *TOO_BIG, '"\\u0000"', '"\\ud800"', '["\\u0000"]', '{"\\u0000": "\\u0000"}',
    '["\\ud800"]', '"9999-12-31"', json.dumps("x" * 30_000), '"%_\\\\"', "[[[[]]]]",
    '["00000000-0000-7000-8000-000000000000"]',
]  # fmt: skip


def spoilt_bodies(operation: Operation) -> Iterator[tuple[tuple[str, ...], bytes]]:
    """Whole bodies, then a valid one with one field spoilt, one level down too. Each with what it has in common with
    others: how deep the field is, its rules and the value."""
    yield from (((), body) for body in BAD_BODIES)
    valid, schema = operation.body() or {}, operation.body_schema or {}
    for name, inner in schema.get("properties", {}).items():
        for value in BAD_VALUES:
            yield ("field", rules_of(inner), value), spoilt(valid, name, value)
        for deeper, rules in resolved(inner).get("properties", {}).items():
            for value in BAD_VALUES:
                body = spoilt(valid, name, spoilt(valid.get(name) or {}, deeper, value).decode())
                yield ("inner field", rules_of(rules), value), body


def rules_of(schema: dict[str, Any]) -> str:
    return json.dumps({name: rule for name, rule in schema.items() if name not in ("title", "description", "default")})


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
                answer = await owner.request(operation.method, path, **operation.sent())
                is_a_problem(answer, f"{operation} {path[:100]}")
                assert answer.status_code >= 400
        for name in (found["name"] for found in operation.parameters("query")):
            for bad in BAD_QUERIES:
                path = f"{operation.at(**mine.ids)}?{name}={bad}"
                answer = await owner.request(operation.method, path, **operation.sent())
                is_a_problem(answer, f"{operation} {path[:100]}")


async def test_bad_bodies_are_the_callers_fault(owner: httpx2.AsyncClient, mine: Owned) -> None:
    kind = {"Content-Type": "application/json"}
    refused_before: set[tuple[str, ...]] = set()
    for operation in WITH_BODY:
        for same, body in spoilt_bodies(operation):
            if same in refused_before:
                continue
            answer = await owner.request(operation.method, operation.at(**mine.ids), content=body, headers=kind)
            is_a_problem(answer, f"{operation} {body[:300]!r}")
            # what the document's rules refuse of one operation they refuse of all; what gets past them is tried on each
            if same and answer.status_code == 422 and answer.json()["code"] == ErrorCode.invalid_input:
                refused_before.add(same)
        answer = await owner.request(operation.method, operation.at(**mine.ids), data={"name": "x"})
        is_a_problem(answer, f"{operation} with a form")


async def test_many_wrong_fields_are_told_in_a_small_answer(api: httpx2.AsyncClient) -> None:
    answer = await api.post("/templates/preview/", json={f"field{at}" * 100: 1 for at in range(100)})
    assert len(refused(answer, 422, ErrorCode.invalid_input)["errors"]) == 100
    assert len(answer.content) < 100_000


# and what nobody has thought of: made from the document itself, the same at every run

SCHEMA = schemathesis.openapi.from_dict(document())
CHECKS: list[CheckFunction] = [status_code_conformance, content_type_conformance, response_schema_conformance]
REPEATABLE = hypothesis.settings(
    max_examples=6,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(hypothesis.HealthCheck),
    phases=[hypothesis.Phase.generate],
)


async def tried(client: httpx2.AsyncClient, operation: Operation, mode: GenerationMode, ids: dict[str, str]) -> int:
    """Send what is generated; every answer has to be as the document says. Returns how many there were."""
    loop = asyncio.get_running_loop()
    answers = 0

    async def send(request: PreparedRequest) -> httpx2.Response:
        kind = {"Content-Type": str(request.headers["Content-Type"])} if "Content-Type" in request.headers else {}
        assert isinstance(request.body, str | bytes | None)
        return await client.request(str(request.method), str(request.url), headers=kind, content=request.body)

    def one(case: Case[Any]) -> None:
        nonlocal answers
        request = Request(**case.as_transport_kwargs(base_url="http://postloom.test")).prepare()
        answer = asyncio.run_coroutine_threadsafe(send(request), loop).result(timeout=60)
        is_a_problem(answer, f"{operation} {request.url:.300} {request.body!r:.300}")
        case.validate_response(answer, checks=CHECKS)
        answers += 1

    made = SCHEMA[f"/api{operation.path}"][operation.method].as_strategy(mode, path_parameters=ids)
    await asyncio.to_thread(REPEATABLE(hypothesis.given(made)(one)))
    return answers


def by_resource(wanted: tuple[Operation, ...]) -> dict[str, list[Operation]]:
    """By the first part of their path: what belongs to one is tried on the same objects."""
    groups: dict[str, list[Operation]] = {}
    for operation in wanted:
        if not operation.streams:
            groups.setdefault(operation.path.split("/")[1], []).append(operation)
    return groups


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "resource" in metafunc.fixturenames:
        wanted = changed_operations() if metafunc.config.getoption("--changed") else OPERATIONS
        groups = by_resource(wanted)
        metafunc.parametrize("resource", groups.values(), ids=groups)


async def test_every_answer_is_as_the_document_says(
    services: Services, connection: AsyncConnection, away: Any, mine: Owned, resource: list[Operation]
) -> None:
    for operation in resource:
        ids = {name: mine.ids[name] for name in operation.ids}
        takes = operation.body_schema or len(operation.details.get("parameters", ())) > len(ids)
        before = await connection.begin_nested()
        for mode in GenerationMode if takes else [GenerationMode.POSITIVE]:
            async with browsing(services, away, mine.user) as client:
                assert await tried(client, operation, mode, ids), operation
        # the next one finds everything again
        await before.rollback()
