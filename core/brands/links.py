"""Parameters of a brand's links, by which its statistics tell where readers came from."""

from collections.abc import Mapping
from urllib.parse import parse_qsl, quote, urlsplit

NETWORK = "{network}"
"""Is replaced in a value by the network's name."""


def with_utm(link: str, utm: Mapping[str, str], network: str) -> str:
    """Return the link with the brand's parameters. `network`: a `ChannelKind`.

    Parameters that the link has already stay as they are. An empty link, and one that is no web address, is returned
    unchanged.
    """
    try:
        parts = urlsplit(link)
    except ValueError:
        return link
    if not utm or parts.scheme not in ("http", "https") or not parts.netloc:
        return link
    present = {name for name, _ in parse_qsl(parts.query, keep_blank_values=True)}
    added = "&".join(
        f"{quote(name, safe='')}={quote(value.replace(NETWORK, network), safe='')}"
        for name, value in utm.items()
        if value and name not in present
    )
    if not added:
        return link
    # not by urlunsplit, which would write the rest of the address anew
    address, hash_sign, fragment = link.partition("#")
    joint = "" if address.endswith(("?", "&")) else "&" if "?" in address else "?"
    return f"{address}{joint}{added}{hash_sign}{fragment}"
