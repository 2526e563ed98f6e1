"""What an article is written in, as it is shown: Markdown made to HTML, and HTML of which nothing can do any harm."""

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
"""The scheme of an image of the gallery: `![A red bicycle](media:01a2…)`."""
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
"""Adults, reading silently what is no fiction: the mean of Brysbaert, How many words do we read per minute? (2019)."""


_MOST_STEPS: Final = 30_000
"""Places at which the parser looks for a block or for something within a line. An article of 100,000 characters with
links, emphasis and lists in each paragraph has half of it."""
_MOST_BLOCKS: Final = 60_000
"""Tokens of blocks: a cell of a table has three."""
_MOST_ADDRESSES: Final = 200_000
"""Characters of all addresses: one that is defined once may be referred to thousands of times."""


class _TooMuch(Exception):
    """What is written takes more time than an article that people write."""


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
    # HTML in it is shown as it is written, and does nothing
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    # rules that match nothing: the parser asks them wherever it asks the others
    everywhere = ["paragraph", "reference", "blockquote", "list", "table"]
    parser.block.ruler.before("table", "count", _count_block, {"alt": everywhere})
    parser.inline.ruler.before("text", "count", _count_inline)
    return parser


def _parsed(markdown: str) -> list[Token]:
    """Return the tokens of a text; of one that would take too much time, its paragraphs as they are written."""
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
    """All that is told of a text that is shown, each as its own function tells it."""

    html: str
    words: int
    images: dict[UUID, str]


def shown_of(markdown: str) -> Shown:
    """Parsed once for all of it. A long text takes half a second: not for the loop that answers."""
    tokens = _parsed(markdown)
    return Shown(words=_counted(markdown, tokens), images=_images_of(tokens), html=_html_of(tokens))


def html_of(markdown: str) -> str:
    """Its images of the gallery keep `media:` and their id as their source (see `with_images`). What is a heading of
    the first level becomes one of the second: the first is the article's title, which the site shows."""
    return _html_of(_parsed(markdown))


def _html_of(tokens: Sequence[Token]) -> str:
    """Changes them."""
    for token in tokens:
        if token.tag == "h1":
            token.tag = "h2"
    return _cleaned(_renderer().renderer.render(tokens, _renderer().options, {}), "noopener")


def unfollowed(html: str) -> str:
    """Return what `html_of` made with links that search engines do not follow: for what strangers write on our host."""
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
    """What `html_of` made, with the address of each image; one that has none is left out."""
    return with_drawn_images(html, {name: {"src": source} for name, source in sources.items() if source})


def with_drawn_images(html: str, drawn: Mapping[UUID, Mapping[str, str]]) -> str:
    """As above, with all attributes of each image but what it is described by."""

    def placed(found: re.Match[str]) -> str:
        attributes = drawn.get(UUID(found[1]), {})
        told = " ".join(f'{name}="{escape(value)}"' for name, value in attributes.items())
        return f"<img {told}{found[2]}>" if told else ""

    return _IMAGE.sub(placed, html)


def images_of(markdown: str) -> dict[UUID, str]:
    """The images of the gallery that it shows, in their order, with what they are described by where each is first."""
    return _images_of(_parsed(markdown))


def _images_of(tokens: Sequence[Token]) -> dict[UUID, str]:
    found: dict[UUID, str] = {}
    for token in _all(tokens):
        source = _MEDIA_ADDRESS.fullmatch(str(token.attrs.get("src", ""))) if token.type == "image" else None
        if source:
            found.setdefault(UUID(source[1]), token.content)
    return found


_MEDIA_ADDRESS: Final = re.compile(rf"{MEDIA}:([0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}})")


def plain(markdown: str) -> str:
    """Its words alone, a line for each paragraph."""
    return _plain(_parsed(markdown))


def _plain(tokens: Sequence[Token]) -> str:
    lines: list[str] = []
    for token in tokens:
        if token.type == "inline":
            lines.append("".join(_said(one) for one in token.children or ()))
        elif token.type in ("fence", "code_block"):
            lines.append(token.content.rstrip())
    return "\n".join(lines)


def lowered(markdown: str, level: int) -> str:
    """The same with no heading above that level; one that says nothing goes."""
    while headings := [token for token in _parsed(markdown) if _is_above(token, level)]:
        lines = markdown.split("\n")
        for heading in headings:
            assert heading.map is not None  # of all blocks it is told
            first, end = heading.map
            if heading.markup.startswith("#"):
                said = _HEADING.sub("#" * level, lines[first], count=1)
                lines[first] = said if said.rstrip().rstrip("#").strip(" >") else ""
            else:
                # with a line below it
                lines[end - 1] = _UNDERLINE.sub("", lines[end - 1])
                lines[first] = f"{'#' * level} {lines[first]}" if heading.level == 0 else lines[first]
        markdown = "\n".join(lines)
    return markdown


def closed(markdown: str) -> str:
    """The same with the end of a block of code that it leaves open: what stands behind it is no code."""
    tokens = _parsed(f"{markdown}\n\n# end")
    last = tokens[-1]
    return f"{markdown}\n{last.markup}" if last.type == "fence" else markdown


def _is_above(token: Token, level: int) -> bool:
    return token.type == "heading_open" and int(token.tag[1]) < level


_HEADING: Final = re.compile(r"#+")
_UNDERLINE: Final = re.compile(r"[-=]+\s*$")


_MOST_COUNTED: Final = 20_000
"""Texts whose number of words is remembered, the latest: some 3 MB."""
_counts: dict[bytes, int] = {}
_counting: Final = Lock()


def word_count(markdown: str) -> int:
    """Counted once for each text, as long as it is remembered: a list of articles asks for it at each call."""
    known = _counts.get(_digest(markdown))
    return _counted(markdown, _parsed(markdown)) if known is None else known


def _counted(markdown: str, tokens: Sequence[Token]) -> int:
    words = words_of(_plain(tokens))
    with _counting:  # lists are made in threads
        if len(_counts) >= _MOST_COUNTED:
            del _counts[next(iter(_counts))]
        _counts[_digest(markdown)] = words
    return words


def words_of(plain_text: str) -> int:
    """How many words a text without Markdown has."""
    return sum(1 for _ in _WORD.finditer(plain_text))


def _digest(markdown: str) -> bytes:
    return blake2b(markdown.encode(errors="surrogatepass"), digest_size=16).digest()


def reading_minutes(words: int) -> int:
    """Whole minutes, one at least."""
    return max(1, round(words / WORDS_A_MINUTE))


def _said(token: Token) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return " "
    return token.content if token.type in ("text", "code_inline") else ""


def _all(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from token.children or ()
