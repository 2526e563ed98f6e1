"""Mentions with a URN, typed by a person: `@[Full name](urn:li:organization:2414183)`."""

import re
from typing import Final

MENTION: Final = re.compile(
    r"@\[(?P<name>[^\[\]\n]{1,200})\]\((?P<urn>urn:li:(?:organization|organizationBrand|person|member):[\w-]{1,100})\)",
    re.ASCII,
)


def named_mentions(text: str) -> str:
    """Return the text with the name alone in place of each mention, as readers see it."""
    return MENTION.sub(lambda match: match["name"], text)
