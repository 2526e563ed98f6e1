from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import httpx2
import pytest
import time_machine
from sqlalchemy import select, update

from core.approvals.tables.approvals import Approval
from core.assistants.rules.assistants import Mode, RunState
from core.container import Services
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode
from core.ids import new_id
from core.notifications.notifying import About, NotifyingService
from core.notifications.rules import MailKind, NotificationKind
from core.notifications.tables.mails import Mail
from core.posts.rules.posts import DeliveryState, PostStatus
from core.posts.tables.posts import Post
from core.runs.repositories.runs import RunRepository
from core.runs.tables import Run
from core.social_accounts.tables import Account
from temporal.gateway import Gateway
from tests.api.conftest import done, refused
from tests.api.owned import Owned, own_a_post
from tests.conftest import Networks, browsing
from tests.factories import Factory


@pytest.fixture
async def mine(services: Services, make: Factory, networks: Networks) -> Owned:
    return await own_a_post(services, make, networks)


@pytest.fixture
async def owner(services: Services, away: Gateway, mine: Owned) -> Any:
    async with browsing(services, away, mine.user) as client:
        yield client


async def unknown(services: Services, mine: Owned) -> str:
    """As after a lost answer: the network cannot tell whether the post is there."""
    async with services.sessions.begin() as session:
        change = update(Delivery).where(Delivery.id == UUID(mine.ids["delivery_id"]))
        await session.execute(change.values(state=DeliveryState.unknown, error_code=ErrorCode.delivery_unknown))
    return f"/social-media-posts/{mine.ids['post_id']}/deliveries/{mine.ids['delivery_id']}/decision/"


async def test_a_post_with_its_picture_and_deliveries(owner: httpx2.AsyncClient, mine: Owned) -> None:
    post = done(await owner.get(f"/social-media-posts/{mine.ids['post_id']}/"))
    assert (post["status"], post["source"], post["is_demo"]) == ("complete", "assistant", True)
    assert [one["state"] for one in post["deliveries"]] == ["pending"]
    assert post["files"][0]["alt"]
    [listed] = done(await owner.get("/social-media-posts/", params={"status": "complete"}))["items"]
    assert listed == post
    assert done(await owner.get("/social-media-posts/", params={"status": "failed"}))["items"] == []
    by = {"assistant_id": mine.ids["assistant_id"], "search": post["content"][3:40]}
    assert done(await owner.get("/social-media-posts/", params=by))["total"] == 1


@pytest.mark.parametrize(("answer", "status"), [("there", "published"), ("not_there", "failed")])
async def test_a_person_settles_what_the_network_cannot_tell(
    owner: httpx2.AsyncClient, services: Services, mine: Owned, answer: str, status: str
) -> None:
    path = await unknown(services, mine)
    post = done(await owner.post(path, json={"answer": answer}))
    assert (post["status"], post["deliveries"][0]["state"]) == (status, status)
    refused(await owner.post(path, json={"answer": "there"}), 409, ErrorCode.post_not_editable)
    runs = done(await owner.get(f"/assistants/{mine.ids['assistant_id']}/runs/"))["items"]
    assert [run["state"] for run in runs] == [status]


async def waiting(owner: httpx2.AsyncClient) -> tuple[int, list[str]]:
    """How many posts wait for a person, and which."""
    listed = done(await owner.get("/social-media-posts/", params={"waiting": "true"}))
    count = done(await owner.get("/users/waiting/"))
    assert listed["total"] == count["posts"]
    return count["posts"], [post["id"] for post in listed["items"]]


@pytest.mark.parametrize("answer", ["there", "not_there"])
async def test_an_answered_question_waits_for_nobody_and_says_that_a_person_answered(
    owner: httpx2.AsyncClient, services: Services, mine: Owned, answer: str
) -> None:
    assert await waiting(owner) == (0, [])
    path = await unknown(services, mine)
    sent = datetime(2026, 11, 20, 9, 0, 4, tzinfo=UTC)
    async with services.sessions.begin() as session:
        await session.execute(
            update(Delivery).where(Delivery.id == UUID(mine.ids["delivery_id"])).values(called_at=sent)
        )
    assert await waiting(owner) == (1, [mine.ids["post_id"]])
    [delivery] = done(await owner.post(path, json={"answer": answer}))["deliveries"]
    assert await waiting(owner) == (0, [])
    decided = datetime.fromisoformat(delivery["decided_at"])
    assert decided > sent
    # it went out when it was sent, not when somebody looked
    assert datetime.fromisoformat(delivery["settled_at"]) == (sent if answer == "there" else decided)


