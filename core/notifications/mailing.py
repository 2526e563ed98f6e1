"""Sending of one mail. Its text is made when it is sent, its link from `PUBLIC_URL`."""

import logging
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import parseaddr
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit
from uuid import UUID
from zoneinfo import ZoneInfo

from email_validator import validate_email
from sqlalchemy.ext.asyncio import AsyncSession

from core.approvals.mail_links import LinkState, link_state
from core.approvals.repositories.approval_links import ApprovalLinkRepository
from core.approvals.rules import AtDeadline
from core.articles.rules.articles import ArticleFields
from core.assistants.rules.budgets import BudgetUnit
from core.billing.rules import Limit, price_from_json
from core.clock import utcnow
from core.crypto import Vault, normal_code, shown_code, token_hash
from core.database import Sessions
from core.deliveries.tables.deliveries import Delivery
from core.errors import DomainError, ErrorCode, Misconfigured, NotFound, Refused, RetrySafe
from core.i18n import Texts, texts_in
from core.languages import Language, language_of
from core.media.pictures import MediaService
from core.networks.registry import channel
from core.notifications.mails.letters import (
    MARK_ID,
    PICTURE_ID,
    Letter,
    Line,
    Quote,
    Shown,
    letter,
    mark,
    shown_budget,
    shown_moment,
    shown_price,
)
from core.notifications.notifying import NotifyingService
from core.notifications.repositories.mails import MailRepository
from core.notifications.rules import NotificationKind
from core.notifications.smtp import Mailer, new_message
from core.notifications.tables.mails import Mail, MailKind, MailState
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState
from core.posts.tables.posts import Post, PostFile
from core.texts.rules.markdown import plain
from core.texts.rules.texts import cut_text
from core.users.invitations import invitation_proof
from core.users.repositories.users import UserRepository
from core.users.tables.users import User

logger = logging.getLogger(__name__)

PATIENCE: Final = timedelta(hours=24)
"""How long sending is tried; later the mail would be outdated."""
# faults that an operator has to fix are retried slowly: servers lock out repeated wrong logins
_MENDING: Final = timedelta(minutes=5)
_LONGEST_NAME = 50  # characters

# the part after # stays in the browser and out of the logs of servers and proxies
_PATHS: Final = {
    MailKind.verify_email: "/verify-email#token=",
    MailKind.change_email: "/verify-email#token=",
    MailKind.reset_password: "/signin?reset#token=",
}

_LISTS: Final = {
    NotificationKind.approval_needed: "/social-media-posts?tab=approvals",
    NotificationKind.post_failed: "/social-media-posts?status=failed",
    NotificationKind.post_waits: "/social-media-posts?state=held",
    NotificationKind.run_failed: "/assistants",
    NotificationKind.removal_failed: "/social-media-posts?state=not_deleted",
    NotificationKind.update_failed: "/posts?state=not_updated",
    NotificationKind.takedown_failed: "/posts?state=not_deleted",
    NotificationKind.comment_failed: "/social-media-posts?waiting=yes",
    NotificationKind.planning_failed: "/assistants",
    NotificationKind.announcement_ready: "/social-media-posts?status=draft",
    NotificationKind.announcement_failed: "/posts",
    NotificationKind.post_unknown: "/social-media-posts?state=unknown",
    NotificationKind.account_expires: "/account",
    NotificationKind.account_reconnect: "/account",
    NotificationKind.assistant_paused_itself: "/assistants",
    NotificationKind.budget_reached: "/assistants",
    NotificationKind.trial_ending: "/subscription",
    NotificationKind.payment_failed: "/subscription",
    NotificationKind.subscription_ended: "/subscription",
    NotificationKind.allowance_reached: "/subscription",
}
_LISTS_OF_ARTICLES: Final = {
    NotificationKind.approval_needed: "/social-media-posts?tab=approvals",
    NotificationKind.post_failed: "/posts?status=failed",
    NotificationKind.post_waits: "/posts?state=held",
    NotificationKind.removal_failed: "/posts?state=not_deleted",
    NotificationKind.post_unknown: "/posts?state=unknown",
    NotificationKind.account_reconnect: "/websites",
}
REASONS_OF_WEBSITES: Final = frozenset(
    {
        ErrorCode.account_disconnected,
        ErrorCode.channel_not_configured,
        ErrorCode.delivery_needs_reconnect,
        ErrorCode.reconnected_too_late,
        ErrorCode.provider_misconfigured,
    }
)
"""Reasons of a pause whose text differs if the assistant writes for a website."""
_BUDGET: Final = frozenset({MailKind.budget_spent, MailKind.budget_unpriced})
_OF_ACCOUNTS: Final = frozenset({MailKind.account_expires, MailKind.account_needs_reconnecting})
_OF_POSTS: Final = frozenset(
    {
        MailKind.post_failed,
        MailKind.removal_failed,
        MailKind.comment_failed,
        MailKind.announcement_ready,
        MailKind.announcement_failed,
        MailKind.post_unknown,
    }
)
_OF_ARTICLES: Final = frozenset({MailKind.update_failed, MailKind.takedown_failed})
_OF_ASSISTANTS: Final = frozenset({MailKind.assistant_paused, MailKind.planning_failed})
_OF_SUBSCRIPTIONS: Final = frozenset(
    {
        MailKind.trial_ending,
        MailKind.payment_failed,
        MailKind.subscription_ended,
        MailKind.allowance_reached,
    }
)
_OF_AN_ARTICLE: Final = 1500
"""Limit of characters of an article's text in a mail."""
_APPROVALS: Final = frozenset({MailKind.approval_wanted, MailKind.approval_reminder})
_NOTICES: Final = frozenset(
    {
        MailKind.email_changed,
        MailKind.password_changed,
        MailKind.run_failed,
        *_OF_ACCOUNTS,
        *_OF_ASSISTANTS,
        *_OF_POSTS,
        *_OF_ARTICLES,
        *_OF_SUBSCRIPTIONS,
        MailKind.daily_overview,
        *_BUDGET,
    }
)
"""Mails without an expiring link or code; approval mails of older releases have none either."""


