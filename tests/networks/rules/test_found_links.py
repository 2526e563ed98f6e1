import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.networks.rules.found_links import links_in


def found(text: str) -> list[str]:
    return [text[one.start : one.end] for one in links_in(text)]


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("https://example.de/blog…", ["https://example.de/blog"]),
        ("https://example.de/blog... und mehr", ["https://example.de/blog"]),
        ("https://a.de/x’s Seite", ["https://a.de/x"]),
        ("https://a.de/x's page", ["https://a.de/x"]),
        ("https://en.wikipedia.org/wiki/Murphy's_law", ["https://en.wikipedia.org/wiki/Murphy's_law"]),
        (
            "(https://de.wikipedia.org/wiki/Rad_(Fahrrad_(alt)))",
            ["https://de.wikipedia.org/wiki/Rad_(Fahrrad_(alt))"],
        ),
        ("[Text](https://example.de/a_[b]).", ["https://example.de/a_[b]"]),
        ("„https://example.de/a“", ["https://example.de/a"]),
        ("<https://example.de>", ["https://example.de"]),
        ("HTTPS://EXAMPLE.DE/Ä", ["HTTPS://EXAMPLE.DE/Ä"]),
        ("見て（https://example.jp/花）。", ["https://example.jp/花"]),
        ("Zu https://example.de/?a=1&b=[2]!", ["https://example.de/?a=1&b=[2]"]),
        ("https://example.de(mehr)", ["https://example.de(mehr)"]),
        ("https://[broken", []),
        ("https://…", []),
        ("ahttps://example.de git+https://example.de", []),
        ("Link:https://example.de 👉https://example.de/a", ["https://example.de", "https://example.de/a"]),
        ("詳細はhttps://example.jp", ["https://example.jp"]),
        ("https://example.de/a🎉 https://example.de❤️", ["https://example.de/a", "https://example.de"]),
        ("**https://example.de/a** `https://example.de/b`", ["https://example.de/a", "https://example.de/b"]),
        ("https://example.de/a|", ["https://example.de/a"]),
        ("https://example.de:99999/ https://example.de:0/ https://example.de:x/", []),
    ],
)
def test_an_address_ends_where_its_sentence_goes_on(text: str, links: list[str]) -> None:
    assert found(text) == links


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("Mehr auf example.de/angebot.", ["example.de/angebot"]),
        ("www.example.de, jetzt", ["www.example.de"]),
        ("(example.berlin)", ["example.berlin"]),
        ("bücher.example.com:8080/a?b#c", ["bücher.example.com:8080/a?b#c"]),
        ("müller.de!", ["müller.de"]),
        ("example.co.uk’s", ["example.co.uk"]),
        ("example.de\nexample.org", ["example.de", "example.org"]),
        ("z.B. und d.h. am 3.12. um 10.30 Uhr", []),
        ("mara@example.de oder a.b@example.de", []),
        ("@ada.bsky.social #tag.de", []),
        ("Am Ende.Das war es. Gut.In Berlin", []),
        ("example.invalidending example.de.unbekannt node.js", []),
        ("...de .de de", []),
        ("👉example.de 🇩🇪example.org❤️", ["example.de", "example.org"]),
        ("**example.de** *example.org* Mehr:→example.com", ["example.de", "example.org", "example.com"]),
        ("Januar – example.de–heute", ["example.de"]),
        ("Python 3.12.0.dev ab 12.30.am Montag, 192.168.1.1", []),
        ("163.com 1und1.de", ["163.com", "1und1.de"]),
        ("e.g. i.e. u.a. p.m. Vue.js ASP.NET report.pdf foto.jpg", []),
        ("fertig.So geht's. Ende.Der Anfang", []),
    ],
)
def test_a_domain_with_an_ending_that_exists_is_an_address(text: str, links: list[str]) -> None:
    assert found(text) == links
    assert all(one.url == f"https://{text[one.start : one.end]}" for one in links_in(text))


PIECES = st.sampled_from(
    ["https://e.org/ä", "e.de", "/", "(", ")", "[", "…", "’s", ".", " ", "\n", "@", "x", "www.", "#"]
)


@given(st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join)))
def test_addresses_stand_one_behind_the_other(text: str) -> None:
    links = list(links_in(text))
    assert all(0 <= one.start < one.end <= len(text) and one.url.endswith(text[one.start : one.end]) for one in links)
    assert all(one.end <= other.start for one, other in zip(links, links[1:], strict=False))
