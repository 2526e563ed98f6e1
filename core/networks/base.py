"""What the engine asks of a network, and the only shapes in which it hears back."""

import base64
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, Protocol
from uuid import UUID

from core.errors import ErrorCode, NeedsReconnect, Refused
from core.networks.rules.channels import AccountType, ChannelKind, ChannelLimits, FormField
from core.networks.rules.links import Link
from core.websites.rules.feeds import FeedText
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
class OAuthFlow:
    """One person's way to a consent page and back: the same values when the page is asked for and when its code is
    exchanged."""

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
    """As `BaseChannel.own_limits`, where they are told by the way."""


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
    access_outlives_revoke: bool = False
    """Given back, nothing renews it any more, but the access token is taken until its own end."""
    revokes_token_alone: bool = False
    """`revoke` ends the tokens that it is given, and nothing else that the same person has let the same app do. Not
    claimed where nobody knows: then tokens are given back only once nothing stands on that person's consent."""
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
    shows_anywhere: bool = False
    """Where an article is shown says the receiver, and it may be any address: that one is believed, and never asked."""


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


@dataclass(frozen=True)
class Standing:
    """What a network says of an account's access now."""

    missing: tuple[str, ...]
    """Permissions that publishing needs, and that its person does not give any more."""
    may_post: bool | None
    """Whether the person's role is enough; None: there are no roles, or it is not told."""
    may_read: bool | None = None
    """Whether what was published can be looked for; None: that is not told."""


@dataclass(frozen=True)
class Clock:
    """That of a site, by which it dates its articles."""

    off: timedelta | None
    """Ahead of ours; None: it is not told."""
    zone: str = ""
    """In which it shows their times, as it calls that; empty: it is not told."""
    ahead_of_utc: timedelta | None = None
    """How far that zone is now."""


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


@dataclass(frozen=True)
class TokenLife:
    """What a network says of a token now."""

    valid: bool
    access_ends_at: datetime | None
    """When what it may read and post ends, though the token does not; None: it does not, or is not told."""


@dataclass(frozen=True)
class Place:
    """Of one site on the shelf, as whoever has its key."""

    address: str
    key_hash: str


class Shelf(Protocol):
    """Where the articles of sites are that this installation serves itself. Each method raises NeedsReconnect where the
    key was given back or there is no such place, and RetrySafe where it cannot be reached."""

    @property
    def public_url(self) -> str:
        """Of this installation."""

    async def look(self, place: Place) -> None:
        """Whether it would be taken. Changes nothing."""

    async def close(self, place: Place) -> None:
        """By that key nothing is published any more. May be repeated, and of no place it is no error."""

    async def keep_image(self, place: Place, folder: str, image: Image) -> str:
        """Its files, made for readers; the same image of the same folder is the same. Returns what it is called until
        it is published. Raises Refused where it cannot be read."""

    async def publish(self, place: Place, id: UUID, slug: str, text: FeedText) -> str:
        """Shown from now on, once for each id. Returns the slug that it has got. Raises Ambiguous where nobody knows
        whether it is, StagedLost where it was taken down."""

    async def find(self, place: Place, id: UUID) -> tuple[str | None, bool]:
        """(the slug under which it is shown, whether it ever was)."""

    async def change(self, place: Place, id: UUID, text: FeedText) -> str | None:
        """Another text at the same slug, which is returned; None: it is not there."""

    async def take_down(self, place: Place, id: UUID) -> None:
        """With its images. What is gone already is no error."""


