"""A mail server, spoken to over SMTP: one connection for each mail."""

import asyncio
import re
import ssl
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from email.errors import MessageError
from email.header import Header
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import parseaddr
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import aiosmtplib

from core.errors import Ambiguous, ErrorCode, Misconfigured, ProviderError, Refused, RetrySafe
from core.settings import is_here

ANSWER: Final = timedelta(seconds=20)
"""How long the server may take over one command."""
WHOLE: Final = timedelta(seconds=60)
"""How long a mail may take altogether."""

# 530: wants a login; 534, 535, 538: this one will not do
_LOGIN: Final = frozenset({530, 534, 535, 538})
# what the server minds is who sends, or that it is to pass something on: no word about the address
_POLICY: Final = re.compile(r"\s*5\.7\.\d|.*\brelay", re.IGNORECASE | re.DOTALL)
_ENHANCED: Final = re.compile(r"\s*([245]\.\d{1,3}\.\d{1,3})\b")


class _Headers(EmailPolicy):
    """With subjects as they were written: encoded, and never parsed. Python would decode what looks like an encoded
    word (RFC 2047) in somebody's name, line breaks included, and 3.11 loses the space where a long subject is cut
    between two encoded words (https://github.com/python/cpython/issues/92081)."""

    def header_store_parse(self, name: str, value: Any) -> tuple[str, Any]:
        if name != "Subject":
            return super().header_store_parse(name, value)
        if value != "".join(value.splitlines()):
            raise ValueError("a subject is one line")
        return name, value

    def header_fetch_parse(self, name: str, value: Any) -> Any:
        return value if name == "Subject" else super().header_fetch_parse(name, value)

    def fold_binary(self, name: str, value: Any) -> bytes:
        if name != "Subject":
            return super().fold_binary(name, value)
        # what looks like an encoded word is encoded itself, or whoever reads it would decode it
        charset = "utf-8" if _LOOKS_ENCODED in value else None
        folded = Header(value, charset, header_name=name).encode(linesep=self.linesep)
        return f"{name}: {folded}{self.linesep}".encode("ascii")


_LOOKS_ENCODED: Final = "=?"
_ASCII: Final = _Headers(linesep="\r\n", max_line_length=78)
_UTF8: Final = _ASCII.clone(utf8=True)


def new_message() -> EmailMessage:
    """Whose subject stays as it is written."""
    return EmailMessage(policy=_Headers())


@dataclass(frozen=True)
class Mailer:
    host: str
    port: int | None
    """None: the usual one, 465 with TLS from the start, else 25."""
    tls: bool
    """From the first byte; else by STARTTLS."""
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    plain: bool = False
    """Without TLS: a relay in a network of one's own."""

    async def send(self, sender: str, to: str, message: EmailMessage) -> None:
        """Hand it over to the server; `sender` and `to` are bare addresses.

        Raises RetrySafe where nothing can have been taken, Ambiguous where the answer to the whole mail was lost,
        Refused where this mail will never be taken (mail_address_refused: nor any other to its address), Misconfigured
        where no mail will be until somebody acts.
        """
        if any(parseaddr(address)[1] != address for address in (sender, to)):
            raise Refused(ErrorCode.mail_refused, detail="not an address")
        # an address with letters beyond ASCII before its @ needs a server that knows such
        utf8 = not (sender + to).isascii()
        domain = sender.rpartition("@")[2]
        try:
            content = message.as_bytes(policy=_UTF8 if utf8 else _ASCII)
        except (ValueError, LookupError, MessageError) as error:  # no other try would make it another one
            raise Refused(ErrorCode.mail_refused, detail=f"headers: {type(error).__name__}") from None
        server = aiosmtplib.SMTP(
            hostname=self.host,
            port=self.port,
            username=self.username,
            password=self.password,
            use_tls=self.tls,
            start_tls=self._start_tls(),
            validate_certs=not is_here(self.host),
            # the machine's own name would be looked up, which takes as long as it takes
            local_hostname=domain if domain.isascii() else "localhost",
            timeout=ANSWER.total_seconds(),
        )
        handed_over = False
        try:
            async with asyncio.timeout(WHOLE.total_seconds()):
                await server.connect()
                if utf8 and not server.supports_extension("smtputf8"):
                    raise Refused(ErrorCode.mail_refused, detail="SMTPUTF8 is not offered")
                encoding = "utf-8" if utf8 else "ascii"
                await server.mail(sender, options=["SMTPUTF8"] if utf8 else [], encoding=encoding)
                await server.rcpt(to, encoding=encoding)
                handed_over = True
                await server.data(content)
        except (aiosmtplib.SMTPException, TimeoutError, OSError, ValueError) as error:
            raise _outcome(error, handed_over=handed_over) from None  # its text quotes addresses
        finally:
            with suppress(aiosmtplib.SMTPException, TimeoutError, OSError):
                if handed_over and server.is_connected:
                    await server.quit(timeout=2)
            server.close()

    def _start_tls(self) -> bool | None:
        """None: where the server offers it. Mails hold links that open accounts: beyond this machine they go out
        encrypted, or not at all, since whoever sits in between could take the offer away."""
        if self.tls or self.plain:
            return False
        return None if is_here(self.host) else True


def open_mailer(smtp_url: str | None) -> Mailer | None:
    """None where no mail server is set. No connection is opened before a mail is sent."""
    if smtp_url is None:
        return None
    parts = urlsplit(smtp_url)
    return Mailer(
        host=parts.hostname or "",
        port=parts.port,
        tls=parts.scheme == "smtps",
        plain=parts.scheme == "smtp+plain",
        username=unquote(parts.username) if parts.username else None,
        password=unquote(parts.password) if parts.password else None,
    )


def _outcome(error: Exception, *, handed_over: bool) -> ProviderError:
    detail = _detail(error)
    if isinstance(error, ssl.SSLError) or isinstance(error.__cause__, ssl.SSLError):
        return Misconfigured(ErrorCode.mail_misconfigured, detail=detail)
    if isinstance(error, aiosmtplib.SMTPResponseException) and 400 <= error.code < 600:
        if error.code < 500:
            return RetrySafe(ErrorCode.mail_unavailable, detail=detail)
        if error.code in _LOGIN or not isinstance(error, aiosmtplib.SMTPRecipientRefused | aiosmtplib.SMTPDataError):
            # it takes no mail of ours: wrong login, wrong sender, wrong server
            return Misconfigured(ErrorCode.mail_misconfigured, detail=detail)
        if isinstance(error, aiosmtplib.SMTPRecipientRefused) and not _POLICY.match(error.message):
            return Refused(ErrorCode.mail_address_refused, detail=detail)
        return Refused(ErrorCode.mail_refused, detail=detail)
    if isinstance(error, ValueError):
        return Refused(ErrorCode.mail_refused, detail=detail)  # an address that cannot be one
    if type(error) is aiosmtplib.SMTPException:
        return Misconfigured(ErrorCode.mail_misconfigured, detail=detail)  # a login where the server offers none
    if handed_over:
        return Ambiguous(ErrorCode.mail_unavailable, detail=detail)
    return RetrySafe(ErrorCode.mail_unavailable, detail=detail)


def _detail(error: Exception) -> str:
    """The kind of failure and its codes; never the server's sentence, which quotes addresses."""
    if not isinstance(error, aiosmtplib.SMTPResponseException):
        return type(error.__cause__ or error).__name__
    enhanced = _ENHANCED.match(error.message)
    return f"{type(error).__name__} {error.code}{' ' + enhanced[1] if enhanced else ''}"