async def test_a_failed_post_waits_until_somebody_has_seen_it(
    owner: httpx2.AsyncClient, api: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    path = f"/social-media-posts/{mine.ids['post_id']}/acknowledge/"
    refused(await owner.post(path), 409, ErrorCode.post_not_editable)
    async with services.sessions.begin() as session:
        await session.execute(update(Post).where(Post.id == UUID(mine.ids["post_id"])).values(status=PostStatus.failed))
    assert await waiting(owner) == (1, [mine.ids["post_id"]])
    refused(await api.post(path), 404, ErrorCode.not_found)
    first = done(await owner.post(path))
    assert first["status"] == "failed"
    assert await waiting(owner) == (0, [])
    assert done(await owner.post(path))["acknowledged_at"] == first["acknowledged_at"] is not None


async def test_an_unclear_post_stays_on_the_live_page_of_later_runs(
    owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    path = await unknown(services, mine)
    live = f"/assistants/{mine.ids['assistant_id']}/live/"
    assert done(await owner.get(live))["earlier_unclear"] == []  # its own run is what is shown
    user, assistant, later = mine.user.id, UUID(mine.ids["assistant_id"]), new_id()
    async with services.sessions.begin() as session:
        await RunRepository(session).set_state(user, UUID(mine.ids["run_id"]), RunState.unknown)
    await services.drafting.begin(user, assistant, later, f"run-{later}", datetime.now(UTC) + timedelta(days=1))
    assert done(await owner.get(live))["earlier_unclear"] == [mine.ids["post_id"]]
    done(await owner.post(path, json={"answer": "there"}))
    assert done(await owner.get(live))["earlier_unclear"] == []


async def test_only_an_unknown_delivery_is_decided(owner: httpx2.AsyncClient, mine: Owned) -> None:
    path = f"/social-media-posts/{mine.ids['post_id']}/deliveries/{mine.ids['delivery_id']}/decision/"
    refused(await owner.post(path, json={"answer": "there"}), 409, ErrorCode.post_not_editable)
    refused(await owner.post(path, json={"answer": "perhaps"}), 422, ErrorCode.invalid_input)


async def test_a_delivery_is_decided_at_its_own_post_only(
    owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    """An answer of 404 has changed nothing."""
    path = await unknown(services, mine)
    wrong = path.replace(mine.ids["post_id"], mine.ids["run_id"])
    refused(await owner.post(wrong, json={"answer": "there"}), 404, ErrorCode.not_found)
    post = done(await owner.get(f"/social-media-posts/{mine.ids['post_id']}/"))
    assert post["deliveries"][0]["state"] == "unknown"


# pictures by their signed address


@pytest.fixture
async def address(owner: httpx2.AsyncClient, mine: Owned) -> str:
    files = done(await owner.get(f"/social-media-posts/{mine.ids['post_id']}/"))["files"]
    return f"http://postloom.test{files[0]['url']}"


async def test_a_signed_address_needs_no_token(anonymous: httpx2.AsyncClient, address: str) -> None:
    answer = await anonymous.get(address)
    assert answer.status_code == 200
    assert answer.headers["content-type"] in ("image/png", "image/jpeg")
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "private" in answer.headers["cache-control"]


async def test_a_signed_address_expires(anonymous: httpx2.AsyncClient, address: str) -> None:
    expires = int(parse_qs(urlsplit(address).query)["expires"][0])
    end = datetime.fromtimestamp(expires, UTC)
    assert timedelta(days=1) <= end - datetime.now(UTC) <= timedelta(days=2)
    with time_machine.travel(end + timedelta(seconds=1)):
        refused(await anonymous.get(address), 404, ErrorCode.not_found)
        longer = address.replace(f"expires={expires}", f"expires={expires + 86_400}")
        refused(await anonymous.get(longer), 404, ErrorCode.not_found)


@pytest.mark.parametrize("signature", ["", "0" * 64, "%C3%A4", "%F0%9F%99%82", "%FF", "%00"])
async def test_a_wrong_signature_shows_nothing(anonymous: httpx2.AsyncClient, address: str, signature: str) -> None:
    base = address.partition("&signature=")[0]
    refused(await anonymous.get(f"{base}&signature={signature}"), 404, ErrorCode.not_found)


async def test_a_signature_is_for_one_picture(
    anonymous: httpx2.AsyncClient, services: Services, make: Factory, networks: Networks, address: str, mine: Owned
) -> None:
    other = await own_a_post(services, make, networks)
    stolen = address.replace(mine.ids["media_id"], other.ids["media_id"])
    assert stolen != address
    refused(await anonymous.get(stolen), 404, ErrorCode.not_found)


# what a person changes about a post; Temporal is away here, so it is saved and takes effect later


async def asked_about(services: Services, mine: Owned, *, minutes: float = 60) -> str:
    """The post of an assistant that asks first, with its question. Returns its path."""
    post_id, run_id = UUID(mine.ids["post_id"]), UUID(mine.ids["run_id"])
    planned = datetime.now(UTC) + timedelta(minutes=minutes)
    async with services.sessions.begin() as session:
        row = await session.get_one(Run, run_id)
        assert row.setup is not None
        row.setup = replace(row.setup, mode=Mode.approval)
        post = await session.get_one(Post, post_id)
        post.planned_at, post.status = planned, PostStatus.draft
    await services.approvals.check(mine.user.id, post_id, timedelta(seconds=30))
    return f"/social-media-posts/{post_id}/"


async def test_a_post_is_approved_as_it_was_shown(
    owner: httpx2.AsyncClient, api: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    path = await asked_about(services, mine)
    post = done(await owner.get(path))
    assert (post["status"], post["approval"]["state"]) == ("draft", "waiting")
    assert await waiting(owner) == (1, [mine.ids["post_id"]])
    answer = {"approved": True, "content_hash": post["content_hash"]}
    refused(await api.post(f"{path}decision/", json=answer), 404, ErrorCode.not_found)
    other = answer | {"content_hash": "0" * 64}
    refused(await owner.post(f"{path}decision/", json=other), 409, ErrorCode.approval_outdated)
    changed = done(await owner.post(f"{path}decision/", json=answer))
    assert not changed["confirmed"]
    assert (changed["post"]["status"], changed["post"]["approval"]["state"]) == ("complete", "approved")
    assert await waiting(owner) == (0, [])
    refused(await owner.post(f"{path}decision/", json=answer), 409, ErrorCode.approval_outdated)


async def test_after_the_deadline_nobody_decides(owner: httpx2.AsyncClient, services: Services, mine: Owned) -> None:
    path = await asked_about(services, mine, minutes=0.5)
    post = done(await owner.get(path))
    assert (post["approval"]["state"], post["approval"]["by_deadline"]) == ("expired", True)
    assert await waiting(owner) == (1, [mine.ids["post_id"]])  # what becomes of it is still to be said
    answer = {"approved": True, "content_hash": post["content_hash"]}
    refused(await owner.post(f"{path}decision/", json=answer), 409, ErrorCode.approval_expired)
    assert done(await owner.post(f"{path}acknowledge/"))["status"] == "draft"
    assert await waiting(owner) == (0, [])


async def test_a_post_is_declined_with_its_reason(owner: httpx2.AsyncClient, services: Services, mine: Owned) -> None:
    path = await asked_about(services, mine)
    post = done(await owner.get(path))
    answer = {"approved": False, "content_hash": post["content_hash"], "remark": "Too loud"}
    changed = done(await owner.post(f"{path}decision/", json=answer))["post"]
    assert (changed["status"], changed["approval"]["remark"]) == ("draft", "Too loud")
    assert [one["state"] for one in changed["deliveries"]] == ["cancelled"]
    [run] = done(await owner.get(f"/assistants/{mine.ids['assistant_id']}/runs/"))["items"]
    assert (run["state"], run["reason"]) == ("skipped", ErrorCode.approval_declined)


async def test_a_reminder_is_written_once(owner: httpx2.AsyncClient, services: Services, mine: Owned) -> None:
    await asked_about(services, mine, minutes=180)
    post_id = UUID(mine.ids["post_id"])
    async with services.sessions.begin() as session:
        await session.execute(update(Approval).values(remind_at=datetime.now(UTC) - timedelta(minutes=1)))
    for _ in range(2):
        await services.approvals.check(mine.user.id, post_id, timedelta(seconds=30))
    async with services.sessions() as session:
        kinds = await session.scalars(select(Mail.kind).where(Mail.user_id == mine.user.id).order_by(Mail.created_at))
        assert list(kinds)[-2:] == [MailKind.approval_needed, MailKind.approval_reminder]


async def test_a_post_is_moved_called_off_and_published_after_all(
    owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    path = f"/social-media-posts/{mine.ids['post_id']}/"
    version = done(await owner.get(path))["version"]
    past = {"version": version, "planned_at": "2026-01-01T09:00:00Z"}
    problem = refused(await owner.post(f"{path}move/", json=past), 422, ErrorCode.invalid_input)
    assert problem["errors"][0] == {"field": "planned_at", "code": ErrorCode.slot_past, "params": {}}
    later = {"version": version, "planned_at": "2126-01-01T09:00:00Z"}
    moved = done(await owner.post(f"{path}move/", json=later))["post"]
    assert (moved["planned_at"], moved["pinned"], moved["version"]) == ("2126-01-01T09:00:00Z", True, version + 1)
    refused(await owner.post(f"{path}move/", json=later), 409, ErrorCode.stale_version)
    hurried = {"version": moved["version"], "planned_at": None}
    moved = done(await owner.post(f"{path}move/", json=hurried))["post"]
    assert abs(datetime.fromisoformat(moved["planned_at"]) - datetime.now(UTC)) < timedelta(minutes=1)
    off = done(await owner.post(f"{path}cancel/", json={"version": moved["version"]}))["post"]
    assert (off["status"], [one["state"] for one in off["deliveries"]]) == ("draft", ["cancelled"])
    again = {"version": off["version"]}
    refused(await owner.post(f"{path}cancel/", json=again), 409, ErrorCode.post_ended)
    out = done(await owner.post(f"{path}publish/", json=again))["post"]
    assert (out["status"], [one["state"] for one in out["deliveries"]]) == ("complete", ["pending"])
    refused(await owner.post(f"{path}publish/", json={"version": out["version"]}), 409, ErrorCode.post_not_editable)


async def test_what_failed_waits_for_nobody_once_it_goes_out_anew(
    owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    post_id = mine.ids["post_id"]
    path = f"/social-media-posts/{post_id}/"
    off = done(await owner.post(f"{path}cancel/", json={"version": done(await owner.get(path))["version"]}))["post"]
    async with services.sessions.begin() as session:
        about = About(post_id=UUID(post_id))
        await NotifyingService(session).notify(mine.user.id, NotificationKind.post_failed, "before", about)
    assert done(await owner.get("/notifications/"))["unread"] == 1
    done(await owner.post(f"{path}publish/", json={"version": off["version"]}))
    assert done(await owner.get("/notifications/"))["unread"] == 0


@pytest.mark.parametrize("state", [DeliveryState.publishing, DeliveryState.retrying])
async def test_what_is_armed_or_may_be_out_is_not_changed(
    owner: httpx2.AsyncClient, services: Services, mine: Owned, state: DeliveryState
) -> None:
    path = f"/social-media-posts/{mine.ids['post_id']}/"
    called = datetime.now(UTC) if state is DeliveryState.retrying else None
    async with services.sessions.begin() as session:
        await session.execute(update(Delivery).values(state=state, called_at=called))
    version = done(await owner.get(path))["version"]
    move = {"version": version, "planned_at": "2126-01-01T09:00:00Z"}
    refused(await owner.post(f"{path}move/", json=move), 409, ErrorCode.post_going_out)
    refused(await owner.post(f"{path}cancel/", json={"version": version}), 409, ErrorCode.post_going_out)


async def test_only_what_failed_is_tried_again(owner: httpx2.AsyncClient, services: Services, mine: Owned) -> None:
    path = f"/social-media-posts/{mine.ids['post_id']}/"
    refused(await owner.post(f"{path}retry/", json={}), 409, ErrorCode.post_not_editable)
    async with services.sessions.begin() as session:
        await session.execute(
            update(Delivery).values(state=DeliveryState.failed, error_code=ErrorCode.delivery_refused, attempts=2)
        )
        await session.execute(update(Post).values(status=PostStatus.failed))
    # its run is just writing down how it ended
    refused(await owner.post(f"{path}retry/", json={}), 409, ErrorCode.post_going_out)
    async with services.sessions.begin() as session:
        await RunRepository(session).set_state(mine.user.id, UUID(mine.ids["run_id"]), RunState.failed)
    elsewhere = {"delivery_ids": [str(new_id())]}
    refused(await owner.post(f"{path}retry/", json=elsewhere), 409, ErrorCode.post_not_editable)
    post = done(await owner.post(f"{path}retry/", json={}))["post"]
    [delivery] = post["deliveries"]
    assert (post["status"], delivery["state"], delivery["error_code"]) == ("complete", "pending", None)
    assert delivery["attempts"] == 2  # what was tried before stays told
    async with services.sessions.begin() as session:
        await session.execute(update(Delivery).values(state=DeliveryState.failed))
        await session.execute(update(Account).values(disconnected_at=datetime.now(UTC)))
    refused(await owner.post(f"{path}retry/", json={}), 422, ErrorCode.account_disconnected)


async def test_what_is_tried_again_takes_no_channel_along_before_its_time(
    owner: httpx2.AsyncClient, services: Services, make: Factory, networks: Networks, mine: Owned
) -> None:
    path, post_id = f"/social-media-posts/{mine.ids['post_id']}/", UUID(mine.ids["post_id"])
    other = await make.account(mine.user, networks.url, "jonas-weber")
    async with services.sessions.begin() as session:
        row = {"user_id": mine.user.id, "post_id": post_id, "account_id": other.id, "channel": other.kind}
        session.add(Delivery(**row, state=DeliveryState.pending, content_hash=""))
    later = {"version": done(await owner.get(path))["version"], "planned_at": "2126-01-01T09:00:00Z"}
    done(await owner.post(f"{path}move/", json=later))
    failed, failure = UUID(mine.ids["delivery_id"]), {"state": DeliveryState.failed, "error_code": "delivery_refused"}
    async with services.sessions.begin() as session:
        await session.execute(update(Delivery).where(Delivery.id == failed).values(failure))
    post = done(await owner.post(f"{path}retry/", json={}))["post"]
    assert (post["status"], post["planned_at"]) == ("complete", "2126-01-01T09:00:00Z"), "the other one still waits"
    assert [one["state"] for one in post["deliveries"]] == ["pending", "pending"]

    async with services.sessions.begin() as session:
        await session.execute(update(Delivery).values(failure))
        await RunRepository(session).set_state(mine.user.id, UUID(mine.ids["run_id"]), RunState.failed)
    post = done(await owner.post(f"{path}retry/", json={"delivery_ids": [str(failed)]}))["post"]
    assert abs(datetime.fromisoformat(post["planned_at"]) - datetime.now(UTC)) < timedelta(minutes=1), "none waits"


async def test_an_assistant_that_shows_first_prepares_early_enough(owner: httpx2.AsyncClient, mine: Owned) -> None:
    path = f"/assistants/{mine.ids['assistant_id']}/"
    own = done(await owner.get(path))
    body = {
        "name": own["name"], "schedule": own["schedule"] | {"frequency": "cron", "cron": "0 9 * * *"},
        "language": "en", "mode": "automatic",
        "lead_minutes": 30, "veto_minutes": 60, "version": own["version"],
    }  # fmt: skip
    problem = refused(await owner.put(path, json=body), 422, ErrorCode.invalid_input)
    assert problem["errors"][0] == {"field": "veto_minutes", "code": ErrorCode.veto_too_long, "params": {"maximum": 30}}
    saved = done(await owner.put(path, json=body | {"lead_minutes": 90}))["assistant"]
    assert (saved["veto_minutes"], saved["at_deadline"]) == (60, "hold")
