"""The tags of pages as their servers send them."""

import logging
from html.parser import HTMLParser

logger = logging.getLogger(__name__)


def read_tags(parser: HTMLParser, html: str) -> None:
    """Let a parser read a page as far as it can; what it has found before stays.

    Python's parser raises AssertionError at declarations such as `<![ endif]-->`, which browsers take for comments, and
    ValueError at numbers of characters with thousands of digits."""
    try:
        # a comment for both
        parser.feed(html.replace("<![", "<! ["))
    except (AssertionError, ValueError) as error:
        logger.info("a page could be read only in part: %s", type(error).__name__)
