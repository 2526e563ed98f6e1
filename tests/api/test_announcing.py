"""Articles that are announced: by a click, once readers get them at their address."""

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import select, update

from core.ai.rules.generation import GenerationState
from core.ai.writers.base import DEMO_MODEL
from core.articles.auto_announcements import GIVE_UP_AFTER, AutoAnnouncementService
from core.articles.repository import AnnouncementRepository
from core.articles.tables import Announcement
from core.assistants.tables import Assistant
from core.container import Services
from core.deliveries.rules.follow_ups import FollowUpKind
from core.deliveries.tables.deliveries import Delivery
from core.demo.demo_texts import DemoTexts
from core.errors import ErrorCode
from core.ids import new_id
from core.networks.rules.channels import ChannelKind
from core.posts.publishing import PublishingService
from core.social_accounts.tables import Account
from core.templates.tables import TemplateVersion, Tryout
from core.users.tables.users import User
from sandbox.webhook import SECRET
from tests.api.conftest import done, refused, wrong_fields
from tests.api.operations import PICTURE
from tests.api.test_websites import a_form, an_article, go_out
from tests.conftest import Networks
from tests.factories import Factory
from tests.follow_ups import attempt, due


@pytest.fixture
async def account(make: Factory, user: User, networks: Networks) -> Account:
    return await make.account(user, networks.url)


@pytest.fixture
async def article(api: httpx2.AsyncClient, networks: Networks, services: Services, user: User) -> dict[str, Any]:
    """One that is out, with an image above it."""
    site = done(await api.post("/websites/connect/wordpress/", json=a_form(networks)), 201)
    image = done(await api.post("/media/", files={"file": ("a.png", PICTURE, "image/png")}), 201)
    body = an_article(site, featured={"media_id": image["id"], "alt": "A tyre"})
    draft = done(await api.post("/articles/", json=body), 201)
    sent = f"/social-media-posts/{draft['id']}/publish/"
    done(await api.post(sent, json={"version": draft["version"]}))
    await go_out(services, user, done(await api.get(f"/articles/{draft['id']}/")))
    out: dict[str, Any] = done(await api.get(f"/articles/{draft['id']}/"))
    return out


def at(article: dict[str, Any]) -> str:
    return f"/articles/{article['id']}/announcements/"


def wanted(account: Account, **more: Any) -> dict[str, Any]:
    return {"id": str(new_id()), "account_ids": [str(account.id)]} | more


async def take_away(services: Services, networks: Networks, article: dict[str, Any]) -> None:
    """As its author does, at the site."""
    async with services.sessions() as session:
        delivery = await session.scalar(select(Delivery).where(Delivery.post_id == UUID(article["id"])))
        assert delivery is not None
        account = await session.get_one(Account, delivery.account_id)
    to = services.connecting.credentials(account)
    query = {"rest_route": f"/wp/v2/posts/{delivery.provider_id}"}
    login = (to.external_id, to.access_token)
    answer = await networks.client.request("DELETE", "/", params=query, auth=login)
    assert answer.status_code == 200


async def test_it_becomes_a_draft_with_its_summary_image_and_card(
    api: httpx2.AsyncClient, account: Account, article: dict[str, Any]
) -> None:
    address = article["deliveries"][0]["permalink"]
    assert done(await api.post(f"{at(article)}page/")) == {
        "address": address,
        "is_there": True,
        "status": 200,
        "code": None,
    }
    assert done(await api.get(at(article))) == {"posts": [], "by_itself": None}
    body = wanted(account)
    made = done(await api.post(at(article), json=body), 201)
    post = made["post"]
    assert (made["writing"], made["refusal"]) == (None, None)
    assert (post["status"], post["source"], post["content"]) == ("draft", "person", "When?")
    assert post["link"] == {"url": address, "title": "Winter tyres", "description": "When?"}
    assert [(file["media_id"], file["alt"]) for file in post["files"]] == [
        (article["featured"]["media_id"], "A tyre"),
    ]
    assert (post["announces_id"], post["topic_title"]) == (article["id"], "Winter tyres")
    assert post["account_ids"] == body["account_ids"]
    again = done(await api.post(at(article), json=body), 201)
    assert again["post"] == post, "the answer got lost"
    assert [one["id"] for one in done(await api.get(at(article)))["posts"]] == [post["id"]]
    sent = done(await api.post(f"/social-media-posts/{post['id']}/publish/", json={"version": post["version"]}))
    assert sent["post"]["status"] == "complete"
    # an article that is deleted takes none of its announcements along
    copy = done(await api.post(f"/social-media-posts/{post['id']}/duplicate/", json={"id": str(new_id())}), 201)
    assert copy["announces_id"] is None


