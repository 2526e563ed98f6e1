"""The list of posts: filters, orders, counts and tags."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import httpx2
import pytest

from core.clock import utcnow
from core.container import Services
from core.domain.approvals import ApprovalState, AtDeadline
from core.domain.errors import ErrorCode
from core.domain.posts import DeliveryState, PostSource, PostStatus
from core.models import Approval, Assistant, User
from tests.api.conftest import done, wrong_fields
from tests.api.made_posts import Posts
from tests.conftest import Networks
from tests.factories import Factory

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
PATH = "/social-media-posts/"


@pytest.fixture
async def posts(services: Services, make: Factory, user: User, networks: Networks) -> Posts:
    return Posts(services, user, await make.account(user, networks.url))


async def found(api: httpx2.AsyncClient, **query: Any) -> list[str]:
    page = done(await api.get(PATH, params=query))
    assert page["total"] == len(page["items"])
    return [item["content"] for item in page["items"]]


async def test_any_of_several_statuses_with_the_number_of_each(api: httpx2.AsyncClient, posts: Posts) -> None:
    for status in PostStatus:
        await posts.add(status, status=status)
    await posts.add("of another topic", topic_title="rain", status=PostStatus.failed)
    assert sorted(await found(api, status=["draft", "failed"])) == ["draft", "failed", "of another topic"]
    page = done(await api.get(PATH, params={"status": "published", "search": "RAIN"}))
    # what each chip would show, were it pressed
    assert (page["total"], page["statuses"]) == (0, {"draft": 0, "complete": 0, "published": 0, "failed": 1})


def approval(**values: Any) -> Approval:
    return Approval(**{"at_deadline": AtDeadline.hold, "deadline_at": NOON, **values})


@pytest.mark.parametrize(
    ("state", "values"),
    [
        ("waiting", lambda: {"approval": approval()}),
        ("waiting", lambda: {"approval": approval(state=ApprovalState.expired)}),
        ("publishing", lambda: {"delivery": DeliveryState.publishing, "called_at": NOON}),
        ("retrying", lambda: {"delivery": DeliveryState.retrying}),
        ("unknown", lambda: {"delivery": DeliveryState.unknown, "called_at": NOON}),
        ("missed", lambda: {"delivery": DeliveryState.cancelled, "error": ErrorCode.missed_outage}),
        ("missed", lambda: {"delivery": DeliveryState.cancelled, "error": ErrorCode.missed_overtaken}),
    ],
)
async def test_what_a_status_alone_does_not_say(
    api: httpx2.AsyncClient, posts: Posts, state: str, values: Callable[[], dict[str, Any]]
) -> None:
    await posts.add("that one", **values())
    await posts.add("put aside", acknowledged_at=NOON, approval=approval(state=ApprovalState.expired))
    await posts.add("approved", status=PostStatus.complete, approval=approval(state=ApprovalState.approved))
    await posts.add("waits in a worker", status=PostStatus.complete, delivery=DeliveryState.publishing)
    await posts.add("out", status=PostStatus.published, delivery=DeliveryState.published, called_at=NOON)
    await posts.add("called off", delivery=DeliveryState.cancelled)
    for fact in ("waiting", "publishing", "retrying", "unknown", "missed"):
        assert await found(api, state=fact) == (["that one"] if fact == state else [])
    assert await found(api, state=["missed", "unknown", "waiting", "retrying", "publishing"]) == ["that one"]


async def test_by_where_they_go_who_made_them_and_when(
    api: httpx2.AsyncClient, posts: Posts, make: Factory, user: User, networks: Networks
) -> None:
    other = await make.account(user, networks.url, person="ada-lindqvist")
    assistant: Assistant = await make.assistant(user)
    await posts.add("to Mara", delivery=DeliveryState.pending, planned_at=NOON, assistant_id=assistant.id)
    await posts.add(
        "to Ada",
        delivery=DeliveryState.pending,
        account=other,
        planned_at=NOON + timedelta(days=1),
        source=PostSource.person,
        tags=["Winter", "100% rain"],
    )
    await posts.add("to nobody")
    assert await found(api, account_id=str(other.id)) == ["to Ada"]
    assert sorted(await found(api, channel="linkedin")) == ["to Ada", "to Mara"]
    assert await found(api, assistant_id=str(assistant.id)) == ["to Mara"]
    assert await found(api, source="person") == ["to Ada"]
    assert await found(api, tag="winter") == ["to Ada"]
    assert await found(api, search="100% R") == ["to Ada"]
    # the days of somebody in Auckland, one hour after the other
    day = {"planned_from": "2026-12-02T00:00:00+13:00", "planned_before": "2026-12-03T00:00:00+13:00"}
    assert await found(api, **day) == ["to Mara"]
    assert await found(api, planned_from="2026-12-01T12:00:00Z") == ["to Ada", "to Mara"]
    assert await found(api, planned_before="2026-12-01T12:00:00Z") == []
    assert await found(api, tag="winter", account_id=str(posts.account.id)) == []
    assert done(await api.get(f"{PATH}tags/")) == [{"tag": "100% rain", "count": 1}, {"tag": "Winter", "count": 1}]


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("planned_latest", ["late", "early", "never"]),
        ("planned_earliest", ["early", "late", "never"]),
        ("created_latest", ["never", "late", "early"]),
        ("created_earliest", ["early", "late", "never"]),
        ("updated_latest", ["early", "never", "late"]),
        ("updated_earliest", ["late", "never", "early"]),
    ],
)
async def test_in_every_order(api: httpx2.AsyncClient, posts: Posts, sort: str, expected: list[str]) -> None:
    hour = timedelta(hours=1)
    await posts.add("early", planned_at=NOON, created_at=NOON, updated_at=NOON + 3 * hour)
    await posts.add("late", planned_at=NOON + hour, created_at=NOON + hour, updated_at=NOON + hour)
    await posts.add("never", created_at=NOON + 2 * hour, updated_at=NOON + 2 * hour)
    assert await found(api, sort=sort) == expected


@pytest.mark.parametrize("sort", ["planned_latest", "planned_earliest", "created_latest", "updated_earliest"])
async def test_posts_of_one_moment_come_once_each_over_all_pages(
    api: httpx2.AsyncClient, posts: Posts, sort: str
) -> None:
    for at in range(7):
        await posts.add(str(at), planned_at=NOON, created_at=NOON, updated_at=NOON)
    seen, cursor = [], ""
    while cursor is not None:
        page = done(await api.get(PATH, params={"sort": sort, "page_size": 3, "cursor": cursor}))
        seen += [item["content"] for item in page["items"]]
        cursor = page["next_cursor"]
    assert sorted(seen) == list("0123456")


async def test_what_is_deleted_is_nowhere(api: httpx2.AsyncClient, posts: Posts) -> None:
    gone = await posts.add(
        "Gone for good", tags=["gone"], deleted_at=utcnow(), status=PostStatus.failed, planned_at=utcnow()
    )
    page = done(await api.get(PATH))
    assert (page["items"], page["total"], page["statuses"]["failed"]) == ([], 0, 0)
    assert done(await api.get(f"{PATH}tags/")) == []
    assert done(await api.get("/search/", params={"q": "gone"}))["items"] == []
    assert done(await api.get("/users/waiting/"))["posts"] == 0
    for call in (
        api.get(f"{PATH}{gone}/"),
        api.post(f"{PATH}{gone}/acknowledge/", json={}),
        api.post(f"{PATH}{gone}/retry/", json={}),
        api.post(f"{PATH}{gone}/publish/", json={"version": 1}),
        api.post(f"{PATH}{gone}/cancel/", json={"version": 1}),
    ):
        assert (await call).status_code == 404


async def test_own_data_has_what_is_deleted_too(api: httpx2.AsyncClient, posts: Posts) -> None:
    await posts.add("Gone but kept", tags=["gone"], deleted_at=NOON)
    answer = await api.post("/users/me/export/")
    with ZipFile(BytesIO(answer.content)) as archive:
        [row] = json.loads(archive.read("posts.json"))
    assert (row["content"], row["tags"], row["deleted_at"]) == ("Gone but kept", ["gone"], NOON.isoformat())


async def test_what_is_wrong_in_a_filter_is_named(api: httpx2.AsyncClient) -> None:
    wrong = {"status": "lost", "sort": "random", "planned_from": "2026-12-01T12:00", "tag": "\0", "state": "odd"}
    for name, value in wrong.items():
        fields = wrong_fields(await api.get(PATH, params={name: value}))
        assert [field.partition(".")[0] for field in fields] == [name]
