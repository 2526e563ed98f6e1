"""Sites that are served here: published over the API, and read by anybody as people and programs read them."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from io import BytesIO
from typing import Any
from urllib.parse import urljoin, urlsplit
from uuid import UUID, uuid4
from xml.etree import ElementTree as ET

import feedparser
import httpx2
import pytest
import yaml
from html5lib import HTMLParser
from PIL import Image as Picture
from sqlalchemy import update

from api.limits import FEED_ADDRESSES
from core.clock import utcnow
from core.container import Services
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode, RetrySafe, Unavailable
from core.ids import new_id
from core.media.storage import Storage
from core.networks.registry import channel
from core.networks.rules.channels import ChannelKind
from core.rate_limits.limiting import LimitingService
from core.settings import Settings
from core.texts.rules import markdown
from core.users.tables.users import User
from core.websites.repositories.feeds import FeedRepository
from core.websites.site_feeds import FeedService
from core.websites.tables.feeds import Feed, FeedArticle
from temporal.gateway import Gateway
from tests.api.conftest import done, refused, wrong_fields
from tests.api.test_websites import an_article, go_out
from tests.conftest import browsing
from tests.factories import Factory

KIND = ChannelKind.hosted_feed
HTML = "{http://www.w3.org/1999/xhtml}"
TEXT = """# When

