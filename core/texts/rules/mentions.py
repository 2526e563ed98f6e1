"""Mentions with a URN, typed by a person: `@[Full name](urn:li:organization:2414183)`."""

import re
from typing import Final

import regex

MENTION: Final = re.compile(
    r"@\[(?P<name>[^\[\]\n]{1,200})\]\((?P<urn>urn:li:(?:organization|organizationBrand|person|member):[\w-]{1,100})\)",
    re.ASCII,
)

_BEGINNING: Final = regex.compile(r"@(?=[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]*\[)")
"""What a mention begins with, also where characters that are not shown are within it."""


def without_mentions(text: str) -> str:
    """Return a text by others with names alone, so that no post that is made of it mentions anybody."""
    bare: str = _BEGINNING.sub("@ ", named_mentions(text))
    return bare


def named_mentions(text: str) -> str:
    """Return the text with the name alone in place of each mention, as readers see it."""
    return MENTION.sub(lambda match: match["name"], text)
