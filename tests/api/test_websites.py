"""Websites and articles over the API: connected, written, published at the stand-in for WordPress, and read there."""

import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import httpx2
import pytest
from sqlalchemy import update

from core.container import Services
from core.deliveries.rules.deliveries import DeliveryOutcome
from core.deliveries.tables.deliveries import Delivery
from core.errors import Ambiguous, ErrorCode
from core.ids import new_id
from core.networks.rules.channels import ChannelKind
from core.users.tables.users import User
from sandbox.ghost_keys import GhostKey
from sandbox.webhook import SECRET
from tests.api.conftest import done, refused, wrong_fields
from tests.api.operations import PICTURE
from tests.conftest import Networks, browsing


def a_form(networks: Networks, **changes: str) -> dict[str, Any]:
    # another one each time: one that was given back is refused from then on
    fields = {"site": networks.url, "username": "ada-lindqvist", "app_password": uuid4().hex[:24]} | changes
    return {"fields": fields, "language": "en"}


@pytest.fixture
async def site(api: httpx2.AsyncClient, networks: Networks) -> dict[str, Any]:
    connected: dict[str, Any] = done(await api.post("/websites/connect/wordpress/", json=a_form(networks)), 201)
    return connected


def an_article(site: dict[str, Any], **changes: Any) -> dict[str, Any]:
    told = {"title": "Winter tyres", "slug": f"winter-tyres-{uuid4().hex[:8]}", "summary": "When?", "tags": ["bikes"]}
    return {
        "id": str(new_id()),
        "website_id": site["id"],
        "content": "# When\n\nBelow **seven** degrees.",
        "fields": told | changes.pop("fields", {}),
        "time_zone": "Europe/Berlin",
        "language": "en",
    } | changes


def edited(article: dict[str, Any], body: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {name: value for name, value in body.items() if name != "id"} | {"version": article["version"]} | changes


async def go_out(services: Services, user: User, article: dict[str, Any]) -> None:
    """As its workflow does, without one."""

    async def at_once() -> None:
        return

    [delivery] = article["deliveries"]
    await services.staging.stage(user.id, UUID(delivery["id"]))
    assert await services.delivering.deliver(user.id, UUID(delivery["id"]), wait=at_once) is DeliveryOutcome.published
    await services.publishing.end(user.id, UUID(article["id"]))


async def page_of(address: str) -> str:
    async with httpx2.AsyncClient() as browser:
        answer = await browser.get(address)
    assert answer.status_code == 200
    return answer.text


async def test_a_site_is_tried_before_it_is_kept_and_the_same_when_connected_again(
    api: httpx2.AsyncClient, networks: Networks, site: dict[str, Any]
) -> None:
    assert (site["kind"], site["state"], site["url"], site["articles"]) == ("wordpress", "connected", networks.url, 0)
    assert (site["handle"], site["name"]) == ("ada-lindqvist", "Sandbox Times")
    assert set(site["form"]) == {"site", "username"}  # nothing secret
    again = done(await api.post("/websites/connect/wordpress/", json=a_form(networks)), 201)
    assert again["id"] == site["id"]
    assert [one["id"] for one in done(await api.get("/websites/"))] == [site["id"]]
    # it is no social account, and nothing that social posts could go to
    assert done(await api.get("/accounts/")) == []
    post = {
        "id": str(new_id()),
        "content": "Hi",
        "account_ids": [site["account_id"]],
        "time_zone": "UTC",
        "language": "en",
    }
    refused(await api.post("/social-media-posts/", json=post), 404, ErrorCode.not_found)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"app_password": "0000 0000 0000 0000 0000 0000"}, "fields.app_password"),
        ({"username": "tom-okafor"}, "fields.username"),
        ({"site": "http://127.0.0.1:1"}, "fields.site"),
        ({"site": ""}, "fields.site"),
    ],
)
async def test_what_is_wrong_in_the_form_is_told_at_its_field(
    api: httpx2.AsyncClient, networks: Networks, changes: dict[str, str], field: str
) -> None:
    answer = await api.post("/websites/connect/wordpress/", json=a_form(networks, **changes))
    assert [one["field"] for one in answer.json()["errors"]] == [field]
    assert done(await api.get("/websites/")) == []


