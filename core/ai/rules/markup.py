"""Converts Markdown and HTML of a model's answer to the plain text that social networks show.

Lists stay lists, a link becomes `text (address)`, bold and headings become plain words. Text that only looks like
Markdown stays: hashtags, handles, addresses, `* ` and `1. ` at the beginning of a line, a line of dashes.
"""

import re
from collections.abc import Callable
from html import unescape
from typing import Final

from core.ai.rules.reasoning import is_quoted

_FENCE: Final = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[\w+-]*[ \t]*$")
_HEADING: Final = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+(?P<content>.*?)(?:[ \t]+#+)?[ \t]*$")
_EMPTY_HEADING: Final = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]*$")
_QUOTE: Final = re.compile(r"^[ \t]{0,3}>(?:[ \t]+(?!\d)|$)")
_TABLE_RULE: Final = re.compile(r"^[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*(?:\|[ \t]*:?-{3,}:?[ \t]*)+\|?[ \t]*$")

_BOLD_LINES: Final = re.compile(
    r"(?<![*\\\d])\*\*(?![\s*])(?P<content>[^*\n]{1,300}\n[^*\n]{1,300})(?<![\s*\\])\*\*(?!\*)"
)
_ADDRESS: Final = r"(?:https?://|mailto:|tel:|www\.)(?:[^\s()<>]|\([^\s()<>]*\))+"
_LINK: Final = re.compile(
    rf"(?<!\\)\[(?P<text>[^\[\]\n]+)\]\(\s*<?(?P<address>{_ADDRESS})>?(?:\s+[\"'][^\"'\n]*[\"'])?\s*\)"
)
_EMPTY_LINK: Final = re.compile(r"(?<!\\)\[(?P<text>[^\[\]\n]+)\]\((?:#[^()\s]*)?\)")
_IMAGE: Final = re.compile(r"!\[[^\[\]\n]*\]\([^()\s]+(?:\s+\"[^\"\n]*\")?\)[ \t]*")
_AUTOLINK: Final = re.compile(rf"<(?P<address>{_ADDRESS}|[\w.+-]+@[\w.-]+\.\w+)>")
_REFERENCE: Final = re.compile(
    rf"^[ \t]{{0,3}}\[(?P<name>[^\[\]\n]+)\]:[ \t]*<?(?P<address>{_ADDRESS})>?.*\n?", re.MULTILINE
)
_REFERRING: Final = re.compile(r"\[(?P<text>[^\[\]\n]+)\]\[(?P<name>[^\[\]\n]*)\]")

_CODE: Final = re.compile(r"(?<!`)(?P<marks>`{1,2})(?!`)(?P<content>[^`\n]+?)(?P=marks)(?!`)")
# never contain Markdown: addresses, mentions, hashtags
_WHOLE: Final = re.compile(r"(?:https?://|www\.)\S*[\w/=&%#-]|(?<!\w)[@#][\w.]*\w+", re.IGNORECASE)
_EMPHASIS: Final = (
    re.compile(r"(?<![\w*\\])\*{3}(?![\s*])(?P<content>[^\n]{1,500}?)(?<![\s*\\])\*{3}(?!\*)"),
    re.compile(r"(?<![*\\\d])\*\*(?![\s*])(?P<content>[^\n]{1,500}?)(?<![\s*\\])\*\*(?!\*)"),
    re.compile(r"(?<![\w*\\])\*(?![\s*])(?P<content>[^*\n]+?)(?<![\s*\\])\*(?![\w*])"),
    # not the underscores of a program's identifier
    re.compile(r"(?<![\w_\\/])__(?![\s_])(?![a-z\d_]+__)(?P<content>[^\n]{1,500}?)(?<![\s_\\])__(?![\w_])"),
    re.compile(r"(?<![\w_\\/.:])_(?![\s_])(?P<content>[^_\n]+?)(?<![\s_\\])_(?![\w_(/])"),
    re.compile(r"(?<![~\\])~~(?![\s~])(?P<content>[^~\n]+?)(?<![\s~\\])~~(?!~)"),
)
# not in a file path, and not in the arm of ¯\_(ツ)_/¯
_ESCAPED: Final = re.compile(r"(?:(?<=[\s\w*_(\[])|(?<![^\n]))\\(?P<mark>[*_~`])")
_ESCAPED_SIGN: Final = re.compile(r"(?:(?<=[\s\w*_(\[])|(?<![^\n]))\\(?P<mark>[#\[\]])")

_HTML_NAMES: Final = (
    "p|br|div|span|ul|ol|li|h[1-6]|strong|em|b|i|u|a|blockquote|hr|html|body|head|article|section|small|code|pre|sub|sup"
    "|table|thead|tbody|tr|td|th|figure|img|title"
)
_ATTRIBUTES: Final = r"(?:\s+[\w:-]+=(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s\"'<>]+))*"
_HTML: Final = re.compile(rf"<(?P<end>/)?(?P<name>{_HTML_NAMES}){_ATTRIBUTES}\s*/?>", re.IGNORECASE)
_DROPPED: Final = re.compile(
    r"<(script|style|head)\b[^>]*>.*?</\1>|<!--.*?-->|<!doctype[^>]*>", re.IGNORECASE | re.DOTALL
)
_ANCHOR: Final = re.compile(
    r"<a\b[^<>]*?href=[\"'](?P<address>[^\"'<>]*)[\"'][^<>]*>(?P<text>.*?)</a>", re.IGNORECASE | re.DOTALL
)
_AROUND_ITEMS: Final = re.compile(r"\s*(</?(?:li|ul|ol)\b[^<>]*>)\s*", re.IGNORECASE)
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,30});", re.IGNORECASE)
_BLOCK_FIRST: Final = re.compile(
    r"\A\s*(?:<!doctype[^>]*>\s*)?<(?:p|h[1-6]|div|article|section|html|body|ul|ol)\b[^<>]*>", re.IGNORECASE
)


