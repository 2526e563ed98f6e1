"""An assistant's article that waits for an answer: in the list, by the link of its mail, and in the mail itself."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import select, update

from core.assistants.rules.assistants import Mode
from core.clock import utcnow
from core.container import Services
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode
from core.ids import new_id
from core.networks.rules.channels import AccountState
from core.notifications.mailing import MailingService
from core.notifications.rules import MailKind
from core.notifications.smtp import open_mailer
from core.notifications.tables.mails import Mail
from core.posts.rules.posts import DeliveryState
from core.posts.tables.posts import Post
from core.social_accounts.reconnecting import mark_needs_reconnecting
from core.social_accounts.tables import Account
from core.users.tables.users import User
from tests.api.conftest import done, refused
from tests.conftest import Networks
from tests.factories import Factory
from tests.mailbox import mail_server


@pytest.fixture
async def asked(services: Services, make: Factory, user: User, networks: Networks) -> Post:
    """As its workflow comes to ask."""
    assistant = await make.assistant(
        user, website_id=await make.website(user, networks.url), mode=Mode.approval, image=False
    )
    run, slot, writing = new_id(), utcnow() + timedelta(days=3), services.article_writing
    await services.drafting.begin(user.id, assistant.id, run, f"run-{run}", slot)
    for number in range(await writing.write_outline(user.id, run, 1)):
        await writing.write_section(user.id, run, number, 1)
    await writing.write_summary(user.id, run, 1)
    await writing.write_search(user.id, run, 1)
    checked = await services.drafting.check(user.id, run)
    await services.approvals.check(user.id, checked.post_id, timedelta(seconds=30))
    async with services.sessions() as session:
        return await session.get_one(Post, checked.post_id)


async def mailed_link(services: Services, user: User, asked: Post) -> tuple[Mail, dict[str, str]]:
    async with services.sessions() as session:
        mail = await session.scalar(select(Mail).where(Mail.user_id == user.id, Mail.kind == MailKind.approval_needed))
    assert mail is not None
    assert mail.secret_encrypted is not None
    return mail, {"post_id": str(asked.id), "token": services.vault.decrypt(mail.secret_encrypted)}


async def test_it_is_shown_as_readers_will_see_it(
    api: httpx2.AsyncClient, services: Services, user: User, asked: Post
) -> None:
    [waiting] = done(await api.get("/approvals/"))["items"]
    assert waiting["post"]["id"] == str(asked.id)
    shown: dict[str, Any] = waiting["article"]
    assert shown["title"] == asked.topic_title
    assert shown["summary"]
    assert shown["html"].startswith("<h2>")
    assert shown["words"] > 50
    # among posts it is where somebody asks for articles, too
    assert done(await api.get("/social-media-posts/?waiting=true"))["items"] == []
    [needy] = done(await api.get("/social-media-posts/?waiting=true&articles_too=true"))["items"]
    assert (needy["id"], needy["is_article"]) == (str(asked.id), True)
    # as among articles
    for state, found in (("waiting", [str(asked.id)]), ("held", []), ("held&state=waiting", [str(asked.id)])):
        listed = done(await api.get(f"/articles/?state={state}"))
        assert [one["id"] for one in listed["items"]] == found
        assert (listed["total"], listed["statuses"]["draft"]) == (len(found), len(found))
    [website] = done(await api.get("/websites/"))
    assert shown["website"] == website["name"] != website["handle"]
    mail, link = await mailed_link(services, user, asked)
    assert done(await api.post("/approvals/link/", json=link))["post"]["article"] == shown
    async with mail_server() as server:
        sender = "Postloom <post@example.org>"
        url = "https://posts.example.org"
        mailing = MailingService(
            services.sessions, services.vault, open_mailer(server.url), sender, url, services.media
        )
        await mailing.send(mail.id)
        [received] = server.mails
    text = received.part("plain")
    assert text.startswith("An article is waiting for your approval")
    assert f"has prepared the article “{shown['title']}”" in text
    assert shown["summary"].split(".")[0] in text
    assert "##" not in text  # nothing of how it is written
    # by the name of the website, not by whom one is there
    assert f"{website['name']}:" in text.splitlines()
    assert "WordPress" not in text
    assert [one["account_name"] for one in waiting["post"]["deliveries"]] == [website["name"]]
    # in its run and in the calendar, too, it says until when
    deadline = waiting["post"]["approval"]["deadline_at"]
    evidence = done(await api.get(f"/assistants/{asked.assistant_id}/runs/{asked.run_id}/"))
    assert evidence["approval"] == waiting["post"]["approval"]
    assert evidence["planned_at"] == waiting["post"]["planned_at"]
    days = {"from": (utcnow()).isoformat(), "to": (utcnow() + timedelta(days=5)).isoformat()}
    [shown_there] = done(await api.get("/calendar/", params=days))["posts"]
    assert shown_there["is_article"]
    assert shown_there["approval"]["deadline_at"] == deadline
    assert shown_there["approval"]["at_once"] is False
    [told] = done(await api.get("/notifications/"))["items"]
    assert (told["kind"], told["of_article"]) == ("approval_needed", True)


async def test_what_is_told_of_it_and_of_its_website_says_so(
    api: httpx2.AsyncClient, services: Services, user: User, asked: Post
) -> None:
    [website] = done(await api.get("/websites/"))
    async with services.sessions.begin() as session:
        await mark_needs_reconnecting(session, await session.get_one(Account, UUID(website["account_id"])))
        [delivery] = (await session.scalars(select(Delivery).where(Delivery.post_id == asked.id))).all()
        delivery.state = DeliveryState.unknown
    assert asked.run_id
    await services.projecting.finish(user.id, asked.run_id)
    async with services.sessions() as session:
        mails = {mail.kind: mail.params for mail in await session.scalars(select(Mail).where(Mail.user_id == user.id))}
    assert mails[MailKind.account_reconnect] == {
        "account": website["name"],
        "network": "WordPress",
        "article": True,
    }
    unknown = mails[MailKind.post_unknown]
    assert (unknown["article"], unknown["networks"]) == (True, [website["name"]])
    rows = done(await api.get("/notifications/"))["items"]
    assert {row["kind"]: row["of_article"] for row in rows} == dict.fromkeys(
        ("approval_needed", "account_reconnect", "post_unknown"), True
    )
    [lost] = [row for row in rows if row["kind"] == "account_reconnect"]
    assert lost["account_name"] == website["name"]


async def test_a_website_is_not_removed_while_an_assistant_writes_for_it(api: httpx2.AsyncClient, asked: Post) -> None:
    [website] = done(await api.get("/websites/"))
    assert (website["assistant"]["name"], website["assistant"]["active"]) == ("Commuter tips", False)
    answer = await api.delete(f"/websites/{website['id']}/")
    refused(answer, 409, ErrorCode.in_use)
    assert answer.json()["params"]["by"] == "Commuter tips"
    [assistant] = done(await api.get("/assistants/"))["items"]
    assert assistant["website"] == {"id": website["id"], "name": website["name"]}
    assert [UUID(one["id"]) for one in assistant["accounts"]] == [UUID(website["account_id"])]


async def test_it_says_what_is_written_of_it_now_until_all_of_it_is_there(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User, networks: Networks
) -> None:
    website = await make.website(user, networks.url)
    assistant = await make.assistant(user, website_id=website, mode=Mode.approval, image=False)
    run, slot, writing = new_id(), utcnow() + timedelta(days=3), services.article_writing
    await services.drafting.begin(user.id, assistant.id, run, f"run-{run}", slot)
    sections = await writing.write_outline(user.id, run, 1)
    [row] = done(await api.get("/articles/"))["items"]
    assert (row["being_written"], row["site_state"]) == (True, "connected")
    assert (row["assistant_id"], row["assistant_name"]) == (str(assistant.id), "Commuter tips")
    of = {"assistant_id": str(assistant.id)}
    assert [one["id"] for one in done(await api.get("/articles/", params=of))["items"]] == [row["id"]]
    assert done(await api.get("/articles/", params={"assistant_id": str(new_id())}))["items"] == []

    # its badge says that it is held, and so does the filter
    for state, held in ((AccountState.needs_reconnecting, [row["id"]]), (AccountState.connected, [])):
        async with services.sessions.begin() as session:
            await session.execute(update(Account).where(Account.user_id == user.id).values(own_state=state))
        assert [one["id"] for one in done(await api.get("/articles/?state=held"))["items"]] == held

    async def told() -> dict[str, Any] | None:
        article = done(await api.get(f"/articles/{row['id']}/"))
        assert article["run_id"] == str(run)
        now: dict[str, Any] | None = article["writing"]
        return now

    begun = {"step": "text", "section": None, "sections": sections, "again": False}
    assert await told() == begun
    await writing.write_section(user.id, run, 0, 1)
    assert await told() == begun | {"section": 1}
    for number in range(1, sections):
        await writing.write_section(user.id, run, number, 1)
    assert await told() == begun | {"step": "summary"}
    await writing.write_summary(user.id, run, 1)
    await writing.write_search(user.id, run, 1)
    assert await told() == begun | {"step": "check"}
    await services.drafting.check(user.id, run)
    await services.approvals.check(user.id, UUID(row["id"]), timedelta(seconds=30))
    assert await told() is None
    [row] = done(await api.get("/articles/"))["items"]
    assert row["being_written"] is False
    [listed] = done(await api.get(f"/assistants/{assistant.id}/runs/"))["items"]
    assert (listed["is_article"], listed["post_id"]) == (True, row["id"])
