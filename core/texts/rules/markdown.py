"""Articles' Markdown converted to sanitized HTML, and images, words and headings in it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from html import escape
from threading import Lock
from typing import Any, Final
from uuid import UUID

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

MEDIA: Final = "media"
"""The URL scheme of gallery images: `![A red bicycle](media:01a2…)`."""
_TAGS: Final = {
    *("p", "br", "hr", "h2", "h3", "h4", "h5", "h6", "em", "strong", "s", "blockquote", "code", "pre"),
    *("ul", "ol", "li", "a", "img", "table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES: Final = {
    "a": {"href", "title"},
    "img": {"src", "alt", "title"},
    "ol": {"start"},
    "code": {"class"},
    "th": {"style"},
    "td": {"style"},
}
_IMAGE: Final = re.compile(r'<img src="media:([0-9a-f-]{36})"([^>]*)>')
_WORD: Final = re.compile(r"\w[\w'’-]*")
WORDS_A_MINUTE: Final = 238
"""Adults reading non-fiction silently: the mean of Brysbaert, How many words do we read per minute? (2019)."""


_MOST_STEPS: Final = 30_000
"""Maximum positions at which the parser looks for a block or an inline element. An article of 100,000 characters with
links, emphasis and lists in each paragraph has half as many."""
_MOST_BLOCKS: Final = 60_000
"""Maximum block tokens; a table cell has three."""
_MOST_ADDRESSES: Final = 200_000
"""Maximum characters of all addresses: one definition may be referenced thousands of times."""


class _TooMuch(Exception):
    """The text takes longer to parse than any realistic article."""


def _count(state: Any) -> None:
    steps = state.env[_STEPS] = state.env.get(_STEPS, 0) + 1
    if steps > _MOST_STEPS:
        raise _TooMuch


_STEPS: Final = "steps"


def _count_block(state: Any, _start: int, _end: int, _silent: bool) -> bool:
    _count(state)
    if len(state.tokens) > _MOST_BLOCKS:
        raise _TooMuch
    return False


def _count_inline(state: Any, _silent: bool) -> bool:
    _count(state)
    return False


@cache
def _renderer() -> MarkdownIt:
    # HTML in the text is escaped
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    # rules that match nothing and only count: the parser tries them with the others
    everywhere = ["paragraph", "reference", "blockquote", "list", "table"]
    parser.block.ruler.before("table", "count", _count_block, {"alt": everywhere})
    parser.inline.ruler.before("text", "count", _count_inline)
    return parser


def _parsed(markdown: str) -> list[Token]:
    """Return the tokens of a text, or its unparsed paragraphs if parsing would take too long."""
    try:
        tokens = _renderer().parse(markdown)
        if sum(len(str(value)) for token in _all(tokens) for value in token.attrs.values()) > _MOST_ADDRESSES:
            raise _TooMuch
    except _TooMuch:
        return list(_as_written(markdown))
    return tokens


def _as_written(markdown: str) -> Iterator[Token]:
    for paragraph in _BETWEEN_PARAGRAPHS.split(markdown.strip()):
        if paragraph:
            text = Token("text", "", 0, content=paragraph)
            yield Token("paragraph_open", "p", 1, block=True)
            yield Token("inline", "", 0, content=paragraph, children=[text], block=True)
            yield Token("paragraph_close", "p", -1, block=True)


_BETWEEN_PARAGRAPHS: Final = re.compile(r"\n[ \t]*\n\s*")


@dataclass(frozen=True)
class Shown:
    """A text's HTML, words and images, as from the single functions."""

    html: str
    words: int
    images: dict[UUID, str]


def shown_of(markdown: str) -> Shown:
    """Parse once for all values. A long text takes half a second: do not call it in the event loop."""
    tokens = _parsed(markdown)
    return Shown(words=_counted(markdown, tokens), images=_images_of(tokens), html=_html_of(tokens))


def html_of(markdown: str) -> str:
    """Return the HTML. Gallery images keep `media:` and their id as source (see `with_images`). First-level headings
    become second-level ones: the site shows the article's title as the first level."""
    return _html_of(_parsed(markdown))


def _html_of(tokens: Sequence[Token]) -> str:
    """Render the tokens, which are modified."""
    for token in tokens:
        if token.tag == "h1":
            token.tag = "h2"
    return _cleaned(_renderer().renderer.render(tokens, _renderer().options, {}), "noopener")


def unfollowed(html: str) -> str:
    """Return HTML of `html_of` with links that search engines do not follow, for strangers' texts on our host."""
    return _cleaned(html, "noopener nofollow ugc")