def plain_of_markdown(text: str) -> str:
    """Return a social post without Markdown. Code blocks lose only their fences."""
    lines, code = list[str](), False
    text = _with_links(text)
    if "```" not in text and "~~~" not in text:
        text = _BOLD_LINES.sub(r"\g<content>", text)
    for line in text.split("\n"):
        if _FENCE.match(line):
            code = not code
        elif code:
            lines.append(line)
        elif not (_TABLE_RULE.match(line) or _EMPTY_HEADING.match(line)):
            lines.append(_plain_line(line))
    return _without_table_edges("\n".join(lines)) if _has_table(text) else "\n".join(lines)


def _plain_line(line: str) -> str:
    if heading := _HEADING.match(line):
        line = heading["content"]
    line = _ESCAPED_SIGN.sub(r"\g<mark>", _QUOTE.sub("", line))
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(found[0])
        return f"\ue000{len(kept) - 1}\ue001"

    def plain_code(found: re.Match[str]) -> str:
        # code that contains marks keeps its backticks
        return keep(found) if re.search(r"[<>*_`\[\]#~\\]", found["content"]) else found["content"]

    line = _WHOLE.sub(keep, _CODE.sub(plain_code, line))
    for pattern in _EMPHASIS:
        line = pattern.sub(r"\g<content>", line)
    line = _ESCAPED.sub(r"\g<mark>", line)
    while kept:
        line = line.replace(f"\ue000{len(kept) - 1}\ue001", kept.pop())
    return line


def _with_links(text: str) -> str:
    addresses = {found["name"].casefold(): found["address"] for found in _REFERENCE.finditer(text)}
    if addresses:
        text = _REFERENCE.sub("", text)

        def refer(found: re.Match[str]) -> str:
            address = addresses.get((found["name"] or found["text"]).casefold())
            return _link(found["text"], address) if address else found[0]

        text = _REFERRING.sub(refer, text)
    text = _IMAGE.sub("", text)
    text = _LINK.sub(lambda found: _link(found["text"], found["address"]), text)
    text = _EMPTY_LINK.sub(r"\g<text>", text)
    return _AUTOLINK.sub(lambda found: found["address"].removeprefix("mailto:"), text)


def _link(text: str, address: str) -> str:
    address = re.sub(r"\A(?:mailto|tel):", "", address)
    shown = text.strip().strip("*_`")
    bare = re.sub(r"\Ahttps?://(?:www\.)?", "", address).rstrip("/").casefold()
    same = re.sub(r"\Ahttps?://|\Awww\.", "", shown).rstrip("/").casefold() in (bare, address.casefold())
    return address if same else f"{text.strip()} ({address})"


def _has_table(text: str) -> bool:
    return any(_TABLE_RULE.match(line) for line in text.split("\n"))


def _without_table_edges(text: str) -> str:
    return re.sub(r"^[ \t]*\|[ \t]*(.*?)[ \t]*\|[ \t]*$", r"\1", text, flags=re.MULTILINE)


def begins_as_html(text: str) -> bool:
    return _BLOCK_FIRST.match(text) is not None


def without_html(text: str, *, markdown: bool = False) -> str:
    """Return the text without HTML tags and entities, or converted to `markdown`. A tag quoted in a sentence does not
    count; a text with only such tags stays unchanged."""
    tags = [tag for tag in _HTML.finditer(text) if not is_quoted(text, tag)]
    if any(tag["end"] or re.fullmatch(r"br|hr|img", tag["name"], re.IGNORECASE) for tag in tags):
        text = _AROUND_ITEMS.sub(r"\1", _DROPPED.sub("", text))
        text = _ANCHOR.sub(lambda found: _anchor(found["text"], found["address"], markdown), text)
        text = _HTML.sub(_as_markdown if markdown else _as_plain, text)
        text = re.sub(r"[ \t]*\n[ \t]*\n\s*", "\n\n", text).strip()
    return text if markdown else _ENTITY.sub(lambda found: unescape(found[0]), text)


def _anchor(text: str, address: str, markdown: bool) -> str:
    shown = _HTML.sub("", text).strip()
    if not address or address.startswith("#"):
        return shown
    return f"[{shown}]({address})" if markdown else _link(shown, unescape(address))


def _as_plain(tag: re.Match[str]) -> str:
    name = tag["name"].lower()
    if name == "li":
        return "" if tag["end"] else "\n- "
    if name in ("br", "tr"):
        return "\n"
    return "\n\n" if _is_block(name) else " " if name in ("td", "th") and tag["end"] else ""


_MARKS: Final[dict[str, Callable[[bool], str]]] = {
    "strong": lambda _: "**",
    "b": lambda _: "**",
    "em": lambda _: "*",
    "i": lambda _: "*",
    "code": lambda _: "`",
    "blockquote": lambda end: "\n\n" if end else "\n\n> ",
}


def _as_markdown(tag: re.Match[str]) -> str:
    name, end = tag["name"].lower(), bool(tag["end"])
    if mark := _MARKS.get(name):
        return mark(end)
    if re.fullmatch(r"h[1-6]", name):
        return "\n\n" if end else f"\n\n{'#' * int(name[1])} "
    return _as_plain(tag)


def _is_block(name: str) -> bool:
    return re.fullmatch(r"p|div|ul|ol|h[1-6]|blockquote|hr|article|section|table|figure|pre|title", name) is not None
