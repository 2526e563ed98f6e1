"""The interface that the engine calls on a network."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Protocol
from uuid import UUID

from core.errors import ErrorCode, NeedsReconnect, Refused
from core.networks.connections import (
    App,
    Connection,
    Credentials,
    Grant,
    Granted,
    KnownApp,
    OAuthFlow,
    Profile,
    Standing,
    TokenLife,
    ignore_grant,
)
from core.networks.posts import Finding, Image, Keep, Outgoing, Prepared, Receipt, Staged, forget
from core.networks.rules.channels import AccountType, ChannelKind, ChannelLimits
from core.websites.rules.feeds import FeedText
from core.websites.rules.terms import Taxonomy


class EstimatedDelay(timedelta):
    """A wait that the network did not name: long enough by experience, but no time to show to people."""

    @classmethod
    def of(cls, wait: timedelta) -> "EstimatedDelay":
        return cls(seconds=wait.total_seconds())


@dataclass(frozen=True)
class ApiVersion:
    """A version of a network's API that ends."""

    setting: str
    name: str
    ends: date
    """The first day on which the network may refuse it."""
    source: str
    """The page that says so."""


@dataclass(frozen=True)
class AppPermission:
    """A permission that only some apps of a network have, and that publishing does not need."""

    allows: str
    """What it is for, in the words of `postloom doctor`."""
    scope: str
    product: str
    """The network's product that an app needs for it."""
    setting: str
    """The setting that requests the scope."""


@dataclass(frozen=True)
class Traits:
    """Properties that differ between networks. The engine reads them, and `tests/channels` verify them per adapter."""

    repeats_refused: bool = False
    """The network refuses the same content twice, and names the first post if it can."""
    can_list_own: bool = False
    """`find` can prove for every account that a post exists or does not."""
    several_accounts: bool = False
    """One grant may lead to several accounts."""
    access_outlives_revoke: bool = False
    """After `revoke` nothing can be refreshed, but the access token is accepted until it expires."""
    revokes_token_alone: bool = False
    """`revoke` ends only the given tokens, not other grants of the same person to the same app. False if unknown: then
    tokens are revoked only when no account uses that person's grants."""
    stages_by_url: bool = False
    """The network fetches images from `Image.fetch_url`: their bytes are not loaded."""
    stages_post: bool = False
    """Staging also creates the hidden post, or chooses the idempotency key of the publishing call: one more id after
    those of the images, also without images."""
    names_post: bool = False
    """Of `stages_post`: staging a post without images only chooses the key, so it needs no time before the slot."""
    stages_here: bool = False
    """Staging makes no call to the network."""
    asks_by_repeating: bool = False
    """`find` works by repeating the publishing call, which is idempotent; use it only after a publish attempt."""
    any_success: bool = False
    """Any success status counts, whatever the body says."""
    restricts_automation: frozenset[AccountType] = frozenset()
    """Types of accounts for which its terms restrict automated posting: a new assistant asks first for them."""
    comment_permission: AppPermission | None = None
    """Needed for first comments; None: none beside those that publishing needs, or a person may decline it."""
    shows_anywhere: bool = False
    """The receiver may show an article at any address; the address it returns is trusted and never requested."""


@dataclass(frozen=True)
class Clock:
    """A site's clock, by which it dates its articles."""

    off: timedelta | None
    """How far it is ahead of ours; None: unknown."""
    zone: str = ""
    """The time zone in which the site shows times, as the site names it; empty: unknown."""
    ahead_of_utc: timedelta | None = None
    """The zone's current offset."""


@dataclass(frozen=True)
class Used:
    """How much of a token's allowed calls is used."""

    percent: int
    lasts: timedelta
    """How long the value is valid; `EstimatedDelay` if the network did not say."""


class UsageStore(Protocol):
    """Stores what networks report about remaining calls, for all processes."""

    async def read(self, token: str) -> Used | None:
        """Return what was reported last, by any process, if still valid. Raise RetrySafe if the store cannot be
        reached."""

    async def keep(self, token: str, used: Used | None) -> None:
        """Replace the stored value; None: there is nothing to consider. Raise nothing: the caller has an answer that
        must not be lost, and the next answer reports the usage again."""


@dataclass(frozen=True)
class Place:
    """One site in the store, addressed by the holder of its key."""

    address: str
    key_hash: str


class ArticleStore(Protocol):
    """Stores the articles of sites that this installation serves itself. Each method raises NeedsReconnect if the key
    was revoked or the place does not exist, and RetrySafe if the store cannot be reached."""

    @property
    def public_url(self) -> str:
        """The public URL of this installation."""

    async def look(self, place: Place) -> None:
        """Check whether an article would be accepted. Changes nothing."""

    async def close(self, place: Place) -> None:
        """Revoke the key: it can publish nothing any more. Idempotent; a missing place is no error."""

    async def keep_image(self, place: Place, folder: str, image: Image) -> str:
        """Store an image's files for readers; the same image in the same folder is stored once. Return its name until
        it is published. Raise Refused if the image cannot be read."""

    async def publish(self, place: Place, id: UUID, slug: str, text: FeedText) -> str:
        """Show the article, once per id. Return its slug. Raise Ambiguous if the outcome is unknown, StagedLost if the
        article was taken down."""

    async def find(self, place: Place, id: UUID) -> tuple[str | None, bool]:
        """Return (the slug under which it is shown, whether it ever was shown)."""

    async def change(self, place: Place, id: UUID, text: FeedText) -> str | None:
        """Replace the text and return the unchanged slug, or None if the article does not exist."""

    async def take_down(self, place: Place, id: UUID) -> None:
        """Delete an article with its images. Idempotent."""