async def test_what_readers_do_not_get_is_announced_to_nobody(
    api: httpx2.AsyncClient, account: Account, article: dict[str, Any], services: Services, networks: Networks
) -> None:
    await take_away(services, networks, article)
    page = done(await api.post(f"{at(article)}page/"))
    assert (page["is_there"], page["status"], page["code"]) == (False, 404, ErrorCode.page_not_shown)
    told = refused(await api.post(at(article), json=wanted(account)), 409, ErrorCode.page_not_shown)
    assert told["params"]["status"] == 404
    async with services.sessions.begin() as session:
        inside = update(Delivery).where(Delivery.post_id == UUID(article["id"]))
        await session.execute(inside.values(permalink="https://127.0.0.1:9/blog/"))
    page = done(await api.post(f"{at(article)}page/"))
    assert (page["status"], page["code"]) == (None, ErrorCode.page_not_reached), "nobody is asked inside"
    refused(await api.post(at(article), json=wanted(account)), 409, ErrorCode.page_not_reached)
    assert done(await api.get(at(article))) == {"posts": [], "by_itself": None}


async def test_an_address_that_a_receiver_names_is_believed_and_never_asked(
    api: httpx2.AsyncClient, account: Account, networks: Networks, services: Services, user: User
) -> None:
    """It may be any machine's: nobody learns by it what answers there."""
    fields = {"endpoint": f"{networks.url}/hooks/journal", "secret": SECRET}
    site = done(await api.post("/websites/connect/webhook/", json={"fields": fields, "language": "en"}), 201)
    draft = done(await api.post("/articles/", json=an_article(site)), 201)
    done(await api.post(f"/social-media-posts/{draft['id']}/publish/", json={"version": draft["version"]}))
    await go_out(services, user, done(await api.get(f"/articles/{draft['id']}/")))
    asked: list[str] = []

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(str(await reader.readline()))
        writer.close()

    async with await asyncio.start_server(take, "127.0.0.1", 0) as server:
        address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/secret"
        async with services.sessions.begin() as session:
            of = update(Delivery).where(Delivery.post_id == UUID(draft["id"]))
            await session.execute(of.values(permalink=address))
        page = done(await api.post(f"{at(draft)}page/"))
        assert page == {"address": address, "is_there": True, "status": None, "code": None}
        assert done(await api.post(at(draft), json=wanted(account)), 201)["post"]["link"]["url"] == address
    assert asked == []


async def test_only_what_is_published_is_announced_and_only_ones_own(
    api: httpx2.AsyncClient, account: Account, article: dict[str, Any], networks: Networks, make: Factory
) -> None:
    site = done(await api.get("/websites/"))[0]
    draft = done(await api.post("/articles/", json=an_article(site)), 201)
    refused(await api.post(f"{at(draft)}page/"), 409, ErrorCode.article_not_published)
    refused(await api.post(at(draft), json=wanted(account)), 409, ErrorCode.article_not_published)
    post = done(await api.post(at(article), json=wanted(account)), 201)["post"]
    refused(await api.post(f"{at(post)}page/"), 404, ErrorCode.not_found)

    theirs = await make.account(await make.user(), networks.url, person="jonas-weber")
    answer = await api.post(at(article), json=wanted(theirs))
    assert wrong_fields(answer) == {"account_ids.0": ErrorCode.account_disconnected}
    answer = await api.post(at(article), json=wanted(account, account_ids=[site["account_id"]]))
    assert wrong_fields(answer) == {"account_ids.0": ErrorCode.account_disconnected}, "a site gets no social post"
    answer = await api.post(at(article), json=wanted(account, assistant_id=str(new_id())))
    assert wrong_fields(answer) == {"assistant_id": ErrorCode.not_found}


