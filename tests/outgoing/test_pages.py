"""Web pages over real HTTP."""

from datetime import timedelta
from time import monotonic

import pytest

from core.errors import ErrorCode, InvalidInput
from core.outgoing.destinations import Outside
from core.outgoing.pages import MOST_TEXT, PageReader
from tests.http_server import Answer, Server

HTML = {"content-type": "text/html; charset=utf-8"}


def reader(server: Server) -> PageReader:
    return PageReader(Outside((server.url,)))


async def refused(pages: PageReader, address: str) -> ErrorCode:
    with pytest.raises(InvalidInput) as told:
        await pages.read(address)
    [error] = told.value.errors
    assert error.field == "address"
    return error.code


async def test_a_page_is_read_with_its_own_encoding(server: Server) -> None:
    server.answers("/", Answer(200, "<title>Räder</title><p>Grüße</p>".encode(), HTML))
    page = await reader(server).read(server.url)
    assert (page.title, page.text) == ("Räder", "Grüße")
    assert server.requests[0].headers["accept"] == "text/html,application/xhtml+xml"
    old = '<meta charset="iso-8859-1"><p>Grüße</p>'.encode("latin-1")
    server.answers("/old", Answer(200, old, {"content-type": "text/html"}))
    assert (await reader(server).read(f"{server.url}/old")).text == "Grüße"


@pytest.mark.parametrize(
    "charset", ["punycode", "idna", "undefined", "hex", "rot13", "unicode_escape", "utf-7", "x\xe4"]
)
async def test_a_page_has_only_encodings_of_pages(server: Server, charset: str) -> None:
    """Python knows more. The time of some grows with the square of the length, or they raise errors of their own."""
    long = "<p>Grüße</p>".encode() + b"<p>" + b"x" * 300_000
    server.answers("/", Answer(200, long, {"content-type": f"text/html; charset={charset}"}))
    meta = f'<meta charset="{charset}">'.encode()
    server.answers("/meta", Answer(200, meta + long, {"content-type": "text/html"}))
    begun = monotonic()
    for path in ("/", "/meta"):
        assert (await reader(server).read(f"{server.url}{path}")).text.startswith("Grüße")
    assert monotonic() - begun < 20


async def test_redirects_are_followed_but_not_for_ever(server: Server) -> None:
    server.answers("/a", Answer(301, b"", {"location": "/b?x=ä"}))
    server.answers("/b", Answer(302, b"", {"location": f"{server.url}/c"}))
    server.answers("/c", Answer(200, b"<p>Here</p>", HTML))
    assert (await reader(server).read(f"{server.url}/a")).text == "Here"
    assert [request.path for request in server.requests] == ["/a", "/b?x=%C3%A4", "/c"]
    server.answers("/loop", Answer(307, b"", {"location": "/loop"}))
    assert await refused(reader(server), f"{server.url}/loop") is ErrorCode.web_page_unreachable


async def test_a_redirect_never_leads_inside(server: Server) -> None:
    for inside in (
        "http://127.0.0.1/",
        "https://localhost/",
        "file:///etc/passwd",
        "https://10.0.0.1/",
        "https://[",
        "",
    ):
        server.answers("/away", Answer(302, b"", {"location": inside} if inside else {}))
        assert await refused(reader(server), f"{server.url}/away") is ErrorCode.web_page_unreachable


