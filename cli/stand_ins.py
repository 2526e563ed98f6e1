"""Settings that point each network to its stand-in in the sandbox, if none of its settings is set.

One entry per network or kind of site."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from core.networks.rules.channels import ChannelKind


@dataclass(frozen=True)
class StandIn:
    prefix: str
    """Prefix of the network's settings."""
    settings: Callable[[str, str], Mapping[str, str]]
    """Return the settings for the sandbox's address and the secret of its OAuth clients."""


_META = StandIn(
    "META_",
    lambda url, secret: {
        "META_CLIENT_ID": "sandbox",
        "META_CLIENT_SECRET": secret,
        "META_DIALOG_URL": url,
        "META_GRAPH_URL": url,
        "META_VIDEO_URL": url,
        "META_INSTAGRAM_URL": url,
    },
)

_LINKEDIN = StandIn(
    "LINKEDIN_",
    lambda url, secret: {
        "LINKEDIN_CLIENT_ID": "sandbox",
        "LINKEDIN_CLIENT_SECRET": secret,
        "LINKEDIN_PAGES_CLIENT_ID": "sandbox-pages",
        "LINKEDIN_PAGES_CLIENT_SECRET": secret,
        "LINKEDIN_AUTH_URL": url,
        "LINKEDIN_API_URL": url,
        "LINKEDIN_IMAGE_GRACE_SECONDS": "2",
    },
)

_THREADS = StandIn(
    "THREADS_",
    # below a path of its own: its consent page is where Mastodon's is
    lambda url, secret: {
        "THREADS_CLIENT_ID": "sandbox",
        "THREADS_CLIENT_SECRET": secret,
        "THREADS_DIALOG_URL": f"{url}/threads",
        "THREADS_SITE_URL": f"{url}/threads",
        "THREADS_API_URL": f"{url}/threads",
    },
)

STAND_INS: Final[Mapping[ChannelKind, StandIn]] = {
    ChannelKind.linkedin: _LINKEDIN,
    ChannelKind.linkedin_pages: _LINKEDIN,
    ChannelKind.facebook: _META,
    ChannelKind.instagram: _META,
    ChannelKind.threads: _THREADS,
    ChannelKind.bluesky: StandIn(
        "BLUESKY_",
        lambda url, secret: {
            "BLUESKY_SERVER_URL": url,
            "BLUESKY_APP_URL": url,
            "BLUESKY_VIDEO_URL": url,
            "BLUESKY_INTERNAL_SERVERS": url,
        },
    ),
    ChannelKind.mastodon: StandIn(
        "MASTODON_", lambda url, secret: {"MASTODON_SERVER_URL": url, "MASTODON_INTERNAL_SERVERS": url}
    ),
    ChannelKind.wordpress: StandIn(
        "WORDPRESS_", lambda url, secret: {"WORDPRESS_SITE_URL": url, "WORDPRESS_INTERNAL_SERVERS": url}
    ),
    ChannelKind.ghost: StandIn("GHOST_", lambda url, secret: {"GHOST_SITE_URL": url, "GHOST_INTERNAL_SERVERS": url}),
    ChannelKind.webhook: StandIn(
        "WEBHOOK_", lambda url, secret: {"WEBHOOK_ENDPOINT": f"{url}/hooks/journal", "WEBHOOK_INTERNAL_SERVERS": url}
    ),
    # needs no stand-in: Postloom itself serves the feed
    ChannelKind.hosted_feed: StandIn("FEED_", lambda url, secret: {}),
}


def point_to_sandbox(environ: Mapping[str, str], url: str, secret: str) -> dict[str, str]:
    """Return the settings that point the networks without settings in `environ` to the sandbox. `secret`: of its OAuth
    clients; the sandbox keeps the first one that it is given."""
    added: dict[str, str] = {}
    for stand_in in STAND_INS.values():
        if not sets_any(environ, (stand_in.prefix,)):
            added |= stand_in.settings(url, secret)
    return added


def sets_any(environ: Mapping[str, str], prefixes: tuple[str, ...]) -> bool:
    """Return whether a client id, a secret or an address of a network is set."""
    ends = ("_ID", "_SECRET", "_URL")
    return any(value and name.startswith(prefixes) and name.endswith(ends) for name, value in environ.items())