class BaseChannel(ABC):
    """One network or kind of site. Methods that are not abstract have a default: an adapter declares what its network
    can do by overriding the method, which `supports` checks. Methods raise only the `ProviderError` classes of
    `core.errors`."""

    kind: ChannelKind
    label: str
    limits: ChannelLimits
    call_timeout: timedelta
    """How long the publishing call may take; its effect is unknown until then."""
    traits: Traits
    app_permissions: tuple[AppPermission, ...] = ()
    """What only some apps are allowed to do."""

    @property
    @abstractmethod
    def connection(self) -> Connection:
        """Return how an account is connected."""

    def configured(self) -> bool:
        """Return whether the settings in `connection.settings` are set."""
        return True

    def api_version(self) -> ApiVersion | None:
        """Return the version of the API that the settings name; None: it has no end, or none that is known."""
        return None

    def requested_scopes(self) -> tuple[str, ...]:
        """Return the scopes that the settings request of an app; empty where they have no choice."""
        return ()

    def app_products(self, scopes: Collection[str]) -> list[str]:
        """Return the network's products that an app with these scopes seems to have."""
        return []

    def calls_only(self, base_url: str) -> bool:
        """Return whether all calls, including consent pages, go to this address."""
        return False

    @abstractmethod
    def posts_url(self, type: AccountType, external_id: str, base_url: str = "") -> str:
        """Return the page on which the signed-in person sees the account's posts: the account's own page if its id
        leads there, else the viewer's own."""

    @abstractmethod
    def permalink_in(self, address: str, base_url: str = "") -> str | None:
        """Return the permalink of the post at an address that a person copied. None: it leads to no post of this
        network, or of this server if the network has many."""

    async def register(self, form: Mapping[str, str], redirect_uri: str, known: KnownApp) -> App | None:
        """Register our app at the server that the form names, for connections with fields and consent. Reuse `known` if
        the server still knows it. Return None if the network has one server. Raise Refused with the parameter `field`
        for an invalid field."""
        return None

    def authorize_url(self, flow: OAuthFlow) -> str:
        """Return the network's consent page for connecting an account."""
        raise Refused(ErrorCode.connect_failed, detail="this network has no consent page")

    def refusal(self, error: str, description: str) -> ErrorCode:
        """Return the `connect_…` code for the error that the callback carries instead of a code."""
        return ErrorCode.connect_failed

    async def exchange(self, flow: OAuthFlow, code: str, granted: Granted = ignore_grant) -> Grant:
        """Exchange the callback's code for tokens. `granted` is called with all tokens, also with unusable ones. Raise
        Refused with a `connect_…` code."""
        raise Refused(ErrorCode.connect_failed, detail="this network has no consent page")

    async def sign_in(self, form: Mapping[str, str]) -> Grant:
        """Connect by a form, without consent. Raise Refused with the parameter `field` for an invalid field."""
        raise Refused(ErrorCode.connect_failed, detail="this network has no form")

    @abstractmethod
    async def profiles(self, grant: Grant) -> list[Profile]:
        """Return the accounts this grant may post for, at least one: otherwise raise Refused with a `connect_…` code.
        The names are stable: the list is read again after a person has chosen an account."""

    async def refresh(self, grant: Grant) -> Grant:
        """Return new tokens for the refresh token, which some networks replace too: only one caller at a time. Raise
        NeedsReconnect if a person has to consent again, RetrySafe or RateLimited if a retry may help."""
        raise NeedsReconnect(detail="this grant cannot be renewed")

    async def revoke(self, grant: Grant, apps: Sequence[App] = ()) -> None:
        """Revoke the grant's tokens. Idempotent. `apps`: our apps at the grant's server, newest first, if the network
        has many. Raise Refused if the network cannot revoke. `traits.revokes_token_alone` says whether it ends more
        than these tokens."""
        raise Refused(detail="this network cannot revoke access")

    @abstractmethod
    async def stage(self, to: Credentials, post: Outgoing, *, had: tuple[str, ...] = (), keep: Keep = forget) -> Staged:
        """Upload what publishes nothing. Idempotent: `had` is what a failed attempt has kept, such as the ids of
        the first images; `keep` is called with each further id as it arrives."""

    async def ready(self, to: Credentials, refs: tuple[str, ...]) -> timedelta | None:
        """Return how long to wait before asking again whether the staged items are ready; None: they are. Reads only.
        Raise Refused if they never will be."""
        return None

    async def quota(self, to: Credentials) -> timedelta | None:
        """Return how long until the account may publish again, read or counted, an `EstimatedDelay` if unknown; None:
        it may now. Called before each publishing call."""
        return None

    @abstractmethod
    def prepare(self, to: Credentials, post: Outgoing, refs: tuple[str, ...]) -> Prepared:
        """Prepare the publishing call as far as possible without the network. Raise Refused for what can never be
        published, such as images that were not staged."""

    @abstractmethod
    async def find(self, to: Credentials, post: Outgoing, refs: tuple[str, ...], *, since: datetime) -> Finding:
        """Ask whether a post made since then from the staged `refs` exists."""

    async def verify_duplicate(self, to: Credentials, provider_id: str) -> Receipt | None:
        """Return the receipt of the post that the network named when it refused a repeat, or None if the post cannot be
        found."""
        return None

    async def delete(self, to: Credentials, provider_id: str) -> None:
        """Delete the post with this id. Idempotent: a missing post is no error."""
        raise Refused(ErrorCode.removal_refused, detail="this network cannot delete posts")

    async def comment(self, to: Credentials, provider_id: str, text: str) -> Receipt:
        """Add a first comment below the post with this id, by one call. Never repeat it without `find_comment`. Raise
        Refused(comment_not_allowed) if only commenting is refused."""
        raise Refused(ErrorCode.first_comment_unsupported)

    async def find_comment(self, to: Credentials, provider_id: str, text: str, *, since: datetime) -> Finding:
        """Ask whether the account has posted this comment since then."""
        raise Refused(ErrorCode.first_comment_unsupported)

    async def update(self, to: Credentials, provider_id: str, post: Outgoing, *, wish: str) -> Receipt:
        """Make the published post equal to `post`, with images loaded as for staging. Idempotent: `wish` is unique per
        change and the same for its repeats. Raise Refused if the post no longer exists."""
        raise Refused(ErrorCode.update_not_possible)

    async def standing(self, grant: Grant, to: Credentials) -> Standing | None:
        """Return what the network says about an access, or None if it says nothing. Reads only."""
        return None

    async def clock(self, to: Credentials) -> Clock | None:
        """Return the clock by which a site dates its articles; None: it has none. Reads only."""
        return None

    async def own_limits(self, to: Credentials) -> dict[str, Any] | None:
        """Return the limits of the account's server, kept with the account as JSON; None: all servers have `limits`.
        Reads only."""
        return None

    def limits_at(self, kept: Mapping[str, Any]) -> ChannelLimits:
        """Return the limits with usable values kept from `own_limits`; else `limits`."""
        return self.limits

    def use_usage_store(self, store: UsageStore | None) -> None:  # noqa: B027 - not every network reports usage
        """Set the store for reported usage; without it each process knows only its own answers. Called before anything
        else."""

    async def token_life(self, token: str) -> TokenLife:
        """Return whether a token is still valid, for networks whose tokens end without a date. Reads only."""
        raise Refused(detail="this network does not report on tokens")

    def sends_back_to(self, back: str, site: str | None = None) -> bool:
        """Return whether a site's page for passwords redirects browsers to an address such as `back`; without a site:
        whether any does."""
        return False

    async def password_page(self, typed: str, back: str, app_id: UUID) -> tuple[str, str]:
        """Return (the site's address, the page on which a person approves a password for us). `app_id` identifies this
        installation to the site. Raise Refused with the parameter `field`."""
        raise Refused(ErrorCode.connect_failed, detail="this site has no page for passwords")

    def is_same_site(self, address: str, site: str) -> bool:
        """Return whether the address returned with a password belongs to this site."""
        return False

    def form_of(self, site: str, username: str, password: str) -> dict[str, str]:
        """Return the connect form filled with what the page for passwords returned."""
        raise Refused(ErrorCode.connect_failed, detail="this site has no page for passwords")

    async def site_name(self, base_url: str) -> str:
        """Return the site's name as plain text; empty: unknown. Reads only."""
        return ""

    async def terms(self, to: Credentials) -> Taxonomy:
        """Return all categories of a site and its most used tags. Reads only."""
        raise Refused(detail="this site has no categories")

    def use_article_store(self, store: ArticleStore) -> None:  # noqa: B027 - most sites are not served here
        """Set the store of articles that this installation serves itself. Called before anything else."""

    def feeds_of(self, address: str) -> Sequence[str]:
        """Return the RSS and JSON Feed addresses of a site that this installation serves itself."""
        return ()

    @abstractmethod
    async def probe(self, to: Credentials) -> None:
        """Make a call that changes nothing and that the network refuses, as it would a post, if this installation's
        app or API version is at fault. Raise Misconfigured then; raise RetrySafe, RateLimited or NeedsReconnect if
        unknown."""

    @abstractmethod
    async def close(self) -> None:
        """Close the connections."""


def supports(channel: BaseChannel, method: Callable[..., Any]) -> bool:
    """Return whether a channel overrides this method of `BaseChannel`, and so supports it."""
    return getattr(type(channel), method.__name__) is not method


def limits_of(network: BaseChannel, kept: Mapping[str, Any] | None) -> ChannelLimits:
    """Return the limits of an account. `kept`: what is stored about its server."""
    return network.limits_at(kept) if kept else network.limits
