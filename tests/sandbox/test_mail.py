from email.message import EmailMessage

import aiosmtplib
import pytest

from sandbox.app import Sandbox
from tests.sandbox.conftest import App


def a_mail(subject: str = "Grüße") -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Postloom <no-reply@example.org>", "ada@example.org", subject
    mail["Message-ID"] = "<job-1@example.org>"
    mail.set_content("Sign in: http://127.0.0.1:8000/verify-email#token=abc.\n<b>plain</b>\n")
    mail.add_alternative("<p>Sign in</p><script>alert(1)</script>", subtype="html")
    return mail


async def send(sandbox: Sandbox, mail: EmailMessage) -> None:
    await aiosmtplib.send(mail, hostname="127.0.0.1", port=sandbox.smtp_port)


async def test_a_mail_appears_in_the_outbox(sandbox: Sandbox, app: App) -> None:
    await send(sandbox, a_mail())
    [mail] = (await app.http.get("/sandbox/mails", params={"to": "ada@example.org"})).json()
    assert (mail["subject"], mail["message_id"], mail["to"]) == (
        "Grüße",
        "<job-1@example.org>",
        ["ada@example.org"],
    )
    assert "token=abc." in mail["text"]
    assert "Grüße" in (await app.http.get("/outbox")).text
    page = (await app.http.get(f"/outbox/{mail['id']}")).text
    assert '<a href="http://127.0.0.1:8000/verify-email#token=abc"' in page
    assert "<b>plain" not in page
    assert "<script>alert" not in page


async def test_a_picture_that_the_mail_carries_is_shown(sandbox: Sandbox, app: App) -> None:
    mail = a_mail()
    html = mail.get_body(("html",))
    assert isinstance(html, EmailMessage)
    html.set_content('<img src="cid:mark@example.org">', subtype="html")
    html.add_related(b"\x89PNG not really", "image", "png", cid="<mark@example.org>")
    await send(sandbox, mail)
    [kept] = (await app.http.get("/sandbox/mails")).json()
    page = (await app.http.get(f"/outbox/{kept['id']}")).text
    assert "data:image/png;base64," in page
    assert "cid:" not in page


async def test_a_login_is_accepted_and_a_fault_refuses_the_mail(sandbox: Sandbox, app: App) -> None:
    await app.order_fault(on="mail", kind="status", status=451, message="try later")
    with pytest.raises(aiosmtplib.SMTPDataError) as refused:
        await send(sandbox, a_mail())
    assert (refused.value.code, refused.value.message) == (451, "try later")
    await aiosmtplib.send(
        a_mail(), hostname="127.0.0.1", port=sandbox.smtp_port, username="someone", password="anything"
    )
    assert len((await app.http.get("/sandbox/mails")).json()) == 1