_MOST_PIXELS: Final = 640 * 640
_MOST_BYTES: Final = 200_000
"""Limits of a post's image in a mail."""


@dataclass(frozen=True)
class _Envelope:
    user_id: UUID
    sender: str
    to: str
    message: EmailMessage
    written_to: str
    """The address as the user entered it."""


@dataclass(frozen=True)
class _Written:
    """A mail before its image is read."""

    envelope: _Envelope
    language: Language
    render: Callable[[Shown | None], Letter]
    files: Sequence[PostFile]


@dataclass(frozen=True)
class MailingService:
    sessions: Sessions
    vault: Vault
    mailer: Mailer | None
    """None: no mail server is configured. Mails wait for one as long as for any other fault."""
    sender: str
    public_url: str
    media: MediaService

    async def send(self, mail_id: UUID) -> MailState | None:
        """Send the mail unless it was sent, and wipe its secret. Return its state, or None if it was deleted with its
        user.

        After a lost answer it may arrive twice, both times with the same Message-ID. Marked as refused, not sent: a
        mail that the server refuses for good, that has waited longer than PATIENCE, or that is of no use any more.
        Raises RetrySafe or Ambiguous if it has to be retried.
        """
        ready = await self._prepare(mail_id)
        if not isinstance(ready, _Envelope):
            return ready
        # no transaction stays open during the SMTP session
        try:
            if self.mailer is None:
                raise Misconfigured(ErrorCode.mail_misconfigured, detail="SMTP_URL is not set")
            await self.mailer.send(ready.sender, ready.to, ready.message)
        except Refused as error:
            logger.warning("mail %s refused: %s", mail_id, error.detail)
            return await self._settle(ready.user_id, mail_id, MailState.refused, error.code, asked=ready.written_to)
        except Misconfigured as error:
            logger.error("mail %s waits for SMTP_URL or MAIL_FROM to be mended: %s", mail_id, error.detail)
            await self._note(ready.user_id, mail_id, error.code)
            raise RetrySafe(error.code, detail=error.detail, retry_after=_MENDING) from error
        except Exception as error:
            logger.warning("mail %s not sent yet: %s", mail_id, getattr(error, "detail", "") or type(error).__name__)
            await self._note(ready.user_id, mail_id, ErrorCode.mail_unavailable)
            raise
        return await self._settle(ready.user_id, mail_id, MailState.sent, asked=ready.written_to)

    async def _prepare(self, mail_id: UUID) -> _Envelope | MailState | None:
        """Return the mail, or its final state if it is not to be sent."""
        async with self.sessions() as session:
            mail = await MailRepository(session).find(mail_id)
            if mail is None or mail.state is not MailState.pending:
                return mail.state if mail else None
            why: ErrorCode | None = None
            try:
                written = await self._written(session, mail)
            except Refused as error:
                why = error.code
        if why is None:
            # no transaction stays open while the image is read
            try:
                return await self._filled(written)
            except ValueError as error:
                why = _cannot_be_written(mail_id, error).code
        logger.info("mail %s is not sent: %s", mail_id, why)
        return await self._settle(mail.user_id, mail_id, MailState.refused, why)

    async def _filled(self, written: _Written) -> _Envelope:
        """Add the content. Raises ValueError if a header is malformed."""
        picture = await self._picture(written.files)
        shown = None
        if picture:
            several = len(written.files) > 1
            first = texts_in(written.language).text("mail.frame.first_picture", n=len(written.files))
            caption = first if several else ""
            shown = Shown(_line(written.files[0].alt), caption)
        _fill(written.envelope.message, written.render(shown), picture)
        written.envelope.message["Content-Language"] = written.language
        return written.envelope

    async def _picture(self, files: Sequence[PostFile]) -> bytes | None:
        """Return the first image, small enough for a mail. None also if it cannot be read: the mail is sent without it,
        since the linked page shows it."""
        if not files:
            return None
        try:
            return await self.media.read_fitting(files[0].media, _MOST_PIXELS, _MOST_BYTES)
        except (DomainError, OSError) as error:
            logger.warning("picture %s is not in its mail: %s", files[0].media_id, type(error).__name__)
            return None

    async def _written(self, session: AsyncSession, mail: Mail) -> _Written:
        """Write the mail. Raises Refused if it must not be sent, RetrySafe if its secret cannot be read."""
        now = utcnow()
        if now - mail.created_at > PATIENCE:
            raise Refused(ErrorCode(mail.error) if mail.error else ErrorCode.mail_unavailable)
        try:
            user = await UserRepository(session).get(mail.user_id)
        except NotFound:
            raise Refused(ErrorCode.not_found) from None
        if user.deletion_requested_at or user.disabled_at:
            raise Refused(ErrorCode.account_disabled)
        if user.email_refused_at and mail.to_email == user.email and mail.kind in _NOTICES | _APPROVALS:
            raise Refused(
                ErrorCode.mail_address_refused
            )  # mails that a person asks for are tried: they show whether the refusal ended
        if mail.kind in _APPROVALS and datetime.fromisoformat(str(mail.params["deadline"])) <= now:
            raise Refused(ErrorCode.approval_expired)
        secret = self._secret(mail)
        quotes: list[Quote] = []
        files: Sequence[PostFile] = ()
        until = None
        if mail.kind in _APPROVALS:
            if secret is not None:
                quotes, files = await self._asked(session, mail, secret, now)
        else:
            until = await self._until(session, mail, secret, now)
            if until is None and mail.kind not in _NOTICES:
                raise Refused(ErrorCode.link_invalid)
        language = language_of(mail.language)
        texts = texts_in(language)
        facts = self._facts(mail, user, secret, until, texts)
        lines = self._counted(mail, texts) if mail.kind is MailKind.daily_overview else []
        name, address = parseaddr(self.sender)
        try:
            sender, to = _ascii_domain(address), _ascii_domain(mail.to_email)
            message = _message(mail, Address(name, *_parts(sender)), Address("", *_parts(to)))
        except ValueError as error:
            raise _cannot_be_written(mail.id, error) from None
        article = bool(mail.params.get("article"))
        envelope = _Envelope(mail.user_id, sender, to, message, mail.to_email)
        kind, link = mail.kind, self._link(mail, secret)
        return _Written(
            envelope,
            language,
            lambda shown: letter(kind, language, facts, link, quotes, lines, article=article, picture=shown),
            files,
        )

    def _secret(self, mail: Mail) -> str | None:
        if mail.secret_encrypted is None or mail.kind in _NOTICES:
            return None
        try:
            return self.vault.decrypt(mail.secret_encrypted)
        except ValueError:
            logger.error("mail %s waits for the SECRET_KEY that it was written with", mail.id)
            raise RetrySafe(ErrorCode.mail_misconfigured, retry_after=_MENDING) from None

    async def _until(self, session: AsyncSession, mail: Mail, secret: str | None, now: datetime) -> datetime | None:
        """Return when the mail's link or code expires; None without one, or if it is of no use any more."""
        mails = MailRepository(session)
        if secret is None:
            return None
        if mail.kind is MailKind.invitation:
            return await mails.invitation_until(mail.user_id, self.vault.keyed_hash(normal_code(secret)), now)
        return await mails.link_until(mail.user_id, token_hash(secret), now)

    async def _asked(
        self, session: AsyncSession, mail: Mail, secret: str, now: datetime
    ) -> tuple[list[Quote], Sequence[PostFile]]:
        """Return the text for each account, and the post's images. Raises Refused if the link cannot be used any
        more."""
        post_id = UUID(str(mail.params["post_id"]))
        linked = await ApprovalLinkRepository(session).find_by_token(token_hash(secret), post_id)
        if linked is None or link_state(linked.approval, linked.post, now) is not LinkState.open:
            raise Refused(ErrorCode.link_invalid)
        post, _ = await PostRepository(session).get(mail.user_id, post_id)
        names: dict[str, list[str]] = {}
        for delivery in post.deliveries:
            if delivery.state is not DeliveryState.cancelled:
                text = _shown_text(post) if delivery.content is None else delivery.content
                names.setdefault(text, []).append(_shown_place(delivery))
        quotes = [Quote(", ".join(accounts), text) for text, accounts in names.items()]
        if post.article is None:
            return quotes, post.files
        return quotes, post.files[:1] if ArticleFields.from_json(post.article).featured else ()

    def _link(self, mail: Mail, secret: str | None) -> str | None:
        if mail.kind in _BUDGET:
            return f"{self.public_url}/assistants/{mail.params['assistant_id']}?tab=configuration"
        if mail.kind in _OF_ACCOUNTS:
            return f"{self.public_url}/{'websites' if mail.params.get('article') else 'account'}"
        if mail.kind in _OF_SUBSCRIPTIONS:
            return f"{self.public_url}/subscription"
        if mail.kind in _OF_ASSISTANTS:
            return f"{self.public_url}/assistants/{mail.params['assistant_id']}"
        if mail.kind is MailKind.run_failed:
            return f"{self.public_url}/assistants/{mail.params['assistant_id']}?tab=runs"
        if mail.kind in _OF_ARTICLES:
            return f"{self.public_url}/posts/{mail.params['post_id']}"
        if mail.kind in _OF_POSTS:
            return f"{self.public_url}/social-media-posts/{mail.params['post_id']}"
        if mail.kind is MailKind.daily_overview:
            return f"{self.public_url}/"
        if mail.kind in _APPROVALS:
            answered = f"?decide#token={quote(secret, safe='')}" if secret else ""
            return f"{self.public_url}/social-media-posts/{mail.params['post_id']}{answered}"
        if secret is None:
            return None
        if mail.kind is MailKind.invitation:
            proof = self.vault.sign(invitation_proof(secret, mail.to_email))
            told = {"code": shown_code(normal_code(secret)), "email": mail.to_email, "proof": proof}
            query = urlencode(told, quote_via=quote)
            return f"{self.public_url}/signup#{query}"
        return f"{self.public_url}{_PATHS[mail.kind]}{quote(secret, safe='')}"

    def _counted(self, mail: Mail, texts: Texts) -> list[Line]:
        """Return the number per kind, with a link to their list; articles and websites have lists of their own."""
        counts, articles = mail.params["counts"], mail.params.get("articles", {})
        found = []
        for kind in (kind for kind in NotificationKind if kind in _LISTS):  # a refused address is not notified by mail
            of_articles = int(articles.get(kind, 0)) if kind in _LISTS_OF_ARTICLES else 0
            others = int(counts.get(kind, 0)) - of_articles
            if others > 0:
                found.append(Line(texts.counted(f"mail.counted.{kind}", others), f"{self.public_url}{_LISTS[kind]}"))
            if of_articles > 0:
                text = texts.counted(f"mail.counted.{kind}.article", of_articles)
                found.append(Line(text, f"{self.public_url}{_LISTS_OF_ARTICLES[kind]}"))
        return found

    def _facts(
        self, mail: Mail, user: User, secret: str | None, until: datetime | None, texts: Texts
    ) -> dict[str, str]:
        facts = {
            "email": mail.to_email,
            "host": urlsplit(self.public_url).netloc,
            "when": shown_moment(mail.created_at, user.time_zone, texts),
        }
        if until and mail.kind is MailKind.invitation:
            # the invited person's time zone is unknown, so only the day is given
            facts["until"] = texts.weekday(until.astimezone(ZoneInfo(user.time_zone)).date())
            facts["code"] = shown_code(normal_code(secret or ""))
            facts["inviter"] = _short(str(mail.params.get("inviter") or user.display_name or user.email))
        elif mail.kind in _BUDGET:
            there = ZoneInfo(str(mail.params["time_zone"]))
            facts["assistant"] = _short(str(mail.params["assistant"]))
            facts["budget"] = shown_budget(BudgetUnit(mail.params["unit"]), int(mail.params["amount"]), texts)
            next_month = datetime.fromisoformat(str(mail.params["next_month"]))
            facts["until"] = texts.weekday(next_month.astimezone(there).date())
        elif mail.kind in (MailKind.trial_ending, MailKind.payment_failed):
            moment = datetime.fromisoformat(str(mail.params["until"]))
            facts["day"] = texts.weekday(moment.astimezone(ZoneInfo(user.time_zone)).date())
            facts["until"] = shown_moment(moment, user.time_zone, texts, until=True)
            facts["charge"] = _charge(mail.params.get("price"), facts["day"], texts)
        elif mail.kind is MailKind.subscription_ended:
            paused = int(mail.params["paused"])
            facts["paused"] = texts.counted("mail.paused.some", paused) if paused else texts.text("mail.paused.none")
        elif mail.kind is MailKind.allowance_reached:
            facts["allowance"] = _allowance(Limit(mail.params["limit"]), int(mail.params["allowed"]), texts)
            there = ZoneInfo(str(mail.params["time_zone"]))
            next_month = datetime.fromisoformat(str(mail.params["next_month"]))
            facts["until"] = texts.weekday(next_month.astimezone(there).date())
            facts["more"] = texts.text(
                f"mail.allowance.{'with' if mail.params['subscribed'] else 'without'}_subscription"
            )
        elif mail.kind in _OF_ACCOUNTS:
            if mail.kind is MailKind.account_expires:
                end = datetime.fromisoformat(str(mail.params["expires_at"]))
                facts["day"] = texts.weekday(end.astimezone(ZoneInfo(user.time_zone)).date())
                facts["ends_at"] = shown_moment(end, user.time_zone, texts)
            facts |= {name: _short(str(mail.params[name])) for name in ("account", "network")}
        elif mail.kind is MailKind.planning_failed:
            facts["assistant"] = _short(str(mail.params["assistant"]))
        elif mail.kind is MailKind.assistant_paused:
            facts["assistant"] = _short(str(mail.params["assistant"]))
            reason = ErrorCode(mail.params["reason"])
            of_site = ".website" if mail.params.get("article") and reason in REASONS_OF_WEBSITES else ""
            facts["reason"] = texts.text(f"mail.reason.{reason}{of_site}")
        elif mail.kind in _OF_POSTS | _OF_ARTICLES:
            facts["topic"] = _short(str(mail.params["topic"]))
            facts["network"] = _short(" · ".join(mail.params.get("networks", ())))
        elif mail.kind is MailKind.run_failed:
            facts["assistant"] = _short(str(mail.params["assistant"]))
            slot = datetime.fromisoformat(str(mail.params["slot"]))
            facts["planned_at"] = shown_moment(slot, user.time_zone, texts)
        elif mail.kind is MailKind.daily_overview:
            facts["day"] = texts.weekday(date.fromisoformat(str(mail.params["day"])))
            facts["count"] = texts.counted("mail.news", sum(mail.params["counts"].values()))
        elif mail.kind in _APPROVALS:
            for name in ("planned_at", "deadline"):
                moment = datetime.fromisoformat(str(mail.params[name]))
                facts[name] = shown_moment(moment, user.time_zone, texts, until=name == "deadline")
            facts["assistant"] = _short(str(mail.params["assistant"]))
            facts["topic"] = _short(str(mail.params["topic"]))
            what = "article" if mail.params.get("article") else "post"
            facts["made"] = texts.text(f"mail.prepared.{what}", topic=facts["topic"])
            facts["waits"] = texts.text(f"mail.waiting.{what}")
            # mails of older releases do not have it
            goes_out = "at_once" if mail.params.get("at_once") else "planned"
            facts["goes_out"] = texts.text(f"mail.goes_out.{goes_out}", planned_at=facts["planned_at"])
            # above the texts, to be read before deciding
            facts["by_demo"] = texts.text("mail.demo_writer") if mail.params.get("demo") else ""
            facts["otherwise"] = texts.text(f"mail.at_deadline.{AtDeadline(str(mail.params['at_deadline']))}")
        elif until:
            facts["until"] = shown_moment(until, user.time_zone, texts, until=True)
        return {name: _line(value) for name, value in facts.items()}

    async def _note(self, user_id: UUID, mail_id: UUID, error: ErrorCode) -> None:
        async with self.sessions.begin() as session:
            await MailRepository(session).note(user_id, mail_id, error)

    async def _settle(
        self, user_id: UUID, mail_id: UUID, state: MailState, error: ErrorCode | None = None, asked: str | None = None
    ) -> MailState:
        """`asked`: the address that was sent to the server."""
        sent_at = utcnow() if state is MailState.sent else None
        async with self.sessions.begin() as session:
            await MailRepository(session).settle(user_id, mail_id, state, error=error, sent_at=sent_at)
            if asked and error is ErrorCode.mail_address_refused:
                await NotifyingService(session).mark_email_refused(user_id, asked, str(mail_id))
            elif asked and state is MailState.sent:
                await NotifyingService(session).clear_email_refused(user_id, asked)
        return state


