r"""LinkedIn's "little" text: the part of a commentary that readers see.

Fifteen characters are reserved and need a backslash in plain text: \ | { } @ [ ] ( ) < > # * _ ~
LinkedIn silently cuts a post at a reserved character that has no backslash and is not part of a hashtag, template or
mention.
"""

import re

RESERVED = frozenset("\\|{}@[]()<>#*_~")
_HASHTAG = re.compile(r"\{hashtag\|\\?#\|((?:\\.|[^\\{}|])+)\}", re.DOTALL)
_MENTION = re.compile(r"@\[((?:\\.|[^\\\[\]])+)\]\(urn:li:[A-Za-z]+:[^\s()]+\)", re.DOTALL)
_TAG_START = re.compile(r"#(?=[^\W_]|\\_)")


def visible(commentary: str) -> tuple[str, int]:
    """Return the text that readers see, and how many characters of the commentary it uses (all, unless cut)."""
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
    """Return the text without escaping backslashes; nothing is cut."""
    return re.sub(r"\\([\\|{}@\[\]()<>#*_~])", r"\1", text)
