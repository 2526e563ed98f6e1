"""One word about many posts."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx2
import pytest
import time_machine

from core.clock import utcnow
from core.container import Services
from core.errors import ErrorCode
from core.ids import new_id
from core.posts.bulk_changes import RESTORABLE
from core.posts.rules.posts import DeliveryState, PostSource, PostStatus
from core.social_accounts.tables import Account
from core.users.tables.users import User
from temporal.gateway import Gateway
from temporal.posts import PostMessages
from tests.api.conftest import done, refused, wrong_fields
from tests.api.made_posts import Posts
from tests.api.owned import own_a_post
from tests.api.test_posts import asked_about
from tests.conftest import Networks, browsing
from tests.factories import Factory

PATH = "/social-media-posts/"


@pytest.fixture
async def posts(services: Services, make: Factory, user: User, networks: Networks) -> Posts:
    return Posts(services, user, await make.account(user, networks.url))


async def bulk(api: httpx2.AsyncClient, action: str, *picked: dict[str, Any] | UUID, **more: Any) -> list[str | None]:
    """What each is refused for; None where it is done."""
    shown = [{"id": str(one), "version": 1} if isinstance(one, UUID) else one for one in picked]
    answer = done(await api.post(f"{PATH}bulk/", json={"action": action, "posts": shown, **more}))
    codes = [one["refusal"]["code"] if one["refusal"] else None for one in answer["results"]]
    assert [one["id"] for one in answer["results"]] == [one["id"] for one in shown]
    assert (answer["done"], answer["refused"]) == (codes.count(None), len(codes) - codes.count(None))
    return codes


def as_shown(post: dict[str, Any]) -> dict[str, Any]:
    return {name: post[name] for name in ("id", "version", "content_hash")}


async def test_one_that_is_refused_holds_up_no_other(api: httpx2.AsyncClient, posts: Posts) -> None:
    first, armed, scheduled, asked, unclear, last = [
        await posts.add("draft"),
        await posts.add("armed", status=PostStatus.complete, delivery=DeliveryState.publishing),
        await posts.add("scheduled", status=PostStatus.complete, delivery=DeliveryState.pending),
        await posts.add("shown first", delivery=DeliveryState.pending),
        await posts.add(
            "unclear", status=PostStatus.complete, delivery=DeliveryState.unknown, called_at=datetime.now(UTC)
        ),
        await posts.add("out", status=PostStatus.published, delivery=DeliveryState.published),
    ]
    nobodys = new_id()
    assert await bulk(api, "delete", first, armed, scheduled, asked, unclear, nobodys, last) == [
        None,
        ErrorCode.post_going_out,
        ErrorCode.post_on_its_way,
        ErrorCode.post_on_its_way,
        ErrorCode.post_unclear,
        ErrorCode.not_found,
        None,
    ]
    left = {item["content"] for item in done(await api.get(PATH))["items"]}
    assert left == {"armed", "scheduled", "shown first", "unclear"}
    # once it is called off it can go
    assert await bulk(api, "cancel", scheduled) == [None]
    assert await bulk(api, "delete", scheduled) == [None]


async def test_what_is_deleted_comes_back_for_a_month(
    api: httpx2.AsyncClient, posts: Posts, services: Services
) -> None:
    post_id = await posts.add("Mudguards help.", tags=["winter"])
    assert await bulk(api, "delete", post_id) == [None]
    assert done(await api.get(PATH))["total"] == 0
    assert await bulk(api, "tag", post_id, add=["x"]) == [ErrorCode.not_found]
    assert await services.post_bulk.purge_deleted() == 0
    assert await bulk(api, "restore", post_id) == [None]
    assert await bulk(api, "restore", post_id) == [None]
    [back] = done(await api.get(PATH))["items"]
    assert (back["content"], back["tags"], back["version"]) == ("Mudguards help.", ["winter"], 3)
    assert (await posts.row(post_id)).told_version == 3  # its workflow has nothing to hear
    await bulk(api, "delete", post_id)
    with time_machine.travel(utcnow() + RESTORABLE + timedelta(minutes=1)):
        assert await services.post_bulk.purge_deleted() == 1
    assert await bulk(api, "restore", post_id) == [ErrorCode.not_found]


@pytest.mark.parametrize(
    ("planned", "days", "moved"),
    [
        # the clock goes forward on 28 March 2027, back on 31 October
        ("2027-03-26T09:00:00+01:00", 3, "2027-03-29T09:00:00+02:00"),
        ("2027-10-29T09:00:00+02:00", 3, "2027-11-01T09:00:00+01:00"),
        # half past two does not exist on that day: by the gap later
        ("2027-03-27T02:30:00+01:00", 1, "2027-03-28T03:30:00+02:00"),
        # and comes twice on that one: the first
        ("2027-10-30T02:30:00+02:00", 1, "2027-10-31T02:30:00+02:00"),
        ("2027-03-29T09:00:00+02:00", -3, "2027-03-26T09:00:00+01:00"),
    ],
)
async def test_moved_posts_keep_the_time_of_day_of_their_zone(
    api: httpx2.AsyncClient, posts: Posts, planned: str, days: int, moved: str
) -> None:
    plan: dict[str, Any] = {"planned_at": datetime.fromisoformat(planned).astimezone(UTC), "time_zone": "Europe/Berlin"}
    waits = await posts.add(status=PostStatus.complete, delivery=DeliveryState.pending, **plan)
    by_hand = await posts.add(source=PostSource.person, **plan)
    over = await posts.add(status=PostStatus.published, delivery=DeliveryState.published, **plan)
    assert await bulk(api, "move", waits, by_hand, over, days=days) == [None, None, ErrorCode.post_ended]
    for post_id in (waits, by_hand):
        row = await posts.row(post_id)
        assert row.planned_at == datetime.fromisoformat(moved)
        assert row.version == 2
    # shown before it was moved
    assert await bulk(api, "move", waits, by_hand, days=1) == [ErrorCode.stale_version] * 2


async def test_a_move_over_a_change_of_the_clock_is_taken_back_to_the_time_that_it_was(
    api: httpx2.AsyncClient, posts: Posts
) -> None:
    # half past two does not exist a day later
    before = datetime.fromisoformat("2027-03-27T02:30:00+01:00").astimezone(UTC)
    plan: dict[str, Any] = {"planned_at": before, "time_zone": "Europe/Berlin"}
    waits = await posts.add(status=PostStatus.complete, delivery=DeliveryState.pending, **plan)
    by_hand = await posts.add(source=PostSource.person, **plan)
    never = await posts.add(source=PostSource.person)
    assert await bulk(api, "move", waits, by_hand, days=1) == [None, None]
    shown = [
        {"id": str(one), "version": version, "planned_at": before.isoformat()}
        for one, version in ((waits, 2), (by_hand, 2), (never, 1))
    ]
    assert await bulk(api, "move", *shown, days=-1) == [None, None, ErrorCode.post_ended]
    assert [(await posts.row(one)).planned_at for one in (waits, by_hand)] == [before, before]
    # as any other move: neither over a newer version nor into the past
    assert await bulk(api, "move", shown[0], days=-1) == [ErrorCode.stale_version]
    past = {"id": str(by_hand), "version": 3, "planned_at": (utcnow() - timedelta(hours=1)).isoformat()}
    assert await bulk(api, "move", past, days=-1) == [ErrorCode.slot_past]


async def test_nothing_is_moved_into_the_past(api: httpx2.AsyncClient, posts: Posts) -> None:
    soon = utcnow() + timedelta(hours=1)
    waits = await posts.add(status=PostStatus.complete, delivery=DeliveryState.pending, planned_at=soon)
    by_hand = await posts.add(source=PostSource.person, planned_at=soon)
    never = await posts.add(source=PostSource.person)
    assert await bulk(api, "move", waits, by_hand, never, days=-1) == [
        ErrorCode.slot_past,
        ErrorCode.slot_past,
        ErrorCode.post_ended,
    ]


async def test_tags_are_added_and_taken_away_whatever_their_case(api: httpx2.AsyncClient, posts: Posts) -> None:
    first, second = await posts.add(tags=["Winter", "bikes"]), await posts.add()
    full = await posts.add(tags=[f"tag {at}" for at in range(20)])
    codes = await bulk(api, "tag", first, second, full, add=[" rain ", "BIKES"], remove=["winter"])
    assert codes == [None, None, ErrorCode.too_many_tags]
    assert (await posts.row(first)).tags == ["bikes", "rain"]
    assert (await posts.row(second)).tags == ["rain", "BIKES"]
    assert await bulk(api, "tag", full, remove=["tag 1"]) == [None]


async def test_approved_as_they_were_shown_or_declined_with_a_reason(
    services: Services, away: Gateway, make: Factory, networks: Networks
) -> None:
    mine = await own_a_post(services, make, networks)
    path = await asked_about(services, mine)
    async with browsing(services, away, mine.user) as owner:
        post = as_shown(done(await owner.get(path)))
        assert await bulk(owner, "approve", post | {"content_hash": "0" * 64}) == [ErrorCode.approval_outdated]
        assert await bulk(owner, "decline", post, remark="Too loud") == [None]
        declined = done(await owner.get(path))
        assert (declined["status"], declined["approval"]["remark"]) == ("draft", "Too loud")
        assert await bulk(owner, "approve", post) == [ErrorCode.approval_outdated]


async def test_their_workflows_are_told_and_what_they_have_heard_is_noted(
    api: httpx2.AsyncClient, posts: Posts, monkeypatch: pytest.MonkeyPatch
) -> None:
    soon = utcnow() + timedelta(days=1)
    ids = [
        await posts.add(status=PostStatus.complete, delivery=DeliveryState.pending, planned_at=soon) for _ in range(12)
    ]
    told: list[UUID] = []

    async def moved(_: PostMessages, changed: Any) -> bool:
        told.append(changed.post_id)
        return bool(changed.post_id != ids[3])

    monkeypatch.setattr(PostMessages, "send_move", moved)
    answer = done(
        await api.post(
            f"{PATH}bulk/",
            json={"action": "move", "days": 1, "posts": [{"id": str(one), "version": 1} for one in ids]},
        )
    )
    assert set(told) == set(ids)
    assert [one["confirmed"] for one in answer["results"]] == [one != ids[3] for one in ids]
    heard = [(await posts.row(one)).told_version for one in ids]
    assert heard == [1 if one == ids[3] else 2 for one in ids]


async def test_what_is_unclear_is_settled_for_one_account_and_taken_back(
    api: httpx2.AsyncClient, posts: Posts, user: User
) -> None:
    sent = utcnow() - timedelta(hours=3)
    first, second = [
        await posts.add(status=PostStatus.complete, delivery=DeliveryState.unknown, called_at=sent) for _ in range(2)
    ]
    out = await posts.add(status=PostStatus.published, delivery=DeliveryState.published)
    mine, other = str(posts.account.id), Account(id=new_id(), user_id=user.id, kind=posts.account.kind, name="Jonas")
    other.type, other.external_id, other.grant = posts.account.type, "jonas", posts.account.grant
    async with posts.services.sessions.begin() as session:
        session.add(other)

    async def states() -> list[tuple[str, str]]:
        found = [done(await api.get(f"{PATH}{post_id}/")) for post_id in (first, second)]
        return [(post["status"], post["deliveries"][0]["state"]) for post in found]

    assert await bulk(api, "there", first, second, account_ids=[str(other.id)]) == [ErrorCode.post_not_editable] * 2
    assert await bulk(api, "there", first, out, second, account_ids=[mine]) == [None, ErrorCode.post_not_editable, None]
    assert await states() == [("published", "published")] * 2
    assert done(await api.get(PATH, params={"state": "unknown"}))["total"] == 0
    assert await bulk(api, "take_back", first, out, second, account_ids=[mine]) == [
        None,
        ErrorCode.post_not_editable,
        None,
    ]
    assert await states() == [("complete", "unknown")] * 2
    assert await bulk(api, "not_there", first, account_ids=[mine]) == [None]
    assert await states() == [("failed", "failed"), ("complete", "unknown")]


async def test_what_is_unclear_is_sent_again_by_its_workflow(
    api: httpx2.AsyncClient, posts: Posts, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = utcnow() - timedelta(hours=3)
    unclear = await posts.add(status=PostStatus.complete, delivery=DeliveryState.unknown, called_at=sent)
    draft = await posts.add()
    told: list[Any] = []

    async def to_deliver(_: PostMessages, changed: Any) -> bool:
        told.append(changed)
        return True

    monkeypatch.setattr(PostMessages, "send_deliveries", to_deliver)
    assert await bulk(api, "send_again", unclear, draft) == [None, ErrorCode.post_not_editable]
    [changed] = told
    post = done(await api.get(f"{PATH}{unclear}/"))
    [delivery] = post["deliveries"]
    assert [str(one) for one, _ in changed.deliveries] == [delivery["id"]]
    assert (delivery["state"], delivery["called_at"], post["pinned"]) == ("pending", None, True)
    assert datetime.fromisoformat(post["planned_at"]) > sent + timedelta(hours=2), "now, or it would be too late"
    assert await bulk(api, "take_back", unclear) == [ErrorCode.post_not_editable], "it has left the house"


async def test_another_users_posts_are_not_there(
    api: httpx2.AsyncClient, services: Services, make: Factory, networks: Networks
) -> None:
    theirs = UUID((await own_a_post(services, make, networks)).ids["post_id"])
    for action in (
        "approve",
        "decline",
        "cancel",
        "delete",
        "restore",
        "there",
        "not_there",
        "send_again",
        "take_back",
    ):
        assert await bulk(api, action, theirs) == [ErrorCode.not_found]
    for action in ("there", "not_there", "send_again", "take_back"):
        assert await bulk(api, action, theirs) == [ErrorCode.not_found]
    assert await bulk(api, "move", theirs, days=1) == [ErrorCode.not_found]
    assert await bulk(api, "tag", theirs, add=["mine"]) == [ErrorCode.not_found]


async def test_what_is_wrong_for_all_is_told_once(api: httpx2.AsyncClient, posts: Posts) -> None:
    one = [{"id": str(await posts.add()), "version": 1}]
    for body, field in (
        ({"action": "move"}, "days"),
        ({"action": "tag"}, "add"),
        ({"action": "delete", "posts": []}, "posts"),
        ({"action": "delete", "posts": one * 201}, "posts"),
        ({"action": "burn"}, "action"),
    ):
        assert wrong_fields(await api.post(f"{PATH}bulk/", json={"posts": one, **body})) == {
            field: ErrorCode.invalid_input
        }
    answer = await api.post(f"{PATH}bulk/", json={"posts": one, "action": "tag", "add": ["x", "y" * 41]})
    [error] = refused(answer, 422, ErrorCode.invalid_input)["errors"]
    assert (error["field"], error["code"]) == ("add.1", ErrorCode.content_too_long)
