"""The list of posts: filters, orders, counts and tags."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import httpx2
import pytest

from api.paging import cursor_at
from core.approvals.rules import ApprovalState, AtDeadline
from core.approvals.tables.approvals import Approval
from core.assistants.tables import Assistant
from core.clock import utcnow
from core.container import Services
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode
from core.ids import new_id
from core.media.rules.cards import CardNote
from core.media.tables import Media
from core.posts.rules.posts import CommentState, DeliveryState, PostSource, PostStatus, RemovalState
from core.posts.tables.posts import PostFile
from core.users.tables.users import User
from tests.api.conftest import done, wrong_fields
from tests.api.made_posts import Posts
from tests.conftest import Networks
from tests.factories import Factory
from tests.statements import record_statements

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


async def test_the_next_one_comes_first_and_the_past_after_what_is_to_come(
    api: httpx2.AsyncClient, posts: Posts
) -> None:
    now = utcnow()
    for days in (-3, 2, -1, 5, 1):
        await posts.add(f"{days:+}", planned_at=now + timedelta(days=days))
    await posts.add("never")
    expected = ["+1", "+2", "+5", "-1", "-3", "never"]
    assert await found(api, sort="planned_next") == expected
    seen, cursor = [], ""
    while cursor is not None:
        page = done(await api.get(PATH, params={"sort": "planned_next", "page_size": 2, "cursor": cursor}))
        seen += [item["content"] for item in page["items"]]
        cursor = page["next_cursor"]
    assert seen == expected


@pytest.mark.parametrize(
    "sort", ["planned_next", "planned_latest", "planned_earliest", "created_latest", "updated_earliest"]
)
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


async def test_a_list_says_of_a_post_what_its_own_address_says(
    api: httpx2.AsyncClient, posts: Posts, make: Factory, services: Services, user: User, networks: Networks
) -> None:
    """Each of its columns, and of what belongs to it: a list is read by other statements than a post."""
    assistant, noon = await make.assistant(user, accounts=(posts.account.id,)), NOON + timedelta(microseconds=5)
    other = await make.account(user, networks.url, "ada-lindqvist")
    asked = approval(decided_at=noon, remark='"No" \\ \u2028 Ü', at_once=True, rewrite_error=ErrorCode.slot_past)
    full = await posts.add(
        "Mudguards\n\thelp 🚲.",
        assistant_id=assistant.id,
        source=PostSource.assistant,
        status=PostStatus.published,
        first_comment="Which?",
        topic_title="Rain",
        language="de",
        written_by="demo",
        planned_at=noon,
        time_zone="Europe/Berlin",
        acknowledged_at=NOON,
        pinned=True,
        account_ids=[str(other.id)],
        variants=[{"channel": "linkedin", "account_id": None, "content": "Short."}],
        tags=["winter", "Sonne"],
        link={"url": "https://postloom.test/", "title": "A title", "description": ""},
        pending_deletion=True,
        version=3,
        approval=asked,
        delivery=DeliveryState.held,
        error=ErrorCode.account_disconnected,
        called_at=noon,
        settled_at=NOON,
    )
    bare = await posts.add("bare", announces_id=full)
    declined = await posts.add("declined", approval=approval(state=ApprovalState.declined))
    async with services.sessions.begin() as session:
        session.add(
            Delivery(
                user_id=user.id,
                post_id=full,
                account_id=other.id,
                channel=other.kind,
                state=DeliveryState.published,
                content="Another text.",
                content_hash="",
                attempts=2,
                provider_id="urn:1",
                permalink="https://network.test/1",
                error_detail="slow",
                held_until=NOON,
                decided_at=noon,
                removal=RemovalState.failed,
                removal_due_at=noon,
                removal_attempts=4,
                removal_error_code=ErrorCode.rate_limited,
                removal_error_detail="later",
                removed_at=NOON,
                comment=CommentState.failed,
                comment_due_at=noon,
                comment_attempts=5,
                comment_error_code=ErrorCode.rate_limited,
                comment_error_detail="much later",
            )
        )
        for position, name in ((2, "later"), (1, "first")):
            media = Media(user_id=user.id, sha256=name, storage_key=name, mime="image/png", width=3, height=4, bytes=5)
            media.id, media.card_notes = new_id(), [CardNote.text_cut] if name == "first" else []
            session.add(media)
            await session.flush()
            session.add(PostFile(user_id=user.id, post_id=full, media_id=media.id, position=position, alt=name))
    for query in ({}, {"search": ""}, {"source": "assistant"}):  # found by an index, and one by one
        items = {item["id"]: item for item in done(await api.get(PATH, params=query))["items"]}
        for id in (full, bare, declined):
            assert items[str(id)] == done(await api.get(f"{PATH}{id}/"))
    assert [file["alt"] for file in items[str(full)]["files"]] == ["first", "later"]
    assert (items[str(full)]["assistant_name"], items[str(bare)]["approval"]) == (assistant.name, None)


@pytest.mark.parametrize(
    ("query", "statements"),
    [({}, 6), ({"search": "mud"}, 6), ({"status": "failed"}, 2), ({"cursor": cursor_at(1)}, 6)],
)
async def test_a_page_takes_the_same_statements_however_many_posts_it_has(
    api: httpx2.AsyncClient, posts: Posts, query: dict[str, str], statements: int
) -> None:
    """The token's, the numbers of each status, the posts, their files, their deliveries and their approvals."""
    for _ in range(2):
        for _ in range(3):
            await posts.add(delivery=DeliveryState.published, approval=approval())
        await api.get(PATH)
        with record_statements() as found:
            done(await api.get(PATH, params=query))
        asked = [one for one in found if one.startswith(("SELECT", "WITH", "UPDATE", "INSERT"))]
        assert len(asked) == statements, asked
        assert not any("_encrypted" in one for one in asked)
