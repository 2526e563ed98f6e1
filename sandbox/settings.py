"""Settings with which tests change how the stand-ins behave."""

from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True)
class Settings:
    """Settings for tests. `refresh_tokens` None: only for page scopes, as for approved partners."""

    table: ClassVar[str] = "settings"
    key: ClassVar[str] = "settings"
    access_token_seconds: int = 60 * 86400
    refresh_token_seconds: int = 365 * 86400
    refresh_tokens: bool | None = None
    image_processing_seconds: float = 0.0
    video_processing_seconds: float = 0.0
    linkedin_reads_videos: bool = True
    """Whether the state of a video may be read, which LinkedIn does not allow every app."""
    session_seconds: int = 7200
    graph_token_seconds: int = 60 * 86400
    duplicate_seconds: float = 600.0
    instagram_posts_a_day: int = 100
    threads_posts_a_day: int = 250
    threads_refresh_after_seconds: int = 86400
    """Age at which a token of Threads may be renewed."""
    mastodon_characters: int = 500
    mastodon_reuses_tokens: bool = True
    """Consenting again returns the existing token, as in Mastodon; other servers with its API differ."""
    wordpress_rest: bool = True
    wordpress_plain: bool = False
    """The API answers only `?rest_route=` requests."""
    wordpress_passwords: bool = True
    """Whether there are application passwords."""
    wordpress_strips_login: bool = False
    """The host removes the Authorization header."""
    wordpress_maintenance: bool = False
    """The API answers everything with a page of status 200."""
    wordpress_redirects: str = ""
    """Redirect all API requests to this address."""
    wordpress_reviews: bool = False
    """Published articles become `pending` until approved."""
    wordpress_time_zone: str = "UTC"
    """The site's time zone."""
    wordpress_dates_ahead: int = 0
    """Seconds by which the site's dates are ahead, as by a plugin or a wrong zone."""
    wordpress_bin: bool = True
    ghost_version: str = "6.9"
    ghost_maintenance: bool = False
    ghost_integrations: bool = True
    """Whether the host's plan allows custom integrations."""
    ghost_keys_removed: list[str] = field(default_factory=list)
    """Ids of removed keys."""
    webhook_secrets: list[str] = field(default_factory=list)
    """Signing secrets that the receiver accepts besides its own."""
    wordpress_more_categories: int = 0
    wordpress_gone_category: int = 0
    """The id of a deleted category."""
    wordpress_local: bool = True
    """A local site, which also redirects to addresses without TLS."""
    graph_calls_an_hour: int = 100_000
    """Meta's limit of calls per token; further calls are refused."""
