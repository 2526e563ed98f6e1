"""What a body may be, and when it is read: for every operation of the OpenAPI document, those that come later
included."""

import inspect
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx2
import pytest
from fastapi.routing import APIRoute, iter_route_contexts

from api.app import bare_app
from api.bodies import KILOBYTE, MEGABYTE, MOST, TokenFirstRoute, dependencies_of
from core.container import Services
from core.errors import ErrorCode
from core.ids import new_id
from core.users.tables.users import Scope, User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused
from tests.api.operations import Operation, operations, resolved
from tests.conftest import browsing

JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "multipart/form-data; boundary=x"}
FILE = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
WITH_BODY = [found for found in operations() if found.body_schema is not None or found.takes_file or found.takes_bytes]


class Endless:
    """A body of 24 MB that counts what is taken of it."""

    def __init__(self, piece: bytes = b"[]," * (21 * KILOBYTE), head: bytes = b"") -> None:
        self.head, self.piece = head, piece
        self.taken = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self.head:
            yield self.head
        while self.taken < 24 * MEGABYTE:
            self.taken += len(self.piece)
            yield self.piece


async def ask(client: httpx2.AsyncClient, operation: Operation, **sent: Any) -> httpx2.Response:
    path = operation.at(**{name: str(new_id()) for name in operation.ids})
    return await client.request(operation.method, path, **sent)


def most(operation: Operation) -> int:
    found: int = operation.details["x-most-bytes"]
    return found


def test_every_route_checks_the_token_first() -> None:
    routes = [found.original_route for found in iter_route_contexts(bare_app().routes)]
    told = [route for route in routes if isinstance(route, APIRoute) and route.include_in_schema]
    assert len(told) > 80
    assert all(isinstance(route, TokenFirstRoute) for route in told)
    assert len(WITH_BODY) > 30


def test_no_dependency_takes_a_thread() -> None:
    """One that is not async is handed to a thread at every call, which costs more than all that it does."""
    for route in iter_route_contexts(bare_app().routes):
        if isinstance(route.original_route, APIRoute):
            for call in dependencies_of(route.dependant):
                kind = call if inspect.isroutine(call) else type(call).__call__
                assert inspect.iscoroutinefunction(kind) or inspect.isasyncgenfunction(kind), call