async def test_the_template_of_an_assistant_writes_about_it(
    api: httpx2.AsyncClient,
    services: Services,
    make: Factory,
    user: User,
    account: Account,
    article: dict[str, Any],
) -> None:
    assistant = await make.assistant(user, accounts=(account.id,))
    async with services.sessions.begin() as session:
        of = update(Assistant).where(Assistant.id == assistant.id)
        await session.execute(of.values(always_hashtags=["#lindhof"], link="https://elsewhere.example"))
    body = wanted(account, assistant_id=str(assistant.id), by_template=True)
    made = done(await api.post(at(article), json=body), 201)
    post, writing = made["post"], made["writing"]
    assert post["content"] == "When?\n\n#lindhof", "until it is there"
    taken = f"{at(article)}{post['id']}/text/"
    refused(await api.post(taken, json={"writing_id": writing["id"]}), 409, ErrorCode.generation_in_progress)
    assert await services.tryouts.make(user.id, UUID(writing["id"]), 1) is GenerationState.succeeded
    after = done(await api.post(taken, json={"writing_id": writing["id"]}))
    assert "Winter tyres" in after["content"]
    assert after["content"].endswith("#lindhof")
    assert "elsewhere.example" not in after["content"]
    assert after["is_demo"]
    assert (after["link"], after["version"]) == (post["link"], post["version"] + 1)
    [call] = done(await api.get("/transactions/"))["items"]
    assert call["assistant_id"] == str(assistant.id), "it is on its budget"

    other = done(await api.post(at(article), json=wanted(account)), 201)["post"]
    refused(
        await api.post(f"{at(article)}{other['id']}/text/", json={"writing_id": writing["id"]}),
        404,
        ErrorCode.not_found,
    )


async def test_many_fixed_hashtags_leave_room_for_the_text(
    api: httpx2.AsyncClient,
    services: Services,
    make: Factory,
    user: User,
    account: Account,
    article: dict[str, Any],
    networks: Networks,
) -> None:
    small = await make.account(user, networks.url, kind=ChannelKind.mastodon)
    assistant = await make.assistant(user, accounts=(account.id, small.id))
    tags = [f"#TyresForWinterNumber{number}" for number in range(10, 40)]
    async with services.sessions.begin() as session:
        await session.execute(update(Assistant).where(Assistant.id == assistant.id).values(always_hashtags=tags))
    body = wanted(account, assistant_id=str(assistant.id), account_ids=[str(account.id), str(small.id)])
    post = done(await api.post(at(article), json=body), 201)["post"]
    assert post["content"] == f"When?\n\n{' '.join(tags)}"
    [variant] = post["variants"]
    text, _, row = variant["content"].partition("\n\n")
    assert text == "When?"
    assert 0 < len(row) <= 500 * 3 / 4


async def test_where_its_template_cannot_write_the_summary_stays_and_it_says_why(
    api: httpx2.AsyncClient,
    services: Services,
    make: Factory,
    user: User,
    account: Account,
    article: dict[str, Any],
) -> None:
    assistant = await make.assistant(user, accounts=(account.id,))
    async with services.sessions.begin() as session:
        of = update(TemplateVersion).where(TemplateVersion.id == assistant.template_version_id)
        await session.execute(of.values(body="About ((Topic)) for ((Audience))"))
    body = wanted(account, assistant_id=str(assistant.id), by_template=True)
    made = done(await api.post(at(article), json=body), 201)
    assert made["post"]["content"] == "When?"
    assert made["writing"] is None
    assert [(one["field"], one["code"]) for one in made["refusal"]["errors"]] == [
        ("inputs.Audience", ErrorCode.variable_value_required),
    ]


@pytest.fixture
async def wanting(
    api: httpx2.AsyncClient, make: Factory, user: User, account: Account, networks: Networks, services: Services
) -> dict[str, Any]:
    """A website whose new articles are announced as drafts."""
    site = done(await api.post("/websites/connect/wordpress/", json=a_form(networks)), 201)
    assistant = await make.assistant(user, accounts=(account.id,))
    body = {"assistant_id": str(assistant.id), "version": site["version"]}
    chosen: dict[str, Any] = done(await api.put(f"/websites/{site['id']}/announcing/", json=body))
    assert (chosen["announce_assistant_id"], chosen["announce_publishes"]) == (str(assistant.id), False)
    return chosen


