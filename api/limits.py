"""Rate limits as dependencies of the routes. An address may be a whole office behind one router, so limits by address
are generous; limits that protect an account count the account, or account and address together.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Annotated, Any
from weakref import WeakValueDictionary

from fastapi import Depends, Request

from api.callers import counted_by_network
from api.dependencies import Address, AnyUser, Core, CurrentUser, Person
from core.crypto import normal_code
from core.errors import Denied, ErrorCode, InvalidInput, Throttled
from core.networks.base import BaseChannel, supports
from core.networks.registry import channel
from core.networks.rules.channels import ChannelKind
from core.rate_limits.limiting import Limit, LimitingService
from core.users.rules.email_addresses import normal_email

_MINUTE, _HOUR = timedelta(minutes=1), timedelta(hours=1)
_LONGEST_EMAIL = 1000  # characters, including spaces around it
_LONGEST_CODE = 100

# by the caller's address
SIGN_UPS = Limit("sign-ups", 60, timedelta(seconds=10))
SIGN_INS = Limit("sign-ins", 100, timedelta(seconds=3))
LINKS = Limit("links", 60, timedelta(seconds=2))
MAILS = Limit("mails", 30, _MINUTE)
# many people's programs call from one service's address
FEEDS = Limit("feeds", 120, timedelta(seconds=2))
# a page and its images are about a dozen calls
PAGES = Limit("pages", 1200, timedelta(seconds=0.1))
# each is drawn anew; a document has up to 300, and browsers keep them
DOCUMENT_PAGES = Limit("document-pages", 600, timedelta(seconds=1))
# by address and e-mail together: calls from elsewhere neither help nor hinder
TRIES = Limit("tries", 10, _MINUTE)
# by e-mail, known or not: wrong passwords from networks where its owner never signed in. Too slow to guess a password;
# the owner's device and a reset by mail bypass it
GUESSES = Limit("guesses", 20, timedelta(minutes=3))
# guesses from one address: fewer than the account regains, so that one stranger cannot use up an account's guesses
GUESSES_FROM = Limit("guesses-from", 12, timedelta(minutes=5))
# by invitation code: its holder can find out who has an account, but only slowly
CODES = Limit("codes", 10, timedelta(minutes=6))
# by account, or by the mail's recipient
SECOND_FACTORS = Limit("second-factors", 10, timedelta(minutes=5))
PASSWORDS = Limit("passwords", 10, _MINUTE)
CONFIRMATIONS = Limit("confirmations", 10, _MINUTE)
RESENDS = Limit("resends", 1, _MINUTE)
RESENDS_AN_HOUR = Limit("resends-an-hour", 1, _HOUR, meters=5)
FORGOTTEN = Limit("forgotten", 1, _HOUR, meters=5)
NEW_EMAILS = Limit("new-emails", 1, _HOUR, meters=5)
INVITED = Limit("invited", 20, timedelta(minutes=3))
RECEIVED = Limit("received", 1, _HOUR, meters=5)

# by user, for what costs money or processor time; generous for a person, not for a script
TRYOUTS = Limit("tryouts", 20, timedelta(seconds=10))
SUGGESTIONS = Limit("suggestions", 20, timedelta(seconds=10))
TOPIC_FEEDS = Limit("topic-feeds", 20, timedelta(seconds=10))
BRAND_DRAFTS = Limit("brand-drafts", 20, timedelta(seconds=10))
CARDS = Limit("cards", 60, timedelta(seconds=1))
ACCOUNT_CHECKS = Limit("account-checks", 20, timedelta(seconds=10))
CONNECTIONS = Limit("connections", 20, timedelta(seconds=10))
# an installation has a limited number of them, and each taken one stays taken
FEED_ADDRESSES = Limit("feed-addresses", 20, timedelta(hours=12))
SCHEDULES = Limit("schedules", 60, timedelta(seconds=0.5))
IMPORTS = Limit("imports", 30, timedelta(seconds=2))
UPLOADS = Limit("uploads", 200, timedelta(seconds=2))
VIDEOS = Limit("videos", 20, timedelta(minutes=3))
EXPORTS = Limit("exports", 20, timedelta(seconds=5))
CHECKS = Limit("checks", 60, timedelta(seconds=0.5))
BULK_CHANGES = Limit("bulk-changes", 30, timedelta(seconds=1))
DEMO_DATA = Limit("demo-data", 6, _MINUTE)
ACCOUNT_EXPORTS = Limit("account-exports", 3, _MINUTE)
BILLING = Limit("billing", 30, timedelta(seconds=3))


_MOST_WAITING = 20
_COME_AGAIN = timedelta(seconds=5)


class _Own:
    """The places of one subject, and how many of its calls hold one or wait for it."""

    def __init__(self, each: int) -> None:
        self.places, self.calls = asyncio.Semaphore(each), 0


class Places:
    """Limits parallel work of a process to `at_once`, and to `each` per user."""

    def __init__(self, at_once: int, each: int) -> None:
        self._all, self._each = asyncio.Semaphore(at_once), each
        self._of_user: WeakValueDictionary[str, _Own] = WeakValueDictionary()

    @asynccontextmanager
    async def place(self, subject: str) -> AsyncIterator[None]:
        """Wait for a place of the subject, and hold it. Raise Throttled while many of its calls wait."""
        own = self._of_user.setdefault(subject, _Own(self._each))
        # a call waits on if its caller leaves, and is one of the connections of all
        if own.calls >= self._each + _MOST_WAITING:
            raise Throttled(retry_after=_COME_AGAIN, seconds=int(_COME_AGAIN.total_seconds()))
        own.calls += 1
        try:
            # the subject's own first: a user's further calls do not queue in front of others
            async with own.places, self._all:
                yield
        finally:
            own.calls -= 1


DRAWING = Places(at_once=2, each=1)
"""Drawing a card takes only processor time."""
DRAWING_PAGES = Places(at_once=2, each=1)
"""Pages of documents, by the document's owner, since anybody with a page's address may ask. Each takes the document's
size of the disk, and up to 30 s."""
RECEIVING = Places(at_once=4, each=1)
"""Uploads of videos: each takes up to twice its size of the disk for temporary files."""
RECEIVING_FORMS = Places(at_once=8, each=2)
"""Uploads of images and PDFs: each takes up to twice its size of the disk, up to 200 MB."""
EXPORTING = Places(at_once=1, each=1)
"""One chunk of an export at a time, since it takes processor time and the database."""
ASKING_STRIPE = Places(at_once=8, each=2)
"""Calls that wait for Stripe, each in its own thread."""


async def get_limiting(services: Core) -> LimitingService:
    return services.limiting


Limiting = Annotated[LimitingService, Depends(get_limiting)]


async def get_fields(request: Request) -> dict[str, Any]:
    """Return the unvalidated body, for limits that count its values: invalid calls count too. Empty if it is no JSON
    object."""
    try:
        body = await request.json()
    except ValueError:  # FastAPI refuses it later
        return {}
    return body if isinstance(body, dict) else {}


Fields = Annotated[dict[str, Any], Depends(get_fields)]


def _email(fields: dict[str, Any]) -> str:
    """Return the normalized e-mail, so that other spellings count as the same account."""
    email = fields.get("email")
    if not isinstance(email, str):
        return ""
    # unvalidated, and used in a database query
    typed = email[:_LONGEST_EMAIL].encode(errors="replace").decode().replace("\0", "")
    return (normal_email(typed) or typed.strip()).casefold()


def _to(limit: Limit, fields: dict[str, Any]) -> list[tuple[Limit, str]]:
    """Count by the e-mail, if there is one."""
    email = _email(fields)
    return [(limit, email)] if email else []


def by_address(limit: Limit) -> Any:
    async def count(address: Address, limiting: Limiting) -> None:
        await limiting.use(*counted_by_network(limit, address))

    return Depends(count)


def by_person(limit: Limit) -> Any:
    """Count by account on routes that no API key may call, verified or not."""

    async def count(person: Person, limiting: Limiting) -> None:
        await limiting.use((limit, str(person.user.id)))

    return Depends(count)


def by_user(limit: Limit, places: Places | None = None) -> Any:
    """Count the user's calls; with `places`, each waits for a place."""

    async def count(user: CurrentUser, limiting: Limiting) -> AsyncIterator[None]:
        subject = str(user.id)
        await limiting.use((limit, subject))
        if places is None:
            yield
            return
        async with places.place(subject):
            yield

    # function scope: a client that reads the answer slowly does not keep the place
    return Depends(count, scope="function")


