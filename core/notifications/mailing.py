"""Sending of one mail. Its text is made when it is sent, its link from `PUBLIC_URL`."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import parseaddr
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

from email_validator import validate_email
from sqlalchemy.ext.asyncio import AsyncSession

from core.approvals.mail_links import LinkState, link_state
from core.approvals.repositories.approval_links import ApprovalLinkRepository
from core.articles.rules.articles import ArticleFields
from core.clock import utcnow
from core.crypto import Vault, normal_code, token_hash
from core.database import Sessions
from core.deliveries.tables.deliveries import Delivery
from core.errors import DomainError, ErrorCode, Misconfigured, NotFound, Refused, RetrySafe
from core.i18n import texts_in
from core.languages import Language, language_of
from core.media.pictures import MediaService
from core.media.rules.media import MediaKind
from core.metrics import MAIL_FAILURES
from core.networks.registry import channel
from core.notifications.mails.facts import MailContext, facts_of, one_line
from core.notifications.mails.letters import MARK_ID, PICTURE_ID, Letter, Quote, Shown, letter, mark
from core.notifications.mails.links import overview_lines, path_of
from core.notifications.mails.traits import ABOUT, REQUESTED
from core.notifications.notifying import NotifyingService
from core.notifications.repositories.mails import MailRepository
from core.notifications.rules import MailAbout, MailKind
from core.notifications.smtp import Mailer, new_message
from core.notifications.tables.mails import Mail, MailState
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState
from core.posts.tables.posts import Post, PostFile
from core.texts.rules.markdown import plain
from core.texts.rules.texts import cut_text
from core.users.repositories.users import UserRepository
from core.users.tables.users import User

logger = logging.getLogger(__name__)

PATIENCE: Final = timedelta(hours=24)
"""How long sending is tried; later the mail would be outdated."""
# faults that an operator has to fix are retried slowly: servers lock out repeated wrong logins
_MENDING: Final = timedelta(minutes=5)
ARTICLE_EXCERPT: Final = 1500  # characters
"""How much of an article's text an approval mail shows."""
_MOST_PIXELS: Final = 640 * 640
_MOST_BYTES: Final = 200_000
"""Limits of a post's image in a mail."""


@dataclass(frozen=True)
class _Envelope:
    """A mail as the server gets it."""

    user_id: UUID
    sender: str
    to: str
    message: EmailMessage
    recipient: str
    """The address as the user entered it."""