Below **seven** degrees, [says the club](https://example.org/a?b=1&c=2).

| tyre | mm |
|:-----|---:|
| front | 32 |

<script>alert(1)</script>

![Studs on ice](media:{media})
"""


def a_form(**changes: str) -> dict[str, Any]:
    fields = {"site_name": "Garden & notes", "address": f"Garden notes {uuid4().hex[:8]}"} | changes
    return {"fields": fields, "language": "en"}


@pytest.fixture
async def site(api: httpx2.AsyncClient) -> dict[str, Any]:
    connected: dict[str, Any] = done(await api.post(f"/websites/connect/{KIND}/", json=a_form()), 201)
    return connected


@pytest.fixture
async def reader(anonymous: httpx2.AsyncClient) -> httpx2.AsyncClient:
    return anonymous


async def described(api: httpx2.AsyncClient, site: dict[str, Any], **feed: Any) -> dict[str, Any]:
    facts = {"description": "What grows, and when.", "author": "Mara Lind", "indexed": True} | feed
    body = {"name": site["name"], "language": "en", "version": site["version"], "feed": facts}
    changed: dict[str, Any] = done(await api.put(f"/websites/{site['id']}/", json=body))
    return changed


async def an_image(api: httpx2.AsyncClient, colour: str, size: tuple[int, int] = (2000, 1000)) -> str:
    data = BytesIO()
    Picture.new("RGB", size, colour).save(data, "PNG")
    uploaded = done(await api.post("/media/", files={"file": ("one.png", data.getvalue(), "image/png")}), 201)
    return str(uploaded["id"])


async def publish(api: httpx2.AsyncClient, services: Services, user: User, body: dict[str, Any]) -> dict[str, Any]:
    """The article as it stands then."""
    article = done(await api.post("/articles/", json=body), 201)
    path = f"/social-media-posts/{article['id']}/publish/"
    done(await api.post(path, json={"version": article["version"]}))
    article = done(await api.get(f"/articles/{article['id']}/"))
    await go_out(services, user, article)
    out: dict[str, Any] = done(await api.get(f"/articles/{article['id']}/"))
    return out


@pytest.fixture
async def out(api: httpx2.AsyncClient, services: Services, user: User, site: dict[str, Any]) -> dict[str, Any]:
    """An article with everything that one can have."""
    await described(api, site)
    above, inside = await an_image(api, "navy"), await an_image(api, "teal", (300, 200))
    told = {"seo_title": "Tyres <now>", "seo_description": "When to change.", "tags": ["bikes & ice", "winter"]}
    featured = {"media_id": above, "alt": 'A "blue" <sheet>'}
    body = an_article(site, content=TEXT.replace("{media}", inside), fields=told, featured=featured)
    return await publish(api, services, user, body)


def permalink(article: dict[str, Any]) -> str:
    address: str = article["deliveries"][0]["permalink"]
    return address


async def name_of(services: Services, article: dict[str, Any]) -> UUID:
    """As the site knows it."""
    async with services.sessions() as session:
        delivery = await session.get_one(Delivery, UUID(article["deliveries"][0]["id"]))
        assert delivery.provider_id is not None
        return UUID(delivery.provider_id)


def parsed(page: str) -> Any:
    """By the rules of HTML; whatever breaks one of them raises."""
    return HTMLParser(strict=True).parse(page)


async def test_it_is_a_website_with_addresses_to_copy(api: httpx2.AsyncClient) -> None:
    form = a_form(address="Gärten & Höfe 2026!")
    site = done(await api.post(f"/websites/connect/{KIND}/", json=form), 201)
    assert (site["name"], site["state"], site["articles"]) == ("Garden & notes", "connected", 0)
    assert site["url"] == "http://postloom.test/feeds/gaerten-hoefe-2026/"
    assert site["feed"] == {
        "rss_url": f"{site['url']}rss.xml",
        "json_url": f"{site['url']}feed.json",
        "description": "",
        "author": "",
        "indexed": True,
    }
    assert site["form"] == {"site_name": "Garden & notes", "address": "gaerten-hoefe-2026"}
    kinds = done(await api.get("/websites/kinds/"))
    assert {one["kind"] for one in kinds if one["served_here"]} == {KIND}
    check = done(await api.post(f"/accounts/{site['account_id']}/check/"))
    assert [(one["point"], one["result"]) for one in check] == [("access", "fine")]


async def test_an_address_is_one_persons_for_ever(
    api: httpx2.AsyncClient, services: Services, away: Gateway, make: Factory, user: User
) -> None:
    form = a_form(address="garden")
    mine = done(await api.post(f"/websites/connect/{KIND}/", json=form), 201)
    # another one of theirs would become the same, and its name be lost
    another = await api.post(f"/websites/connect/{KIND}/", json=a_form(address="Garden!", site_name="Other"))
    assert wrong_fields(another) == {"fields.address": ErrorCode.connect_address_own}
    [error] = another.json()["errors"]
    assert error["params"]["name"] == mine["name"]
    [listed] = done(await api.get("/websites/"))
    assert (listed["id"], listed["name"]) == (mine["id"], mine["name"])
    # meant as it is, it is connected once more, and called as its user calls it by now
    meant = a_form(address="garden", site_name="Other") | {"website_id": mine["id"]}
    again = done(await api.post(f"/websites/connect/{KIND}/", json=meant), 201)
    assert (again["id"], again["name"], again["version"]) == (mine["id"], "Other", mine["version"] + 1)
    async with browsing(services, away, await make.user()) as other:
        taken = await other.post(f"/websites/connect/{KIND}/", json=form)
        assert wrong_fields(taken) == {"fields.address": ErrorCode.connect_address_taken}
        assert done(await other.get("/websites/")) == []
        done(await api.delete(f"/websites/{mine['id']}/"))
        taken = await other.post(f"/websites/connect/{KIND}/", json=form)
        assert wrong_fields(taken) == {"fields.address": ErrorCode.connect_address_taken}
    nothing = await api.post(f"/websites/connect/{KIND}/", json=a_form(address="!?"))
    refused(nothing, 422, ErrorCode.connect_address_unusable)
    assert [one["field"] for one in nothing.json()["errors"]] == ["fields.address"]


async def test_of_two_who_want_it_at_once_one_gets_it(
    api: httpx2.AsyncClient, services: Services, away: Gateway, make: Factory, monkeypatch: pytest.MonkeyPatch
) -> None:
    done(await api.post(f"/websites/connect/{KIND}/", json=a_form(address="garden")), 201)
    other = await make.user()

    async def not_yet(*_: object) -> bool:
        return False

    monkeypatch.setattr(FeedRepository, "was_address_taken", not_yet)  # both have looked before either has it
    async with browsing(services, away, other) as late:
        taken = await late.post(f"/websites/connect/{KIND}/", json=a_form(address="garden"))
        assert wrong_fields(taken) == {"fields.address": ErrorCode.connect_address_taken}
        assert done(await late.get("/websites/")) == []


async def test_a_page_is_valid_html_that_runs_nothing_and_says_what_it_is(
    reader: httpx2.AsyncClient, out: dict[str, Any]
) -> None:
    answer = await reader.get(permalink(out))
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    page = parsed(answer.text)
    policy = dict(part.partition(" ")[::2] for part in answer.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == "'none'"
    assert "unsafe-inline" not in answer.headers["content-security-policy"]
    # one is there, and it is data
    [data] = page.iter(f"{HTML}script")
    assert data.attrib == {"type": "application/ld+json"}
    assert not [name for one in page.iter() for name in one.attrib if name.startswith("on") or name == "style"]
    linked = json.loads(data.text)
    assert (linked["@type"], linked["headline"], linked["inLanguage"]) == ("Article", "Winter tyres", "en")
    assert linked["author"] == {"@type": "Person", "name": "Mara Lind"}
    assert page.attrib["lang"] == "en"
    metas = {one.get("property") or one.get("name"): one.get("content") for one in page.iter(f"{HTML}meta")}
    assert metas["description"] == metas["og:description"] == "When to change."
    assert (metas["og:title"], metas["og:type"]) == ("Tyres <now>", "article")
    assert metas["twitter:card"] == "summary_large_image"
    assert "robots" not in metas
    links = {(one.get("rel"), one.get("type")): one.get("href") for one in page.iter(f"{HTML}link")}
    home = permalink(out).rpartition("/")[0].rpartition("/")[0]
    assert links["canonical", None] == permalink(out)
    assert links["alternate", "application/rss+xml"] == f"{home}/rss.xml"
    assert links["alternate", "application/feed+json"] == f"{home}/feed.json"
    assert [one.text for one in page.iter(f"{HTML}h1")] == ["Winter tyres"]
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in answer.text


async def test_nothing_that_is_written_becomes_a_part_of_the_page(
    api: httpx2.AsyncClient, services: Services, user: User, reader: httpx2.AsyncClient
) -> None:
    bad = "</script></title></style>\"'><script>alert(1)</script>&amp;<!--"
    site = done(await api.post(f"/websites/connect/{KIND}/", json=a_form(site_name=bad[:120])), 201)
    await described(api, site, description=bad, author=bad)
    told = {"title": bad, "summary": bad, "tags": [bad], "seo_title": bad, "seo_description": bad}
    article = await publish(api, services, user, an_article(site, fields=told, content=f"{bad}\n\n    {bad}"))
    for address in (site["url"], permalink(article)):
        text = (await reader.get(address)).text
        page = parsed(text)
        assert {one.get("type") for one in page.iter(f"{HTML}script")} <= {"application/ld+json"}
        assert [one.text for one in page.iter(f"{HTML}h1")] == [bad]
    [data] = page.iter(f"{HTML}script")
    assert json.loads(data.text)["headline"] == bad
    read = feedparser.parse((await reader.get(site["feed"]["rss_url"])).content)
    assert not read.bozo
    assert ET.fromstring((await reader.get(site["feed"]["rss_url"])).content).findtext("channel/item/title") == bad
    assert (await reader.get(site["feed"]["json_url"])).json()["items"][0]["title"] == bad
    _, head, _ = (await reader.get(permalink(article).removesuffix("/") + ".md")).text.split("---\n", 2)
    assert yaml.safe_load(head)["title"] == bad


async def test_its_images_are_there_for_everybody_in_the_sizes_that_screens_need(
    api: httpx2.AsyncClient, reader: httpx2.AsyncClient, out: dict[str, Any]
) -> None:
    page = parsed((await reader.get(permalink(out))).text)
    above, inside = page.iter(f"{HTML}img")
    assert (above.get("alt"), inside.get("alt")) == ('A "blue" <sheet>', "Studs on ice")
    assert (above.get("loading"), inside.get("loading")) == (None, "lazy")
    assert [one.split(" ")[1] for one in above.get("srcset").split(", ")] == ["480w", "960w", "1440w"]
    assert [one.split(" ")[1] for one in inside.get("srcset").split(", ")] == ["300w"]
    for image in (above, inside):
        answer = await reader.get(image.get("src"))
        assert answer.headers["content-type"] == "image/jpeg"
        assert answer.headers["cache-control"] == "public, no-cache"
        drawn = Picture.open(BytesIO(answer.content))
        assert drawn.size == (int(image.get("width")), int(image.get("height")))
        for part in image.get("srcset").split(", "):
            source, width = part.split(" ")
            small = Picture.open(BytesIO((await reader.get(source)).content))
            assert (small.format, f"{small.width}w") == ("WEBP", width)
        etag = {"If-None-Match": answer.headers["etag"]}
        assert (await reader.get(image.get("src"), headers=etag)).status_code == 304
    # what another article shows is not this one's, and what none shows nobody's
    assert (await reader.get(f"{permalink(out)}{uuid4()}.jpg")).status_code == 404
    # the gallery may let go of it: it is the site's own by now
    for media in done(await api.get("/media/"))["items"]:
        done(await api.delete(f"/media/{media['id']}/"), 204)
    assert (await reader.get(above.get("src"))).status_code == 200


async def test_rss_is_what_readers_of_feeds_understand(
    reader: httpx2.AsyncClient, out: dict[str, Any], site: dict[str, Any]
) -> None:
    answer = await reader.get(site["feed"]["rss_url"])
    assert answer.headers["content-type"] == "application/rss+xml; charset=utf-8"
    assert answer.headers["access-control-allow-origin"] == "*"
    channel_of = ET.fromstring(answer.content).find("channel")
    assert channel_of is not None
    assert [channel_of.findtext(name) for name in ("title", "link", "description", "language")] == [
        "Garden & notes",
        site["url"],
        "What grows, and when.",
        "en",
    ]
    itself = channel_of.find("{http://www.w3.org/2005/Atom}link")
    assert itself is not None
    assert itself.attrib == {"href": site["feed"]["rss_url"], "rel": "self", "type": "application/rss+xml"}
    [item] = channel_of.findall("item")
    guid, enclosure = item.find("guid"), item.find("enclosure")
    assert guid is not None
    assert guid.get("isPermaLink") == "false"
    assert enclosure is not None
    picture = await reader.get(enclosure.attrib["url"])
    assert (enclosure.get("type"), enclosure.get("length")) == ("image/jpeg", str(len(picture.content)))
    for name, place in (("pubDate", item), ("lastBuildDate", channel_of)):
        date = place.findtext(name)
        assert date is not None
        assert re.fullmatch(r"\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} (GMT|[+-]\d{4})", date)
        assert parsedate_to_datetime(date).tzinfo is not None
    read = feedparser.parse(answer.content)
    assert not read.bozo, read.get("bozo_exception")
    assert read.version == "rss20"
    [entry] = read.entries
    assert (entry.title, entry.link, entry.author) == ("Winter tyres", permalink(out), "Mara Lind")
    assert [tag.term for tag in entry.tags] == ["bikes & ice", "winter"]
    assert entry.summary == "When?"
    assert "<strong>seven</strong>" in entry.content[0].value
    assert re.search(r'<img[^>]* src="http://postloom.test/feeds/[^"]+\.jpg"', entry.content[0].value)


async def test_json_feed_says_the_same(reader: httpx2.AsyncClient, out: dict[str, Any], site: dict[str, Any]) -> None:
    answer = await reader.get(site["feed"]["json_url"])
    assert answer.headers["content-type"] == "application/feed+json; charset=utf-8"
    feed = answer.json()
    [item] = feed.pop("items")
    assert feed == {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Garden & notes",
        "home_page_url": site["url"],
        "feed_url": site["feed"]["json_url"],
        "language": "en",
        "description": "What grows, and when.",
        "authors": [{"name": "Mara Lind"}],
    }
    dates = [datetime.fromisoformat(item.pop(name)) for name in ("date_published", "date_modified")]
    assert all(one.tzinfo for one in dates)
    assert "<strong>seven</strong>" in item.pop("content_html")
    assert (await reader.get(item.pop("image"))).headers["content-type"] == "image/jpeg"
    assert UUID(item.pop("id").removeprefix("urn:uuid:"))
    assert item == {
        "url": permalink(out),
        "title": "Winter tyres",
        "summary": "When?",
        "tags": ["bikes & ice", "winter"],
        "language": "en",
        "authors": [{"name": "Mara Lind"}],
    }


async def test_relative_addresses_are_whole_in_feeds(
    api: httpx2.AsyncClient, reader: httpx2.AsyncClient, services: Services, user: User, site: dict[str, Any]
) -> None:
    """Readers show a text elsewhere than at its address."""
    await described(api, site)
    links = ("/prices/?a=1&b=2", "#hours", "../more/", "https://example.org/x", "mailto:a@example.org")
    text = ", ".join(f"[there]({link})" for link in links)
    out = await publish(api, services, user, an_article(site, content=text))
    [item] = (await reader.get(site["feed"]["json_url"])).json()["items"]
    address = permalink(out)
    expected = [
        f"{urljoin(address, '/prices/')}?a=1&amp;b=2",
        f"{address}#hours",
        f"{site['url']}more/",
        "https://example.org/x",
        "mailto:a@example.org",
    ]
    assert re.findall(r'href="([^"]*)"', item["content_html"]) == expected
    rss = (await reader.get(site["feed"]["rss_url"])).text
    assert f"{address}#hours" in rss


@pytest.mark.parametrize(
    ("zone", "day"), [("Pacific/Auckland", "29 March 2026"), ("America/Los_Angeles", "28 March 2026")]
)
async def test_machines_read_the_instant_and_people_the_day_of_its_author(
    reader: httpx2.AsyncClient,
    services: Services,
    user: User,
    out: dict[str, Any],
    site: dict[str, Any],
    zone: str,
    day: str,
) -> None:
    """An hour and a half before the clocks of Europe change."""
    moment = datetime(2026, 3, 28, 23, 30, 12, 345_678, tzinfo=UTC)
    async with services.sessions.begin() as session:
        row = await session.get_one(FeedArticle, await name_of(services, out))
        row.published_at = row.changed_at = moment
        (await session.get_one(Feed, row.feed_id)).changed_at = moment
        (await session.get_one(User, user.id)).time_zone = zone
    told = moment.replace(microsecond=0)
    rss = ET.fromstring((await reader.get(site["feed"]["rss_url"])).content).find("channel")
    assert rss is not None
    for name in ("lastBuildDate", "item/pubDate"):
        assert parsedate_to_datetime(rss.findtext(name) or "") == told
    [item] = (await reader.get(site["feed"]["json_url"])).json()["items"]
    assert [datetime.fromisoformat(item[name]) for name in ("date_published", "date_modified")] == [told, told]
    markdown = (await reader.get(permalink(out).removesuffix("/") + ".md")).text
    head = yaml.safe_load(markdown.split("---\n", 2)[1])
    assert [datetime.fromisoformat(str(head[name])) for name in ("date", "lastmod")] == [told, told]
    sitemap = (await reader.get(f"{site['url']}sitemap.xml")).text
    assert [datetime.fromisoformat(one) for one in re.findall("<lastmod>(.*?)</lastmod>", sitemap)] == [told, told]
    answer = await reader.get(permalink(out))
    assert parsedate_to_datetime(answer.headers["last-modified"]) == told
    for page in (answer.text, (await reader.get(site["url"])).text):
        [(machines, people)] = re.findall(r'<time datetime="([^"]+)">([^<]+)</time>', page)
        assert (datetime.fromisoformat(machines), people) == (told, day)
    linked = json.loads(re.findall(r'<script type="application/ld\+json">(.*?)</script>', answer.text)[0])
    assert [datetime.fromisoformat(linked[name]) for name in ("datePublished", "dateModified")] == [told, told]


async def test_the_markdown_file_is_what_it_was_made_of(reader: httpx2.AsyncClient, out: dict[str, Any]) -> None:
    answer = await reader.get(permalink(out).removesuffix("/") + ".md")
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert answer.headers["link"] == f'<{permalink(out)}>; rel="canonical"'
    _, head, body = answer.text.split("---\n", 2)
    told = yaml.safe_load(head)
    assert (told["title"], told["author"], told["tags"]) == ("Winter tyres", "Mara Lind", ["bikes & ice", "winter"])
    assert told["image_alt"] == 'A "blue" <sheet>'
    assert body.startswith("\n# When\n\nBelow **seven** degrees")
    [source] = re.findall(r"!\[Studs on ice\]\((.*)\)", body)
    assert (await reader.get(source)).headers["content-type"] == "image/jpeg"


async def test_nothing_is_sent_twice_and_what_changed_at_once(
    api: httpx2.AsyncClient, reader: httpx2.AsyncClient, out: dict[str, Any], site: dict[str, Any]
) -> None:
    home = site["url"]
    for address in (home, permalink(out), f"{home}rss.xml", f"{home}feed.json", f"{home}sitemap.xml"):
        first = await reader.get(address)
        assert first.headers["cache-control"] == "public, no-cache"
        tag, since = first.headers["etag"], first.headers["last-modified"]
        assert "accept-encoding" in first.headers.get("vary", "").lower() or len(first.content) < 1024
        assert (await reader.head(address)).headers["etag"] == tag
        for known in ({"If-None-Match": f'"other", {tag}'}, {"If-Modified-Since": since}):
            again = await reader.get(address, headers=known)
            assert (again.status_code, again.content) == (304, b"")
            assert again.headers["etag"] == tag
        assert (await reader.get(address, headers={"If-None-Match": 'W/"other"'})).status_code == 200
        for strange in ("yesterday", f"Mon, 01 Jan {'9' * 20} 00:00:00 GMT"):
            assert (await reader.get(address, headers={"If-Modified-Since": strange})).status_code == 200
    known = {"If-None-Match": (await reader.get(home)).headers["etag"]}
    current = done(await api.get(f"/websites/{site['id']}/"))
    await described(api, current, description="Other words")
    changed = await reader.get(home, headers=known)
    assert changed.status_code == 200
    assert "Other words" in changed.text


async def test_readers_have_nothing_parsed_and_what_they_have_is_not_drawn(
    api: httpx2.AsyncClient,
    reader: httpx2.AsyncClient,
    services: Services,
    user: User,
    site: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever is written: an article without a summary is shown by its beginning, which is stored with it."""
    article = await publish(
        api, services, user, an_article(site, content=("a b\n" * 20_000 + "===")[:90_000], fields={"summary": ""})
    )
    home = site["url"]
    monkeypatch.setattr(markdown, "_renderer", lambda: pytest.fail("it is parsed for a reader"))
    beginning = " ".join(["a b"] * 40)
    read = feedparser.parse((await reader.get(f"{home}rss.xml")).content)
    assert read.entries[0].summary.startswith(beginning[:150])
    [description] = [
        one.get("content")
        for one in parsed((await reader.get(permalink(article))).text).iter(f"{HTML}meta")
        if one.get("name") == "description"
    ]
    assert description.startswith(beginning[:150])
    for address in (home, permalink(article), f"{home}rss.xml", f"{home}feed.json", f"{home}sitemap.xml"):
        first = await reader.get(address)
        assert first.status_code == 200
        with monkeypatch.context() as patch:
            for name in ("index", "newest", "all", "entry"):
                patch.setattr(FeedService, name, lambda *_: pytest.fail("it is read for somebody who has it"))
            again = await reader.get(address, headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("address", ["admin", "Sign in!", "signin", "LOGIN", "api", "support"])
async def test_no_feed_is_where_readers_expect_the_installation(api: httpx2.AsyncClient, address: str) -> None:
    answer = await api.post(f"/websites/connect/{KIND}/", json=a_form(address=address))
    if address == "Sign in!":  # "sign-in" is another word
        done(answer, 201)
    else:
        assert wrong_fields(answer) == {"fields.address": ErrorCode.connect_address_taken}


async def test_nobody_takes_addresses_without_end(
    services: Services, settings: Settings, away: Gateway, user: User
) -> None:
    limited = replace(services, limiting=LimitingService(services.sessions, services.vault, on=True))
    async with browsing(limited, away, user) as client:
        for _ in range(FEED_ADDRESSES.burst - 1):
            await limited.limiting.use((FEED_ADDRESSES, str(user.id)))
        taken = await client.post(f"/websites/connect/{KIND}/", json=a_form(address="admin"))
        assert wrong_fields(taken) == {"fields.address": ErrorCode.connect_address_taken}, "which counts not"
        done(await client.post(f"/websites/connect/{KIND}/", json=a_form()), 201)
        refused(await client.post(f"/websites/connect/{KIND}/", json=a_form()), 429, ErrorCode.rate_limited)


async def test_links_are_followed_by_people_alone(
    reader: httpx2.AsyncClient, out: dict[str, Any], site: dict[str, Any]
) -> None:
    for address in (permalink(out), site["feed"]["rss_url"], site["feed"]["json_url"]):
        text = (await reader.get(address)).text
        assert "nofollow" in text, address
    [link] = [
        one for one in parsed((await reader.get(permalink(out))).text).iter(f"{HTML}a") if "club" in str(one.text)
    ]
    assert set(link.get("rel").split()) == {"noopener", "nofollow", "ugc"}


async def test_a_picture_that_was_taken_down_is_asked_for_in_vain(
    api: httpx2.AsyncClient, services: Services, user: User, reader: httpx2.AsyncClient, out: dict[str, Any]
) -> None:
    above, _ = parsed((await reader.get(permalink(out))).text).iter(f"{HTML}img")
    known = {"If-None-Match": (await reader.get(above.get("src"))).headers["etag"]}
    assert (await reader.get(above.get("src"), headers=known)).status_code == 304
    async with services.sessions.begin() as session:
        await session.execute(update(FeedArticle).where(FeedArticle.user_id == user.id).values(removed_at=utcnow()))
    assert (await reader.get(above.get("src"), headers=known)).status_code == 404


async def test_a_draft_is_nowhere_and_an_edit_only_once_it_is_published(
    api: httpx2.AsyncClient, reader: httpx2.AsyncClient, out: dict[str, Any], site: dict[str, Any]
) -> None:
    draft = done(await api.post("/articles/", json=an_article(site, fields={"title": "Not yet"})), 201)
    assert (await reader.get(f"{site['url']}{draft['slug']}/")).status_code == 404
    for address in (site["url"], site["feed"]["rss_url"], site["feed"]["json_url"]):
        assert "Not yet" not in (await reader.get(address)).text


async def test_what_is_changed_keeps_its_address_and_says_when(
    services: Services, user: User, api: httpx2.AsyncClient, reader: httpx2.AsyncClient, out: dict[str, Any]
) -> None:
    delivery = out["deliveries"][0]
    job = await services.delivering.jobs.load_with_files(user.id, UUID(delivery["id"]))
    async with services.sessions.begin() as session:
        row = await session.get_one(FeedArticle, await name_of(services, out))
        row.published_at -= timedelta(days=3)
        before = [one["id"] for one in row.images]
    article = job.post.article
    assert article is not None
    summer = replace(article, title="Summer tyres", html="<p>Warm</p>")
    changed = replace(job.post, images=job.post.images[:1], article=summer)
    site = channel(KIND)
    receipt = await site.update(job.credentials, str(await name_of(services, out)), changed, wish="a1")
    assert receipt.permalink == permalink(out)
    page = (await reader.get(permalink(out))).text
    assert "Summer tyres" in page
    assert "Updated on" in page
    # an image that it shows no more is nowhere any more
    kept, gone = before
    assert (await reader.get(f"{permalink(out)}{kept}.jpg")).status_code == 200
    assert (await reader.get(f"{permalink(out)}{gone}.jpg")).status_code == 404


async def test_a_worker_that_dies_after_a_change_leaves_no_file_for_ever(
    services: Services,
    user: User,
    reader: httpx2.AsyncClient,
    out: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    job = await services.delivering.jobs.load_with_files(user.id, UUID(out["deliveries"][0]["id"]))
    name, site = await name_of(services, out), channel(KIND)
    async with services.sessions() as session:
        _, gone = [one["id"] for one in (await session.get_one(FeedArticle, name)).images]
    files = services.settings.data_dir / "media" / str(user.id) / "feeds"
    assert [*files.rglob(f"{gone}*")]

    async def dies(self: Storage, key: str) -> None:
        raise Unavailable(ErrorCode.storage_unavailable)

    changed = replace(job.post, images=job.post.images[:1])
    with monkeypatch.context() as patched:
        patched.setattr(Storage, "delete", dies)
        with pytest.raises(RetrySafe):
            await site.update(job.credentials, str(name), changed, wish="a1")
    assert gone not in (await reader.get(permalink(out))).text
    assert (await reader.get(f"{permalink(out)}{gone}.jpg")).status_code == 404
    await site.update(job.credentials, str(name), changed, wish="a1")
    assert not [*files.rglob(f"{gone}*")]
    async with services.sessions() as session:
        assert len((await session.get_one(FeedArticle, name)).images) == 1


async def test_taken_down_it_is_gone_and_says_so(
    api: httpx2.AsyncClient,
    services: Services,
    user: User,
    reader: httpx2.AsyncClient,
    out: dict[str, Any],
    site: dict[str, Any],
) -> None:
    page = parsed((await reader.get(permalink(out))).text)
    image = next(page.iter(f"{HTML}img")).get("src")
    delivery = out["deliveries"][0]
    job = await services.delivering.jobs.load(user.id, UUID(delivery["id"]))
    for _ in range(2):  # repeated, it changes nothing
        await job.network.delete(job.credentials, str(await name_of(services, out)))
    gone = await reader.get(permalink(out))
    assert gone.status_code == 410
    parsed(gone.text)
    assert "This page no longer exists" in gone.text
    assert site["url"] in gone.text
    assert (await reader.get(permalink(out).removesuffix("/") + ".md")).status_code == 410
    assert (await reader.get(image)).status_code == 404
    assert "Winter tyres" not in (await reader.get(site["url"])).text
    async with services.sessions() as session:
        row = await session.get_one(FeedArticle, await name_of(services, out))
        assert (row.title, row.html, row.markdown) == ("", "", "")
    files = [
        path for path in (services.settings.data_dir / "media" / str(user.id) / "feeds").rglob("*") if path.is_file()
    ]
    assert files == []


async def test_removed_it_is_gone_and_connected_again_it_is_back(
    api: httpx2.AsyncClient, reader: httpx2.AsyncClient, out: dict[str, Any], site: dict[str, Any]
) -> None:
    image = next(parsed((await reader.get(permalink(out))).text).iter(f"{HTML}img")).get("src")
    files = [f"{site['url']}{name}" for name in ("rss.xml", "feed.json", "sitemap.xml")]
    everything = [site["url"], permalink(out), image, *files]
    assert done(await api.delete(f"/websites/{site['id']}/"))["access"] == "revoked"
    for address in everything:
        gone = await reader.get(address, headers={"Accept-Language": "de-AT,de;q=0.9,en;q=0.8"})
        assert gone.status_code == 410
        assert "Diese Seite gibt es nicht mehr" in gone.text
    form = a_form(address=urlsplit(site["url"]).path.split("/")[2])
    done(await api.post(f"/websites/connect/{KIND}/", json=form), 201)
    for address in everything:
        assert (await reader.get(address)).status_code == 200


async def test_a_site_for_friends_is_kept_from_search_engines(
    api: httpx2.AsyncClient, reader: httpx2.AsyncClient, out: dict[str, Any], site: dict[str, Any]
) -> None:
    current = done(await api.get(f"/websites/{site['id']}/"))
    await described(api, current, indexed=False)
    for address in (site["url"], permalink(out)):
        answer = await reader.get(address)
        assert answer.headers["x-robots-tag"] == "noindex"
        assert '<meta name="robots" content="noindex">' in answer.text


async def test_a_thousand_articles_are_read_page_by_page(
    services: Services, user: User, reader: httpx2.AsyncClient, out: dict[str, Any], site: dict[str, Any]
) -> None:
    async with services.sessions.begin() as session:
        first = await session.get_one(FeedArticle, await name_of(services, out))
        session.add_all(
            FeedArticle(
                id=new_id(),
                user_id=user.id,
                feed_id=first.feed_id,
                slug=f"number-{number}",
                title=f"Number {number}",
                html="<p>Short</p>",
                markdown="Short",
                published_at=first.published_at - timedelta(hours=number),
            )
            for number in range(1, 1000)
        )
    seen: list[str] = []
    address = site["feed"]["json_url"]
    while address:
        feed = (await reader.get(address)).json()
        seen += [item["title"] for item in feed["items"]]
        address = feed.get("next_url")
    assert seen == ["Winter tyres", *(f"Number {number}" for number in range(1, 1000))]
    read = feedparser.parse((await reader.get(site["feed"]["rss_url"])).content)
    assert [entry.title for entry in read.entries] == seen[:50]
    shown, address = [], site["url"]
    while address:
        page = parsed((await reader.get(address)).text)
        shown += [next(one.iter(f"{HTML}a")).text for one in page.iter(f"{HTML}h2")]
        links = {one.get("rel"): one.get("href") for one in page.iter(f"{HTML}link")}
        address = links.get("next")
    assert shown == seen
    addresses = re.findall("<loc>([^<]+)</loc>", (await reader.get(f"{site['url']}sitemap.xml")).text)
    assert len(addresses) == 1001
    middle = parsed((await reader.get(f"{site['url']}number-5/")).text)
    around = {one.get("rel"): one.get("href") for one in middle.iter(f"{HTML}a") if one.get("rel")}
    assert around == {"prev": f"{site['url']}number-6/", "next": f"{site['url']}number-4/"}
    assert (await reader.get(f"{site['url']}?page=51")).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/feeds/",
        "/feeds/nobody/",
        "/feeds/nobody/rss.xml",
        "/feeds/No%00body/",
        "/feeds/%2e%2e/%2e%2e/",
        "/feeds/a/b/c/d",
        "/feeds/a/?page=0",
        "/feeds/a/b/x.jpg",
        "/feeds/" + "a" * 500 + "/",
        "/feeds/%F0%9F%8C%A7/a.md",
    ],
)
async def test_where_nothing_is_a_page_says_so(reader: httpx2.AsyncClient, path: str) -> None:
    answer = await reader.get(f"http://postloom.test{path}")
    assert answer.status_code == 404
    parsed(answer.text)
    assert "Page not found" in answer.text


async def test_as_people_type_it(reader: httpx2.AsyncClient, out: dict[str, Any]) -> None:
    answer = await reader.get(permalink(out).removesuffix("/"))
    assert (answer.status_code, answer.headers["location"]) == (308, urlsplit(permalink(out)).path)


@pytest.mark.parametrize("language", ["en", "de"])
async def test_pages_speak_the_language_of_their_articles(
    api: httpx2.AsyncClient, services: Services, user: User, reader: httpx2.AsyncClient, language: str
) -> None:
    form = a_form() | {"language": "de"}
    site = done(await api.post(f"/websites/connect/{KIND}/", json=form), 201)
    assert "Hier wurde noch nichts veröffentlicht." in (await reader.get(site["url"])).text
    article = await publish(api, services, user, an_article(site, language=language))
    page = parsed((await reader.get(permalink(article))).text)
    assert page.attrib["lang"] == language
    text = "".join(page.itertext())
    assert ("Min. Lesezeit" in text) is (language == "de")
    index = parsed((await reader.get(site["url"])).text)
    [row] = (one for one in index.iter(f"{HTML}li") if one.find(f"{HTML}h2") is not None)
    assert row.get("lang") == (None if language == "de" else "en")


async def test_what_is_said_of_it_has_its_bounds(api: httpx2.AsyncClient, site: dict[str, Any]) -> None:
    facts = {"description": "x" * 501, "author": "y" * 121, "indexed": True}
    body = {"name": "Garden", "language": "en", "version": 1, "feed": facts}
    answer = await api.put(f"/websites/{site['id']}/", json=body)
    assert wrong_fields(answer) == {
        "feed.description": ErrorCode.content_too_long,
        "feed.author": ErrorCode.content_too_long,
    }
    assert done(await api.get(f"/websites/{site['id']}/"))["name"] == site["name"]


async def test_another_article_of_that_name_gets_a_number(
    api: httpx2.AsyncClient,
    services: Services,
    user: User,
    reader: httpx2.AsyncClient,
    out: dict[str, Any],
    site: dict[str, Any],
) -> None:
    """One that is there although nobody here knows of it any more."""
    async with services.sessions.begin() as session:
        first = await session.get_one(FeedArticle, await name_of(services, out))
        first.slug = "studs"
    second = await publish(api, services, user, an_article(site, fields={"slug": "studs", "title": "Studs"}))
    assert permalink(second) == f"{site['url']}studs-2/"
    assert "Studs" in (await reader.get(permalink(second))).text


async def test_a_feed_that_would_be_too_long_tells_summaries(
    api: httpx2.AsyncClient,
    services: Services,
    user: User,
    reader: httpx2.AsyncClient,
    out: dict[str, Any],
    site: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    newest = await publish(api, services, user, an_article(site, fields={"title": "Newest"}))
    monkeypatch.setattr("core.websites.site_feeds.MOST_IN_A_FEED", 10)
    whole, short = (await reader.get(site["feed"]["json_url"])).json()["items"]
    assert (whole["title"], whole["url"]) == ("Newest", permalink(newest))
    assert "<strong>seven</strong>" in whole["content_html"]
    assert "content_html" not in short
    assert short["content_text"] == "When?"
    first, second = feedparser.parse((await reader.get(site["feed"]["rss_url"])).content).entries
    assert "content" in first
    assert "content" not in second
    assert second.summary == "When?"


async def test_who_is_disabled_shows_nothing(
    services: Services, user: User, reader: httpx2.AsyncClient, out: dict[str, Any], site: dict[str, Any]
) -> None:
    async with services.sessions.begin() as session:
        (await session.get_one(User, user.id)).disabled_at = utcnow()
    for address in (site["url"], permalink(out), site["feed"]["rss_url"]):
        assert (await reader.get(address)).status_code == 410


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("http://postloom.test/feeds/garden/rain/", "http://postloom.test/feeds/garden/rain/"),
        ("http://postloom.test/feeds/garden/rain?from=mail#top", "http://postloom.test/feeds/garden/rain/"),
        ("http://postloom.test/feeds/garden/rain.md", "http://postloom.test/feeds/garden/rain/"),
        ("http://postloom.test/feeds/garden/", None),
        ("http://postloom.test/feeds/garden/rss.xml", None),
        ("http://elsewhere.test/feeds/garden/rain/", None),
        ("http://[broken", None),
    ],
)
async def test_an_address_that_a_person_copied(services: Services, address: str, found: str | None) -> None:
    assert channel(KIND).permalink_in(address) == found