def _charge(stored: dict[str, Any] | None, day: str, texts: Texts) -> str:
    if stored is None:
        return texts.text("mail.charge.unknown")
    price = price_from_json(stored)
    per = texts.counted(f"mail.price_per.{price.interval}", price.interval_count, price=shown_price(price, texts))
    return texts.text("mail.charge.known", price=per, day=day)


def _allowance(limit: Limit, allowed: int, texts: Texts) -> str:
    if limit is Limit.cost_micros:
        return texts.text("mail.allowance.models", n=shown_budget(BudgetUnit.money, allowed, texts))
    return texts.counted("mail.allowance.posts", allowed)


def _message(mail: Mail, sender: Address, to: Address) -> EmailMessage:
    """Return a message with the same headers at every try. Raises ValueError if one is malformed."""
    message = new_message()
    message["From"], message["To"] = sender, to
    message["Date"] = mail.created_at
    message["Message-ID"] = f"<{mail.id}@{sender.domain}>"
    message["Auto-Submitted"] = "auto-generated"
    return message


def _cannot_be_written(mail_id: UUID, error: ValueError) -> Refused:
    """Return the final error for a mail with a line break in a header, or without an address: a retry would not
    help."""
    logger.error("mail %s cannot be written: %s", mail_id, type(error).__name__)
    return Refused(ErrorCode.mail_refused)