async def test_a_network_is_no_kind_of_site(api: httpx2.AsyncClient, networks: Networks) -> None:
    refused(await api.post("/websites/connect/linkedin/", json=a_form(networks)), 404, ErrorCode.not_found)
    kinds = [one["kind"] for one in done(await api.get("/websites/kinds/"))]
    assert kinds == [kind for kind in ChannelKind if kind.is_site]


@pytest.mark.parametrize(
    ("kind", "form"),
    [
        (ChannelKind.ghost, {"site": "{url}/ghost/", "admin_key": str(GhostKey(""))}),
        (ChannelKind.webhook, {"endpoint": "{url}/hooks/journal", "secret": SECRET}),
    ],
)
async def test_other_kinds_are_connected_written_for_and_published_at_alike(
    api: httpx2.AsyncClient,
    services: Services,
    user: User,
    networks: Networks,
    kind: ChannelKind,
    form: dict[str, str],
) -> None:
    fields = {name: value.replace("{url}", networks.url) for name, value in form.items()}
    done(await api.patch("/users/me/", json={"time_zone": "Pacific/Auckland"}))
    wrong = fields | {name: f"{value[:-4]}AAA=" for name, value in fields.items() if name in ("secret", "admin_key")}
    answer = await api.post(f"/websites/connect/{kind}/", json={"fields": wrong, "language": "de"})
    assert [one["field"] for one in answer.json()["errors"]] in (["fields.admin_key"], ["fields.secret"])
    connected = done(await api.post(f"/websites/connect/{kind}/", json={"fields": fields, "language": "de"}), 201)
    assert (connected["kind"], connected["state"]) == (kind, "connected")
    own = {ChannelKind.ghost: "Sandbox Gazette", ChannelKind.webhook: f"{urlsplit(networks.url).netloc}/hooks/journal"}
    assert connected["name"] == own[kind]
    assert set(connected["form"]) == set(form) - {"admin_key", "secret"}, "nothing secret"
    assert not any(str(secret) in str(connected) for secret in (GhostKey("").secret, SECRET))
    checked = done(await api.post(f"/accounts/{connected['account_id']}/check/"))
    assert {one["result"] for one in checked if one["point"] == "access"} == {"fine"}
    article = done(await api.post("/articles/", json=an_article(connected)), 201)
    path = f"/social-media-posts/{article['id']}"
    done(await api.post(f"{path}/publish/", json={"version": article["version"]}))
    await go_out(services, user, done(await api.get(f"/articles/{article['id']}/")))
    [delivery] = done(await api.get(f"/articles/{article['id']}/"))["deliveries"]
    assert delivery["state"] == "published"
    shown = await page_of(delivery["permalink"])
    assert "<h1>Winter tyres</h1>" in shown
    assert "<strong>seven</strong>" in shown
    # dated by itself, in UTC, whatever zone its user plans in
    [seen] = [one for one in await networks.posts() if one["permalink"] == delivery["permalink"]]
    dated, settled = (datetime.fromisoformat(str(one)) for one in (seen["created_at"], delivery["settled_at"]))
    assert dated.utcoffset() == timedelta(0)
    assert abs(settled - dated) < timedelta(seconds=30)
    removed = done(await api.delete(f"/websites/{connected['id']}/"))
    assert removed["access"] == "refused"  # whoever manages the site ends it there


