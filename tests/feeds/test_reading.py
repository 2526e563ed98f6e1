"""A feed from its server to the topics of a tree, over real HTTP."""

import asyncio
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from email.utils import format_datetime
from uuid import UUID

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import OperationalError

from core import script_processes
from core.clock import utcnow
from core.container import Services
from core.errors import Conflict, DomainError, ErrorCode, InvalidInput
from core.feeds.feeds import FeedChange, FeedForm, TopicFeedService
from core.feeds.reading import FeedReadingService
from core.feeds.repository import CountedFeed
from core.feeds.rules.feeds import FeedDocument, FeedItem, ItemState
from core.feeds.tables import TopicFeed, TopicFeedItem
from core.outgoing.destinations import Outside
from core.outgoing.pages import PageReader
from core.topics.tables import Topic
from core.topics.topic_trees import TopicTreeService
from core.users.tables.users import User
from tests.http_server import Answer, Server

LEAST = timedelta(minutes=15)
DAYS = timedelta(days=2)
RSS = {"content-type": "application/rss+xml"}
NEWS = "<html><head><title>News</title></head><body><nav>Home Shop</nav><main><h1>Neu</h1>{}</main></body></html>"
LONG = "<p>Dieser Absatz erzählt ausführlich von einer neuen Scheibenbremse und davon, wie sie im Regen greift.</p>" * 4


def item(number: int, *, title: str = "", link: str = "", minutes: int = 0) -> str:
    moment = format_datetime(utcnow() - timedelta(minutes=minutes or 1000 - number))
    return (
        f"<item><title>{title or f'Item {number}'}</title><guid isPermaLink='false'>{number}</guid>"
        f"<link>{link or f'/items/{number}'}</link><description>Summary {number}.</description>"
        f"<pubDate>{moment}</pubDate></item>"
    )


def undated(number: int, *, link: str = "", title: str = "", guid: str = "") -> str:
    return (
        f"<item><title>{title or f'Item {number}'}</title><guid isPermaLink='false'>{guid or number}</guid>"
        f"<link>{link or f'/items/{number}'}</link></item>"
    )


def rss(*items: str, head: str = "") -> bytes:
    return f"<rss version='2.0'><channel><title>Rad</title>{head}{''.join(items)}</channel></rss>".encode()


class Fed:
    """A tree with a branch, and the server of its feed."""

    def __init__(self, services: Services, server: Server, user: User, tree_id: UUID, branch_id: UUID) -> None:
        self.server, self.user_id, self.tree_id, self.branch_id = server, user.id, tree_id, branch_id
        self.sessions = services.sessions
        self.pages = PageReader(Outside((server.url,)))
        self.feeds = TopicFeedService(self.sessions, self.pages)
        self.reading = FeedReadingService(self.sessions, self.pages, LEAST)

    def shows(self, *items: str, head: str = "", **headers: str) -> None:
        self.server.answers("/feed", Answer(200, rss(*items, head=head), RSS | headers))

    async def add(self, path: str = "/feed", *, daily: int = 5, full_text: bool = False) -> TopicFeed:
        form = FeedForm(self.branch_id, f"{self.server.url}{path}", daily, full_text)
        return (await self.feeds.add(self.user_id, self.tree_id, form))[0]

    async def due(self, feed: TopicFeed) -> None:
        async with self.sessions.begin() as session:
            await session.execute(update(TopicFeed).where(TopicFeed.id == feed.id).values(next_at=None))

    async def read(self, feed: TopicFeed) -> str | None:
        """Read the feed as if it were due; return its error."""
        await self.due(feed)
        found = await self.reading.read(self.user_id, feed.id)
        return found.error if found else None

    async def later(self, **passed: float) -> None:
        """Let everything have happened so long ago."""
        by = timedelta(**passed)
        async with self.sessions.begin() as session:
            await session.execute(
                update(TopicFeed).values(
                    shown_at=TopicFeed.shown_at - by,
                    asked_at=TopicFeed.asked_at - by,
                    answered_at=TopicFeed.answered_at - by,
                )
            )
            await session.execute(
                update(TopicFeedItem).values(
                    found_at=TopicFeedItem.found_at - by,
                    seen_at=TopicFeedItem.seen_at - by,
                    added_at=TopicFeedItem.added_at - by,
                )
            )

    async def items(self, feed: TopicFeed) -> list[TopicFeedItem]:
        async with self.sessions() as session:
            rows = await session.scalars(
                select(TopicFeedItem).where(TopicFeedItem.feed_id == feed.id).order_by(TopicFeedItem.own_key)
            )
            return list(rows)

    async def topics(self) -> list[Topic]:
        async with self.sessions() as session:
            rows = await session.scalars(
                select(Topic).where(Topic.parent_id == self.branch_id).order_by(Topic.position)
            )
            return list(rows)

    async def titles(self) -> list[str]:
        return [topic.title for topic in await self.topics()]

    async def row(self, feed: TopicFeed) -> CountedFeed:
        [found] = [row for row in await self.feeds.list(self.user_id, self.tree_id) if row[0].id == feed.id]
        return found


