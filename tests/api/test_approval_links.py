"""Answering by the link of a mail, without a sign-in."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import delete, select, update

from core.ai.writers.base import DEMO_MODEL
from core.approvals.rules import ApprovalState
from core.approvals.tables.approval_links import ApprovalLink
from core.approvals.tables.approvals import Approval
from core.container import Services
from core.errors import ErrorCode
from core.ids import new_id
from core.media.tables import Media
from core.notifications.mailing import MailingService
from core.notifications.rules import MailKind
from core.notifications.smtp import open_mailer
from core.notifications.tables.mails import Mail, MailState
from core.posts.tables.posts import Post, PostFile
from core.runs.tables import Run
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused
from tests.api.owned import Owned, own_a_post
from tests.api.test_approvals import ARMING, another_post, ask_about, text_step
from tests.conftest import Networks, browsing
from tests.factories import Factory
from tests.mailbox import Received, mail_server


@pytest.fixture
async def mine(services: Services, make: Factory, networks: Networks) -> Owned:
    return await own_a_post(services, make, networks)


@pytest.fixture
async def visitor(services: Services, away: Gateway) -> Any:
    """Nobody who is signed in."""
    async with browsing(services, away) as client:
        yield client


@pytest.fixture
async def owner(services: Services, away: Gateway, mine: Owned) -> Any:
    async with browsing(services, away, mine.user) as client:
        yield client


async def mails(services: Services, user: User) -> list[Mail]:
    async with services.sessions() as session:
        wanted = Mail.kind.in_((MailKind.approval_needed, MailKind.approval_reminder))
        return list(
            await session.scalars(select(Mail).where(Mail.user_id == user.id, wanted).order_by(Mail.created_at))
        )


async def asked(services: Services, owned: Owned, post: str = "", **options: Any) -> dict[str, str]:
    """Ask about the post, and what the link of the mail carries."""
    post = post or owned.ids["post_id"]
    await ask_about(services, owned.user, UUID(post), **options)
    mail = (await mails(services, owned.user))[-1]
    assert mail.secret_encrypted is not None
    return {"post_id": post, "token": services.vault.decrypt(mail.secret_encrypted)}


async def look(visitor: httpx2.AsyncClient, link: dict[str, str]) -> Any:
    return done(await visitor.post("/approvals/link/", json=link))


async def decide(visitor: httpx2.AsyncClient, link: dict[str, str], **answer: Any) -> httpx2.Response:
    return await visitor.post("/approvals/link/decision/", json={"approved": True, **link, **answer})


async def approval_of(services: Services, link: dict[str, str]) -> Approval:
    async with services.sessions() as session:
        found = await session.scalars(select(Approval).where(Approval.post_id == UUID(link["post_id"])))
        return found.one()


async def change(services: Services, statement: Any) -> None:
    async with services.sessions.begin() as session:
        await session.execute(statement)


async def test_the_link_shows_what_is_asked_and_decides_nothing(
    visitor: httpx2.AsyncClient, owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    link = await asked(services, mine)
    for _ in range(3):
        seen = await look(visitor, link)
    post = done(await owner.get(f"/social-media-posts/{link['post_id']}/"))
    assert (seen["state"], seen["decided_at"]) == ("open", None)
    for fact in ("content", "topic_title", "language", "planned_at", "time_zone", "assistant_name", "files"):
        assert seen["post"][fact] == post[fact], fact
    assert seen["post"]["deadline_at"] == post["approval"]["deadline_at"]
    assert [one["name"] for one in seen["post"]["accounts"]] == [one["account_name"] for one in post["deliveries"]]
    assert (await visitor.get(seen["post"]["files"][0]["url"].removeprefix("/api"))).status_code == 200
    assert (await approval_of(services, link)).state is ApprovalState.waiting
    async with services.sessions() as session:
        assert await session.scalar(select(ApprovalLink.used_at)) is None


async def test_an_approval_by_the_link_is_one_and_is_given_once(
    visitor: httpx2.AsyncClient, owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    link = await asked(services, mine)
    answer = done(await decide(visitor, link))
    assert (answer["state"], answer["by_deadline"], answer["post"]) == ("approved", False, None)
    assert answer["topic_title"]
    post = done(await owner.get(f"/social-media-posts/{link['post_id']}/"))
    assert (post["status"], post["approval"]["state"]) == ("complete", "approved")
    assert post["approval"]["decided_at"] == answer["decided_at"]
    refused(await decide(visitor, link, approved=False), 409, ErrorCode.approval_outdated)
    assert await look(visitor, link) == answer
    async with services.sessions() as session:
        assert await session.scalar(select(ApprovalLink.used_at))


@pytest.mark.parametrize("says_a_time", [False, True])
async def test_the_link_says_that_what_somebody_asked_for_goes_out_once_it_is_approved(
    visitor: httpx2.AsyncClient, owner: httpx2.AsyncClient, services: Services, mine: Owned, says_a_time: bool
) -> None:
    run_id = select(Post.run_id).where(Post.id == UUID(mine.ids["post_id"])).scalar_subquery()
    await change(services, update(Run).where(Run.id == run_id).values(by_hand=True))
    link = await asked(services, mine, minutes=0)
    path = f"/social-media-posts/{link['post_id']}/"
    if says_a_time:
        later = (datetime.now(UTC) + timedelta(days=3)).isoformat()
        moved = {"version": done(await owner.get(path))["version"], "planned_at": later}
        done(await owner.post(f"{path}move/", json=moved))
    seen = await look(visitor, link)
    assert seen["at_once"] is seen["post"]["at_once"] is not says_a_time
    answer = done(await decide(visitor, link))
    assert (answer["state"], answer["at_once"]) == ("approved", not says_a_time)
    goes_out = datetime.fromisoformat(done(await owner.get(path))["planned_at"])
    assert (goes_out - datetime.now(UTC) > timedelta(days=2)) is says_a_time


async def test_a_reason_by_the_link_is_told_to_the_writer_of_the_next(
    visitor: httpx2.AsyncClient, owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    link = await asked(services, mine)
    assert done(await decide(visitor, link, approved=False, remark="Name the street"))["state"] == "declined"
    assert "Name the street" in (await text_step(owner, mine, await another_post(services, mine)))["prompt"]


async def test_one_answered_elsewhere_says_so(
    visitor: httpx2.AsyncClient, owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    link = await asked(services, mine)
    own = done(await owner.get(f"/social-media-posts/{link['post_id']}/"))["content_hash"]
    answer = {"approved": False, "content_hash": own}
    done(await owner.post(f"/social-media-posts/{link['post_id']}/decision/", json=answer))
    assert (await look(visitor, link))["state"] == "declined"


async def test_an_older_version_is_neither_shown_nor_approved(
    visitor: httpx2.AsyncClient, owner: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    link = await asked(services, mine)
    path = f"/social-media-posts/{link['post_id']}/"
    post = done(await owner.get(path))
    taken = ("account_ids", "planned_at", "time_zone", "language", "version")
    files = [{"media_id": file["media_id"], "alt": file["alt"]} for file in post["files"]]
    done(await owner.put(path, json={name: post[name] for name in taken} | {"content": "Another", "files": files}))
    seen = await look(visitor, link)
    assert (seen["state"], seen["post"]) == ("outdated", None)
    assert seen["topic_title"] == ""
    refused(await decide(visitor, link), 409, ErrorCode.approval_outdated)
    assert done(await owner.get(path))["approval"]["state"] == "waiting"


async def test_after_the_deadline_nothing_is_shown_or_decided(
    visitor: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    link = await asked(services, mine)
    over = update(Approval).values(deadline_at=datetime.now(UTC) - timedelta(seconds=1))
    await change(services, over)
    seen = await look(visitor, link)
    assert (seen["state"], seen["post"]) == ("expired", None)
    refused(await decide(visitor, link), 409, ErrorCode.approval_expired)
    await change(services, update(Post).values(planned_at=datetime.now(UTC)))
    await services.approvals.check(mine.user.id, UUID(link["post_id"]), ARMING)  # the deadline decides
    assert (await look(visitor, link))["state"] == "expired"


async def test_a_token_is_good_for_its_own_post_alone(
    visitor: httpx2.AsyncClient, services: Services, make: Factory, networks: Networks, mine: Owned
) -> None:
    link = await asked(services, mine)
    other = await own_a_post(services, make, networks)
    theirs = await asked(services, other)
    for wrong in (
        {**link, "token": "made-up"},
        {**link, "post_id": theirs["post_id"]},
        {**link, "post_id": str(new_id())},
    ):
        refused(await visitor.post("/approvals/link/", json=wrong), 422, ErrorCode.link_invalid)
        refused(await decide(visitor, wrong), 422, ErrorCode.link_invalid)
    for found in (link, theirs):
        assert (await look(visitor, found))["state"] == "open"


@pytest.mark.parametrize(
    "statement",
    [
        update(User).values(email="elsewhere@example.org"),
        update(User).values(disabled_at=datetime.now(UTC)),
        update(User).values(deletion_requested_at=datetime.now(UTC)),
        update(Post).values(deleted_at=datetime.now(UTC)),
    ],
    ids=["another address", "disabled", "leaves", "deleted post"],
)
async def test_a_link_is_void_once_its_user_or_post_is(
    visitor: httpx2.AsyncClient, services: Services, mine: Owned, statement: Any
) -> None:
    link = await asked(services, mine)
    await change(services, statement)
    refused(await visitor.post("/approvals/link/", json=link), 422, ErrorCode.link_invalid)
    refused(await decide(visitor, link), 422, ErrorCode.link_invalid)
    assert (await approval_of(services, link)).state is ApprovalState.waiting


async def test_only_the_tokens_hash_is_stored(services: Services, mine: Owned) -> None:
    link = await asked(services, mine)
    async with services.sessions() as session:
        row = (await session.execute(select(ApprovalLink.__table__))).one()
    assert link["token"] not in map(str, row)


@asynccontextmanager
async def mailed(services: Services, owned: Owned) -> AsyncIterator[Received]:
    """The newest mail that asks, as it arrives."""
    mail = (await mails(services, owned.user))[-1]
    async with mail_server() as server:
        sender, url = "Postloom <a@b.example>", "https://p.example"
        mailer = open_mailer(server.url)
        service = MailingService(services.sessions, services.vault, mailer, sender, url, services.media)
        assert await service.send(mail.id) is MailState.sent
        yield server.mails[-1]


def pictures(received: Received) -> dict[str, tuple[str, bytes]]:
    """Type and bytes of what travels inside the mail, by its id."""
    found = {}
    for part in received.message.walk():
        if part.get_content_maintype() == "image":
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            found[str(part["Content-ID"])] = (part.get_content_type(), content)
    return found


async def test_the_mail_brings_the_post_and_its_link(
    visitor: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    link = await asked(services, mine)
    post = (await look(visitor, link))["post"]
    async with mailed(services, mine) as received:
        got = received.part("plain")
    for line in filter(None, post["content"].splitlines()):
        assert f"> {line}" in got
    assert post["accounts"][0]["name"] in got
    [address] = set(re.findall(r"https://\S+", got))
    parts = urlsplit(address)
    assert (parts.path, parts.query) == (f"/social-media-posts/{link['post_id']}", "decide")
    assert parts.fragment == f"token={link['token']}"


async def test_the_mail_brings_the_picture_of_the_post_and_loads_nothing(services: Services, mine: Owned) -> None:
    await asked(services, mine)
    async with mailed(services, mine) as received:
        html, inside = received.part("html"), pictures(received)
    assert set(inside) == {"<mark@postloom>", "<picture@postloom>"}
    kind, data = inside["<picture@postloom>"]
    assert kind == "image/jpeg"
    assert data.startswith(b"\xff\xd8")
    assert len(data) <= 200_000
    assert set(re.findall(r'src="([^"]+)"', html)) == {"cid:mark@postloom", "cid:picture@postloom"}


async def test_the_mail_about_a_post_without_a_picture_brings_none(services: Services, mine: Owned) -> None:
    await change(services, delete(PostFile).where(PostFile.post_id == UUID(mine.ids["post_id"])))
    await asked(services, mine)
    async with mailed(services, mine) as received:
        assert set(pictures(received)) == {"<mark@postloom>"}
        assert "picture@postloom" not in received.part("html")


async def test_a_picture_that_cannot_be_read_holds_up_no_question(services: Services, mine: Owned) -> None:
    await asked(services, mine)
    async with services.sessions() as session:
        owned = select(PostFile.media_id).where(PostFile.post_id == UUID(mine.ids["post_id"]))
        media = (await session.scalars(select(Media).where(Media.id.in_(owned)))).one()
    await services.media.remove(media)
    async with mailed(services, mine) as received:
        assert set(pictures(received)) == {"<mark@postloom>"}
        assert "picture@postloom" not in received.part("html")


@pytest.mark.parametrize(("written_by", "demo"), [(DEMO_MODEL, True), ("gpt-6-luna", False)])
async def test_link_and_mail_name_the_demo_writer(
    visitor: httpx2.AsyncClient, services: Services, mine: Owned, written_by: str, demo: bool
) -> None:
    await change(services, update(Post).values(written_by=written_by))
    link = await asked(services, mine)
    assert (await look(visitor, link))["post"]["is_demo"] is demo
    async with mailed(services, mine) as received:
        assert ("The demo writer wrote the text" in received.part("html")) is demo


async def test_a_reminder_has_a_link_and_is_not_sent_after_the_answer(
    visitor: httpx2.AsyncClient, services: Services, mine: Owned
) -> None:
    first = await asked(services, mine, minutes=300)
    await change(services, update(Approval).values(remind_at=datetime.now(UTC)))
    await services.approvals.check(mine.user.id, UUID(first["post_id"]), ARMING)
    asking, reminder = await mails(services, mine.user)
    assert (asking.kind, reminder.kind) == (MailKind.approval_needed, MailKind.approval_reminder)
    assert reminder.secret_encrypted is not None
    second = {**first, "token": services.vault.decrypt(reminder.secret_encrypted)}
    assert second["token"] != first["token"]
    done(await decide(visitor, second))
    assert (await look(visitor, first))["state"] == "approved"  # both ask the same
    assert await services.mailing.send(reminder.id) is MailState.refused
    await services.approvals.check(mine.user.id, UUID(first["post_id"]), ARMING)
    assert len(await mails(services, mine.user)) == 2
