"""What the engine asks of a network, and the only shapes in which it hears back."""

import base64
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, Protocol, runtime_checkable
from uuid import UUID

from core.errors import ErrorCode, NeedsReconnect, Refused
from core.networks.rules.channels import AccountType, ChannelKind, ChannelLimits, FormField
from core.networks.rules.links import Link
from core.websites.rules.terms import Taxonomy


class Guessed(timedelta):
    """A wait that a network did not name: long enough by what is known of it, and no moment to tell anybody."""

    @classmethod
    def of(cls, wait: timedelta) -> "Guessed":
        return cls(seconds=wait.total_seconds())


@dataclass(frozen=True)
class Grant:
    """Tokens as a network handed them out. Never leaves the server, never enters a workflow's history."""

    access_token: str = field(repr=False)
    refresh_token: str | None = field(repr=False)
    expires_at: datetime | None
    scopes: tuple[str, ...]
    refresh_expires_at: datetime | None = None
    subject: str | None = None
    """Who consented, by their id at the network, where it says so with the tokens."""
    base_url: str = ""
    """Of the server that it is for; empty where the network is one."""


@dataclass(frozen=True)
class App:
    """Us at one server of a network that has many: registered there by ourselves."""

    base_url: str
    client_id: str
    client_secret: str = field(repr=False)


@dataclass(frozen=True)
class Way:
    """One way to a consent page and back. The same when the page is asked for as when its code is traded."""

    state: str = field(repr=False)
    """The network hands it back with the code."""
    redirect_uri: str
    verifier: str = field(repr=False)
    """Of PKCE: 64 characters that nobody else knows. Unused where the network has no PKCE."""
    app: App | None = None
    """Where the network has many servers."""

    @property
    def challenge(self) -> str:
        """Of PKCE, by S256."""
        digest = hashlib.sha256(self.verifier.encode()).digest()
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


@dataclass(frozen=True)
class Connection:
    """How an account of a network is connected: by consent at the network, by a form here, or by a form that says at
    which server consent is asked for. What it holds is told to the web app, which draws it."""

    consent: bool
    fields: tuple[FormField, ...] = ()
    settings: tuple[str, ...] = ()
    """What an operator has to set for it."""


@dataclass(frozen=True)
class Profile:
    """An account that a grant may post for."""

    external_id: str
    name: str
    type: AccountType
    picture_url: str | None
    access_token: str | None = field(default=None, repr=False)
    """A token of its own, where the network gives each account one; None: it posts by the grant's."""
    handle: str = ""
    """As which its person signs in there, where its id is another."""
    limits: Mapping[str, Any] | None = None
    """As `TellsLimits.own_limits`, where they are told by the way."""


@dataclass(frozen=True)
class Credentials:
    """What a call needs: the author's id at the network, the token, and its server where the network has several."""

    external_id: str
    type: AccountType
    access_token: str = field(repr=False)
    base_url: str = ""


@dataclass(frozen=True)
class Image:
    data: bytes = field(repr=False)
    """Only where it is staged; empty when the post is called for."""
    mime: str
    alt: str
    fetch_url: str = field(default="", repr=False)
    """Where a network that fetches pictures itself finds it, as its limits want it: without a token, for a day at
    least."""
    by_model: bool = False
    """A model has made it."""


@dataclass(frozen=True)
class Article:
    """What a site shows at an address of its own."""

    title: str
    """Plain text."""
    slug: str
    """Its name in the address: lower case, digits and hyphens. No two articles for one site have the same: by it the
    one is found whose making was not answered. The site may put another one into the address that readers see."""
    summary: str
    """Plain text, for lists of articles; empty: the site makes one of the beginning."""
    html: str
    """The body, ready for readers: nothing that must not run may be in it. An image of the post has `media:` and its id
    as its source: see `core.texts.rules.markdown.with_images`."""
    tags: tuple[str, ...] = ()
    """By name; the site gets those that it has not."""
    categories: tuple[str, ...] = ()
    """By the site's own ids."""
    seo_title: str = ""
    """For search engines, where the site has fields for that: in the place of the title; empty: as the title."""
    seo_description: str = ""
    """As above, in the place of the summary."""
    canonical_url: str = ""
    """As above: where it was published first; empty: here."""
    image_ids: tuple[UUID, ...] = ()
    """Of the post's images, in their order."""
    featured: bool = True
    """Whether the first of them is shown above it; the others are in its body."""
    language: str = ""
    """Of two letters, where it is told."""