@pytest.fixture
async def fed(services: Services, server: Server, user: User) -> Fed:
    async with services.sessions.begin() as session:
        tree, *_ = await TopicTreeService(session).create(user.id, "Rad", "- Rad\n-- News\n-- Tipps")
        branch = await session.scalar(select(Topic.id).where(Topic.tree_id == tree.id, Topic.title == "News"))
    assert branch is not None
    return Fed(services, server, user, tree.id, branch)


async def test_new_items_become_topics_once(fed: Fed) -> None:
    fed.shows(*(item(number) for number in range(30, 0, -1)), etag='"a"', **{"last-modified": "yesterday"})
    feed = await fed.add()
    assert await fed.read(feed) == ""
    # the newest three, in the order of their dates; the others were there before
    assert await fed.titles() == ["Item 28", "Item 29", "Item 30"]
    newest = (await fed.topics())[-1]
    assert newest.link == f"{fed.server.url}/items/30"
    assert newest.notes.startswith("Rad, 20")
    assert newest.notes.endswith("\n\nSummary 30.")
    fed.server.answers("/feed", Answer(304))
    assert await fed.read(feed) == ""
    asked = fed.server.requests[-1].headers
    assert (asked["if-none-match"], asked["if-modified-since"]) == ('"a"', "yesterday")
    # a new one, an old one with another text, and one whose publisher has changed its id
    fed.shows(item(31), item(30, title="Item 30, mended"), item(99, title="Item 29", link="/items/29?utm_source=rss"))
    assert await fed.read(feed) == ""
    assert await fed.titles() == ["Item 28", "Item 29", "Item 30", "Item 31"]
    _, items, added, waiting = await fed.row(feed)
    assert (items, added, waiting) == (31, 4, 0)


async def test_at_most_so_many_in_a_day_and_the_newest_first(fed: Fed) -> None:
    fed.shows()
    feed = await fed.add(daily=2)
    await fed.read(feed)
    fed.shows(*(item(number) for number in range(1, 6)))
    await fed.read(feed)
    assert await fed.titles() == ["Item 4", "Item 5"]
    assert (await fed.row(feed))[3] == 3
    await fed.read(feed)
    assert len(await fed.titles()) == 2
    async with fed.sessions.begin() as session:  # a day later
        await session.execute(update(TopicFeedItem).values(added_at=utcnow() - timedelta(hours=25)))
    await fed.read(feed)
    assert await fed.titles() == ["Item 4", "Item 5", "Item 2", "Item 3"]


