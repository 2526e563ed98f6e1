import asyncio
import gzip
import json
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx2
import pytest

from core.errors import Ambiguous, Misconfigured, ProviderError, RetrySafe
from core.outgoing import exchanges, http
from core.outgoing.destinations import Outside
from core.outgoing.redaction import clip, conceal, redact
from tests.http_server import Answer, Server

SECOND = timedelta(seconds=1)


async def test_a_refused_connection_had_no_effect(nowhere: str) -> None:
    async with http.client(base_url=nowhere, timeout=SECOND) as client:
        with pytest.raises(RetrySafe):
            await http.send(client, "POST", "/", publishing=True)


@pytest.mark.parametrize("answer", [Answer(drop=True), Answer(delay=0.8)])
async def test_a_lost_answer_is_ambiguous_only_when_publishing(server: Server, answer: Answer) -> None:
    server.answers("/", answer)
    async with http.client(base_url=server.url, timeout=SECOND / 4) as client:
        with pytest.raises(Ambiguous):
            await http.send(client, "POST", "/", publishing=True)
        with pytest.raises(RetrySafe):
            await http.send(client, "POST", "/", publishing=False)
    assert len(server.requests) == 2


NOTICE = (
    "<br />\n<b>Deprecated</b>:  Function _load_textdomain was called in <b>/var/www/a on line.php</b> on line"
    " <b>6114</b><br />\n"
)


@pytest.mark.parametrize(
    "body",
    [
        '{"id":7}',
        '\ufeff{"id":7}',
        '\ufeff\ufeff\n {"id":7}\n',
        NOTICE + '{"id":7}',
        NOTICE * 3 + '\ufeff{"id":7}' + NOTICE,
        "\nWarning: Undefined array key [0] in /var/www/html/plugin.php on line 12\n" + '{"id":7}',
        "PHP Notice:  Only {once} in a.php on line 3\n" + '{"id":7}',
    ],
)
async def test_notices_of_php_around_an_answer_are_overlooked(server: Server, body: str) -> None:
    server.answers("/", Answer(body=body.encode()))
    async with http.client(base_url=server.url, timeout=10 * SECOND) as client:
        assert http.fields(await http.send(client, "GET", "/", publishing=False)) == {"id": 7}


@pytest.mark.parametrize(
    "body",
    [
        '<html><script type="application/ld+json">{"id":7}</script></html>',
        'Maintenance {"id":7}',
        "<br />\n<b>Fatal error</b>:  Uncaught Error in <b>a.php</b> on line <b>3</b><br />\n" + '{"id":7}',
        NOTICE + '{"id":7',
        NOTICE,
        '{"id":7}{"id":8}',
        '{"id":7} and more',
    ],
)
async def test_a_page_with_json_in_it_is_a_page(server: Server, body: str) -> None:
    server.answers("/", Answer(body=body.encode()))
    async with http.client(base_url=server.url, timeout=10 * SECOND) as client:
        assert http.fields(await http.send(client, "GET", "/", publishing=False)) == {}


async def test_every_call_says_who_asks(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(http._headers, "User-Agent", "Postloom")  # as it was, afterwards
    http.use_user_agent("Postloom/7 (+https://post.example.org)")
    async with http.client(base_url=server.url, timeout=10 * SECOND) as client:
        await http.send(client, "GET", "/", publishing=False)
    named = Outside((server.url,)).client(server.url, 10 * SECOND)
    await http.send(named, "GET", "/", publishing=False)
    await named.aclose()
    assert [one.headers["user-agent"] for one in server.requests] == ["Postloom/7 (+https://post.example.org)"] * 2


LONG = b'{"id":"7","more":"' + b"x" * http.MAX_ANSWER_BYTES + b'"}'


@pytest.mark.parametrize("headers", [{}, {"Content-Encoding": "gzip"}], ids=["long", "long once it is unpacked"])
@pytest.mark.parametrize("status", [200, 302, 400, 401, 429, 503])
async def test_an_answer_that_is_too_long_is_none_whatever_its_status(
    server: Server, status: int, headers: dict[str, str]
) -> None:
    server.answers("/", Answer(status, gzip.compress(LONG) if headers else LONG, headers))
    async with http.client(base_url=server.url, timeout=10 * SECOND) as client:
        with exchanges.record_exchanges() as heard:
            for publishing, kind in ((True, Ambiguous), (False, RetrySafe)):
                with pytest.raises(ProviderError) as raised:
                    await http.send(client, "POST", "/", publishing=publishing)
                assert type(raised.value) is kind
    assert [one["answer"] for one in heard] == [f"{status}, and more than 1000000 bytes"] * 2


async def test_an_answer_that_never_ends_is_not_waited_for() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n")
        with suppress(ConnectionError):
            while True:
                writer.write(b"x" * 100_000)
                await writer.drain()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server, http.client(base_url=url, timeout=30 * SECOND) as client:
        with pytest.raises(RetrySafe):
            await http.send(client, "GET", "/", publishing=False)


async def test_what_is_not_too_long_is_unpacked_though_nobody_asked_for_it(server: Server) -> None:
    packed = {"Content-Encoding": "gzip"}
    said = Answer(200, gzip.compress(b'{"id":"7"}'), packed)
    server.answers("/", said, Answer(200, b"broken", packed), Answer(200, LONG))
    async with http.client(base_url=server.url, timeout=10 * SECOND) as client:
        assert http.fields(await http.send(client, "GET", "/", publishing=False)) == {"id": "7"}
        with pytest.raises(RetrySafe):
            await http.send(client, "GET", "/", publishing=False)
        assert (
            http.fields(await http.send(client, "GET", "/", publishing=False, max_bytes=http.MAX_LIST_BYTES))["id"]
            == "7"
        )
    assert {request.headers["accept-encoding"] for request in server.requests} == {"identity"}


async def test_redirects_are_not_followed_and_wrong_addresses_named(server: Server) -> None:
    server.answers("/", Answer(302, headers={"Location": "/elsewhere"}))
    async with http.client(base_url=server.url, timeout=SECOND) as client:
        assert (await http.send(client, "GET", "/", publishing=True)).status_code == 302
        with pytest.raises(Misconfigured):
            await http.send(client, "GET", "gopher://x.test/", publishing=True)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("12", 12), ("0", 0), ("1.5", 1.5), ("999999999", 86400), ("-3", None), ("soon", None), ("", None)],
)
def test_retry_after_in_seconds(value: str, seconds: float | None) -> None:
    found = http.retry_after(httpx2.Response(429, headers={"Retry-After": value}))
    assert found == (None if seconds is None else timedelta(seconds=seconds))


