r"""LinkedIn's "little" text: what a reader sees of a commentary.

Fifteen characters are reserved and need a backslash in plain text: \ | { } @ [ ] ( ) < > # * _ ~
Where one stands without it and is not part of a hashtag, template or mention, the service cuts the post
there without a word.
"""

import re

RESERVED = frozenset("\\|{}@[]()<>#*_~")
_HASHTAG = re.compile(r"\{hashtag\|\\?#\|((?:\\.|[^\\{}|])+)\}", re.DOTALL)
_MENTION = re.compile(r"@\[((?:\\.|[^\\\[\]])+)\]\(urn:li:[A-Za-z]+:[^\s()]+\)", re.DOTALL)
_TAG_START = re.compile(r"#(?=[^\W_]|\\_)")


def visible(commentary: str) -> tuple[str, int]:
    """The text a reader sees, and how many characters of the commentary it took (all, unless it was cut)."""
    seen: list[str] = []
    at = 0
    while at < len(commentary):
        character = commentary[at]
        if character not in RESERVED:
            seen.append(character)
            at += 1
        elif character == "\\" and commentary[at + 1 : at + 2] in RESERVED:
            seen.append(commentary[at + 1])
            at += 2
        elif match := _TAG_START.match(commentary, at):
            seen.append("#")
            at = match.end()
        elif match := _HASHTAG.match(commentary, at):
            seen.append("#" + unescaped(match[1]))
            at = match.end()
        elif match := _MENTION.match(commentary, at):
            seen.append(unescaped(match[1]))
            at = match.end()
        else:
            break
    return "".join(seen), at


def unescaped(text: str) -> str:
    """The text without the backslashes of its escapes; nothing is cut."""
    return re.sub(r"\\([\\|{}@\[\]()<>#*_~])", r"\1", text)