@dataclass(frozen=True)
class Outgoing:
    """One post as it goes to one channel: the visible text, unescaped, and its images in order. To a site it goes as
    its `article`: the text is then the Markdown that this was made of, the first image the one that stands above it."""

    text: str
    images: tuple[Image, ...]
    link: Link | None = None
    """Of a card, where the network has them (`ChannelLimits.link_place`), whose picture is the first image; what is to
    stand in the text stands there already."""
    article: Article | None = None
    """Of a site; None on networks."""
    language: str = ""
    """Of the text, by two letters, for networks that show it to those who read it, or offer to translate it."""


@dataclass(frozen=True)
class Staged:
    """What staging left at the network. `refs` are provider ids in the order of the images, and with
    `traits.stages_post` the post's, or the name of its call, as the last, kept in the ledger; `ready_in` is how long
    the network needs before they may be used."""

    refs: tuple[str, ...]
    ready_in: timedelta


KnownApp = Callable[[str], Awaitable[App | None]]
"""Us at the server with that base address, if we have been there before."""

Keep = Callable[[str], Awaitable[None]]
"""Writes down a provider's id of an image, in the order of the images."""


async def forget(ref: str) -> None:
    """For who needs no trace of an upload that did not get through."""


async def upload_all(
    images: Sequence[Image], upload: Callable[[Image], Awaitable[str]], *, had: tuple[str, ...], keep: Keep
) -> tuple[str, ...]:
    """What the provider calls each: those in `had`, of an earlier attempt, are there; each other one is kept before
    the next is begun. What follows the images in `had` stays at its end."""
    refs = had
    for image in images[len(had) :]:
        ref = await upload(image)
        await keep(ref)
        refs = (*refs, ref)
    return refs


Granted = Callable[[Grant], None]
"""Hears of tokens the moment that they are there: whatever comes after, they can be given back."""


def unheard(grant: Grant) -> None:
    """For who gives nothing back."""


MAX_ID: Final = 200
"""Characters of an account's id, or of whoever has consented."""
_MAX_NAME: Final = 1_000
_MAX_ADDRESS: Final = 2_000


@dataclass(frozen=True)
class Receipt:
    """Proof of a published post. `provider_id` is None where the network confirmed without naming it; a name or address
    that is longer than any is none."""

    provider_id: str | None
    permalink: str | None
    slug: str | None = None
    """Of an article: how the site calls it, where it says so; another name than was asked for where that was taken."""
    status: str | None = None
    """Of an article that readers do not see: how it stands at the site, in the site's own word. None: they do, or the
    site does not say."""
    rest: timedelta | None = None
    """The network has published it and said all the same that the account posts too much: so long nothing more is asked
    for that account."""

    def __post_init__(self) -> None:
        for name in ("provider_id", "permalink", "slug", "status"):
            most = _MAX_ADDRESS if name == "permalink" else _MAX_NAME
            if len(getattr(self, name) or "") > most:
                object.__setattr__(self, name, None)