async def published(api: httpx2.AsyncClient, services: Services, user: User, site: dict[str, Any]) -> dict[str, Any]:
    draft = done(await api.post("/articles/", json=an_article(site)), 201)
    done(await api.post(f"/social-media-posts/{draft['id']}/publish/", json={"version": draft["version"]}))
    await go_out(services, user, done(await api.get(f"/articles/{draft['id']}/")))
    return dict(done(await api.get(f"/articles/{draft['id']}/")))


async def rounds(services: Services, user: User, most: int = 10) -> None:
    """What the workers do, as if each attempt was due at once; texts are written in between."""
    for _ in range(most):
        async with services.sessions.begin() as session:
            await session.execute(update(Announcement).values(due_at=Announcement.created_at))
            open_ones = select(Tryout.id).where(Tryout.user_id == user.id, Tryout.state == GenerationState.queued)
            queued = list(await session.scalars(open_ones))
        for tryout_id in queued:
            await services.tryouts.make(user.id, tryout_id, 1)
        await attempt(services, FollowUpKind.announcement)


async def test_by_itself_it_becomes_a_draft_that_its_owner_is_told_of_once(
    api: httpx2.AsyncClient, services: Services, user: User, wanting: dict[str, Any]
) -> None:
    article = await published(api, services, user, wanting)
    assert done(await api.get(at(article)))["by_itself"]["state"] == "waiting"
    await rounds(services, user)
    told = done(await api.get(at(article)))
    [post] = told["posts"]
    assert told["by_itself"] == {"state": "made", "due_at": None, "code": None}
    assert (post["status"], post["announces_id"], post["is_demo"]) == ("draft", article["id"], True)
    assert "Winter tyres" in post["content"]
    assert post["link"]["url"] == article["deliveries"][0]["permalink"]
    [notice] = done(await api.get("/notifications/"))["items"]
    assert (notice["kind"], notice["post_id"]) == ("announcement_ready", post["id"])
    done(await api.post(f"/social-media-posts/{post['id']}/publish/", json={"version": post["version"]}))
    assert done(await api.get("/notifications/"))["items"][0]["read_at"], "it is out: nobody has to look at it"
    # the receipt is written once more, as after a lost answer
    async with services.sessions.begin() as session:
        assert await AnnouncementRepository(session).add_for_articles([UUID(article["id"])]) is False


async def let_out(api: httpx2.AsyncClient, site: dict[str, Any]) -> dict[str, Any]:
    """Its announcements are published at once from now on."""
    body = {"assistant_id": site["announce_assistant_id"], "version": site["version"], "publishes": True}
    return dict(done(await api.put(f"/websites/{site['id']}/announcing/", json=body)))


async def test_by_itself_it_is_published_where_its_website_says_so(
    api: httpx2.AsyncClient, services: Services, user: User, wanting: dict[str, Any]
) -> None:
    site, chosen = f"/websites/{wanting['id']}/announcing/", await let_out(api, wanting)
    body = {"assistant_id": wanting["announce_assistant_id"], "version": wanting["version"], "publishes": True}
    refused(await api.put(site, json=body), 409, ErrorCode.stale_version)
    article = await published(api, services, user, wanting)
    await rounds(services, user)
    [post] = done(await api.get(at(article)))["posts"]
    assert post["status"] == "complete"
    assert [one["state"] for one in post["deliveries"]] == ["pending"]
    assert done(await api.get("/notifications/"))["items"] == []

    done(await api.put(site, json={"assistant_id": None, "version": chosen["version"]}))
    quiet = await published(api, services, user, wanting)
    await rounds(services, user)
    assert done(await api.get(at(quiet))) == {"posts": [], "by_itself": None}
    answer = await api.put(site, json={"assistant_id": str(new_id()), "version": chosen["version"] + 1})
    assert wrong_fields(answer) == {"assistant_id": ErrorCode.not_found}


async def test_by_itself_a_text_of_the_demo_writer_stays_a_draft_where_it_would_go_to_a_real_network(
    api: httpx2.AsyncClient, services: Services, user: User, wanting: dict[str, Any]
) -> None:
    await let_out(api, wanting)
    article = await published(api, services, user, wanting)
    own = replace(services.auto_announcements, demo_texts=DemoTexts(DEMO_MODEL, None))
    await rounds(replace(services, auto_announcements=own), user)
    [post] = done(await api.get(at(article)))["posts"]
    assert (post["status"], post["is_demo"], post["deliveries"]) == ("draft", True, [])
    [notice] = done(await api.get("/notifications/"))["items"]
    assert (notice["kind"], notice["post_id"]) == ("announcement_ready", post["id"])