async def test_a_webhook_without_an_answer_is_asked_by_sending_once_more(
    api: httpx2.AsyncClient, services: Services, user: User, networks: Networks
) -> None:
    fields = {"endpoint": f"{networks.url}/hooks/asked", "secret": SECRET}
    site = done(await api.post("/websites/connect/webhook/", json={"fields": fields, "language": "en"}), 201)
    article = done(await api.post("/articles/", json=an_article(site)), 201)
    path = f"/social-media-posts/{article['id']}/publish/"
    done(await api.post(path, json={"version": article["version"]}))
    article = done(await api.get(f"/articles/{article['id']}/"))
    await networks.fail(on="posts", kind="lost_answer", containing=article["fields"]["slug"])
    with pytest.raises(Ambiguous):
        await go_out(services, user, article)
    async with services.sessions.begin() as session:  # the call's time is over
        await session.execute(
            update(Delivery)
            .where(Delivery.post_id == UUID(article["id"]))
            .values(called_at=Delivery.called_at - timedelta(minutes=2))
        )
    await go_out(services, user, article)
    [delivery] = done(await api.get(f"/articles/{article['id']}/"))["deliveries"]
    assert delivery["state"] == "published"
    there = [one for one in await networks.posts() if one["permalink"] == delivery["permalink"]]
    assert len(there) == 1


async def test_it_is_called_as_its_user_wants_and_changed_by_one_at_a_time(
    api: httpx2.AsyncClient, site: dict[str, Any]
) -> None:
    path = f"/websites/{site['id']}/"
    changed = done(await api.put(path, json={"name": " Shop\nblog ", "language": "de", "version": 1}))
    assert (changed["name"], changed["language"], changed["version"]) == ("Shop blog", "de", 2)
    refused(await api.put(path, json={"name": "x", "language": "de", "version": 1}), 409, ErrorCode.stale_version)
    named = await api.put(path, json={"name": "", "language": "de", "version": 2})
    assert wrong_fields(named) == {"name": ErrorCode.name_required}
    named = await api.put(path, json={"name": "x" * 121, "language": "de", "version": 2})
    assert wrong_fields(named) == {"name": ErrorCode.content_too_long}


async def test_removed_its_articles_stay_and_go_nowhere(
    api: httpx2.AsyncClient, site: dict[str, Any], networks: Networks
) -> None:
    article = done(await api.post("/articles/", json=an_article(site)), 201)
    assert done(await api.get(f"/websites/{site['id']}/"))["articles"] == 1
    assert done(await api.delete(f"/websites/{site['id']}/"))["access"] == "revoked"
    refused(await api.get(f"/websites/{site['id']}/"), 404, ErrorCode.not_found)
    kept = done(await api.get(f"/articles/{article['id']}/"))
    assert (kept["website_id"], kept["content"]) == (None, article["content"])
    body = an_article(site, website_id=None, content="Kept up")
    kept = done(await api.put(f"/articles/{article['id']}/", json=edited(kept, body)))["article"]
    assert kept["content"] == "Kept up"
    publish = await api.post(f"/social-media-posts/{article['id']}/publish/", json={"version": kept["version"]})
    refused(publish, 422, ErrorCode.account_disconnected)
    # connected again it is a website once more, and its articles are its own
    back = done(await api.post("/websites/connect/wordpress/", json=a_form(networks)), 201)
    assert done(await api.get(f"/articles/{article['id']}/"))["website_id"] == back["id"]


async def test_an_article_goes_out_as_it_was_written_with_its_images_at_the_site(
    api: httpx2.AsyncClient, services: Services, user: User, site: dict[str, Any]
) -> None:
    media = [
        done(await api.post("/media/", files={"file": (f"{name}.png", PICTURE, "image/png")}), 201)["id"]
        for name in ("above", "inside")
    ]
    body = an_article(
        site,
        content=f"# When\n\nBelow **seven** degrees.\n\n![A cold wheel](media:{media[1]})\n\n<script>alert(1)</script>",
        featured={"media_id": media[0], "alt": "A red bicycle"},
    )
    article = done(await api.post("/articles/", json=body), 201)
    assert (article["featured"]["alt"], article["words"]) == ("A red bicycle", 8)
    path = f"/social-media-posts/{article['id']}/"
    assert done(await api.get(path))["is_article"] is True
    done(await api.post(f"{path}publish/", json={"version": article["version"]}))
    article = done(await api.get(f"/articles/{article['id']}/"))
    await go_out(services, user, article)
    out = done(await api.get(f"/articles/{article['id']}/"))
    [delivery] = out["deliveries"]
    assert (out["status"], delivery["state"]) == ("published", "published")
    assert urlsplit(delivery["permalink"]).path.strip("/").endswith(body["fields"]["slug"])
    page = await page_of(delivery["permalink"])
    assert "Winter tyres" in page
    assert "<strong>seven</strong>" in page
    assert "<script>alert(1)" not in page
    sources = re.findall(r'<img[^>]* src="([^"]+)"', page)
    assert len(sources) == 2
    assert not [one for one in sources if "media:" in one]