def test_retry_after_as_a_date() -> None:
    for offset, expected in ((90, 90), (-90, 0)):
        date = format_datetime(datetime.now(UTC) + timedelta(seconds=offset), usegmt=True)
        found = http.retry_after(httpx2.Response(503, headers={"Retry-After": date}))
        assert found is not None
        assert abs(found.total_seconds() - expected) < 3


@pytest.mark.parametrize(
    "date",
    [
        "Mon, 01 Jan 99999999999 00:00:00 GMT",
        "Mon, 01 Jan 2026 99999999999:00:00 GMT",
        "Mon, 01 Jan 2026 00:00:00 +99999999999999999999",
        "Mon, 01 Jan 2026 00:00:00 +9999",
        "soon",
    ],
)
def test_dates_that_cannot_be(date: str) -> None:
    assert http.retry_after(httpx2.Response(503, headers={"Retry-After": date})) is None
    assert http.clock_off(httpx2.Response(200, headers={"Date": date})) is None


@pytest.mark.parametrize("age", ["9" * 20, "9" * 400, "9" * 5000, "-1", "soon", ""])
def test_an_age_that_cannot_be_is_not_counted(age: str) -> None:
    date = format_datetime(datetime.now(UTC), usegmt=True)
    off = http.clock_off(httpx2.Response(200, headers={"Date": date, "Age": age}))
    assert off is not None
    assert abs(off) < timedelta(seconds=3)


def test_a_date_without_a_zone_is_in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        date = format_datetime(datetime.now(UTC)).replace("+0000", "-0000")
        off = http.clock_off(httpx2.Response(200, headers={"Date": date}))
    finally:
        monkeypatch.undo()
        time.tzset()
    assert off is not None
    assert abs(off) < timedelta(seconds=3)


def test_no_token_survives_an_excerpt() -> None:
    body = (
        '{"access_token":"abc123","message":"bad Bearer eyJ.x-y_z","q":"refresh_token=r3fr&x=1"} '
        + "x" * 3900
        + "MYSECRET" * 40
    )
    found = http.excerpt(httpx2.Response(400, text=body), ("MYSECRET",))
    assert len(found.encode()) <= 4000
    for leaked in ("abc123", "eyJ", "r3fr", "SECRET"):
        assert leaked not in found


@pytest.mark.parametrize("spelt", ["a/b+c=", "a%2Fb%2Bc%3D", "a/b%2Bc%3D"])
def test_no_token_survives_in_an_address_that_is_repeated(spelt: str) -> None:
    assert redact(f"GET /me?by={spelt}&x=1 was refused", ("a/b+c=", "\ud800")) == "GET /me?by=…&x=1 was refused"


@pytest.mark.parametrize("body", [b"", b"<html>", b'{"a":', b"[1]", b"\xff\xfe", b"[" * 100_000])
def test_hostile_bodies_have_no_fields(body: bytes) -> None:
    assert http.fields(httpx2.Response(500, content=body)) == {}


async def test_who_listens_hears_each_call_without_what_it_was_proved_by(server: Server) -> None:
    """A network may repeat a token under any name, and in its answer alone."""
    token = "tok-9f3e"
    # so many of them that what is left of it is shorter than what is kept
    echoed = json.dumps({"you": f"came with {token}", "by": "proof%2B1", "much": f"{token} " * 900, "more": "x" * 9000})
    server.answers("/feed", Answer(400, echoed.encode(), {"Content-Type": "application/json"}))
    async with http.client(base_url=server.url, timeout=timedelta(seconds=5)) as client:
        with exchanges.record_exchanges() as heard:
            headers = {"Authorization": f"Bearer {token}"}
            address = "/feed?appsecret_proof=proof%2B1"
            await http.send(client, "POST", address, publishing=True, json={"message": "Hi"}, headers=headers)
            picture = {"Content-Type": "image/png"}
            await http.send(client, "POST", "/feed", publishing=True, content=b"\x89PNG", headers=picture)
        await http.send(client, "POST", "/feed", publishing=True)
    first, second = heard
    assert first["asked"] == f"POST {server.url}/feed"
    assert (json.loads(first["sent"]), first["status"]) == ({"message": "Hi"}, 400)
    assert first["answer"].startswith('{"you": "came with …", "by": "…"')
    assert len(first["answer"].encode()) == 4000
    assert token[:-1] not in first["answer"]
    assert second["sent"] == "[image/png, 4 bytes]"


def test_a_short_secret_of_one_leaves_the_words_of_everybody_whole() -> None:
    conceal("word")
    conceal("a secret of some length")
    assert clip("words alone, not a secret of some length") == "words alone, not …"
