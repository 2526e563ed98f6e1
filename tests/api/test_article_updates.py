"""Articles after they went out, over the API: changed at their site, put back, taken down and published once more."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.clock import utcnow
from core.container import Services
from core.deliveries.jobs import DeliveryJobs
from core.deliveries.rules.follow_ups import FollowUpKind
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode, InvalidInput, NotFound, Unavailable
from core.notifications.rules import MailKind
from core.notifications.tables.mails import Mail
from core.posts.repositories import posts
from core.posts.tables.posts import Post
from core.users.tables.users import User
from sandbox.webhook import SECRET
from temporal.gateway import Gateway
from tests.api.conftest import done, refused, wrong_fields
from tests.api.test_websites import a_form, an_article, edited, go_out, page_of
from tests.conftest import Networks, browsing
from tests.factories import Factory
from tests.follow_ups import carry_out


class Out:
    """An article that is at its site."""

    def __init__(self, api: httpx2.AsyncClient, services: Services, user: User, body: dict[str, Any]) -> None:
        self.api, self.services, self.user, self.body = api, services, user, body
        self.path = f"/articles/{body['id']}/"

    async def read(self) -> dict[str, Any]:
        article: dict[str, Any] = done(await self.api.get(self.path))
        return article

    async def publish(self) -> dict[str, Any]:
        version = (await self.read())["version"]
        done(await self.api.post(f"/social-media-posts/{self.body['id']}/publish/", json={"version": version}))
        await go_out(self.services, self.user, await self.read())
        return await self.read()

    async def edit(self, **changes: Any) -> dict[str, Any]:
        now = await self.read()
        body = edited(now, self.body, planned_at=now["planned_at"], **changes)
        article: dict[str, Any] = done(await self.api.put(self.path, json=body))["article"]
        return article

    async def post(self, what: str, version: int | None = None) -> httpx2.Response:
        version = (await self.read())["version"] if version is None else version
        return await self.api.post(f"{self.path}{what}/", json={"version": version})

    async def due_now(self) -> None:
        """As if the pause or the lease were over."""
        async with self.services.sessions.begin() as session:
            await session.execute(
                update(Delivery)
                .where(Delivery.post_id == UUID(self.body["id"]))
                .values(revision_due_at=utcnow() - timedelta(seconds=1))
            )

    async def told(self) -> list[str]:
        """What the bell has of it."""
        unread = done(await self.api.get("/notifications/", params={"unread": True}))["items"]
        assert {one["post_title"] for one in unread if one["post_id"]} <= {self.body["fields"]["title"]}
        return [one["kind"] for one in unread]

    async def mails(self) -> list[Mail]:
        async with self.services.sessions() as session:
            return list(await session.scalars(select(Mail).order_by(Mail.created_at)))

    async def address(self) -> str:
        found: str = (await self.read())["deliveries"][0]["permalink"]
        return found


async def published(api: httpx2.AsyncClient, services: Services, user: User, networks: Networks) -> Out:
    await networks.calm()
    site = done(await api.post("/websites/connect/wordpress/", json=a_form(networks)), 201)
    article = Out(api, services, user, an_article(site))
    done(await api.post("/articles/", json=article.body), 201)
    await article.publish()
    return article


@pytest.fixture
async def out(api: httpx2.AsyncClient, services: Services, user: User, networks: Networks) -> Out:
    return await published(api, services, user, networks)


async def test_what_is_changed_is_at_the_site_once_its_author_says_so(
    api: httpx2.AsyncClient, services: Services, out: Out
) -> None:
    at_site = (await out.read())["at_site"]
    assert (at_site["same"], at_site["can_discard"], at_site["status"]) == (True, False, None)
    assert at_site["slug"] == out.body["fields"]["slug"]
    changed = await out.edit(content="Below **eight** degrees.")
    assert (changed["status"], changed["at_site"]["same"], changed["at_site"]["can_discard"]) == (
        "published",
        False,
        True,
    )
    assert "seven" in await page_of(await out.address())
    refused(await out.post("update", changed["version"] - 1), 409, ErrorCode.stale_version)
    asked = done(await out.post("update"))
    assert asked["at_site"]["revision"]["state"] == "waiting"
    # what was shown is what goes there: nobody changes it, and nobody asks twice
    refused(await out.post("update"), 409, ErrorCode.article_busy)
    refused(await out.post("discard"), 409, ErrorCode.article_busy)
    refused(await out.post("take-down"), 409, ErrorCode.article_busy)
    now = await out.read()
    body = edited(now, out.body, planned_at=now["planned_at"], content="x")
    refused(await api.put(out.path, json=body), 409, ErrorCode.article_busy)

    assert await carry_out(services, FollowUpKind.revision) == 1
    there = await out.read()
    assert (there["at_site"]["same"], there["at_site"]["revision"], there["at_site"]["can_discard"]) == (
        True,
        None,
        False,
    )
    assert there["at_site"]["changed_at"]
    assert "eight" in await page_of(await out.address())
    log = done(await api.get(f"/social-media-posts/{out.body['id']}/log/"))
    assert [(one["step"], one["decision"]) for one in log][-1] == ("revise", "done")
    assert "eight" in log[-1]["exchanges"][-1]["sent"]


async def test_two_who_ask_at_once_ask_for_one_change(standing: Services, away: Gateway, networks: Networks) -> None:
    """On connections of their own."""
    user = await Factory(standing.sessions, standing.vault).user()
    async with browsing(standing, away, user) as client:
        out = await published(client, standing, user, networks)
        version = (await out.edit(content="Nine"))["version"]
        answers = await asyncio.gather(*(out.post("update", version) for _ in range(3)))
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409]
        rounds = await asyncio.gather(*(carry_out(standing, FollowUpKind.revision) for _ in range(3)))
        assert sum(rounds) == 1
        assert "Nine" in await page_of(await out.address())


@pytest.mark.parametrize("path", ["/articles/", "/social-media-posts/"])
async def test_what_is_shown_is_as_new_as_its_version(
    out: Out, api: httpx2.AsyncClient, services: Services, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """Its site takes the change after the article was read, and before its delivery is: who takes it down then was
    refused as late, though that was what they saw."""
    await out.edit(content="Otherwise.")
    asked = done(await out.post("update"))
    fill, [delivery] = posts.load_related, asked["deliveries"]
    later = [
        services.revisions.attempt_update(out.user.id, UUID(asked["id"]), UUID(delivery["id"]), timedelta(seconds=10))
    ]

    async def filled(session: AsyncSession, user_id: UUID, found: Sequence[Post]) -> None:
        if later:
            assert (await later.pop()).state == "updated"
        await fill(session, user_id, found)

    monkeypatch.setattr(posts, "load_related", filled)
    shown = done(await api.get(f"{path}{asked['id']}/"))
    assert not later
    assert shown["version"] == asked["version"] + 1


async def test_changes_are_discarded(out: Out) -> None:
    before = await out.read()
    changed = await out.edit(content="Nine", fields=out.body["fields"] | {"title": "Summer tyres"})
    assert changed["title"] == "Summer tyres"
    back = done(await out.post("discard"))
    assert (back["content"], back["fields"], back["content_hash"]) == (
        before["content"],
        before["fields"],
        before["content_hash"],
    )
    assert (back["at_site"]["same"], back["at_site"]["can_discard"]) == (True, False)
    refused(await out.post("discard"), 409, ErrorCode.post_not_editable)
    # written back by hand it is the same, too
    await out.edit(content="Nine")
    assert (await out.edit())["at_site"]["can_discard"] is False


async def test_a_worker_that_dies_in_between_leaves_it_to_the_next(
    services: Services, networks: Networks, out: Out
) -> None:
    await out.edit(content="Below **eight** degrees.")
    done(await out.post("update"))
    # the site has heard it, and the answer never came: as if the process had died there
    await networks.fail(on="posts", kind="lost_answer")
    assert await carry_out(services, FollowUpKind.revision) == 0
    assert "eight" in await page_of(await out.address())
    between = (await out.read())["at_site"]
    assert (between["same"], between["revision"]["state"], between["revision"]["attempts"]) == (False, "waiting", 1)
    assert await carry_out(services, FollowUpKind.revision) == 0  # its pause is not over
    await out.due_now()
    assert await carry_out(services, FollowUpKind.revision) == 1
    assert (await out.read())["at_site"]["same"]


async def test_a_site_that_refuses_is_told_with_its_reason_and_asked_again(
    services: Services, networks: Networks, out: Out
) -> None:
    await out.edit(content="Below **eight** degrees.")
    done(await out.post("update"))
    await networks.fail(on="posts", kind="status", status=400, code="rest_invalid_param")
    assert await carry_out(services, FollowUpKind.revision) == 0
    failed = (await out.read())["at_site"]
    assert (failed["same"], failed["revision"]["state"], failed["revision"]["error_code"]) == (
        False,
        "failed",
        ErrorCode.delivery_refused,
    )
    assert failed["revision"]["error_detail"]
    assert "seven" in await page_of(await out.address())
    done(await out.post("update"))
    assert await carry_out(services, FollowUpKind.revision) == 1
    assert "eight" in await page_of(await out.address())


async def test_who_is_not_looking_is_told_that_an_update_failed(
    api: httpx2.AsyncClient, services: Services, networks: Networks, out: Out
) -> None:
    """Once for each wish, until it is asked for again, discarded or there."""
    await out.edit(content="Below **eight** degrees.")
    done(await out.post("update"))
    await networks.fail(on="posts", kind="status", status=503)
    await carry_out(services, FollowUpKind.revision)
    assert await out.told() == [], "it is tried again"
    for settled in ("update", "discard"):
        await networks.calm()
        await networks.fail(on="posts", kind="status", status=400, code="rest_invalid_param")
        await out.due_now()
        await carry_out(services, FollowUpKind.revision)
        assert await out.told() == ["update_failed"]
        done(await out.post(settled))
        assert await out.told() == []
    assert [mail.kind for mail in await out.mails()] == [MailKind.update_failed] * 2
    [mail, _] = await out.mails()
    [site] = [one["name"] for one in done(await api.get("/websites/"))]
    of_it = {"post_id": out.body["id"], "topic": out.body["fields"]["title"], "networks": [site]}
    assert mail.params == of_it | {"article": True}


async def test_who_is_not_looking_is_told_that_it_is_still_at_its_site(
    api: httpx2.AsyncClient, services: Services, networks: Networks, out: Out
) -> None:
    async def listed(state: str) -> list[str]:
        """To which the overview of the day leads."""
        return [one["id"] for one in done(await api.get(f"/articles/?state={state}"))["items"]]

    await out.edit(content="Below **eight** degrees.")
    done(await out.post("update"))
    await networks.fail(on="posts", kind="status", status=400, code="rest_invalid_param")
    await carry_out(services, FollowUpKind.revision)
    assert (await listed("not_updated"), await listed("not_deleted")) == ([out.body["id"]], [])
    done(await out.post("take-down"))
    await networks.fail(on="deletes", kind="status", status=400, code="rest_invalid_param")
    assert await carry_out(services, FollowUpKind.removal) == 0
    assert sorted(await out.told()) == ["takedown_failed", "update_failed"]
    assert (await listed("not_updated"), await listed("not_deleted")) == ([out.body["id"]], [out.body["id"]])
    assert [mail.kind for mail in await out.mails()] == [MailKind.update_failed, MailKind.takedown_failed]
    await networks.calm()
    done(await out.post("take-down"))
    assert await out.told() == ["update_failed"]
    assert await carry_out(services, FollowUpKind.removal) == 1
    assert await out.told() == [], "there is nothing at the site that could be another"
    assert (await listed("not_updated"), await listed("not_deleted")) == ([], [])


async def test_a_lost_login_is_told_once_and_mails_are_sent_as_somebody_wants_them(
    api: httpx2.AsyncClient, services: Services, networks: Networks, out: Out
) -> None:
    await out.edit(content="Below **eight** degrees.")
    done(await out.post("update"))
    await networks.fail(on="posts", kind="status", status=401, code="incorrect_password")
    await carry_out(services, FollowUpKind.revision)
    assert sorted(await out.told()) == ["account_reconnect", "update_failed"]
    assert [mail.kind for mail in await out.mails()] == [MailKind.account_reconnect]
    done(await api.put("/notifications/settings/failed/", json={"mail": "daily"}))
    done(await out.post("take-down"))
    await networks.fail(on="deletes", kind="status", status=400, code="rest_invalid_param")
    await carry_out(services, FollowUpKind.removal)
    assert "takedown_failed" in await out.told()
    assert [mail.kind for mail in await out.mails()] == [MailKind.account_reconnect]


async def test_what_may_be_there_is_not_told_as_what_is_not(services: Services, networks: Networks, out: Out) -> None:
    """Discarded after an answer that never came: the site may show either text, until it is told once more."""
    await out.edit(content="Below **eight** degrees.")
    done(await out.post("update"))
    await networks.fail(on="posts", kind="lost_answer")
    await carry_out(services, FollowUpKind.revision)
    await networks.fail(on="posts", kind="status", status=400)
    await out.due_now()
    await carry_out(services, FollowUpKind.revision)
    back = done(await out.post("discard"))
    assert (back["at_site"]["same"], back["at_site"]["can_discard"]) == (False, False)
    done(await out.post("update"))
    assert await carry_out(services, FollowUpKind.revision) == 1
    assert "seven" in await page_of(await out.address())
    assert (await out.read())["at_site"]["same"]


async def test_how_the_site_calls_it_is_read(
    api: httpx2.AsyncClient, services: Services, user: User, networks: Networks, out: Out
) -> None:
    """A page or a picture there may have the name already."""
    stranger = await api.post("/websites/connect/wordpress/", json=a_form(networks, username="jonas-weber"))
    other = Out(api, services, user, an_article(done(stranger, 201), fields={"slug": out.body["fields"]["slug"]}))
    done(await api.post("/articles/", json=other.body), 201)
    there = (await other.publish())["at_site"]
    assert there["slug"] == f"{out.body['fields']['slug']}-2"


async def test_what_readers_do_not_see_there_any_more_is_told(services: Services, networks: Networks, out: Out) -> None:
    """Somebody has put it back to a draft at the site."""
    api, somebody = f"{networks.url}/wp-json/wp/v2/posts", ("ada-lindqvist", "a" * 24)
    [made] = (await networks.client.get(api, params={"slug": out.body["fields"]["slug"]})).json()
    answer = await networks.client.post(f"{api}/{made['id']}", json={"status": "pending"}, auth=somebody)
    assert answer.json()["status"] == "pending"
    await out.edit(content="Below **eight** degrees.")
    done(await out.post("update"))
    assert await carry_out(services, FollowUpKind.revision) == 1
    there = (await out.read())["at_site"]
    assert (there["same"], there["status"]) == (True, "pending")


async def test_what_stays_as_long_as_it_is_published_is_refused_at_its_field(api: httpx2.AsyncClient, out: Out) -> None:
    now = await out.read()
    moved = edited(now, out.body, fields=out.body["fields"] | {"slug": "elsewhere"})
    answer = await api.put(out.path, json=moved)
    assert wrong_fields(answer) == {
        "fields.slug": ErrorCode.fixed_while_published,
        "planned_at": ErrorCode.fixed_while_published,
    }


async def test_taken_down_it_stays_here_and_can_go_out_anew(
    api: httpx2.AsyncClient, services: Services, networks: Networks, out: Out
) -> None:
    address = await out.address()
    await out.edit(content="Below **eight** degrees.")
    done(await out.post("update"))
    await networks.fail(on="posts", kind="status", status=400, code="rest_invalid_param")
    assert await carry_out(services, FollowUpKind.revision) == 0
    asked = done(await out.post("take-down"))
    assert asked["deliveries"][0]["removal"]["state"] == "waiting"
    refused(await out.post("update"), 409, ErrorCode.article_busy)
    assert await carry_out(services, FollowUpKind.removal) == 1
    down = await out.read()
    assert (down["status"], down["at_site"], down["planned_at"]) == ("draft", None, None)
    assert (down["content"], down["deliveries"][0]["removal"]["state"]) == ("Below **eight** degrees.", "removed")
    async with httpx2.AsyncClient() as browser:
        assert (await browser.get(address)).status_code == 404
    # a draft like any other
    changed = await out.edit(content="Ten", fields=out.body["fields"] | {"title": "Anew"})
    assert changed["title"] == "Anew"
    async with services.sessions() as session:
        before = (await session.scalars(select(Delivery).where(Delivery.post_id == UUID(out.body["id"])))).one()
    # of a change that was refused there is nothing left
    assert (before.revision, before.revision_error_code, before.revision_error_detail) == (None, None, None)
    assert before.revision_attempts == 0
    again = await out.publish()
    [delivery] = again["deliveries"]
    assert (again["status"], delivery["removal"], again["at_site"]["same"]) == ("published", None, True)
    async with services.sessions() as session:
        after = (await session.scalars(select(Delivery).where(Delivery.post_id == UUID(out.body["id"])))).one()
    assert after.provider_id not in (None, before.provider_id)
    assert "Ten" in await page_of(await out.address())
    log = done(await api.get(f"/social-media-posts/{out.body['id']}/log/"))
    assert [one["step"] for one in log if one["decision"] == "done"] == [
        "stage",
        "publish",
        "remove",
        "stage",
        "publish",
    ]


async def test_a_receiver_that_carries_out_each_name_once_has_the_last_of_three_changes(
    api: httpx2.AsyncClient, services: Services, user: User, networks: Networks
) -> None:
    await networks.calm()
    fields = {"endpoint": f"{networks.url}/hooks/journal", "secret": SECRET}
    site = done(await api.post("/websites/connect/webhook/", json={"fields": fields, "language": "en"}), 201)
    out = Out(api, services, user, an_article(site))
    done(await api.post("/articles/", json=out.body), 201)
    await out.publish()
    for text in ("Below **eight**.", "Below **nine**.", "Below **eight**."):
        await out.edit(content=text)
        done(await out.post("update"))
        assert await carry_out(services, FollowUpKind.revision) == 1
    assert "eight" in await page_of(await out.address())


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (NotFound(what="media", id="a"), ErrorCode.image_lost),
        (InvalidInput(ErrorCode.image_unreadable), ErrorCode.image_unreadable),
    ],
)
async def test_an_image_that_cannot_be_read_ends_the_wish_with_its_reason(
    services: Services, out: Out, monkeypatch: pytest.MonkeyPatch, error: Exception, code: ErrorCode
) -> None:
    async def lost(*_: object) -> None:
        raise error

    monkeypatch.setattr(DeliveryJobs, "load_with_files", lost)
    await out.edit(content="Nine")
    done(await out.post("update"))
    await carry_out(services, FollowUpKind.revision)
    revision = (await out.read())["at_site"]["revision"]
    assert (revision["state"], revision["error_code"]) == ("failed", code)
    done(await out.post("discard"))  # nobody waits for it any more


async def test_a_storage_that_is_away_is_asked_again(
    services: Services, out: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lost(*_: object) -> None:
        raise Unavailable(ErrorCode.storage_unavailable)

    with monkeypatch.context() as gone:
        gone.setattr(DeliveryJobs, "load_with_files", lost)
        await out.edit(content="Nine")
        done(await out.post("update"))
        await carry_out(services, FollowUpKind.revision)
    assert (await out.read())["at_site"]["revision"]["error_code"] == ErrorCode.storage_unavailable
    await out.due_now()
    assert await carry_out(services, FollowUpKind.revision) == 1
    assert "Nine" in await page_of(await out.address())


async def test_another_language_alone_is_a_change(services: Services, out: Out) -> None:
    changed = await out.edit(language="de")
    assert (changed["at_site"]["same"], changed["at_site"]["can_discard"]) == (False, True)
    done(await out.post("update"))
    assert await carry_out(services, FollowUpKind.revision) == 1
    assert (await out.read())["at_site"]["same"]