def _fill(message: EmailMessage, written: Letter, picture: bytes | None) -> None:
    message["Subject"] = written.subject
    message.set_content(written.text, cte="quoted-printable")
    message.add_alternative(written.html, subtype="html", cte="quoted-printable")
    html = message.get_body(("html",))
    assert isinstance(html, EmailMessage)
    html.add_related(
        mark(), maintype="image", subtype="png", cid=f"<{MARK_ID}>", disposition="inline", filename="postloom.png"
    )
    if picture:
        html.add_related(
            picture,
            maintype="image",
            subtype="jpeg",
            cid=f"<{PICTURE_ID}>",
            disposition="inline",
            filename="picture.jpg",
        )


def _parts(address: str) -> tuple[str, str]:
    local, at, domain = address.rpartition("@")
    if not (local and at and domain):
        raise ValueError("not an address")
    return local, domain


def _ascii_domain(address: str) -> str:
    """Return the address with its domain in ASCII. Raises ValueError if it is malformed."""
    if address.isascii():
        return address
    parts = validate_email(address, check_deliverability=False)
    return f"{parts.local_part}@{parts.ascii_domain}"


def _shown_place(delivery: Delivery) -> str:
    """Return an account with its network; for an article the website."""
    name = _line(delivery.account.called)
    return name if delivery.channel.is_site else f"{name} · {channel(delivery.channel).label}"


def _shown_text(post: Post) -> str:
    """Return the text; for an article its title, summary and the start of its text."""
    if post.article is None:
        return post.content
    fields = ArticleFields.from_json(post.article)
    parts = (fields.title, fields.summary, cut_text(plain(post.content), _OF_AN_ARTICLE))
    return "\n\n".join(part for part in parts if part)


def _line(value: str) -> str:
    """Return the value as one line, without line breaks, control or direction characters."""
    return "".join(char for char in " ".join(value.split()) if unicodedata.category(char)[0] != "C")


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