@dataclass(frozen=True)
class Traits:
    """What is so of one network and not of all. The engine asks for it, and `tests/channels` hold the adapter to it."""

    repeats_refused: bool = False
    """The same content twice is refused, and the refusal names the first post where it can."""
    can_list_own: bool = False
    """`find` can prove that a post is there or is not, whatever the account."""
    several_accounts: bool = False
    """One consent may lead to several accounts."""
    refreshes: bool = False
    """`refresh` makes new tokens of a grant that has what it takes for it."""
    access_outlives_revoke: bool = False
    """Given back, nothing renews it any more, but the access token is taken until its own end."""
    revokes_token_alone: bool = False
    """`revoke` ends the tokens that it is given, and nothing else that the same person has let the same app do. Not
    claimed where nobody knows: then tokens are given back only once nothing stands on that person's consent."""
    keeps_access: bool = False
    """Nothing can be given back: `revoke` raises Refused, and a person ends the access at the network."""
    stages_by_url: bool = False
    """It fetches images from `Image.fetch_url`: their bytes are not read for it."""
    stages_post: bool = False
    """Staging makes the post itself too, unseen, or chooses the name by which the network knows a repeat of the
    publishing call: one more id after those of the images, also where there are none."""
    stages_here: bool = False
    """Staging asks nothing of the network."""
    asks_by_repeating: bool = False
    """`find` makes the publishing call once more, which the network knows as a repeat by its name: so it is asked of
    nothing but what was called for."""
    any_success: bool = False
    """A success is one, whatever its body says."""
    tells_ready: bool = False
    """What is staged is not to be used before `ready` says so."""
    has_quota: bool = False
    """`quota` is asked before each publishing call."""
    shows_anywhere: bool = False
    """Where an article is shown says the receiver, and it may be any address: that one is believed, and never asked."""
    can_delete: bool = False
    """What was published can be deleted by `delete`."""
    first_comment: bool = False
    """`comment` puts one below a post, in a call of its own."""


@dataclass(frozen=True)
class Finding:
    """The answer to "is it there?" after an ambiguous call: `receipt` is proof that it is, `absent` proof that it
    is not. Neither: the network cannot tell, and a person decides."""

    receipt: Receipt | None = None
    absent: bool = False
    unreadable: bool = False
    """It cannot tell since the account may post, but not read."""


class Prepared(Protocol):
    """One post on the point of leaving."""

    async def open(self) -> None:
        """Connect, shortly before its moment. Publishes nothing; where it cannot, `publish` finds out why."""

    async def publish(self) -> Receipt:
        """The one call that makes the post visible. Never repeated without `find`."""

    async def close(self) -> None:
        """Close what `open` has opened."""


