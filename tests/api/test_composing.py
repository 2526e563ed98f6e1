"""Posts that a person writes. Temporal is away here, so what is sent out is saved and takes effect later."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import select, update

from core.approvals.tables.approvals import Approval
from core.container import Services
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode
from core.ids import new_id
from core.media.tables import Media
from core.networks.rules.channels import ChannelKind
from core.posts.rules.posts import DeliveryState
from core.social_accounts.tables import Account
from temporal.gateway import Gateway
from tests.api.conftest import done, refused, wrong_fields
from tests.api.owned import Owned, own_a_post
from tests.api.test_posts import asked_about
from tests.conftest import Networks, browsing
from tests.factories import Factory

POSTS = "/social-media-posts/"
FAR = "2126-01-01T09:00:00Z"


@pytest.fixture
async def mine(services: Services, make: Factory, networks: Networks) -> Owned:
    return await own_a_post(services, make, networks)


@pytest.fixture
async def second(make: Factory, networks: Networks, mine: Owned) -> str:
    """Another account of the same user."""
    return str((await make.account(mine.user, networks.url, "jonas-weber")).id)


@pytest.fixture
async def owner(services: Services, away: Gateway, mine: Owned) -> Any:
    async with browsing(services, away, mine.user) as client:
        yield client


def written(mine: Owned, **more: Any) -> dict[str, Any]:
    return {
        "content": "Rain is no reason to drive.",
        "account_ids": [mine.ids["account_id"]],
        "time_zone": "Europe/Berlin",
        "language": "en",
    } | more


async def created(owner: httpx2.AsyncClient, mine: Owned, **more: Any) -> dict[str, Any]:
    post: dict[str, Any] = done(await owner.post(POSTS, json=written(mine, id=str(new_id()), **more)), 201)
    return post


def at(post: dict[str, Any]) -> str:
    return f"{POSTS}{post['id']}/"


@pytest.mark.parametrize("planned_at", ["9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00Z"])
async def test_a_year_that_has_no_place_is_told_at_its_field(
    owner: httpx2.AsyncClient, mine: Owned, planned_at: str
) -> None:
    body = written(mine, id=str(new_id()), planned_at=planned_at)
    assert wrong_fields(await owner.post(POSTS, json=body)) == {"planned_at": ErrorCode.invalid_input}
    period = {"from": planned_at, "to": planned_at}
    refused(await owner.get("/calendar/", params=period), 422, ErrorCode.invalid_input)


async def test_a_draft_with_everything(owner: httpx2.AsyncClient, mine: Owned, second: str) -> None:
    body = written(
        mine,
        id=str(new_id()),
        account_ids=[second, mine.ids["account_id"]],
        variants=[
            {"channel": "linkedin", "account_id": second, "content": "In my words:\n rain!"},
            {"channel": "linkedin", "account_id": mine.ids["account_id"], "content": "Rain is no reason to drive."},
        ],
        files=[{"media_id": mine.ids["media_id"], "alt": "A bike in the rain"}],
        tags=["rain", " Rain ", "spring"],
        planned_at=FAR,
    )
    post = done(await owner.post(POSTS, json=body), 201)
    assert (post["status"], post["source"], post["deliveries"]) == ("draft", "person", [])
    assert post["account_ids"] == [second, mine.ids["account_id"]]
    # what says the same as the post is no text of its own
    assert post["variants"] == [{"channel": "linkedin", "account_id": second, "content": "In my words:\n rain!"}]
    assert [(one["media_id"], one["alt"]) for one in post["files"]] == [(mine.ids["media_id"], "A bike in the rain")]
    assert (post["tags"], post["planned_at"], post["time_zone"]) == (["rain", "spring"], FAR, "Europe/Berlin")
    assert done(await owner.post(POSTS, json=body | {"content": "Sent once more"}), 201) == post
    assert done(await owner.get(POSTS))["total"] == 2


async def test_another_users_things_are_not_there(
    owner: httpx2.AsyncClient, services: Services, make: Factory, networks: Networks, mine: Owned
) -> None:
    other = await own_a_post(services, make, networks)
    for more in (
        {"account_ids": [other.ids["account_id"]]},
        {"files": [{"media_id": other.ids["media_id"]}]},
        {"id": other.ids["post_id"]},
    ):
        body = written(mine, id=str(new_id())) | more
        refused(await owner.post(POSTS, json=body), 404, ErrorCode.not_found)
    refused(await owner.put(f"{POSTS}{other.ids['post_id']}/", json=written(mine, version=1)), 404, ErrorCode.not_found)
    copied = f"{POSTS}{other.ids['post_id']}/duplicate/"
    refused(await owner.post(copied, json={"id": str(new_id())}), 404, ErrorCode.not_found)
    nowhere = refused(
        await owner.post(POSTS, json=written(mine, id=str(new_id()), time_zone="Mars/Olympus")),
        422,
        ErrorCode.invalid_input,
    )
    assert [one["field"] for one in nowhere["errors"]] == ["time_zone"]


async def test_what_is_sent_out_goes_to_each_account_in_its_own_words(
    owner: httpx2.AsyncClient, services: Services, mine: Owned, second: str
) -> None:
    own_words = [{"channel": "linkedin", "account_id": second, "content": "In my words"}]
    post = await created(owner, mine, account_ids=[mine.ids["account_id"], second], variants=own_words)
    out = done(await owner.post(f"{at(post)}publish/", json={"version": post["version"], "planned_at": FAR}))
    assert (out["confirmed"], out["post"]["status"], out["post"]["planned_at"]) == (False, "complete", FAR)
    assert {one["account_id"]: (one["state"], one["content"]) for one in out["post"]["deliveries"]} == {
        mine.ids["account_id"]: ("pending", None),
        second: ("pending", "In my words"),
    }
    async with services.sessions() as session:
        hashes = set(await session.scalars(select(Delivery.content_hash).where(Delivery.post_id == UUID(post["id"]))))
    assert hashes == {out["post"]["content_hash"]}


async def test_channels_are_shown_in_one_order_whatever_was_chosen_first(
    owner: httpx2.AsyncClient, make: Factory, networks: Networks, mine: Owned
) -> None:
    others = [
        str((await make.account(mine.user, networks.url, kind=kind)).id)
        for kind in (ChannelKind.mastodon, ChannelKind.facebook)
    ]
    chosen = [*others, mine.ids["account_id"]]
    for _ in range(3):  # ids of the same millisecond are in no order
        post = await created(owner, mine, account_ids=chosen)
        out = done(await owner.post(f"{at(post)}publish/", json={"version": post["version"], "planned_at": FAR}))
        for seen in (out["post"], done(await owner.get(at(post)))):
            assert [one["channel"] for one in seen["deliveries"]] == ["linkedin", "facebook", "mastodon"]
        (listed,) = [one for one in done(await owner.get(POSTS))["items"] if one["id"] == post["id"]]
        assert [one["channel"] for one in listed["deliveries"]] == ["linkedin", "facebook", "mastodon"]


@pytest.mark.parametrize(
    ("more", "field", "code"),
    [
        ({"account_ids": []}, "account_ids", ErrorCode.channel_not_selected),
        ({"content": " \n"}, "content", ErrorCode.content_empty),
        ({"content": "\u200b\u3164"}, "content", ErrorCode.content_empty),
        ({"content": "a" * 3001}, "content", ErrorCode.content_too_long),
        (
            {"variants": [{"channel": "linkedin", "content": "b" * 3001}]},
            "variants.0.content",
            ErrorCode.content_too_long,
        ),
    ],
)
async def test_what_breaks_a_rule_is_kept_but_not_sent(
    owner: httpx2.AsyncClient, mine: Owned, more: dict[str, Any], field: str, code: ErrorCode
) -> None:
    post = await created(owner, mine, **more)
    problem = refused(await owner.post(f"{at(post)}publish/", json={"version": post["version"]}), 422, code)
    assert [(one["field"], one["code"]) for one in problem["errors"]] == [(field, code)]
    assert done(await owner.get(at(post)))["status"] == "draft"


async def test_a_chosen_account_that_is_gone_is_named(
    owner: httpx2.AsyncClient, services: Services, mine: Owned, second: str
) -> None:
    post = await created(owner, mine, account_ids=[mine.ids["account_id"], second])
    async with services.sessions.begin() as session:
        await session.execute(
            update(Account).where(Account.id == UUID(second)).values(disconnected_at=datetime.now(UTC))
        )
    body = {"version": post["version"]}
    problem = refused(await owner.post(f"{at(post)}publish/", json=body), 422, ErrorCode.account_disconnected)
    assert [one["field"] for one in problem["errors"]] == ["account_ids.1"]
    kept = written(mine, version=post["version"], account_ids=[mine.ids["account_id"], second])
    assert len(done(await owner.put(at(post), json=kept))["post"]["account_ids"]) == 2  # nothing is lost over it


async def test_fit_says_what_sending_would(owner: httpx2.AsyncClient, mine: Owned, second: str) -> None:
    asked = {
        "content": "🚲" * 1501,
        "variants": [{"channel": "linkedin", "account_id": second, "content": "Short"}],
        "media_ids": [mine.ids["media_id"]] * 21,
        "alts": ["Rain"],
        "account_ids": [second, mine.ids["account_id"]],
    }
    first, other = done(await owner.post(f"{POSTS}fit/", json=asked))
    assert (first["account_id"], first["length"], first["limit"]) == (second, 5, 3000)
    assert [one["code"] for one in first["problems"]] == [ErrorCode.too_many_images]
    assert (other["account_id"], other["length"]) == (mine.ids["account_id"], 3002)
    assert [(one["field"], one["code"]) for one in other["problems"]] == [
        ("content", ErrorCode.content_too_long),
        ("files", ErrorCode.too_many_images),
    ]


async def test_two_tabs_edit_one_draft(owner: httpx2.AsyncClient, mine: Owned) -> None:
    post = await created(owner, mine)
    body = written(mine, version=post["version"], content="From the first tab")
    saved = done(await owner.put(at(post), json=body))
    assert (saved["confirmed"], saved["post"]["content"]) == (True, "From the first tab")
    late = refused(await owner.put(at(post), json=body | {"content": "From the second"}), 409, ErrorCode.stale_version)
    assert late["params"]["current"] == saved["post"]["version"]
    assert done(await owner.get(at(post)))["content"] == "From the first tab"


async def test_what_is_on_its_way_is_edited_until_it_is_armed(
    owner: httpx2.AsyncClient, services: Services, mine: Owned, second: str
) -> None:
    post = await created(owner, mine)
    post = done(await owner.post(f"{at(post)}publish/", json={"version": 1, "planned_at": FAR}))["post"]
    bound = post["content_hash"]
    elsewhere = written(mine, version=post["version"], content="New", account_ids=[second], planned_at=FAR)
    post = done(await owner.put(at(post), json=elsewhere))["post"]
    assert (post["status"], post["content"]) == ("complete", "New")
    assert post["content_hash"] != bound
    assert {one["account_id"]: one["state"] for one in post["deliveries"]} == {
        mine.ids["account_id"]: "cancelled",
        second: "pending",
    }
    body = elsewhere | {"version": post["version"]}
    long = refused(await owner.put(at(post), json=body | {"content": "a" * 3001}), 422, ErrorCode.content_too_long)
    assert [one["field"] for one in long["errors"]] == ["content"]
    for planned_at in (None, "2026-01-01T09:00:00Z"):
        past = refused(await owner.put(at(post), json=body | {"planned_at": planned_at}), 422, ErrorCode.invalid_input)
        assert [(one["field"], one["code"]) for one in past["errors"]] == [("planned_at", ErrorCode.slot_past)]
    refused(await owner.put(at(post), json=body | {"account_ids": []}), 422, ErrorCode.invalid_input)
    async with services.sessions.begin() as session:
        pending = update(Delivery).where(Delivery.account_id == UUID(second))
        await session.execute(pending.values(state=DeliveryState.publishing))
    refused(await owner.put(at(post), json=body), 409, ErrorCode.post_going_out)
    async with services.sessions.begin() as session:
        await session.execute(pending.values(state=DeliveryState.published, called_at=datetime.now(UTC)))
    refused(await owner.put(at(post), json=body), 409, ErrorCode.post_not_editable)


@pytest.mark.parametrize("approved", [False, True])
async def test_what_is_asked_about_is_edited_and_approved(
    owner: httpx2.AsyncClient, services: Services, mine: Owned, approved: bool
) -> None:
    path = await asked_about(services, mine)
    shown = done(await owner.get(path))
    body = written(mine, version=shown["version"], planned_at=shown["planned_at"], approved=approved)
    post = done(await owner.put(path, json=body))["post"]
    assert post["content"] == body["content"]
    assert post["approval"]["state"] == ("approved" if approved else "waiting")
    assert post["approval"]["deadline_at"] == shown["approval"]["deadline_at"]
    assert post["status"] == ("complete" if approved else "draft")
    before = {"approved": True, "content_hash": shown["content_hash"]}
    refused(await owner.post(f"{path}decision/", json=before), 409, ErrorCode.approval_outdated)
    if not approved:  # back to the text that was asked about at first
        body |= {"version": post["version"], "content": shown["content"]}
        body["files"] = [{"media_id": file["media_id"], "alt": file["alt"]} for file in shown["files"]]
        again = done(await owner.put(path, json=body))["post"]
        assert (again["content_hash"], again["approval"]["state"]) == (shown["content_hash"], "waiting")
        done(await owner.post(f"{path}decision/", json=before))
        async with services.sessions() as session:
            states = await session.scalars(select(Approval.state).where(Approval.post_id == UUID(post["id"])))
        assert sorted(states) == ["approved", "withdrawn"]


async def test_after_the_deadline_an_edit_approves_nothing(
    owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    path = await asked_about(services, mine)
    shown = done(await owner.get(path))
    async with services.sessions.begin() as session:
        await session.execute(update(Approval).values(deadline_at=datetime.now(UTC) - timedelta(seconds=1)))
    body = written(mine, version=shown["version"], planned_at=shown["planned_at"], approved=True)
    refused(await owner.put(path, json=body), 409, ErrorCode.approval_expired)
    assert done(await owner.get(path))["content"] == shown["content"]


async def test_a_held_draft_that_was_edited_can_be_sent_out(
    owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    path = await asked_about(services, mine)
    shown = done(await owner.get(path))
    done(await owner.post(f"{path}decision/", json={"approved": False, "content_hash": shown["content_hash"]}))
    declined = done(await owner.get(path))
    post = done(await owner.put(path, json=written(mine, version=declined["version"])))["post"]
    assert (post["status"], post["approval"]) == ("draft", None)
    out = done(await owner.post(f"{path}publish/", json={"version": post["version"], "planned_at": FAR}))["post"]
    assert (out["status"], out["approval"]["state"]) == ("complete", "approved")
    assert [one["state"] for one in out["deliveries"]] == ["pending"]


async def test_a_draft_is_planned_by_moving_it(owner: httpx2.AsyncClient, mine: Owned) -> None:
    post = await created(owner, mine)
    moved = done(await owner.post(f"{at(post)}move/", json={"version": 1, "planned_at": FAR}))
    assert moved["confirmed"]  # no workflow follows a draft
    assert (moved["post"]["status"], moved["post"]["planned_at"]) == ("draft", FAR)


async def test_a_copy_is_a_draft_of_its_own(owner: httpx2.AsyncClient, mine: Owned) -> None:
    original = done(await owner.get(f"{POSTS}{mine.ids['post_id']}/"))
    copy_id = str(new_id())
    for _ in range(2):
        copy = done(await owner.post(f"{at(original)}duplicate/", json={"id": copy_id}), 201)
    assert (copy["id"], copy["status"], copy["source"], copy["planned_at"]) == (copy_id, "draft", "person", None)
    assert (copy["content"], copy["account_ids"]) == (original["content"], original["account_ids"])
    assert [file["media_id"] for file in copy["files"]] == [file["media_id"] for file in original["files"]]
    assert done(await owner.get(POSTS))["total"] == 2


@pytest.mark.parametrize(
    ("first", "other", "is_for_both"),
    [
        (DeliveryState.published, DeliveryState.failed, False),
        (DeliveryState.unknown, DeliveryState.failed, False),
        (DeliveryState.published, DeliveryState.published, True),
        (DeliveryState.failed, DeliveryState.failed, True),
    ],
)
async def test_a_copy_of_what_is_partly_online_is_for_the_accounts_that_failed(
    owner: httpx2.AsyncClient,
    services: Services,
    mine: Owned,
    second: str,
    first: DeliveryState,
    other: DeliveryState,
    is_for_both: bool,
) -> None:
    both = [mine.ids["account_id"], second]
    post = await created(owner, mine, account_ids=both)
    done(await owner.post(f"{at(post)}publish/", json={"version": 1, "planned_at": FAR}))
    async with services.sessions.begin() as session:
        for account_id, state in zip(both, (first, other), strict=True):
            rows = update(Delivery).where(Delivery.post_id == UUID(post["id"]), Delivery.account_id == UUID(account_id))
            await session.execute(rows.values(state=state, called_at=datetime.now(UTC)))
    copy = done(await owner.post(f"{at(post)}duplicate/", json={"id": str(new_id())}), 201)
    assert copy["account_ids"] == (both if is_for_both else [second])


async def test_a_picture_that_goes_out_is_not_deleted(
    owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    post = await created(owner, mine, files=[{"media_id": mine.ids["media_id"]}])
    done(await owner.post(f"{at(post)}publish/", json={"version": 1, "planned_at": FAR}))
    refused(await owner.delete(f"/media/{mine.ids['media_id']}/"), 409, ErrorCode.in_use)
    async with services.sessions.begin() as session:
        await session.execute(
            update(Media).where(Media.id == UUID(mine.ids["media_id"])).values(deleted_at=datetime.now(UTC))
        )
    body = written(mine, id=str(new_id()), files=[{"media_id": mine.ids["media_id"]}])
    gone = refused(await owner.post(POSTS, json=body), 422, ErrorCode.invalid_input)
    assert [one["field"] for one in gone["errors"]] == ["files.0"]
