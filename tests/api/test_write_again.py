"""Another text instead of what somebody is asked about."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import select, update

from core.ai.rules.usage import Usage
from core.ai.tables.transactions import Transaction
from core.ai.writers.base import Written
from core.approvals.rules import ApprovalState, AtDeadline
from core.approvals.tables.approvals import Approval
from core.assistants.rules.assistants import RunState
from core.container import Services
from core.errors import Conflict, ErrorCode
from core.ids import new_id
from core.media.tables import MediaSource
from core.posts.rules.posts import DeliveryState
from core.posts.tables.posts import Post, PostFile
from core.runs.tables import Run
from temporal.gateway import Gateway
from tests.api.conftest import done, refused
from tests.api.owned import Owned, own_a_post
from tests.api.test_approvals import ARMING, ask_about, ask_about_run_by_hand, inbox, text_step
from tests.conftest import Networks, browsing
from tests.factories import Factory
from tests.media.test_pictures import picture

ENGLISH = (
    "Rain is no drama when you have the right mudguards. Today we show you how to fit them, and what matters most."
)
GERMAN = "Regen ist kein Drama, wenn du die richtigen Schutzbleche hast. Wir zeigen dir heute, worauf es dabei ankommt."


@pytest.fixture
async def mine(services: Services, make: Factory, networks: Networks) -> Owned:
    return await own_a_post(services, make, networks)


@pytest.fixture
async def owner(services: Services, away: Gateway, mine: Owned) -> Any:
    async with browsing(services, away, mine.user) as client:
        yield client


async def ask_again(owner: httpx2.AsyncClient, owned: Owned, **changes: Any) -> httpx2.Response:
    path = f"/social-media-posts/{owned.ids['post_id']}/"
    shown = done(await owner.get(path))
    body = {"content_hash": shown["content_hash"], "remark": "Name the street", **changes}
    return await owner.post(f"{path}write-again/", json=body)


async def write(services: Services, owned: Owned) -> None:
    """As the run's workflow does."""
    await services.rewriting.write(owned.user.id, UUID(owned.ids["run_id"]), 1, ARMING)