def _cleaned(html: str, link_rel: str) -> str:
    return nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        filter_style_properties={"text-align"},
        url_schemes={"http", "https", "mailto", "tel", MEDIA},
        link_rel=link_rel,
    )


def with_images(html: str, sources: Mapping[UUID, str]) -> str:
    """Return HTML of `html_of` with the address of each image; images without one are removed."""
    return with_drawn_images(html, {name: {"src": source} for name, source in sources.items() if source})


def with_drawn_images(html: str, drawn: Mapping[UUID, Mapping[str, str]]) -> str:
    """As `with_images`, with all attributes of each image except alt and title."""

    def placed(match: re.Match[str]) -> str:
        attributes = drawn.get(UUID(match[1]), {})
        attribute_text = " ".join(f'{name}="{escape(value)}"' for name, value in attributes.items())
        return f"<img {attribute_text}{match[2]}>" if attribute_text else ""

    return _IMAGE.sub(placed, html)


def images_of(markdown: str) -> dict[UUID, str]:
    """Return the gallery images by id, in order, with the alt text of the first use."""
    return _images_of(_parsed(markdown))


def _images_of(tokens: Sequence[Token]) -> dict[UUID, str]:
    alts: dict[UUID, str] = {}
    for token in _all(tokens):
        source = _MEDIA_ADDRESS.fullmatch(str(token.attrs.get("src", ""))) if token.type == "image" else None
        if source:
            alts.setdefault(UUID(source[1]), token.content)
    return alts


_MEDIA_ADDRESS: Final = re.compile(rf"{MEDIA}:([0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}})")


def plain(markdown: str) -> str:
    """Return the plain text, one line per paragraph."""
    return _plain(_parsed(markdown))


def _plain(tokens: Sequence[Token]) -> str:
    lines: list[str] = []
    for token in tokens:
        if token.type == "inline":
            lines.append("".join(_said(child) for child in token.children or ()))
        elif token.type in ("fence", "code_block"):
            lines.append(token.content.rstrip())
    return "\n".join(lines)


def lowered(markdown: str, level: int) -> str:
    """Return the Markdown without headings above `level`, which are lowered; empty ones are removed."""
    while headings := [token for token in _parsed(markdown) if _is_above(token, level)]:
        lines = markdown.split("\n")
        for heading in headings:
            assert heading.map is not None  # set for all block tokens
            first, end = heading.map
            if heading.markup.startswith("#"):
                text = _HEADING.sub("#" * level, lines[first], count=1)
                lines[first] = text if text.rstrip().rstrip("#").strip(" >") else ""
            else:
                # a heading with an underline
                lines[end - 1] = _UNDERLINE.sub("", lines[end - 1])
                lines[first] = f"{'#' * level} {lines[first]}" if heading.level == 0 else lines[first]
        markdown = "\n".join(lines)
    return markdown


def closed(markdown: str) -> str:
    """Return the Markdown with an open code fence closed, so that text added to it is no code."""
    tokens = _parsed(f"{markdown}\n\n# end")
    last = tokens[-1]
    return f"{markdown}\n{last.markup}" if last.type == "fence" else markdown


def _is_above(token: Token, level: int) -> bool:
    return token.type == "heading_open" and int(token.tag[1]) < level


_HEADING: Final = re.compile(r"#+")
_UNDERLINE: Final = re.compile(r"[-=]+\s*$")


_MOST_COUNTED: Final = 20_000
"""Maximum cached word counts, the latest: about 3 MB."""
_counts: dict[bytes, int] = {}
_counting: Final = Lock()


def word_count(markdown: str) -> int:
    """Return the number of words, cached per text: a list of articles needs it at each call."""
    count = _counts.get(_digest(markdown))
    return _counted(markdown, _parsed(markdown)) if count is None else count


def _counted(markdown: str, tokens: Sequence[Token]) -> int:
    words = words_of(_plain(tokens))
    with _counting:  # lists are built in threads
        if len(_counts) >= _MOST_COUNTED:
            del _counts[next(iter(_counts))]
        _counts[_digest(markdown)] = words
    return words


def words_of(plain_text: str) -> int:
    """Return the number of words of a plain text."""
    return sum(1 for _ in _WORD.finditer(plain_text))


def _digest(markdown: str) -> bytes:
    return blake2b(markdown.encode(errors="surrogatepass"), digest_size=16).digest()


def reading_minutes(words: int) -> int:
    """Return whole minutes, at least one."""
    return max(1, round(words / WORDS_A_MINUTE))


def _said(token: Token) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return " "
    return token.content if token.type in ("text", "code_inline") else ""


def _all(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from token.children or ()