class BaseChannel(ABC):
    """One network or kind of site. What is not abstract has a default: an adapter overrides what its network can do.
    Methods raise only the `ProviderError` classes of `core.errors`."""

    kind: ChannelKind
    label: str
    limits: ChannelLimits
    call_timeout: timedelta
    """How long the publishing call may take; its effect is unknown until then."""
    traits: Traits

    @property
    @abstractmethod
    def connection(self) -> Connection:
        """How an account is connected."""

    def configured(self) -> bool:
        """Whether this installation has what `connection.settings` names."""
        return True

    def calls_only(self, base_url: str) -> bool:
        """Whether everything of it, consent pages included, goes to that address."""
        return False

    @abstractmethod
    def posts_url(self, type: AccountType, external_id: str, base_url: str = "") -> str:
        """Where who is signed in at the network sees what was published through that account: the account's own page
        where its id leads there, else the page of whoever looks."""

    @abstractmethod
    def permalink_in(self, address: str, base_url: str = "") -> str | None:
        """The permalink of the post that an address leads to, as a person copied it there. None: it leads to no post
        of this network, or of that server where the network has many."""

    async def register(self, form: Mapping[str, str], redirect_uri: str, known: KnownApp) -> App | None:
        """Of a connection with fields and consent: us at the server that the form names, by `known` where we have been
        there before and are not forgotten. None where the network is one. Raises Refused, with the parameter `field`
        for what is wrong in the form."""
        return None

    def authorize_url(self, way: Way) -> str:
        """The network's consent page for connecting an account."""
        raise Refused(ErrorCode.connect_failed, detail="this network has no consent page")

    def refusal(self, error: str, description: str) -> ErrorCode:
        """What the callback's address says in the place of a code: one of the `connect_…`."""
        return ErrorCode.connect_failed

    async def exchange(self, way: Way, code: str, granted: Granted = unheard) -> Grant:
        """Trade the callback's code for tokens. `granted` hears of what came, also where it turns out to be of no use.
        Raises Refused with one of the `connect_…`."""
        raise Refused(ErrorCode.connect_failed, detail="this network has no consent page")

    async def sign_in(self, form: Mapping[str, str]) -> Grant:
        """Of a connection without consent: what the form allows. Raises Refused, with the parameter `field` for what is
        wrong in the form."""
        raise Refused(ErrorCode.connect_failed, detail="this network has no form")

    @abstractmethod
    async def profiles(self, grant: Grant) -> list[Profile]:
        """The accounts this grant may post for, never none: Refused with one of the `connect_…` says why there is
        none. The same names each time: asked once more after a person has chosen among several."""

    async def refresh(self, grant: Grant) -> Grant:
        """New tokens by the refresh token, and another one of those where the network exchanges it: so one caller at a
        time. Raises NeedsReconnect where a person has to consent again, RetrySafe or RateLimited where it may be tried
        again. Only where `traits.refreshes`."""
        raise NeedsReconnect(detail="nothing renews this grant")

    async def revoke(self, grant: Grant, apps: Sequence[App] = ()) -> None:
        """Give it back: its tokens allow nothing any more. One that has ended is no error, so it may be repeated.
        `apps`: us at the server of the grant, newest first, where the network has many. Raises Refused where the
        network takes nothing back. Whether it ends more than these tokens says `traits.revokes_token_alone`."""
        raise Refused(detail="this network takes nothing back")

    @abstractmethod
    async def stage(self, to: Credentials, post: Outgoing, *, had: tuple[str, ...] = (), keep: Keep = forget) -> Staged:
        """Do at the network what publishes nothing (uploads). May be repeated freely: `had` are the ids of the first
        images, from an attempt that did not get through; `keep` is told each further one as it arrives."""

    async def ready(self, to: Credentials, refs: tuple[str, ...]) -> timedelta | None:
        """How long to wait before what was staged is asked for again; None: it may be used. Reads only. Raises Refused
        where it never will be. Only where `traits.tells_ready`."""
        return None

    async def quota(self, to: Credentials) -> timedelta | None:
        """How long until the account may publish again, read or counted, `Guessed` where nobody says; None: it may now.
        Only where `traits.has_quota`."""
        return None

    @abstractmethod
    def prepare(self, to: Credentials, post: Outgoing, refs: tuple[str, ...]) -> "Prepared":
        """Everything of the publishing call that can be done without the network. Raises Refused for what can never be
        published, such as images that were not staged."""

    @abstractmethod
    async def find(self, to: Credentials, post: Outgoing, refs: tuple[str, ...], *, since: datetime) -> Finding:
        """Ask whether a post made since then, of what was staged under `refs`, is there."""

    async def named(self, to: Credentials, provider_id: str) -> Receipt | None:
        """Of the post that the network named when it refused a repeat of it. None: it is not there, as far as that can
        be read."""
        return None

    async def delete(self, to: Credentials, provider_id: str) -> None:
        """Take down what was published under that id. What is gone already is no error, so it may be repeated freely.
        Only where `traits.can_delete`."""
        raise Refused(ErrorCode.removal_refused, detail="this network deletes nothing")

    async def comment(self, to: Credentials, provider_id: str, text: str) -> Receipt:
        """Put a first comment below what was published under that id, by one call that is never repeated without
        `find_comment`. Only where `traits.first_comment`."""
        raise Refused(ErrorCode.first_comment_unsupported)

    async def find_comment(self, to: Credentials, provider_id: str, text: str, *, since: datetime) -> Finding:
        """Ask whether the account has put that comment there since then. Only where `traits.first_comment`."""
        raise Refused(ErrorCode.first_comment_unsupported)

    @abstractmethod
    async def probe(self, to: Credentials) -> None:
        """Ask something that changes nothing and that the network refuses as it would refuse a post where this
        installation is at fault: its version of the API, its app. Raises Misconfigured then; and RetrySafe, RateLimited
        or NeedsReconnect where it cannot tell."""

    @abstractmethod
    async def close(self) -> None:
        """Close the connections."""


@dataclass(frozen=True)
class Standing:
    """What a network says of an account's access now."""

    missing: tuple[str, ...]
    """Permissions that publishing needs, and that its person does not give any more."""
    may_post: bool | None
    """Whether the person's role is enough; None: there are no roles, or it is not told."""
    may_read: bool | None = None
    """Whether what was published can be looked for; None: that is not told."""


@runtime_checkable
class TellsStanding(Protocol):
    """A network that tells more of an access than whether a call is taken."""

    async def standing(self, grant: Grant, to: Credentials) -> Standing:
        """Reads only. Raises ProviderError."""