async def test_a_draft_may_lack_everything_and_says_what_it_lacks_when_it_is_to_go_out(
    api: httpx2.AsyncClient, site: dict[str, Any]
) -> None:
    article = done(
        await api.post("/articles/", json=an_article(site, content="", fields={"title": "", "slug": ""})), 201
    )
    publish = await api.post(f"/social-media-posts/{article['id']}/publish/", json={"version": article["version"]})
    assert wrong_fields(publish, ErrorCode.title_missing) == {
        "fields.title": ErrorCode.title_missing,
        "fields.slug": ErrorCode.slug_missing,
        "content": ErrorCode.content_empty,
    }


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"fields": {"slug": "Not one"}}, "fields.slug", ErrorCode.slug_malformed),
        ({"fields": {"canonical_url": "nowhere"}}, "fields.canonical_url", ErrorCode.address_malformed),
        ({"content": "x" * 100_001}, "content", ErrorCode.content_too_long),
        ({"time_zone": "Mars/Base"}, "time_zone", ErrorCode.unknown_time_zone),
    ],
)
async def test_what_cannot_be_kept_is_told_at_its_field(
    api: httpx2.AsyncClient, site: dict[str, Any], changes: dict[str, Any], field: str, code: ErrorCode
) -> None:
    assert wrong_fields(await api.post("/articles/", json=an_article(site, **changes))) == {field: code}


async def test_a_text_of_a_megabyte_is_refused_at_its_field_with_its_length(
    api: httpx2.AsyncClient, site: dict[str, Any]
) -> None:
    body = an_article(site)
    article = done(await api.post("/articles/", json=body), 201)
    answer = await api.put(f"/articles/{article['id']}/", json=edited(article, body, content="x" * 1_000_000))
    assert wrong_fields(answer) == {"content": ErrorCode.content_too_long}
    assert answer.json()["errors"][0]["params"] == {"length": 1_000_000, "limit": 100_000}
    assert done(await api.get(f"/articles/{article['id']}/"))["content"] == body["content"]


async def test_what_is_on_its_way_has_its_title_in_the_calendar_and_a_slug_of_its_own(
    api: httpx2.AsyncClient, site: dict[str, Any]
) -> None:
    bodies = [an_article(site, fields={"slug": "the-same"}) for _ in range(2)]
    first, second = [done(await api.post("/articles/", json=body), 201) for body in bodies]
    later = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    plan = {"version": first["version"], "planned_at": later}
    done(await api.post(f"/social-media-posts/{first['id']}/publish/", json=plan))
    period = {"from": datetime.now(UTC).isoformat(), "to": (datetime.now(UTC) + timedelta(days=2)).isoformat()}
    shown = done(await api.get("/calendar/", params=period))["posts"]
    assert [(one["id"], one["title"]) for one in shown] == [(first["id"], "Winter tyres")]
    publish = await api.post(f"/social-media-posts/{second['id']}/publish/", json=plan)
    assert wrong_fields(publish, ErrorCode.slug_taken) == {"fields.slug": ErrorCode.slug_taken}