def test_only_files_and_long_texts_may_be_large() -> None:
    larger = {found.name: most(found) // KILOBYTE for found in WITH_BODY if most(found) != MOST}
    assert larger == {
        "check_template": 1024,
        "create_article": 3 * 1024,
        "create_assistant": 1024,
        "create_brand": 1024,
        "create_template": 1024,
        "create_topic_tree": 16 * 1024,
        "draft_brand": 1024,
        "draw_post_image": 1024,
        "edit_article": 3 * 1024,
        "import_branch": 16 * 1024,
        "import_posts": 5 * 1024 + 64,
        "import_templates": 16 * 1024,
        "preview_article": 3 * 1024,
        "preview_post_import": 5 * 1024 + 64,
        "preview_topics": 16 * 1024,
        "rewrite_article_passage": 1024,
        "rewrite_post_passage": 1024,
        "start_dry_run": 1024,
        "start_tryout": 1024,
        "update_assistant": 1024,
        "update_brand": 1024,
        "update_template": 1024,
        "upload_media": 20 * 1024 + 64,
        "upload_video": 1_000_000_000 // KILOBYTE,
        "write_article_part": 1024,
        "write_post_text": 1024,
    }
    assert all(found.refuses(ErrorCode.too_large) for found in WITH_BODY)


@pytest.mark.parametrize("announced", [True, False], ids=["announced", "in chunks"])
async def test_of_a_body_from_nobody_nothing_is_read(anonymous: httpx2.AsyncClient, announced: bool) -> None:
    headers = JSON | ({"Content-Length": str(16 * MEGABYTE)} if announced else {})
    for operation in WITH_BODY:
        body = Endless()
        answer = await ask(anonymous, operation, content=aiter(body), headers=headers)
        if operation.needs_token:
            refused(answer, 401, ErrorCode.unauthenticated)
            assert body.taken == 0, operation
        else:
            refused(answer, 413, ErrorCode.too_large)
            assert body.taken <= (0 if announced else most(operation) + len(body.piece)), operation


async def test_of_a_body_from_somebody_who_may_not_nothing_is_read(
    services: Services, away: Gateway, user: User
) -> None:
    _, token = await services.account_security.add_api_key(user.id, "Script", Scope.read)
    async with browsing(services, away) as reading:
        reading.headers["Authorization"] = f"Bearer {token}"
        for operation in WITH_BODY:
            if operation.needs_token and operation.name != "sign_out":
                body = Endless()
                answer = await ask(reading, operation, content=aiter(body), headers=JSON)
                refused(answer, 403, ErrorCode.scope_missing)
                assert body.taken == 0, operation


async def test_no_operation_reads_more_than_it_says(api: httpx2.AsyncClient) -> None:
    for operation in WITH_BODY:
        if operation.takes_bytes:
            continue  # what is no video is refused before that; test_videos.py tests the limit
        kind, head = (FORM, FILE) if operation.takes_file else (JSON, b"")
        body = Endless(b" " * 64 * KILOBYTE, head)
        answer = await ask(api, operation, content=aiter(body), headers=kind)
        refused(answer, 413, ErrorCode.too_large)
        assert body.taken <= most(operation) + len(body.piece), operation


async def test_a_long_text_may_have_as_many_commas_as_it_likes(api: httpx2.AsyncClient) -> None:
    text = '- Root, [the] {first}: "it" \\\\ \\" \\\n' + '-- Topic: a, [b], {c}: "d" \\\n' * 9_000
    tree = done(await api.post("/topics/", json={"name": "Root", "text": text}), 201)
    assert tree["topic_count"] == 9_001
    assert tree["topics"][0]["title"] == '[the] {first}: "it" \\\\ \\" \\'.join(("Root, ", ""))


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", "application/json"),
        (b"{", "application/json"),
        (b'{"name": NaN}', "application/json"),
        (b'{"name": "\\ud800"}', "application/json"),
        ('{"name": "x"}'.encode("utf-16"), "application/json"),
        (b'{"name": "x", "text": "- x"}', "text/plain"),
        (b"name=x&text=-+x", "application/x-www-form-urlencoded"),
    ],
)
async def test_what_is_no_json_is_bad_input(api: httpx2.AsyncClient, content: bytes, kind: str) -> None:
    answer = await api.post("/topics/", content=content, headers={"Content-Type": kind})
    assert refused(answer, 422, ErrorCode.invalid_input)["errors"]


def unbounded(schema: dict[str, Any], place: str, seen: frozenset[str] = frozenset()) -> Iterator[str]:
    """Places of a schema that take any amount."""
    name = schema.get("$ref", "")
    if name in seen:
        return
    schema, seen = resolved(schema), seen | {name} - {""}
    for kind in ("anyOf", "allOf", "oneOf"):
        for inner in schema.get(kind, ()):
            yield from unbounded(inner, place, seen)
    match schema.get("type"):
        case "string":
            # ids and days are as long as they are
            fixed = {"enum", "const", "format", "pattern"} & set(schema)
            if not fixed and "maxLength" not in schema and "contentMediaType" not in schema:
                yield place
        case "array":
            if "maxItems" not in schema:
                yield place
            yield from unbounded(schema["items"], f"{place}[]", seen)
        case "object":
            for field, inner in schema.get("properties", {}).items():
                yield from unbounded(inner, f"{place}.{field}", seen)
            if "properties" not in schema or schema.get("additionalProperties"):
                if "maxProperties" not in schema:
                    yield place
                yield from unbounded(schema.get("propertyNames", {"type": "string"}), f"{place} names", seen)
                yield from unbounded(schema["additionalProperties"], f"{place}{{}}", seen)


def test_everything_in_a_body_has_a_bound() -> None:
    bodies = [found for found in WITH_BODY if found.body_schema]
    places = [place for found in bodies for place in unbounded(found.body_schema or {}, found.name)]
    assert places == []


async def test_many_unknown_fields_are_one_problem(api: httpx2.AsyncClient) -> None:
    many = {f"field {at}": at for at in range(40_000)}
    calls = {
        "/templates/import/": {"format": "postloom-templates", "version": 1, "templates": [many]},
        "/topics/preview/": {"text": "- x", **many},
    }
    for path, body in calls.items():
        answer = await api.post(path, json=body)
        assert len(refused(answer, 422, ErrorCode.invalid_input)["errors"]) == 1
        assert len(answer.content) < 1_000