async def test_a_round_that_was_cut_off_goes_on(fed: Fed, monkeypatch: pytest.MonkeyPatch) -> None:
    fed.shows(item(1), item(2), item(3), etag='"a"')
    feed = await fed.add()
    adding = fed.reading.__class__._add
    calls = 0

    async def killed(*args: object) -> bool:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise KeyboardInterrupt
        return await adding(*args)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(FeedReadingService, "_add", killed)
        with pytest.raises(KeyboardInterrupt):
            await fed.read(feed)
    assert await fed.titles() == ["Item 1"]
    asked = len(fed.server.requests)
    # not due: nobody is asked, and what is stored is added
    assert await fed.reading.read(fed.user_id, feed.id) is not None
    assert len(fed.server.requests) == asked
    assert await fed.titles() == ["Item 1", "Item 2", "Item 3"]


async def test_a_page_may_name_the_feed(fed: Fed) -> None:
    fed.shows(item(1))
    page = b'<html><head><link rel="alternate" type="application/rss+xml" href="/feed"></head>Hi</html>'
    fed.server.answers("/", Answer(200, page, {"content-type": "text/html"}))
    feed = await fed.add("/")
    assert (feed.address, feed.title) == (f"{fed.server.url}/feed", "Rad")
    with pytest.raises(Conflict) as refused:
        await fed.add()
    assert refused.value.code is ErrorCode.topic_feed_known


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/plain", ErrorCode.topic_feed_unusable),
        ("/missing", ErrorCode.topic_feed_unusable),
        (".example/feed", ErrorCode.topic_feed_unreachable),
    ],
)
async def test_an_address_without_a_feed(fed: Fed, path: str, code: ErrorCode) -> None:
    fed.server.answers("/plain", Answer(200, b"<html><body>Hi</body></html>", {"content-type": "text/html"}))
    address = f"{fed.server.url}{path}" if path.startswith("/") else f"https://x{path}"
    with pytest.raises(InvalidInput) as refused:
        await fed.feeds.add(fed.user_id, fed.tree_id, FeedForm(fed.branch_id, address, 3, False))
    assert [(error.field, error.code) for error in refused.value.errors] == [("address", code)]


async def test_a_feed_that_is_made_to_take_hours_is_refused(fed: Fed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script_processes, "WITHIN", timedelta(seconds=2))
    attributes = " ".join(f'a{number}="x"' for number in range(300_000))
    fed.shows(item(1), head=f"<image {attributes}/>")
    with pytest.raises(InvalidInput) as refused:
        await fed.add()
    assert [error.code for error in refused.value.errors] == [ErrorCode.topic_feed_unusable]


async def test_failures_are_shown_and_tried_again_later(fed: Fed) -> None:
    fed.shows(item(1))
    feed = await fed.add()
    fed.server.answers("/feed", Answer(503, b"", {"retry-after": "7200"}))
    assert await fed.read(feed) == ErrorCode.topic_feed_unreachable
    row = (await fed.row(feed))[0]
    assert row.next_at is not None
    assert row.next_at > utcnow() + timedelta(hours=1, minutes=59)
    fed.server.answers("/feed", Answer(200, b"<html>moved</html>", {"content-type": "text/html"}))
    assert await fed.read(feed) == ErrorCode.topic_feed_unusable
    assert (await fed.row(feed))[0].failures == 2
    fed.shows(item(1))
    assert await fed.read(feed) == ""
    assert await fed.titles() == ["Item 1"]
    fed.server.answers("/feed", Answer(410))
    assert await fed.read(feed) is None
    row = (await fed.row(feed))[0]
    assert (row.active, row.error) == (False, ErrorCode.topic_feed_gone)


@pytest.mark.parametrize(
    "date", ["Mon, 01 Jan 99999999999 00:00:00 GMT", "Mon, 01 Jan 2026 00:00:00 +99999999999999999999"]
)
async def test_an_impossible_date_of_a_server_is_no_reason_to_ask_it_at_once(fed: Fed, date: str) -> None:
    fed.shows(item(1))
    feed = await fed.add()
    fed.server.answers("/feed", Answer(503, b"", {"retry-after": date}))
    assert await fed.read(feed) == ErrorCode.topic_feed_unreachable
    row = (await fed.row(feed))[0]
    assert row.failures == 1
    assert row.next_at is not None
    assert row.next_at > utcnow()