async def test_lists_tell_articles_from_posts(api: httpx2.AsyncClient, site: dict[str, Any]) -> None:
    article = done(await api.post("/articles/", json=an_article(site)), 201)
    other = done(await api.post("/articles/", json=an_article(site, fields={"title": "Summer"}, content="Sun")), 201)
    assert done(await api.get("/social-media-posts/"))["total"] == 0
    found = done(await api.get("/articles/"))
    assert [one["id"] for one in found["items"]] == [other["id"], article["id"]]
    assert found["items"][1]["website_name"] == site["name"]
    for query, ids in [
        ("search=seven", [article["id"]]),
        ("search=summer", [other["id"]]),
        ("status=published", []),
        (f"website_id={site['id']}&status=draft", [other["id"], article["id"]]),
    ]:
        assert [one["id"] for one in done(await api.get(f"/articles/?{query}"))["items"]] == ids
    assert done(await api.get("/articles/?status=published"))["statuses"] == {
        "draft": 2,
        "complete": 0,
        "published": 0,
        "failed": 0,
    }
    refused(await api.get(f"/articles/?website_id={uuid4()}"), 404, ErrorCode.not_found)
    assert done(await api.get("/users/account_stats/"))["articles_by_status"]["draft"] == 2


async def test_an_article_is_edited_as_one_and_by_one_at_a_time(api: httpx2.AsyncClient, site: dict[str, Any]) -> None:
    body = an_article(site)
    article = done(await api.post("/articles/", json=body), 201)
    assert done(await api.post("/articles/", json=body), 201)["version"] == article["version"]  # sent once more
    path = f"/articles/{article['id']}/"
    changed = done(await api.put(path, json=edited(article, body, content="New")))["article"]
    assert (changed["content"], changed["version"]) == ("New", article["version"] + 1)
    refused(await api.put(path, json=edited(article, body)), 409, ErrorCode.stale_version)
    as_post = {"content": "x", "time_zone": "UTC", "language": "en", "version": changed["version"]}
    refused(await api.put(f"/social-media-posts/{article['id']}/", json=as_post), 404, ErrorCode.not_found)
    copied = str(new_id())
    done(await api.post(f"/social-media-posts/{article['id']}/duplicate/", json={"id": copied}), 201)
    assert done(await api.get(f"/articles/{copied}/"))["fields"]["title"] == "Winter tyres"


async def test_a_preview_shows_what_will_be_read_and_saves_nothing(api: httpx2.AsyncClient) -> None:
    media = done(await api.post("/media/", files={"file": ("a.png", PICTURE, "image/png")}), 201)["id"]
    text = f"Hello *you*\n\n![Wheel](media:{media}) ![Gone](media:{uuid4()}) <b onclick=x>b</b>"
    shown = done(await api.post("/articles/preview/", json={"content": text, "title": "Über uns"}))
    assert shown["slug"] == "ueber-uns"
    assert "<em>you</em>" in shown["html"]
    assert f'src="/api/media/{media}/file/?' in shown["html"]
    assert "Gone" not in shown["html"]
    assert "<b " not in shown["html"]
    assert done(await api.get("/articles/"))["total"] == 0


@pytest.fixture
async def stranger(services: Services, away: Any, make: Any) -> AsyncIterator[httpx2.AsyncClient]:
    async with browsing(services, away, await make.user("stranger@example.org")) as client:
        yield client


async def test_nobody_elses_website_or_article_is_there(
    api: httpx2.AsyncClient, stranger: httpx2.AsyncClient, site: dict[str, Any]
) -> None:
    body = an_article(site)
    article = done(await api.post("/articles/", json=body), 201)
    for path in (f"/websites/{site['id']}/", f"/articles/{article['id']}/"):
        refused(await stranger.get(path), 404, ErrorCode.not_found)
    refused(await stranger.delete(f"/websites/{site['id']}/"), 404, ErrorCode.not_found)
    refused(await stranger.put(f"/articles/{article['id']}/", json=edited(article, body)), 404, ErrorCode.not_found)
    refused(await stranger.post("/articles/", json=an_article(site)), 404, ErrorCode.not_found)
    other = an_article(site, featured={"media_id": str(uuid4())})
    refused(await api.post("/articles/", json=other), 404, ErrorCode.not_found)