@dataclass(frozen=True)
class Clock:
    """That of a site, by which it dates its articles."""

    off: timedelta | None
    """Ahead of ours; None: it is not told."""
    zone: str = ""
    """In which it shows their times, as it calls that; empty: it is not told."""
    ahead_of_utc: timedelta | None = None
    """How far that zone is now."""


@runtime_checkable
class TellsClock(Protocol):
    """A kind of site that dates its articles by a clock of its own."""

    async def clock(self, to: Credentials) -> Clock:
        """Reads only. Raises ProviderError."""


@runtime_checkable
class TellsLimits(Protocol):
    """A network that leaves its limits to each of its servers."""

    async def own_limits(self, to: Credentials) -> dict[str, Any]:
        """What the account's server says, to be kept with the account as JSON. Reads only. Raises ProviderError."""

    def limits_at(self, kept: Mapping[str, Any]) -> ChannelLimits:
        """By what was kept, as far as it is of use; else those of `Channel.limits`."""


def limits_of(network: BaseChannel, kept: Mapping[str, Any] | None) -> ChannelLimits:
    """`kept`: what is known of the account's server."""
    return network.limits_at(kept) if kept and isinstance(network, TellsLimits) else network.limits


@dataclass(frozen=True)
class Used:
    """So much of the calls that a network takes by one token."""

    percent: int
    lasts: timedelta
    """For so long it is believed; `Guessed` where the network did not say."""


class UsageBook(Protocol):
    """Where what networks tell of the calls that are left is kept, for all processes."""

    async def read(self, token: str) -> Used | None:
        """What was told last, by whichever process, as far as it still is believed. Raises RetrySafe where it cannot be
        reached."""

    async def keep(self, token: str, used: Used | None) -> None:
        """In the place of what was there; None: nothing that has to be heeded. Raises nothing: whoever calls has an
        answer that must not be lost, and the next one tells it again."""


@runtime_checkable
class TellsUsage(Protocol):
    """A network that says with its answers how much of its calls are used."""

    def use_book(self, book: UsageBook | None) -> None:
        """Before anything else is asked of it. Without one each process knows only what it is told itself."""


@dataclass(frozen=True)
class TokenLife:
    """What a network says of a token now."""

    valid: bool
    access_ends_at: datetime | None
    """When what it may read and post ends, though the token does not; None: it does not, or is not told."""


@runtime_checkable
class TellsTokenLife(Protocol):
    """A network whose tokens end without a date, and that says whether one still holds."""

    async def token_life(self, token: str) -> TokenLife:
        """Reads only. Raises ProviderError where it cannot be told."""


@runtime_checkable
class Updates(Protocol):
    """A channel where what was published can be changed at its address."""

    async def update(self, to: Credentials, provider_id: str, post: Outgoing, *, wish: str) -> Receipt:
        """Make what is there like `post`, its images read as for staging. May be repeated freely: `wish` is another one
        for each change that is wanted, and the same for its repeats. Raises ProviderError, Refused where it is there no
        more."""


@runtime_checkable
class HandsOutPasswords(Protocol):
    """A kind of site with a page on which its user says yes, and that sends the browser back with a password made for
    us."""

    def sends_back_to(self, back: str, site: str | None = None) -> bool:
        """Whether that page sends browsers to an address such as `back`; without a site: of any that may be named."""

    async def password_page(self, typed: str, back: str, app_id: UUID) -> tuple[str, str]:
        """(the site that somebody means, the address of its page). `app_id`: of this installation, so that the site
        knows it again. Raises Refused with the parameter `field`."""

    def is_same_site(self, told: str, site: str) -> bool:
        """Whether the address that came back with a password is one of that site."""

    def form_of(self, site: str, username: str, password: str) -> dict[str, str]:
        """As if a person had typed it."""


@runtime_checkable
class TellsName(Protocol):
    """A kind of site that says how it is called."""

    async def site_name(self, base_url: str) -> str:
        """Plain text, empty where it has none. Reads only. Raises ProviderError."""


@runtime_checkable
class TellsTerms(Protocol):
    """A kind of site that sorts its articles by categories and tags of its own."""

    async def terms(self, to: Credentials) -> Taxonomy:
        """All of its categories, and the tags that are used most. Reads only. Raises ProviderError."""