class BaseChannel(ABC):
    """One network or kind of site. What is not abstract has a default: an adapter claims what its network can do by
    overriding the method, and `supports` tells whether it does. Methods raise only the `ProviderError` classes of
    `core.errors`."""

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

    def authorize_url(self, way: OAuthFlow) -> str:
        """The network's consent page for connecting an account."""
        raise Refused(ErrorCode.connect_failed, detail="this network has no consent page")

    def refusal(self, error: str, description: str) -> ErrorCode:
        """What the callback's address says in the place of a code: one of the `connect_…`."""
        return ErrorCode.connect_failed

    async def exchange(self, way: OAuthFlow, code: str, granted: Granted = unheard) -> Grant:
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
        again."""
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
        where it never will be."""
        return None

    async def quota(self, to: Credentials) -> timedelta | None:
        """How long until the account may publish again, read or counted, `Guessed` where nobody says; None: it may now.
        Asked before each publishing call."""
        return None

    @abstractmethod
    def prepare(self, to: Credentials, post: Outgoing, refs: tuple[str, ...]) -> "Prepared":
        """Everything of the publishing call that can be done without the network. Raises Refused for what can never be
        published, such as images that were not staged."""

    @abstractmethod
    async def find(self, to: Credentials, post: Outgoing, refs: tuple[str, ...], *, since: datetime) -> Finding:
        """Ask whether a post made since then, of what was staged under `refs`, is there."""

    async def verify_duplicate(self, to: Credentials, provider_id: str) -> Receipt | None:
        """Return the receipt of the post that the network named when it refused a repeat of it. None: it is not there,
        as far as that can be read."""
        return None

    async def delete(self, to: Credentials, provider_id: str) -> None:
        """Take down what was published under that id. What is gone already is no error, so it may be
        repeated freely."""
        raise Refused(ErrorCode.removal_refused, detail="this network deletes nothing")

    async def comment(self, to: Credentials, provider_id: str, text: str) -> Receipt:
        """Put a first comment below what was published under that id, by one call that is never repeated without
        `find_comment`."""
        raise Refused(ErrorCode.first_comment_unsupported)

    async def find_comment(self, to: Credentials, provider_id: str, text: str, *, since: datetime) -> Finding:
        """Ask whether the account has put that comment there since then."""
        raise Refused(ErrorCode.first_comment_unsupported)

    async def update(self, to: Credentials, provider_id: str, post: Outgoing, *, wish: str) -> Receipt:
        """Make what is there like `post`, its images read as for staging. May be repeated freely: `wish` is another one
        for each change that is wanted, and the same for its repeats. Raises Refused where it is there no more."""
        raise Refused(ErrorCode.update_not_possible)

    async def standing(self, grant: Grant, to: Credentials) -> Standing | None:
        """What the network tells of an access beyond whether a call is taken; None: nothing. Reads only."""
        return None

    async def clock(self, to: Credentials) -> Clock | None:
        """Of a site that dates its articles by a clock of its own; None: it does not. Reads only."""
        return None

    async def own_limits(self, to: Credentials) -> dict[str, Any] | None:
        """What the account's server says of its limits, kept with the account as JSON; None: all servers have those of
        `limits`. Reads only."""
        return None

    def limits_at(self, kept: Mapping[str, Any]) -> ChannelLimits:
        """By what was kept of `own_limits`, as far as it is of use; else `limits`."""
        return self.limits

    def use_book(self, book: UsageBook | None) -> None:  # noqa: B027 - not every network tells
        """Take where it is kept what answers tell of the calls that are left; without it each process knows only what
        it is told itself. Called before anything else."""

    async def token_life(self, token: str) -> TokenLife:
        """Whether a token still holds, where tokens end without a date. Reads only."""
        raise Refused(detail="this network says nothing of its tokens")

    def sends_back_to(self, back: str, site: str | None = None) -> bool:
        """Whether a site's page for passwords sends browsers to an address such as `back`; without a site: of any that
        may be named."""
        return False

    async def password_page(self, typed: str, back: str, app_id: UUID) -> tuple[str, str]:
        """(the site that somebody means, the address of its page on which they say yes to a password for us). `app_id`:
        of this installation, so that the site knows it again. Raises Refused with the parameter `field`."""
        raise Refused(ErrorCode.connect_failed, detail="this site has no page for passwords")

    def is_same_site(self, told: str, site: str) -> bool:
        """Whether the address that came back with a password is one of that site."""
        return False

    def form_of(self, site: str, username: str, password: str) -> dict[str, str]:
        """The form as if a person had typed what the page for passwords handed out."""
        raise Refused(ErrorCode.connect_failed, detail="this site has no page for passwords")

    async def site_name(self, base_url: str) -> str:
        """How a site is called, as plain text; empty: it does not say so. Reads only."""
        return ""

    async def terms(self, to: Credentials) -> Taxonomy:
        """All categories of a site that sorts its articles, and the tags that are used most. Reads only."""
        raise Refused(detail="this site does not sort its articles")

    def use_shelf(self, shelf: Shelf) -> None:  # noqa: B027 - most sites are elsewhere
        """Of a site that this installation serves itself: take where its articles are kept, before anything else."""

    def feeds_of(self, address: str) -> Sequence[str]:
        """Of a site that this installation serves itself: where programs read it, as RSS and as JSON Feed."""
        return ()

    @abstractmethod
    async def probe(self, to: Credentials) -> None:
        """Ask something that changes nothing and that the network refuses as it would refuse a post where this
        installation is at fault: its version of the API, its app. Raises Misconfigured then; and RetrySafe, RateLimited
        or NeedsReconnect where it cannot tell."""

    @abstractmethod
    async def close(self) -> None:
        """Close the connections."""


def supports(channel: BaseChannel, method: Callable[..., Any]) -> bool:
    """Return whether a channel can do what a method of `BaseChannel` is for: it overrides that method."""
    return getattr(type(channel), method.__name__) is not method


def limits_of(network: BaseChannel, kept: Mapping[str, Any] | None) -> ChannelLimits:
    """Return the limits of an account. `kept`: what is known of its server."""
    return network.limits_at(kept) if kept else network.limits