async def test_an_internal_address_is_not_asked(server: Server) -> None:
    pages = PageReader(Outside())
    assert await refused(pages, server.url) is ErrorCode.address_not_allowed
    # a public name that leads inside
    assert await refused(pages, "https://localhost.localdomain/") is ErrorCode.web_page_unreachable
    assert server.requests == []


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("http://127.0.0.1:4779/feed", ErrorCode.address_not_allowed),
        ("10.0.0.1/feed", ErrorCode.address_not_allowed),
        ("https://8.8.8.8/", ErrorCode.address_not_allowed),
        ("https://[::1]/feed", ErrorCode.address_not_allowed),
        ("http://2130706433/", ErrorCode.address_not_allowed),
        ("https://LOCALHOST/feed", ErrorCode.address_not_allowed),
        ("localhost:4779", ErrorCode.address_not_allowed),
        ("https://intranet/news", ErrorCode.address_not_allowed),
        ("https://rain.example:8443/", ErrorCode.address_not_allowed),
        ("rain", ErrorCode.address_malformed),
        ("two words", ErrorCode.address_malformed),
        ("https://two words/", ErrorCode.address_malformed),
        ("https://“rain.example”/", ErrorCode.address_malformed),
        ("https://", ErrorCode.address_malformed),
        ("https://[", ErrorCode.address_malformed),
        ("https://rain.example:port/", ErrorCode.address_malformed),
        ("ftp://10.0.0.1/", ErrorCode.address_malformed),
        ("", ErrorCode.address_malformed),
    ],
)
async def test_why_an_address_is_not_read(typed: str, code: ErrorCode) -> None:
    assert await refused(PageReader(Outside()), typed) is code


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Answer(404, b"<p>Nothing</p>", HTML), ErrorCode.web_page_unusable),
        (Answer(403, b"<p>Robots</p>", HTML), ErrorCode.web_page_unreachable),
        (Answer(500, b"<p>Broken</p>", HTML), ErrorCode.web_page_unreachable),
        (Answer(200, b"%PDF-1.7", {"content-type": "application/pdf"}), ErrorCode.web_page_unusable),
        (Answer(200, b"\x89PNG\0\0", HTML), ErrorCode.web_page_unusable),
        (Answer(200, b"<div id=app></div><script>run()</script>", HTML), ErrorCode.web_page_empty),
        (Answer(200, b"x" * 3_000_001, HTML), ErrorCode.web_page_unreachable),
        (Answer(drop=True), ErrorCode.web_page_unreachable),
    ],
)
async def test_what_is_no_page_is_told_apart(server: Server, answer: Answer, code: ErrorCode) -> None:
    server.answers("/", answer)
    assert await refused(reader(server), server.url) is code


async def test_redirects_together_have_a_limit_of_time(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.outgoing.pages.ALTOGETHER", timedelta(seconds=1))
    for number in range(4):
        server.answers(f"/{number}", Answer(302, b"", {"location": f"/{number + 1}"}, delay=0.5))
    server.answers("/4", Answer(200, b"<p>Late</p>", HTML))
    assert await refused(reader(server), f"{server.url}/0") is ErrorCode.web_page_unreachable


async def test_nobody_answers(nowhere: str) -> None:
    assert await refused(PageReader(Outside((nowhere,))), nowhere) is ErrorCode.web_page_unreachable


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("example.org", "https://example.org/"),
        ("http://Example.org/a?b=ä&c#d", "https://example.org/a?b=%C3%A4&c"),
        ("https://me:secret@example.org/a", "https://example.org/a"),
        ("https://müller.example/", "https://xn--mller-kva.example/"),
        ("example.org:443/a", "https://example.org/a"),
        ("HTTP://example.org:80", "https://example.org/"),
        ("http://example.org:443", None),
        ("example.org:8080", None),
        ("two words.org", None),
        ("ftp://example.org", None),
        ("javascript:alert(1)", None),
        ("https://[", None),
        ("localhost", None),
    ],
)
def test_what_people_type(typed: str, url: str | None) -> None:
    assert PageReader(Outside()).url_of(typed) == url


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("@[Ada Lind](urn:li:person:7)", "Ada Lind"),
        ("@[Ada @[Lind](urn:li:person:7)](urn:li:person:7)", "@ [Ada Lind](urn:li:person:7)"),
        ("@&#8203;[Ada](urn:li:person:7)", "@ \u200b[Ada](urn:li:person:7)"),
    ],
)
async def test_a_page_mentions_nobody(server: Server, written: str, read: str) -> None:
    """A model copies what a page says; a mention is for a person to type."""
    text = f"<title>By {written}</title><main><p>{'A long paragraph about rain. ' * 9}By {written}.</p></main>"
    server.answers("/", Answer(200, text.encode(), HTML))
    page = await reader(server).read_source(server.url)
    assert page.title == f"By {read}"
    assert page.text.replace("\u200b", "").endswith(f"By {read}.".replace("\u200b", ""))
    assert "@[" not in page.text.replace("\u200b", "")


async def test_what_takes_the_place_of_mentions_fits(server: Server) -> None:
    name, text = "@[" * 500, f"<p>{'A long paragraph about rain. ' * 9}{'@[' * 10_000}</p>"
    page = f'<title>{name}</title><meta property="og:site_name" content="{name}"><main>{text}</main>'
    server.answers("/", Answer(200, page.encode(), HTML))
    whole, source = await reader(server).read(server.url), await reader(server).read_source(server.url)
    for part, most in ((whole.title, 300), (whole.site_name, 300), (whole.text, MOST_TEXT), (source.title, 300)):
        assert "@[" not in part
        assert len(part) <= most