class Died(Exception):
    pass


async def dies(*_: Any, **__: Any) -> None:
    raise Died


async def test_whatever_dies_in_between_it_is_written_and_made_once(
    api: httpx2.AsyncClient,
    services: Services,
    user: User,
    wanting: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    article = await published(api, services, user, wanting)
    with monkeypatch.context() as dying:
        dying.setattr(AutoAnnouncementService, "_mark_writing", dies)
        with pytest.raises(Died):
            await attempt(services, FollowUpKind.announcement)
    assert await due(services, FollowUpKind.announcement) == [], "nobody takes it while it may still be at work"
    with monkeypatch.context() as dying:
        dying.setattr(AutoAnnouncementService, "_mark_made", dies)
        with pytest.raises(Died):
            await rounds(services, user)
    await rounds(services, user)
    assert len(done(await api.get(at(article)))["posts"]) == 1
    assert len(done(await api.get("/transactions/"))["items"]) == 1, "one text was paid for"


async def test_as_long_as_readers_do_not_get_it_nobody_is_told_and_after_a_day_its_owner_is(
    api: httpx2.AsyncClient, services: Services, user: User, wanting: dict[str, Any], networks: Networks
) -> None:
    article = await published(api, services, user, wanting)
    await take_away(services, networks, article)
    await rounds(services, user, most=2)
    waiting = done(await api.get(at(article)))
    assert waiting["posts"] == []
    assert (waiting["by_itself"]["state"], waiting["by_itself"]["code"]) == ("waiting", ErrorCode.page_not_shown)
    assert waiting["by_itself"]["due_at"] > article["updated_at"]
    assert done(await api.get("/notifications/"))["items"] == []
    async with services.sessions.begin() as session:
        old = update(Announcement).where(Announcement.article_id == UUID(article["id"]))
        await session.execute(old.values(created_at=Announcement.created_at - GIVE_UP_AFTER))
    await rounds(services, user, most=2)
    over = done(await api.get(at(article)))["by_itself"]
    assert over == {"state": "failed", "due_at": None, "code": ErrorCode.page_not_shown}
    [notice] = done(await api.get("/notifications/"))["items"]
    assert (notice["kind"], notice["post_id"]) == ("announcement_failed", article["id"])


async def test_what_cannot_be_written_or_sent_is_a_draft_with_the_reason(
    api: httpx2.AsyncClient, services: Services, user: User, wanting: dict[str, Any]
) -> None:
    await let_out(api, wanting)
    async with services.sessions.begin() as session:
        assistant = await session.get_one(Assistant, UUID(wanting["announce_assistant_id"]))
        of = update(TemplateVersion).where(TemplateVersion.id == assistant.template_version_id)
        await session.execute(of.values(body="About ((Topic)) for ((Audience))"))
    article = await published(api, services, user, wanting)
    await rounds(services, user)
    told = done(await api.get(at(article)))
    assert [one["status"] for one in told["posts"]] == ["draft"]
    assert told["by_itself"] == {"state": "made", "due_at": None, "code": ErrorCode.invalid_input}
    assert [one["kind"] for one in done(await api.get("/notifications/"))["items"]] == ["announcement_ready"]


async def test_a_site_at_which_it_did_not_go_out_announces_nothing(
    api: httpx2.AsyncClient, services: Services, user: User, wanting: dict[str, Any]
) -> None:
    draft = done(await api.post("/articles/", json=an_article(wanting)), 201)
    done(await api.post(f"/social-media-posts/{draft['id']}/publish/", json={"version": draft["version"]}))
    async with services.sessions.begin() as session:
        # as when it went out at another site, and not there
        assert await AnnouncementRepository(session).add_for_articles([UUID(draft["id"])]) is False
    await go_out(services, user, done(await api.get(f"/articles/{draft['id']}/")))
    assert done(await api.get(at(draft)))["by_itself"]["state"] == "waiting"


async def being_written(
    api: httpx2.AsyncClient, services: Services, user: User, site: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """An article, and the draft that announces it, whose text is on its way."""
    article = await published(api, services, user, site)
    await attempt(services, FollowUpKind.announcement)
    told = done(await api.get(at(article)))
    assert told["by_itself"]["state"] == "writing"
    [post] = told["posts"]
    return article, post


async def test_what_somebody_changes_while_it_is_written_is_kept_as_a_draft(
    api: httpx2.AsyncClient, services: Services, user: User, wanting: dict[str, Any]
) -> None:
    await let_out(api, wanting)
    article, post = await being_written(api, services, user, wanting)
    body = {key: post[key] for key in ("time_zone", "language", "version", "account_ids", "link")}
    kept = done(await api.put(f"/social-media-posts/{post['id']}/", json=body | {"content": "In my own words"}))["post"]
    await rounds(services, user)
    told = done(await api.get(at(article)))
    assert told["posts"] == [kept]
    assert (kept["status"], kept["content"]) == ("draft", "In my own words")
    assert told["by_itself"] == {"state": "made", "due_at": None, "code": ErrorCode.announcement_edited}
    assert [one["kind"] for one in done(await api.get("/notifications/"))["items"]] == ["announcement_ready"]


async def test_what_somebody_changes_after_its_text_was_taken_does_not_go_out_by_itself(
    api: httpx2.AsyncClient,
    services: Services,
    user: User,
    wanting: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await let_out(api, wanting)
    article, _ = await being_written(api, services, user, wanting)
    with monkeypatch.context() as dying:
        dying.setattr(PublishingService, "publish", dies)
        with pytest.raises(Died):
            await rounds(services, user)
    [post] = done(await api.get(at(article)))["posts"]
    assert "Winter tyres" in post["content"]
    body = {key: post[key] for key in ("content", "time_zone", "language", "version", "account_ids")}
    done(await api.put(f"/social-media-posts/{post['id']}/", json=body))  # without its link
    await rounds(services, user)
    told = done(await api.get(at(article)))
    assert [(one["status"], one["link"]) for one in told["posts"]] == [("draft", None)]
    assert told["by_itself"]["code"] == ErrorCode.announcement_edited


async def test_a_passage_that_is_ordered_meanwhile_does_not_become_its_text(
    api: httpx2.AsyncClient, services: Services, user: User, wanting: dict[str, Any]
) -> None:
    await let_out(api, wanting)
    article, post = await being_written(api, services, user, wanting)
    order = {"text": post["content"], "start": 0, "end": 4, "remark": "Shorter", "language": "en"}
    done(await api.post(f"/social-media-posts/{post['id']}/writings/passage/", json=order), 202)
    await rounds(services, user)
    told = done(await api.get(at(article)))
    [out] = told["posts"]
    assert out["status"] == "complete"
    assert "Winter tyres" in out["content"]
    assert told["by_itself"] == {"state": "made", "due_at": None, "code": None}


@pytest.mark.parametrize("by_hand", [False, True])
async def test_what_is_out_already_did_not_fail(
    api: httpx2.AsyncClient,
    services: Services,
    user: User,
    wanting: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    by_hand: bool,
) -> None:
    await let_out(api, wanting)
    article, post = await being_written(api, services, user, wanting)
    if by_hand:
        done(await api.post(f"/social-media-posts/{post['id']}/publish/", json={"version": post["version"]}))
    else:
        with monkeypatch.context() as dying:
            dying.setattr(AutoAnnouncementService, "_mark_made", dies)
            with pytest.raises(Died):
                await rounds(services, user)
    await rounds(services, user)
    told = done(await api.get(at(article)))
    assert [one["status"] for one in told["posts"]] == ["complete"]
    assert told["by_itself"] == {"state": "made", "due_at": None, "code": None}
    assert done(await api.get("/notifications/"))["items"] == []


async def test_who_writes_articles_announces_none(
    api: httpx2.AsyncClient, make: Factory, user: User, wanting: dict[str, Any]
) -> None:
    writer = await make.assistant(user, website_id=UUID(wanting["id"]), image=False)
    body = {"assistant_id": str(writer.id), "version": wanting["version"]}
    answer = await api.put(f"/websites/{wanting['id']}/announcing/", json=body)
    code = ErrorCode.assistant_writes_articles
    assert wrong_fields(answer, code) == {"assistant_id": code}
    kept = done(await api.get(f"/websites/{wanting['id']}/"))
    assert kept["announce_assistant_id"] == wanting["announce_assistant_id"]