async def test_what_takes_the_place_of_mentions_fits(fed: Fed) -> None:
    fed.shows(item(1, title="@[" * 100), head="<description>x</description>")
    feed = await fed.add()
    assert await fed.read(feed) == ""
    [title] = await fed.titles()
    assert title.startswith("@ [@ [")
    assert len(title) == 200


@pytest.mark.parametrize(
    "broken", [RuntimeError(), FeedDocument("Rad", (FeedItem("1", "too long" * 100),))], ids=["code", "value"]
)
async def test_a_feed_that_breaks_its_round_is_shown_and_tried_again_later(
    fed: Fed, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, broken: FeedDocument | Exception
) -> None:
    fed.shows(item(1))
    feed = await fed.add()

    async def break_it(_: object) -> FeedDocument:
        if isinstance(broken, Exception):
            raise broken
        return broken

    with monkeypatch.context() as patched:
        patched.setattr("core.feeds.reading.parse", break_it)
        assert [await fed.read(feed) for _ in range(2)] == [ErrorCode.topic_feed_unusable] * 2
    row = (await fed.row(feed))[0]
    assert row.failures == 2
    assert row.next_at is not None
    assert row.next_at > utcnow() + timedelta(minutes=59)
    assert "Traceback" in caplog.text
    assert await fed.read(feed) == ""
    assert await fed.titles() == ["Item 1"]


async def test_an_item_that_breaks_its_round_is_shown(fed: Fed, monkeypatch: pytest.MonkeyPatch) -> None:
    fed.shows(item(1))
    feed = await fed.add()
    with monkeypatch.context() as patched:
        patched.setattr("core.feeds.reading._notes", lambda *_: "\0")  # which no database accepts
        assert await fed.read(feed) == ErrorCode.topic_feed_unusable
    row = (await fed.row(feed))[0]
    assert row.next_at is not None
    assert row.next_at > utcnow()
    assert await fed.read(feed) == ""
    assert await fed.titles() == ["Item 1"]


async def test_a_round_without_its_database_is_repeated(fed: Fed, monkeypatch: pytest.MonkeyPatch) -> None:
    fed.shows(item(1))
    feed = await fed.add()

    async def fail(_: object) -> FeedDocument:
        raise OperationalError("SELECT", {}, Exception("gone"))

    monkeypatch.setattr("core.feeds.reading.parse", fail)
    with pytest.raises(OperationalError):
        await fed.read(feed)
    assert (await fed.row(feed))[0].failures == 0


async def test_an_address_that_moved_for_good_is_followed_when_it_says_so_twice(fed: Fed) -> None:
    fed.shows(item(1))
    feed = await fed.add()
    fed.server.answers("/new", Answer(200, rss(item(1)), RSS))
    for status, address in ((302, "/feed"), (301, "/feed"), (308, "/new")):
        fed.server.answers("/feed", Answer(status, b"", {"location": "/new"}))
        assert await fed.read(feed) == ""
        assert (await fed.row(feed))[0].address == f"{fed.server.url}{address}"
    assert await fed.titles() == ["Item 1"]


async def test_full_text_only_where_the_page_allows_it(fed: Fed) -> None:
    html = {"content-type": "text/html; charset=utf-8"}
    fed.server.answers(
        "/robots.txt", Answer(200, b"User-agent: *\nDisallow: /items/2\n", {"content-type": "text/plain"})
    )
    for number in (1, 2, 3):
        headers = html | ({"x-robots-tag": "noai"} if number == 3 else {})
        fed.server.answers(f"/items/{number}", Answer(200, NEWS.format(LONG).encode(), headers))
    fed.shows(item(1), item(2), item(3))
    feed = await fed.add(full_text=True)
    await fed.read(feed)
    notes = [topic.notes.partition("\n\n")[2] for topic in await fed.topics()]
    assert "Scheibenbremse" in notes[0]
    assert "Home Shop" not in notes[0]
    assert notes[1:] == ["Summary 2.", "Summary 3."]
    assert [asked.path for asked in fed.server.requests].count("/robots.txt") == 1
    assert "/items/2" not in [asked.path for asked in fed.server.requests]


