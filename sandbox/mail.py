"""An SMTP server that accepts and shows all mails and forwards none."""

import asyncio
import re
import time
from base64 import b64encode
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from functools import partial
from typing import Any, ClassVar

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from sandbox.cards import linked
from sandbox.faults import Faults, Target
from sandbox.pages import iso, missing_page, moment, page
from sandbox.state import Row, State
from sandbox.texts import Text

MAX_BYTES = 32 * 1024 * 1024
MAX_MAILS = 2_000


@dataclass(frozen=True)
class Mail(Row):
    """The envelope of a mail; the message is the file `mails/<id>.eml`."""

    table: ClassVar[str] = "mails"
    id: int
    sender: str
    recipients: list[str]
    subject: str
    message_id: str
    received_at: float

    @property
    def key(self) -> str:
        return str(self.id)

    @property
    def file(self) -> str:
        return f"mails/{self.id}.eml"


def store(state: State, raw: bytes, envelope: Envelope) -> Mail:
    """Store a mail; beyond 2,000 delete the oldest."""
    mails, message = state.table(Mail), _parse(raw)
    mail = Mail(
        max((one.id for one in mails.values()), default=0) + 1,
        envelope.mail_from or "",
        list(envelope.rcpt_tos),
        _one_line(message.get("Subject", "")),
        _one_line(message.get("Message-ID", "")),
        time.time(),
    )
    state.path(mail).write_bytes(raw)
    state.save(mail)
    if len(mails) > MAX_MAILS:
        state.delete(next(iter(mails.values())))
    return mail


class Inbox:
    """aiosmtpd's handler: stores a mail, or refuses it if a fault is pending."""

    def __init__(self, state: State, faults: Faults) -> None:
        self.state, self.faults = state, faults

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        fault = self.faults.take([Target.mail])
        if fault is not None:
            return f"{fault.status} {_one_line(fault.message or 'Sandbox fault')}"
        mail = store(self.state, envelope.original_content or b"", envelope)
        return f"250 Stored as {mail.id}"


async def serve_smtp(host: str, port: int, state: State, faults: Faults) -> asyncio.Server:
    """Listen for mail; any login is accepted, none is needed. Raise OSError if the port is taken."""
    loop = asyncio.get_running_loop()
    protocol = partial(
        SMTP,
        Inbox(state, faults),
        hostname="sandbox.local",
        ident="Sandbox",
        data_size_limit=MAX_BYTES,
        enable_SMTPUTF8=True,
        auth_require_tls=False,
        authenticator=lambda *_: AuthResult(success=True),
        loop=loop,
    )
    return await loop.create_server(protocol, host, port)


def _parse(raw: bytes) -> EmailMessage:
    return message_from_bytes(raw, policy=default)


def _one_line(value: object) -> str:
    return re.sub(r"\s+", " ", str(value)).strip()


def _part(message: EmailMessage, kind: str) -> str:
    part = message.get_body(preferencelist=(kind,))
    return str(part.get_content()) if part is not None else ""


def _as_json(mail: Mail, state: State) -> dict[str, Any]:
    message = _parse(state.path(mail).read_bytes())
    return {
        "id": mail.id,
        "from": _one_line(message.get("From", mail.sender)),
        "to": mail.recipients,
        "subject": mail.subject,
        "message_id": mail.message_id,
        "received_at": iso(mail.received_at),
        "text": _part(message, "plain"),
        "html": _part(message, "html"),
        "headers": {name: _one_line(value) for name, value in message.items()},
        "attachments": [part.get_filename() for part in message.iter_attachments()],
    }


def routes(state: State) -> APIRouter:
    router = APIRouter()

    @router.get("/sandbox/mails")
    async def mails(to: str | None = None, limit: int = 100) -> Response:
        """The mails with their text, newest first."""
        found = [mail for mail in reversed(state.table(Mail).values()) if to is None or to in mail.recipients]
        return JSONResponse([_as_json(mail, state) for mail in found[:limit]])

    @router.get("/outbox")
    async def outbox(request: Request) -> Response:
        text = Text.of(request)
        rows = "".join(
            f'<li><a href="/outbox/{mail.id}">{text.escape(mail.subject) or text("no_subject")}</a><br>'
            f"<span>{text('to')} {text.escape(', '.join(mail.recipients))} · "
            f"{moment(mail.received_at)}</span></li>"
            for mail in reversed(state.table(Mail).values())
        )
        listed = f'<ul class="rows">{rows}</ul>' if rows else f'<p class="card">{text("no_mails")}</p>'
        body = f"<h1>{text('outbox')}</h1><p>{text('outbox_intro')}</p>{listed}"
        return HTMLResponse(page(text, text("outbox"), body, live=True))

    @router.get("/outbox/{mail_id}")
    async def show_mail(request: Request, mail_id: int) -> Response:
        text = Text.of(request)
        mail = state.table(Mail).get(str(mail_id))
        if mail is None:
            return missing_page(text)
        message = _parse(state.path(mail).read_bytes())
        return HTMLResponse(_mail_page(text, mail, _as_json(mail, state), _inline_pictures(message)))

    return router


def _inline_pictures(message: EmailMessage) -> dict[str, str]:
    """Return the mail's pictures as data URLs by content id."""
    return {
        part["Content-ID"].strip("<> "): _data_url(part)
        for part in message.walk()
        if part.get_content_maintype() == "image" and part["Content-ID"]
    }


def _data_url(part: EmailMessage) -> str:
    return f"data:{part.get_content_type()};base64,{b64encode(part.get_content()).decode()}"


def _mail_page(text: Text, mail: Mail, fields: dict[str, Any], pictures: dict[str, str]) -> str:
    subject = text.escape(mail.subject) or text("no_subject")
    plain = f'<p class="text">{linked(fields["text"])}</p>' if fields["text"] else ""
    # the sandboxed frame can neither run scripts nor access this page; its links open in a new tab
    html = re.sub(r"cid:([^\"'\s>]+)", lambda found: pictures.get(found[1], found[0]), fields["html"])
    source = text.escape('<base target="_blank">' + html)
    framed = (
        f'<h2>{text("html")}</h2><iframe sandbox="allow-popups allow-popups-to-escape-sandbox" '
        f'title="{text("html")}" srcdoc="{source}"></iframe>'
        if fields["html"]
        else ""
    )
    body = f"""<h1>{subject}</h1><div class="card"><dl>
<dt>{text("from")}</dt><dd>{text.escape(fields["from"])}</dd>
<dt>{text("to")}</dt><dd>{text.escape(", ".join(mail.recipients))} · {moment(mail.received_at)}</dd></dl>
{plain}{framed}</div><a href="/outbox">{text("back")}</a>"""
    return page(text, subject, body)