@dataclass(frozen=True)
class _Draft:
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
            MAIL_FAILURES.labels(error.code).inc()
            logger.warning("mail %s refused: %s", mail_id, error.detail)
            return await self._settle(ready.user_id, mail_id, MailState.refused, error.code, address=ready.recipient)
        except Misconfigured as error:
            MAIL_FAILURES.labels(error.code).inc()
            logger.error("mail %s waits for SMTP_URL or MAIL_FROM to be mended: %s", mail_id, error.detail)
            await self._note(ready.user_id, mail_id, error.code)
            raise RetrySafe(error.code, detail=error.detail, retry_after=_MENDING) from error
        except Exception as error:
            MAIL_FAILURES.labels(ErrorCode.mail_unavailable).inc()
            logger.warning("mail %s not sent yet: %s", mail_id, getattr(error, "detail", "") or type(error).__name__)
            await self._note(ready.user_id, mail_id, ErrorCode.mail_unavailable)
            raise
        return await self._settle(ready.user_id, mail_id, MailState.sent, address=ready.recipient)

    async def _prepare(self, mail_id: UUID) -> _Envelope | MailState | None:
        """Return the mail, or its final state if it is not to be sent."""
        async with self.sessions() as session:
            mail = await MailRepository(session).find(mail_id)
            if mail is None or mail.state is not MailState.pending:
                return mail.state if mail else None
            reason: ErrorCode | None = None
            try:
                draft = await self._write(session, mail)
            except Refused as error:
                reason = error.code
        if reason is None:
            # no transaction stays open while the image is read
            try:
                return await self._add_content(draft)
            except ValueError as error:
                reason = _refuse_malformed(mail_id, error).code
        logger.info("mail %s is not sent: %s", mail_id, reason)
        return await self._settle(mail.user_id, mail_id, MailState.refused, reason)

    async def _add_content(self, draft: _Draft) -> _Envelope:
        """Return the mail with subject, texts and image. Raises ValueError if a header is malformed."""
        picture, shown = await self._read_picture(draft.files), None
        if picture:
            number = sum(file.media.kind is MediaKind.image for file in draft.files)
            caption = texts_in(draft.language).text("mail.frame.first_picture", n=number) if number > 1 else ""
            shown = Shown(one_line(draft.files[0].alt), caption)
        _fill(draft.envelope.message, draft.render(shown), picture)
        draft.envelope.message["Content-Language"] = draft.language
        return draft.envelope

    async def _read_picture(self, files: Sequence[PostFile]) -> bytes | None:
        """Return the first image, small enough for a mail; of a video, its cover or a frame, of a document, its first
        page. None also if it cannot be read: the mail is sent without it, since the linked page shows it."""
        if not files:
            return None
        try:
            return await self.media.read_fitting(files[0].cover or files[0].media, _MOST_PIXELS, _MOST_BYTES)
        except (DomainError, OSError) as error:
            logger.warning("picture %s is not in its mail: %s", files[0].media_id, type(error).__name__)
            return None

    async def _write(self, session: AsyncSession, mail: Mail) -> _Draft:
        """Write the mail. Raises Refused if it must not be sent, RetrySafe if its secret cannot be read."""
        now = utcnow()
        if now - mail.created_at > PATIENCE:
            raise Refused(ErrorCode(mail.error) if mail.error else ErrorCode.mail_unavailable)
        try:
            user = await UserRepository(session).get(mail.user_id)
        except NotFound:
            raise Refused(ErrorCode.not_found) from None
        _check_recipient(mail, user, now)
        secret = self._read_secret(mail)
        quotes: list[Quote] = []
        files: Sequence[PostFile] = ()
        if ABOUT[mail.kind] is MailAbout.approval and secret is not None:  # mails of older releases have no link
            quotes, files = await self._read_approval(session, mail, secret, now)
        until = await self._read_expiry(session, mail, secret, now) if mail.kind in REQUESTED else None
        language = language_of(mail.language)
        texts = texts_in(language)
        facts = facts_of(MailContext(mail, user, texts, secret, until), urlsplit(self.public_url).netloc)
        is_overview = mail.kind is MailKind.daily_overview
        lines = overview_lines(mail, self.public_url, texts) if is_overview else []
        name, address = parseaddr(self.sender)
        try:
            sender, to = _ascii_domain(address), _ascii_domain(mail.to_email)
            message = _message(mail, Address(name, *_parts(sender)), Address("", *_parts(to)))
        except ValueError as error:
            raise _refuse_malformed(mail.id, error) from None
        article = bool(mail.params.get("article"))
        envelope = _Envelope(mail.user_id, sender, to, message, mail.to_email)
        kind, path = mail.kind, path_of(mail, secret, self.vault)
        link = f"{self.public_url}{path}" if path else None
        return _Draft(
            envelope,
            language,
            lambda shown: letter(kind, language, facts, link, quotes, lines, article=article, picture=shown),
            files,
        )

    def _read_secret(self, mail: Mail) -> str | None:
        if mail.secret_encrypted is None:
            return None
        try:
            return self.vault.decrypt(mail.secret_encrypted)
        except ValueError:
            logger.error("mail %s waits for the SECRET_KEY that it was written with", mail.id)
            raise RetrySafe(ErrorCode.mail_misconfigured, retry_after=_MENDING) from None

    async def _read_expiry(self, session: AsyncSession, mail: Mail, secret: str | None, now: datetime) -> datetime:
        """Return when the mail's link or code expires. Raises Refused if it cannot be used any more."""
        mails, until = MailRepository(session), None
        if secret is not None and mail.kind is MailKind.invitation:
            until = await mails.invitation_until(mail.user_id, self.vault.keyed_hash(normal_code(secret)), now)
        elif secret is not None:
            until = await mails.link_until(mail.user_id, token_hash(secret), now)
        if until is None:
            raise Refused(ErrorCode.link_invalid)
        return until

    async def _read_approval(
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

    async def _note(self, user_id: UUID, mail_id: UUID, error: ErrorCode) -> None:
        async with self.sessions.begin() as session:
            await MailRepository(session).note(user_id, mail_id, error)

    async def _settle(
        self, user_id: UUID, mail_id: UUID, state: MailState, error: ErrorCode | None = None, address: str | None = None
    ) -> MailState:
        """`address`: the recipient's, if the server was asked."""
        sent_at = utcnow() if state is MailState.sent else None
        async with self.sessions.begin() as session:
            await MailRepository(session).settle(user_id, mail_id, state, error=error, sent_at=sent_at)
            if address and error is ErrorCode.mail_address_refused:
                await NotifyingService(session).mark_email_refused(user_id, address, str(mail_id))
            elif address and state is MailState.sent:
                await NotifyingService(session).clear_email_refused(user_id, address)
        return state


def _check_recipient(mail: Mail, user: User, now: datetime) -> None:
    """Raise Refused if the user gets no mails, or could not answer this one any more."""
    if user.deletion_requested_at or user.disabled_at:
        raise Refused(ErrorCode.account_disabled)
    if user.email_refused_at and mail.to_email == user.email and mail.kind not in REQUESTED:
        # requested mails are tried: they show whether the refusal ended
        raise Refused(ErrorCode.mail_address_refused)
    if ABOUT[mail.kind] is MailAbout.approval and datetime.fromisoformat(str(mail.params["deadline"])) <= now:
        raise Refused(ErrorCode.approval_expired)


def _message(mail: Mail, sender: Address, to: Address) -> EmailMessage:
    """Return a message with the same headers at every try. Raises ValueError if one is malformed."""
    message = new_message()
    message["From"], message["To"] = sender, to
    message["Date"] = mail.created_at
    message["Message-ID"] = f"<{mail.id}@{sender.domain}>"
    message["Auto-Submitted"] = "auto-generated"
    return message


def _refuse_malformed(mail_id: UUID, error: ValueError) -> Refused:
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
    name = one_line(delivery.account.called)
    return name if delivery.channel.is_site else f"{name} · {channel(delivery.channel).label}"


def _shown_text(post: Post) -> str:
    """Return the text; for an article its title, summary and the start of its text."""
    if post.article is None:
        return post.content
    fields = ArticleFields.from_json(post.article)
    parts = (fields.title, fields.summary, cut_text(plain(post.content), ARTICLE_EXCERPT))
    return "\n\n".join(part for part in parts if part)
