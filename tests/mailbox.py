"""A real mail server whose answers a test sets."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from functools import partial
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session


@dataclass(frozen=True)
class Received:
    sender: str
    recipients: list[str]
    message: EmailMessage
    raw: bytes
    encrypted: bool
    login: str | None

    def part(self, kind: str) -> str:
        body = self.message.get_body((kind,))
        assert body is not None
        return str(body.get_content())


@dataclass
class MailServer:
    """An SMTP server. It gives `answers` in order, one per mail, and accepts all mails after them. For the next `mute`
    mails it closes the connection instead of answering, once it has the mail."""

    port: int = 0
    mails: list[Received] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    to_sender: str | None = None
    to_recipient: str | None = None
    mute: int = 0
    _listening: asyncio.Server | None = None

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    async def start(self, *, tls: ssl.SSLContext | None = None, **options: Any) -> None:
        """Listen, after a stop on the same port. `tls`: TLS from the first byte."""
        make: Callable[[], asyncio.Protocol] = partial(
            SMTP, self, hostname="mail.test", loop=asyncio.get_running_loop(), **options
        )
        self._listening = await asyncio.get_running_loop().create_server(make, "127.0.0.1", self.port, ssl=tls)
        self.port = self._listening.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        if self._listening:
            self._listening.close()
            self._listening = None

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        envelope.mail_from, envelope.mail_options = address, options
        return self.to_sender or "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.to_recipient:
            return self.to_recipient
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        answer = self.answers.pop(0) if self.answers else "250 OK"
        if answer.startswith("250"):
            raw = envelope.original_content or b""
            login = session.auth_data
            self.mails.append(
                Received(
                    envelope.mail_from or "",
                    list(envelope.rcpt_tos),
                    message_from_bytes(raw, policy=default),
                    raw,
                    session.ssl is not None,
                    login.login.decode() if isinstance(login, LoginPassword) else None,
                )
            )
        if self.mute:
            self.mute -= 1
            assert isinstance(server.transport, asyncio.Transport)
            server.transport.abort()
        return answer


def only(user: str, password: str) -> Callable[..., AuthResult]:
    """Return an `authenticator` that accepts only this login."""

    def check(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: LoginPassword) -> AuthResult:
        right = (data.login, data.password) == (user.encode(), password.encode())
        # handled=False: the server itself answers 535
        return AuthResult(success=right, handled=False, auth_data=data if right else None)

    return check


@asynccontextmanager
async def mail_server(**options: Any) -> AsyncIterator[MailServer]:
    server = MailServer()
    await server.start(**options)
    try:
        yield server
    finally:
        await server.stop()


def context_for(certificate: str, key: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context
