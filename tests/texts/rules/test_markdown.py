"""What articles are written in: shown as it is meant, and harmless whatever is in it."""

import re
import time
from html.parser import HTMLParser
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.texts.rules.markdown import (
    Shown,
    html_of,
    images_of,
    plain,
    reading_minutes,
    shown_of,
    with_images,
    word_count,
)

IMAGE = UUID("01a21747-cfcf-7ae1-8a4d-ecf2b3231a9a")


class Seen(HTMLParser):
    """The tags of a document, and every attribute with its value."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.feed(document)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("# Title", "<h2>Title</h2>\n"),
        ("## Part", "<h2>Part</h2>\n"),
        ("*a* **b** ~~c~~ `d`", "<p><em>a</em> <strong>b</strong> <s>c</s> <code>d</code></p>\n"),
        ("- one\n- two", "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n"),
        ("3. three", '<ol start="3">\n<li>three</li>\n</ol>\n'),
        ("> said", "<blockquote>\n<p>said</p>\n</blockquote>\n"),
        ("[shop](https://radwerk.example)", '<p><a href="https://radwerk.example" rel="noopener">shop</a></p>\n'),
        (
            "[write](mailto:ada@lindhof.example)",
            '<p><a href="mailto:ada@lindhof.example" rel="noopener">write</a></p>\n',
        ),
        (f"![A bike](media:{IMAGE})", f'<p><img src="media:{IMAGE}" alt="A bike"></p>\n'),
    ],
)
def test_it_is_shown_as_it_is_meant(markdown: str, html: str) -> None:
    assert html_of(markdown) == html


def test_a_table_keeps_how_its_columns_stand() -> None:
    shown = html_of("| a | b |\n|:-:|--:|\n| 1 | 2 |")
    assert '<td style="text-align:center">1</td>' in shown
    assert '<td style="text-align:right">2</td>' in shown


@pytest.mark.parametrize(
    "markdown",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt&#58;alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "![x](javascript:alert(1))",
        '![x](https://a.example/"onload="alert(1))',
        "[x](<vbscript:msgbox(1)>)",
        "<iframe src='https://evil.example'></iframe>",
        "<a href='javascript:alert(1)'>x</a>",
        "<svg><script>alert(1)</script></svg>",
        "`<script>`\n\n    <script>alert(1)</script>",
    ],
)
def test_nothing_in_it_can_do_harm(markdown: str) -> None:
    seen = Seen(html_of(markdown))
    assert not {"script", "iframe", "svg", "style", "form", "object"} & set(seen.tags)
    assert not [name for name, _ in seen.attributes if name.startswith("on")]
    for name, value in seen.attributes:
        if name in ("href", "src"):
            assert re.match(r"(https?:|mailto:|tel:|media:|[^:]*$)", value, re.IGNORECASE), value


@given(st.text(alphabet=st.sampled_from("<>\"'&:;=()[]!#*_`~|-\n\t /\\ab1javscriptmedio"), max_size=120))
def test_whatever_is_typed_it_does_no_harm(markdown: str) -> None:
    seen = Seen(html_of(markdown))
    assert set(seen.tags).isdisjoint({"script", "iframe", "style", "object", "embed", "form", "input"})
    assert not [name for name, _ in seen.attributes if name.startswith("on")]
    assert not [
        value for _, value in seen.attributes if re.match(r"\s*(javascript|vbscript|data):", value, re.IGNORECASE)
    ]


def test_images_of_the_gallery_get_their_address_and_one_that_has_none_is_left_out() -> None:
    other = uuid4()
    markdown = f'![A "red" bike](media:{IMAGE} "fast") and ![gone](media:{other}) and ![far](https://a.example/b.png)'
    assert images_of(markdown) == {IMAGE: 'A "red" bike', other: "gone"}
    shown = with_images(html_of(markdown), {IMAGE: '/api/media/1?a=1&b="2"'})
    assert 'src="/api/media/1?a=1&amp;b=&quot;2&quot;"' in shown
    assert 'alt="A &quot;red&quot; bike" title="fast"' in shown
    assert "gone" not in shown
    assert 'src="https://a.example/b.png"' in shown


def test_all_that_is_told_of_a_text_at_once_is_what_is_told_one_by_one() -> None:
    markdown = f"# One\n\nTwo *three* ![four](media:{IMAGE})\n\n# Five"
    assert shown_of(markdown) == Shown(html_of(markdown), word_count(markdown), images_of(markdown))


def test_one_that_stands_there_twice_is_one_image() -> None:
    assert images_of(f"![first](media:{IMAGE})\n\n![again](media:{IMAGE})") == {IMAGE: "first"}


@pytest.mark.parametrize("address", ["media:nothing", f"media:{IMAGE}/x", f"https://a.example/media:{IMAGE}"])
def test_what_is_no_image_of_the_gallery_is_none(address: str) -> None:
    assert images_of(f"![x]({address})") == {}


def test_its_words_are_counted_without_what_marks_them_up() -> None:
    markdown = (
        f"# A short *title*\n\nDon't stop: [read on](https://a.example/more), it's well-known.\n\n![Alt](media:{IMAGE})"
    )
    assert plain(markdown).splitlines()[:2] == ["A short title", "Don't stop: read on, it's well-known."]
    assert word_count(markdown) == 9
    assert word_count("") == 0


def test_its_words_are_counted_once_for_each_text(monkeypatch: pytest.MonkeyPatch) -> None:
    text, parsed, parse = f"Counted *once* {uuid4()}", [], MarkdownIt.parse

    def counting(self: MarkdownIt, source: str) -> list[Token]:
        parsed.append(source)
        return parse(self, source)

    monkeypatch.setattr(MarkdownIt, "parse", counting)
    first = word_count(text)
    assert (word_count(text), parsed) == (first, [text])
    changed = f"{text} more"
    assert (word_count(changed), parsed) == (first + 1, [text, changed])
    # what a preview has read is known to the list, too
    shown_of(f"{changed} words")
    assert word_count(f"{changed} words") == first + 2
    assert len(parsed) == 3


@pytest.mark.parametrize(("words", "minutes"), [(0, 1), (238, 1), (357, 2), (2380, 10)])
def test_how_long_it_takes_to_read(words: int, minutes: int) -> None:
    assert reading_minutes(words) == minutes


BOMBS = {
    "a heading of 40,000 lines": "a\n" * 40_000 + "===",
    "images that never end": "![" * 49_500,
    "brackets": "[" * 50_000,
    "brackets closed": "[" * 49_000 + "]" * 49_000,
    "references": "[a]: " + "x" * 40_000 + "\n\n" + "[a] " * 14_000,
    "references that never end": "[a\n" * 33_000,
    "lazy lines": ">" * 17 + "a\n" + "a\n" * 49_000,
    "lists": "- " * 49_000,
    "lists in lists": "\n".join("  " * level + "- a" for level in range(300)),
    "list": "- a\n" * 24_000,
    "a wide table": "|a" * 3_000 + "|\n" + "|-" * 3_000 + "|\n" + "|b\n" * 20_000,
    "a long table": "a|b\n-|-\n" + "a|b\n" * 24_000,
    "emphasis": "*a **b " * 7_000 + "c* d**" * 7_000,
    "runs of emphasis": "a" + "**b" * 33_000,
    "nested emphasis": "*a " * 20_000 + "a*" * 19_000,
    "code": "".join("e" + "`" * ticks for ticks in range(440)),
    "CDATA": "<![CDATA[" * 11_000,
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS.keys())
def test_no_text_takes_long(bomb: str) -> None:
    """Measured: up to 51 s without a bound, below a second with it."""
    began = time.process_time()
    shown = shown_of(bomb[:100_000])
    assert time.process_time() - began < 20
    assert len(shown.html) < 3_000_000


def test_a_text_that_would_take_too_long_is_shown_as_it_is_written() -> None:
    shown = shown_of("First <b>&\n\n" + "[a](b) *c* " * 9_000 + "\n\nLast.")
    assert shown.html.startswith("<p>First &lt;b&gt;&amp;</p>\n<p>[a](b) *c*")
    assert shown.html.endswith("<p>Last.</p>\n")
    assert plain("[" * 50_000) == "[" * 50_000


def test_a_long_article_is_no_bomb() -> None:
    said = "Riders who **change** their tyres *early* need [a list](https://example.org/list) and `code`. " * 4
    items = "- one *thing*\n- [another](https://x.example)\n\n> Said\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
    part = f"## When\n\n{said}\n\n{items}"
    html = html_of(part * (100_000 // len(part)))
    assert html.count("<h2>") == html.count("<table>") == 100_000 // len(part)
    assert html_of("|a|b|c|d|\n|-|-|-|-|\n" + "| word | 12 | 13 | *x* |\n" * 3_500).count("<em>") == 3_500