async def _feed_address(kind: ChannelKind, user: CurrentUser, limiting: Limiting) -> AsyncIterator[None]:
    """Count calls that take a feed address on this installation; refused ones do not count."""
    counted = [(FEED_ADDRESSES, str(user.id))] if supports(channel(kind), BaseChannel.feeds_of) else []
    async with _if_sent(limiting, *counted):
        yield


FEED_ADDRESS = Depends(_feed_address, scope="function")


async def in_turn(places: Places, subject: str, portions: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    """Generate each chunk on a place of the subject, released while the client reads."""
    try:
        while True:
            async with places.place(subject):
                portion = await anext(portions, None)
            if portion is None:
                return
            yield portion
    finally:
        if isinstance(portions, AsyncGenerator):
            await portions.aclose()


async def _sign_in(address: Address, fields: Fields, services: Core, limiting: Limiting) -> AsyncIterator[None]:
    """Reset the tries from this address after a right password.

    Wrong passwords count by account too, from anywhere but networks where its owner has signed in: guessing from many
    addresses is stopped without locking the owner out.

    Second-factor codes count by account, but only with the right password: nobody else can use them up. They count
    before the caller learns whether they were right.
    """
    await limiting.use(*counted_by_network(SIGN_INS, address))
    email = _email(fields)
    tries, codes = (TRIES, f"{address} {email}"), (SECOND_FACTORS, email)
    await limiting.use(tries)
    has_proved = await services.security_events.has_proved(email, network) if (network := _network(address)) else False
    guess = [] if has_proved else await limiting.use((GUESSES_FROM, f"{address} {email}"), (GUESSES, email))
    try:
        yield
    except Exception as error:
        if not isinstance(error, Denied) or error.code is not ErrorCode.login_failed:
            await limiting.give_back(guess)
        if isinstance(error, Denied) and error.code is ErrorCode.second_factor_wrong:
            await limiting.use(codes)
        raise
    await limiting.give_back(guess)
    if fields.get("code"):
        await limiting.use(codes)
    await limiting.forget(tries, codes)


async def _sign_up(address: Address, fields: Fields, limiting: Limiting) -> None:
    await limiting.use(*counted_by_network(SIGN_UPS, address))
    code = fields.get("invitation_code")
    if isinstance(code, str):
        typed = normal_code(code[:_LONGEST_CODE].encode(errors="replace").decode())
        await limiting.use((CODES, typed))


def _network(address: str) -> IPv4Network | IPv6Network | None:
    try:
        return ip_network(address)
    except ValueError:  # a Unix socket
        return None


async def _forgotten(address: Address, fields: Fields, limiting: Limiting) -> None:
    """Count unknown e-mails too: the answer does not reveal who has an account."""
    used = await limiting.use(*counted_by_network(MAILS, address))
    try:
        await limiting.use(*_to(FORGOTTEN, fields))
    except Throttled:
        await limiting.give_back(used)
        raise


@asynccontextmanager
async def _if_sent(limiting: LimitingService, *counted: tuple[Limit, str]) -> AsyncIterator[None]:
    """Count calls that may be refused before they send a mail; give the count back then."""
    used = await limiting.use(*counted)
    try:
        yield
    except Exception:
        await limiting.give_back(used)
        raise


async def _resend(address: Address, person: Person, limiting: Limiting) -> AsyncIterator[None]:
    account = str(person.user.id)
    async with _if_sent(limiting, *counted_by_network(MAILS, address), (RESENDS, account), (RESENDS_AN_HOUR, account)):
        yield


async def _new_email(address: Address, person: Person, fields: Fields, limiting: Limiting) -> AsyncIterator[None]:
    """Count taken addresses as well: otherwise a signed-in caller could test which addresses have accounts."""
    used = await limiting.use(
        *counted_by_network(MAILS, address), (NEW_EMAILS, str(person.user.id)), *_to(RECEIVED, fields)
    )
    try:
        yield
    except Exception as error:
        if not (isinstance(error, InvalidInput) and any(e.code is ErrorCode.email_taken for e in error.errors)):
            await limiting.give_back(used)
        raise


async def _invite(address: Address, user: CurrentUser, fields: Fields, limiting: Limiting) -> AsyncIterator[None]:
    """Count only invitations sent by mail: other codes have their own limit."""
    counted: list[tuple[Limit, str]] = []
    if fields.get("send"):
        counted = [*counted_by_network(MAILS, address), (INVITED, str(user.id)), *_to(RECEIVED, fields)]
    async with _if_sent(limiting, *counted):
        yield


async def _password(person: Person, limiting: Limiting) -> AsyncIterator[None]:
    """One limit for all calls that require a signed-in person's password; the right one resets it."""
    tries = (PASSWORDS, str(person.user.id))
    await limiting.use(tries)
    yield
    await limiting.forget(tries)


async def _billing(user: AnyUser, limiting: Limiting) -> AsyncIterator[None]:
    subject = str(user.id)
    await limiting.use((BILLING, subject))
    async with ASKING_STRIPE.place(subject):
        yield


async def _confirm(person: Person, limiting: Limiting) -> None:
    await limiting.use((CONFIRMATIONS, str(person.user.id)))


# function scope: code after the yield runs before the answer is sent
SIGN_UP = Depends(_sign_up)
SIGN_IN = Depends(_sign_in, scope="function")
ASK_PASSWORD = Depends(_password, scope="function")
FORGOT = Depends(_forgotten)
RESEND = Depends(_resend, scope="function")
NEW_EMAIL = Depends(_new_email, scope="function")
INVITE = Depends(_invite, scope="function")
CONFIRM = Depends(_confirm)
ASK_STRIPE = Depends(_billing, scope="function")