async def test_the_new_text_is_written_with_the_remark_and_the_old_text_and_asked_about(
    owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    post_id = UUID(mine.ids["post_id"])
    await ask_about(services, mine.user, post_id)
    before = done(await owner.get(f"/social-media-posts/{post_id}/"))
    answer = done(await ask_again(owner, mine))
    assert (answer["post"]["approval"]["state"], answer["post"]["content"]) == ("rewritten", before["content"])
    assert await inbox(owner) == []
    runs = f"/assistants/{mine.ids['assistant_id']}/runs/"
    assert done(await owner.get(runs))["items"][0]["state"] == "preparing"
    async with services.sessions() as session:
        calls = len(list(await session.scalars(select(Transaction.id).where(Transaction.run_id.is_not(None)))))
    await write(services, mine)
    await write(services, mine)  # repeated, it has nothing to do
    after = done(await owner.get(f"/social-media-posts/{post_id}/"))
    assert after["content"] != before["content"]
    assert (after["approval"]["state"], after["approval"]["remark"]) == ("waiting", "")
    assert after["approval"]["deadline_at"] == before["approval"]["deadline_at"]
    assert after["version"] > before["version"]
    assert await inbox(owner) == [str(post_id)]
    assert done(await owner.get(runs))["items"][0]["state"] == "waiting"
    facts = await text_step(owner, mine, post_id)
    assert (facts["rewrites"], facts["remark"]) == (1, "Name the street")
    assert "Name the street" in facts["prompt"]
    assert before["content"] in facts["prompt"]
    async with services.sessions() as session:
        booked = list(await session.scalars(select(Transaction.id).where(Transaction.run_id.is_not(None))))
    assert len(booked) == calls + 1
    answer = {"approved": True, "content_hash": before["content_hash"]}
    refused(await owner.post(f"/social-media-posts/{post_id}/decision/", json=answer), 409, ErrorCode.approval_outdated)
    answer["content_hash"] = after["content_hash"]
    assert (
        done(await owner.post(f"/social-media-posts/{post_id}/decision/", json=answer))["post"]["status"] == "complete"
    )


async def test_it_is_refused_with_the_reason(owner: httpx2.AsyncClient, services: Services, mine: Owned) -> None:
    refused(await ask_again(owner, mine), 409, ErrorCode.approval_outdated)  # nobody is asked
    await ask_about(services, mine.user, UUID(mine.ids["post_id"]))
    refused(await ask_again(owner, mine, content_hash="0" * 64), 409, ErrorCode.approval_outdated)
    refused(await ask_again(owner, mine, remark=""), 422, ErrorCode.invalid_input)
    for left, code in ((30, ErrorCode.rewrite_too_late), (-1, ErrorCode.approval_expired)):
        async with services.sessions.begin() as session:
            await session.execute(update(Approval).values(deadline_at=datetime.now(UTC) + timedelta(seconds=left)))
        refused(await ask_again(owner, mine), 409, code)
    async with services.sessions.begin() as session:
        await session.execute(update(Approval).values(deadline_at=datetime.now(UTC) + timedelta(hours=1)))
        await session.execute(update(Run).values(state=RunState.failed))
    refused(await ask_again(owner, mine), 409, ErrorCode.post_not_editable)


async def test_a_text_that_comes_after_the_deadline_is_not_taken_and_the_old_one_does_not_go_out(
    owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    post_id = UUID(mine.ids["post_id"])
    await ask_about(services, mine.user, post_id, at_deadline=AtDeadline.publish)
    before = done(await owner.get(f"/social-media-posts/{post_id}/"))
    done(await ask_again(owner, mine))
    async with services.sessions.begin() as session:
        await session.execute(update(Approval).values(deadline_at=datetime.now(UTC)))
    with pytest.raises(Conflict) as late:
        await write(services, mine)
    assert late.value.code == ErrorCode.approval_expired
    async with services.sessions.begin() as session:
        await session.execute(update(Post).where(Post.id == post_id).values(planned_at=datetime.now(UTC)))
    looked = await services.approvals.check(mine.user.id, post_id, ARMING)
    assert looked.verdict == "held"
    after = done(await owner.get(f"/social-media-posts/{post_id}/"))
    assert (after["content"], after["status"]) == (before["content"], "draft")


async def test_where_there_is_no_other_text_the_old_one_waits_with_the_reason(
    owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    post_id = UUID(mine.ids["post_id"])
    await ask_about(services, mine.user, post_id)
    done(await ask_again(owner, mine))
    await services.rewriting.give_up(mine.user.id, UUID(mine.ids["run_id"]), ErrorCode.budget_spent)
    approval = done(await owner.get(f"/social-media-posts/{post_id}/"))["approval"]
    assert (approval["state"], approval["rewrite_error"]) == (ApprovalState.waiting, ErrorCode.budget_spent)
    assert await inbox(owner) == [str(post_id)]


async def test_what_somebody_asked_for_has_no_time_while_another_text_is_written(
    owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    await ask_about_run_by_hand(services, mine)
    deadline = done(await ask_again(owner, mine))["post"]["approval"]["deadline_at"]
    [run] = done(await owner.get(f"/assistants/{mine.ids['assistant_id']}/runs/"))["items"]
    assert (run["state"], run["decide_until"]) == ("preparing", deadline)
    assert done(await owner.get(f"/assistants/{mine.ids['assistant_id']}/"))["open_run"]["decide_until"] == deadline


async def end_while_rewriting(owner: httpx2.AsyncClient, owned: Owned, how: str) -> None:
    """As a person does whose call does not reach the run's workflow."""
    if how == "called off":
        path = f"/social-media-posts/{owned.ids['post_id']}/"
        done(await owner.post(f"{path}cancel/", json={"version": done(await owner.get(path))["version"]}))
    else:
        path = f"/assistants/{owned.ids['assistant_id']}/deactivate/"
        done(await owner.post(path, params={"prepared": "cancel"}))


@pytest.mark.parametrize("by_hand", [False, True])
@pytest.mark.parametrize("how", ["called off", "switched off"])
async def test_an_ended_run_writes_no_other_text_and_asks_nobody(
    owner: httpx2.AsyncClient, services: Services, mine: Owned, how: str, by_hand: bool
) -> None:
    """Else its workflow would check for an answer without end."""
    post_id, run_id = UUID(mine.ids["post_id"]), UUID(mine.ids["run_id"])
    if by_hand:
        await ask_about_run_by_hand(services, mine)
    else:
        await ask_about(services, mine.user, post_id)
    before = done(await ask_again(owner, mine))["post"]
    await end_while_rewriting(owner, mine, how)
    await write(services, mine)
    await services.rewriting.give_up(mine.user.id, run_id, ErrorCode.run_cancelled)
    looked = await services.approvals.check(mine.user.id, post_id, ARMING)
    assert (looked.verdict, looked.look_in) == ("withdrawn", None)
    after = done(await owner.get(f"/social-media-posts/{post_id}/"))
    assert (after["content"], after["approval"]["state"]) == (before["content"], ApprovalState.withdrawn)
    assert await inbox(owner) == []
    async with services.sessions() as session:
        run = await session.get_one(Run, run_id)
    assert (run.state, run.reason) == (RunState.skipped, ErrorCode.run_cancelled)


@pytest.mark.parametrize("how", ["called off", "switched off"])
async def test_a_text_that_comes_after_its_run_has_ended_is_not_taken(
    owner: httpx2.AsyncClient, services: Services, mine: Owned, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    post_id = UUID(mine.ids["post_id"])
    await ask_about(services, mine.user, post_id)
    before = done(await ask_again(owner, mine))["post"]

    async def end_meanwhile(*_: object) -> Written:
        await end_while_rewriting(owner, mine, how)
        return Written(ENGLISH, "demo", "demo-writer", Usage(0, 0), None)

    monkeypatch.setattr(type(services.writer), "write", end_meanwhile)
    await write(services, mine)
    after = done(await owner.get(f"/social-media-posts/{post_id}/"))
    assert (after["content"], after["approval"]["state"]) == (before["content"], ApprovalState.withdrawn)
    assert [delivery["state"] for delivery in after["deliveries"]] == [DeliveryState.cancelled]
    assert await inbox(owner) == []


async def test_what_was_refused_before_never_comes_back(
    owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    post_id = UUID(mine.ids["post_id"])
    await ask_about(services, mine.user, post_id)
    read = [done(await owner.get(f"/social-media-posts/{post_id}/"))["content"]]
    for _ in range(4):
        done(await ask_again(owner, mine))
        await write(services, mine)
        read.append(done(await owner.get(f"/social-media-posts/{post_id}/"))["content"])
    assert len(set(read)) == 5
    assert "refused" not in await text_step(owner, mine, post_id)


async def test_a_text_leaves_room_for_an_address_below_it(
    owner: httpx2.AsyncClient, services: Services, mine: Owned, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With several images the address of a link stands below the text, which may be as long as the network takes."""
    post_id = UUID(mine.ids["post_id"])
    other = await services.media.store(mine.user.id, picture("red"), source=MediaSource.ai, name="Other", alt="")
    async with services.sessions.begin() as session:
        post = await session.get_one(Post, post_id)
        post.link = {"url": "https://lindhof.example/rain", "title": "Rain", "description": ""}
        session.add(PostFile(id=new_id(), user_id=mine.user.id, post_id=post_id, media_id=other.id, position=1, alt=""))
    await ask_about(services, mine.user, post_id)
    done(await ask_again(owner, mine))

    async def long(*_: object) -> Written:
        return Written("Rain helps. " * 249, "demo", "demo-writer", Usage(0, 0), None)

    monkeypatch.setattr(type(services.writer), "write", long)
    await write(services, mine)
    shown = done(await owner.get(f"/social-media-posts/{post_id}/"))
    assert shown["approval"]["state"] == "waiting"
    assert shown["content"].startswith("Rain helps.")


@pytest.mark.parametrize(
    ("answers", "taken", "correction"),
    [
        ((GERMAN, ENGLISH), ENGLISH, "rewritten"),
        ((GERMAN, GERMAN), GERMAN, "accepted"),
        ((ENGLISH, GERMAN), ENGLISH, None),
    ],
)
async def test_a_text_in_the_wrong_language_is_written_again_once(
    owner: httpx2.AsyncClient,
    services: Services,
    mine: Owned,
    monkeypatch: pytest.MonkeyPatch,
    answers: tuple[str, ...],
    taken: str,
    correction: str | None,
) -> None:
    post_id = UUID(mine.ids["post_id"])
    await ask_about(services, mine.user, post_id)
    done(await ask_again(owner, mine))
    told = list(answers)

    async def write_one(*_: object) -> Written:
        return Written(told.pop(0), "demo", "demo-writer", Usage(0, 0), None)

    monkeypatch.setattr(type(services.writer), "write", write_one)
    await write(services, mine)
    assert done(await owner.get(f"/social-media-posts/{post_id}/"))["content"] == taken
    assert (await text_step(owner, mine, post_id)).get("correction") == correction
