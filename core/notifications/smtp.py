"""Sending mails by SMTP: one connection per mail."""

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
from core.setting_types import is_local_host

ANSWER: Final = timedelta(seconds=20)
"""Time limit of one command."""
WHOLE: Final = timedelta(seconds=60)
"""Time limit of a whole mail."""

# 530: login required; 534, 535, 538: login refused
_LOGIN: Final = frozenset({530, 534, 535, 538})
# the server objects to the sender or to relaying, not to the recipient's address
_POLICY: Final = re.compile(r"\s*5\.7\.\d|.*\brelay", re.IGNORECASE | re.DOTALL)
_ENHANCED: Final = re.compile(r"\s*([245]\.\d{1,3}\.\d{1,3})\b")


class _Headers(EmailPolicy):
    """Headers whose subjects are encoded as written, and never parsed. Python would decode what looks like an encoded
    word (RFC 2047) in somebody's name, line breaks included, and 3.11 loses the space where a long subject is cut
    between two encoded words (https://github.com/python/cpython/issues/92081)."""

    def header_store_parse(self, name: str, value: Any) -> tuple[str, Any]:
        if name != "Subject":
            return super().header_store_parse(name, value)
        if value != "".join(value.splitlines()):
            raise ValueError("the subject must be one line")
        return name, value

    def header_fetch_parse(self, name: str, value: Any) -> Any:
        return value if name == "Subject" else super().header_fetch_parse(name, value)

    def fold_binary(self, name: str, value: Any) -> bytes:
        if name != "Subject":
            return super().fold_binary(name, value)
        # encode what looks like an encoded word, or mail programs would decode it
        charset = "utf-8" if _LOOKS_ENCODED in value else None
        folded = Header(value, charset, header_name=name).encode(linesep=self.linesep)
        return f"{name}: {folded}{self.linesep}".encode("ascii")


_LOOKS_ENCODED: Final = "=?"
_ASCII: Final = _Headers(linesep="\r\n", max_line_length=78)
_UTF8: Final = _ASCII.clone(utf8=True)


def new_message() -> EmailMessage:
    """Return a message whose subject stays as written."""
    return EmailMessage(policy=_Headers())


@dataclass(frozen=True)
class Mailer:
    host: str
    port: int | None
    """None: the default, 465 with TLS from the start, else 25."""
    tls: bool
    """TLS from the first byte; else STARTTLS."""
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    plain: bool = False
    """Without TLS: a relay in the operator's own network."""

    async def send(self, sender: str, to: str, message: EmailMessage) -> None:
        """Send the message; `sender` and `to` are bare addresses.

        Raises RetrySafe if the server cannot have taken it, Ambiguous if the answer to the whole mail was lost, Refused
        if the server never takes this mail (mail_address_refused: or any other to its address), Misconfigured if it
        takes no mail until somebody acts.
        """
        if any(parseaddr(address)[1] != address for address in (sender, to)):
            raise Refused(ErrorCode.mail_refused, detail="not a valid address")
        # non-ASCII before the @ needs a server with SMTPUTF8
        utf8 = not (sender + to).isascii()
        domain = sender.rpartition("@")[2]
        try:
            content = message.as_bytes(policy=_UTF8 if utf8 else _ASCII)
        except (ValueError, LookupError, MessageError) as error:  # a retry would not help
            raise Refused(ErrorCode.mail_refused, detail=f"headers: {type(error).__name__}") from None
        server = self._open_server(domain)
        handed_over = False
        try:
            async with asyncio.timeout(WHOLE.total_seconds()):
                await server.connect()
                if utf8 and not server.supports_extension("smtputf8"):
                    raise Refused(ErrorCode.mail_refused, detail="the server does not support SMTPUTF8")
                encoding = "utf-8" if utf8 else "ascii"
                await server.mail(sender, options=["SMTPUTF8"] if utf8 else [], encoding=encoding)
                await server.rcpt(to, encoding=encoding)
                handed_over = True
                await server.data(content)
        except (aiosmtplib.SMTPException, TimeoutError, OSError, ValueError) as error:
            raise _outcome(error, handed_over=handed_over) from None  # its text may contain addresses
        finally:
            with suppress(aiosmtplib.SMTPException, TimeoutError, OSError):
                if handed_over and server.is_connected:
                    await server.quit(timeout=2)
            server.close()

    async def check(self, sender: str) -> None:
        """Connect and sign in as for a mail, without sending one. Raises RetrySafe or Misconfigured as `send`."""
        server = self._open_server(sender.rpartition("@")[2])
        try:
            async with asyncio.timeout(WHOLE.total_seconds()):
                await server.connect()
                await server.quit()
        except (aiosmtplib.SMTPException, TimeoutError, OSError, ValueError) as error:
            raise _outcome(error, handed_over=False) from None
        finally:
            server.close()

    def _open_server(self, domain: str) -> aiosmtplib.SMTP:
        """Return a connection that is not yet made. `domain`: of the sender."""
        return aiosmtplib.SMTP(
            hostname=self.host,
            port=self.port,
            username=self.username,
            password=self.password,
            use_tls=self.tls,
            start_tls=self._start_tls(),
            validate_certs=not is_local_host(self.host),
            # looking up the machine's own name may take long
            local_hostname=domain if domain.isascii() else "localhost",
            timeout=ANSWER.total_seconds(),
        )

    def _start_tls(self) -> bool | None:
        """Return whether STARTTLS is required; None: if the server offers it. Mails hold links that open accounts:
        beyond this machine TLS is required, since an attacker in between could remove the offer."""
        if self.tls or self.plain:
            return False
        return None if is_local_host(self.host) else True


def open_mailer(smtp_url: str | None) -> Mailer | None:
    """Return None if no mail server is configured. No connection is opened before a mail is sent."""
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
            # it takes none of our mails: wrong login, sender or server
            return Misconfigured(ErrorCode.mail_misconfigured, detail=detail)
        if isinstance(error, aiosmtplib.SMTPRecipientRefused) and not _POLICY.match(error.message):
            return Refused(ErrorCode.mail_address_refused, detail=detail)
        return Refused(ErrorCode.mail_refused, detail=detail)
    if isinstance(error, ValueError):
        return Refused(ErrorCode.mail_refused, detail=detail)  # not a valid address
    if type(error) is aiosmtplib.SMTPException:
        return Misconfigured(ErrorCode.mail_misconfigured, detail=detail)  # the server offers no login
    if handed_over:
        return Ambiguous(ErrorCode.mail_unavailable, detail=detail)
    return RetrySafe(ErrorCode.mail_unavailable, detail=detail)


def _detail(error: Exception) -> str:
    """Return the kind of failure and its codes; not the server's text, which may contain addresses."""
    if not isinstance(error, aiosmtplib.SMTPResponseException):
        return type(error.__cause__ or error).__name__
    enhanced = _ENHANCED.match(error.message)
    return f"{type(error).__name__} {error.code}{' ' + enhanced[1] if enhanced else ''}"