async def test_rules_for_programs_that_are_made_to_take_hours_allow_nothing(
    fed: Fed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Protego adds each rule to each program that the file names."""
    monkeypatch.setattr(script_processes, "WITHIN", timedelta(seconds=3))
    rules = b"".join(b"useragent:%d\n" % number for number in range(4800)) + b"allow:/\n" * 4000
    fed.server.answers("/robots.txt", Answer(200, rules, {"content-type": "text/plain"}))
    for number in (1, 2):
        page = Answer(200, NEWS.format(LONG).encode(), {"content-type": "text/html"})
        fed.server.answers(f"/items/{number}", page)
    fed.shows(item(1), item(2))
    feed = await fed.add(full_text=True)
    longest = 0.0

    async def measure() -> None:
        nonlocal longest
        while True:
            began = time.monotonic()
            await asyncio.sleep(0.01)
            longest = max(longest, time.monotonic() - began)

    async with asyncio.TaskGroup() as group:
        measuring = group.create_task(measure())
        assert await fed.read(feed) == ""
        measuring.cancel()
    # nothing else waits for them
    assert longest < 5
    assert [topic.notes.partition("\n\n")[2] for topic in await fed.topics()] == ["Summary 1.", "Summary 2."]
    assert {"/items/1", "/items/2"}.isdisjoint(asked.path for asked in fed.server.requests)


async def test_rules_that_take_too_long_are_read_once_in_a_round(fed: Fed, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    async def fail(module: str, _: bytes) -> None:
        read.append(module)

    monkeypatch.setattr("core.feeds.articles.run_script", fail)
    fed.server.answers("/robots.txt", Answer(200, b"User-agent: *\nDisallow:\n", {"content-type": "text/plain"}))
    fed.shows(item(1), item(2))
    await fed.read(await fed.add(full_text=True))
    assert read == ["core.feeds.robots_script"]
    assert len(await fed.titles()) == 2


async def test_a_deleted_branch_is_told_and_its_items_wait(fed: Fed) -> None:
    fed.shows(item(1))
    feed = await fed.add()
    async with fed.sessions.begin() as session:
        deletion, _ = await TopicTreeService(session).remove(fed.user_id, fed.tree_id, fed.branch_id)
    assert await fed.read(feed) == ErrorCode.topic_feed_branch_deleted
    async with fed.sessions.begin() as session:
        await TopicTreeService(session).restore(fed.user_id, fed.tree_id, deletion)
    assert await fed.read(feed) == ""
    assert await fed.titles() == ["Item 1"]


async def test_another_users_feed_is_missing(fed: Fed, services: Services, make: Callable[..., object]) -> None:
    fed.shows(item(1))
    feed = await fed.add()
    other: User = await make.user()  # type: ignore[attr-defined]
    assert await fed.reading.read(other.id, feed.id) is None
    for call in (
        fed.feeds.list(other.id, fed.tree_id),
        fed.feeds.ask_now(other.id, fed.tree_id, feed.id),
        fed.feeds.change(other.id, fed.tree_id, feed.id, FeedChange(daily=1)),
        fed.feeds.delete(other.id, fed.tree_id, feed.id),
        fed.feeds.add(other.id, fed.tree_id, FeedForm(fed.branch_id, f"{fed.server.url}/feed", 3, False)),
    ):
        with pytest.raises(DomainError) as refused:
            await call
        assert refused.value.code is ErrorCode.not_found


async def test_a_stopped_feed_is_not_asked(fed: Fed) -> None:
    fed.shows(item(1))
    feed = await fed.add()
    await fed.feeds.change(fed.user_id, fed.tree_id, feed.id, FeedChange(active=False))
    asked = len(fed.server.requests)
    assert await fed.read(feed) is None
    await fed.feeds.change(fed.user_id, fed.tree_id, feed.id, FeedChange(active=True))
    assert await fed.read(feed) == ""
    assert len(fed.server.requests) == asked + 1
    before: datetime = utcnow()
    again = (await fed.feeds.ask_now(fed.user_id, fed.tree_id, feed.id))[0]
    # never twice within a minute
    assert again.next_at is not None
    assert before < again.next_at < before + timedelta(minutes=2)


async def test_headers_that_cannot_be_sent_back_are_left_out(fed: Fed) -> None:
    fed.shows(item(1), etag='"ä"', **{"last-modified": "Mo, 30 Mär 2026"})
    feed = await fed.add()
    assert [await fed.read(feed) for _ in range(2)] == ["", ""]
    assert {"if-none-match", "if-modified-since"}.isdisjoint(fed.server.requests[-1].headers)
    async with fed.sessions.begin() as session:  # as an older release stored it
        await session.execute(update(TopicFeed).values(etag='"ä"'))
    assert await fed.read(feed) == ""


@pytest.mark.parametrize("broken", ["<![ endif]-->", f"<p title='&#{'1' * 5000};'>"])
async def test_a_page_with_broken_markup_stops_no_feed(fed: Fed, broken: str) -> None:
    fed.server.answers("/items/1", Answer(200, NEWS.format(broken + LONG).encode(), {"content-type": "text/html"}))
    fed.shows(item(1))
    feed = await fed.add(full_text=True)
    assert await fed.read(feed) == ""
    [topic] = await fed.topics()
    assert "Scheibenbremse" in topic.notes


async def test_a_page_that_cannot_be_read_stops_no_feed(fed: Fed, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> str:
        raise RuntimeError

    monkeypatch.setattr("core.feeds.articles.main_text", fail)
    fed.server.answers("/items/1", Answer(200, NEWS.format(LONG).encode(), {"content-type": "text/html"}))
    fed.shows(item(1))
    feed = await fed.add(full_text=True)
    assert await fed.read(feed) == ""
    assert [topic.notes.partition("\n\n")[2] for topic in await fed.topics()] == ["Summary 1."]


async def test_a_page_with_broken_markup_may_name_the_feed(fed: Fed) -> None:
    fed.shows(item(1))
    page = b'<head><![ endif]--><link rel="alternate" type="application/rss+xml" href="/feed"></head>'
    fed.server.answers("/", Answer(200, page, {"content-type": "text/html"}))
    assert (await fed.add("/")).address == f"{fed.server.url}/feed"


async def test_finding_a_feed_has_a_limit_of_time(fed: Fed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.outgoing.pages.ALTOGETHER", timedelta(seconds=1))
    for number in range(4):
        fed.server.answers(f"/{number}", Answer(302, b"", {"location": f"/{number + 1}"}, delay=0.5))
    fed.server.answers("/4", Answer(200, rss(item(1)), RSS))
    with pytest.raises(InvalidInput) as refused:
        await fed.add("/0")
    assert [error.code for error in refused.value.errors] == [ErrorCode.topic_feed_unreachable]


async def test_an_item_under_a_new_id_is_remembered_as_long_as_it_is_shown(fed: Fed) -> None:
    fed.shows(item(1))
    feed = await fed.add()
    await fed.read(feed)
    moment = format_datetime((await fed.items(feed))[0].published_at)
    fed.shows(
        "<item><title>Item 1</title><guid isPermaLink='false'>new</guid><link>/items/1</link>"
        f"<pubDate>{moment}</pubDate></item>"
    )
    for _ in range(3):
        await fed.later(days=50)
        await fed.read(feed)
    assert await fed.titles() == ["Item 1"]


async def test_what_was_shown_before_a_long_silence_is_remembered(fed: Fed) -> None:
    fed.shows(item(1), item(2))
    feed = await fed.add()
    await fed.read(feed)
    fed.server.answers("/feed", Answer(304))
    for _ in range(2):
        await fed.later(days=50)
        await fed.read(feed)
    both = [item(1), item(2)]
    for shown in ([], [], both):
        fed.shows(*shown)
        await fed.read(feed)
    assert await fed.titles() == ["Item 1", "Item 2"]
    # 90 days after it was shown last an item is forgotten
    fed.shows(item(2))
    await fed.read(feed)
    for _ in range(5):
        await fed.later(days=25)
        await fed.read(feed)
    assert len(await fed.items(feed)) == 1


async def test_a_link_to_the_whole_site_identifies_no_item(fed: Fed) -> None:
    fed.shows(item(1, link="/"))
    feed = await fed.add()
    await fed.read(feed)
    fed.shows(item(2, link="/"))
    await fed.read(feed)
    assert await fed.titles() == ["Item 1", "Item 2"]


async def test_one_link_for_one_item_after_another_identifies_none(fed: Fed) -> None:
    fed.shows(item(1, link="/news"))
    feed = await fed.add()
    await fed.read(feed)
    fed.shows(item(2, link="/news"))
    await fed.read(feed)
    assert await fed.titles() == ["Item 1", "Item 2"]


@pytest.mark.parametrize("title", ["Item {}", "Item {} @[Ada Lind](urn:li:person:7)", "Item {} " + "@[" * 100])
async def test_new_ids_at_each_build_make_no_topics_of_the_archive(fed: Fed, title: str) -> None:
    def build(name: str) -> list[str]:
        return [undated(number, title=title.format(number), guid=f"{name}-{number}") for number in range(20, 0, -1)]

    fed.shows(*build("a"))
    feed = await fed.add(daily=2)
    for name in "abc":
        fed.shows(*build(name))
        assert await fed.read(feed) == ""
        await fed.later(days=1.1)
    assert [each.split()[1] for each in await fed.titles()] == ["19", "20"]
    # also of those that found no room within their week
    fed.shows(*(undated(number, title=title.format(number), guid=f"c-{number}") for number in range(60, 0, -1)))
    await fed.read(feed)
    added = len(await fed.titles())
    await fed.later(days=8)
    for name in "de":
        fed.shows(
            *(undated(number, title=title.format(number), guid=f"{name}-{number}") for number in range(60, 0, -1))
        )
        await fed.read(feed)
    assert len(await fed.titles()) == added
    assert (await fed.row(feed))[1] == 60


async def test_without_dates_the_first_items_are_the_newest(fed: Fed) -> None:
    fed.shows()
    feed = await fed.add(daily=2)
    await fed.read(feed)
    fed.shows(*(undated(number) for number in range(9, 0, -1)))
    await fed.read(feed)
    assert await fed.titles() == ["Item 8", "Item 9"]


async def test_no_more_items_wait_than_a_week_has_room_for(fed: Fed) -> None:
    fed.shows()
    feed = await fed.add(daily=1)
    await fed.read(feed)
    fed.shows(*(undated(number) for number in range(20, 0, -1)))
    await fed.read(feed)
    assert await fed.titles() == ["Item 20"]
    assert {one.link for one in await fed.items(feed)} == {
        "",
        *(f"{fed.server.url}/items/{number}" for number in range(14, 21)),
    }
    assert (await fed.row(feed))[1:] == (20, 1, 6)
    # those whose week is over hold no more than their titles
    fed.server.answers("/feed", Answer(304))
    await fed.later(days=8)
    await fed.read(feed)
    left_out = [one for one in await fed.items(feed) if one.state is not ItemState.added]
    assert {(one.link, one.summary) for one in left_out} == {("", "")}
    assert await fed.titles() == ["Item 20"]


async def test_a_feed_remembers_only_so_many_items(fed: Fed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.feeds.reading.MOST_LEFT_OUT", 5)
    fed.shows(undated(0))
    feed = await fed.add(daily=1)
    for number in range(1, 90, 10):
        fed.shows(*(undated(each) for each in range(number + 9, number - 1, -1)))
        await fed.read(feed)
    items, added, waiting = (await fed.row(feed))[1:]
    # besides these, those that the feed shows now
    assert items - added - waiting <= 5 + 10
    assert added == 1


async def test_a_feed_outlives_its_branch(fed: Fed) -> None:
    fed.shows(item(1))
    feed = await fed.add()
    async with fed.sessions.begin() as session:
        await TopicTreeService(session).remove(fed.user_id, fed.tree_id, fed.branch_id)
        await session.execute(update(Topic).where(Topic.id == fed.branch_id).values(deleted_at=utcnow() - DAYS))
    async with fed.sessions.begin() as session:
        assert await TopicTreeService(session).purge_deleted() == 1
    assert (await fed.row(feed))[0].branch_purged
    assert await fed.read(feed) == ErrorCode.topic_feed_branch_deleted
    async with fed.sessions() as session:
        other = await session.scalar(select(Topic.id).where(Topic.tree_id == fed.tree_id, Topic.title == "Tipps"))
    assert other is not None
    fed.branch_id = other
    await fed.feeds.change(fed.user_id, fed.tree_id, feed.id, FeedChange(topic_id=other))
    assert await fed.read(feed) == ""
    assert await fed.titles() == ["Item 1"]


async def test_a_feed_outlives_a_branch_that_too_many_deletions_pushed_out(
    fed: Fed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.topics.topic_trees.MAX_TOPICS", 0)
    fed.shows(item(1))
    feed = await fed.add()
    async with fed.sessions.begin() as session:
        await TopicTreeService(session).remove(fed.user_id, fed.tree_id, fed.branch_id)
    assert (await fed.row(feed))[0].branch_purged


async def test_an_item_mentions_nobody(fed: Fed) -> None:
    """A model copies what an item says; a mention is for a person to type."""
    mention = "@[Ada Lind](urn:li:person:7)"
    fed.shows(item(1, title=f"By {mention}").replace("Summary 1.", f"Rain, says {mention}."))
    await fed.read(await fed.add())
    [topic] = await fed.topics()
    assert topic.title == "By Ada Lind"
    assert topic.notes.endswith("Rain, says Ada Lind.")


async def test_a_feeds_name_and_links_mention_nobody(fed: Fed) -> None:
    mention = "@[Ada Lind](urn:li:person:7)"
    feed_of = rss(item(1, link=f"/items/{mention.replace(' ', '')}?{mention.replace(' ', '')}"))
    fed.server.answers("/feed", Answer(200, feed_of.replace(b"Rad", f"Rad {mention}".encode()), RSS))
    feed = await fed.add()
    assert feed.title == "Rad Ada Lind"
    async with fed.sessions.begin() as session:  # as an older release stored it
        await session.execute(update(TopicFeed).values(title=f"Rad {mention}", asked_at=utcnow(), next_at=utcnow()))
    fed.server.answers("/feed", Answer(200, feed_of.replace(b"<title>Rad</title>", b""), RSS))
    await fed.read(feed)
    [topic] = await fed.topics()
    assert topic.notes.startswith("Rad Ada Lind, 20")
    assert topic.link == f"{fed.server.url}/items/@%5BAdaLind%5D(urn:li:person:7)?@%5BAdaLind%5D(urn:li:person:7)"


async def test_the_page_of_an_item_mentions_nobody(fed: Fed) -> None:
    fed.server.answers("/robots.txt", Answer(404))
    told = LONG.replace("Scheibenbremse", "Bremse von @[Ada Lind](urn:li:person:7)")
    fed.server.answers("/items/1", Answer(200, NEWS.format(told).encode(), {"content-type": "text/html"}))
    fed.shows(item(1))
    await fed.read(await fed.add(full_text=True))
    [topic] = await fed.topics()
    assert "Bremse von Ada Lind" in topic.notes
    assert "urn:li" not in topic.notes
