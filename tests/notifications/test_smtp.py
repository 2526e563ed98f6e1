"""What becomes of a mail that a real server takes, refuses, or loses its connection over."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from core.errors import Ambiguous, ErrorCode, Misconfigured, ProviderError, Refused, RetrySafe
from core.notifications import smtp as mail
from core.notifications.smtp import Mailer, new_message, open_mailer
from tests.mailbox import MailServer, context_for, mail_server, only

ADA = "ada@example.org"


def a_mail(subject: str = "Grüße") -> EmailMessage:
    message = new_message()
    message["From"], message["To"], message["Subject"] = "Postloom <post@example.org>", ADA, subject
    message["Message-ID"] = "<one@example.org>"
    message.set_content("Guten Tag\n.\n..hidden\n", cte="quoted-printable")
    return message


async def send(url: str, to: str = ADA, message: EmailMessage | None = None) -> None:
    mailer = open_mailer(url)
    assert mailer
    await mailer.send("post@example.org", to, message or a_mail())


@pytest.fixture
async def server() -> AsyncIterator[MailServer]:
    async with mail_server() as running:
        yield running


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> ssl.SSLContext:
    """A certificate that the server made for itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "mail.test")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    folder: Path = tmp_path_factory.mktemp("tls")
    (folder / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return context_for(str(folder / "certificate.pem"), str(folder / "key.pem"))


def test_the_address_of_a_server() -> None:
    assert open_mailer(None) is None
    assert open_mailer("smtp://mail.test") == Mailer("mail.test", None, tls=False)
    assert open_mailer("smtps://a%40b:p%2Fw@mail.test:4650") == Mailer("mail.test", 4650, True, "a@b", "p/w")
    assert "p/w" not in repr(open_mailer("smtps://a%40b:p%2Fw@mail.test:4650"))


async def test_a_mail_arrives_as_it_was_written(server: MailServer) -> None:
    await send(server.url)
    [received] = server.mails
    assert (received.sender, received.recipients) == ("post@example.org", [ADA])
    assert (received.encrypted, received.login) == (False, None)
    assert received.message["Message-ID"] == "<one@example.org>"
    assert received.message["Subject"] == "Grüße"
    assert received.message.get_content().splitlines() == ["Guten Tag", ".", "..hidden"]


async def test_a_subject_keeps_its_spaces_wherever_it_is_cut(server: MailServer) -> None:
    subjects = [
        f"{'Werkstatt-Wissen ' * times}für Lastenradgemeinschaften asks: Bremsbeläge selbst prüfen und {word} 🚲"
        for times in range(4)
        for word in ("wechseln", "über Nacht wechseln", "nach dem Winter wechseln lassen")
    ]
    for subject in subjects:
        await send(server.url, message=a_mail(subject))
    assert [received.message["Subject"] for received in server.mails] == subjects


async def test_it_is_encrypted_and_logged_in_where_the_server_offers_it(tls: ssl.SSLContext) -> None:
    options = {"tls_context": tls, "auth_require_tls": True, "authenticator": only("post@x", "p/w")}
    async with mail_server(**options) as server:
        await send(f"smtp://post%40x:p%2Fw@127.0.0.1:{server.port}")
        [received] = server.mails
        assert (received.encrypted, received.login) == (True, "post@x")


async def test_tls_from_the_first_byte(tls: ssl.SSLContext) -> None:
    server = MailServer()
    await server.start(tls=tls)
    try:
        await send(f"smtps://127.0.0.1:{server.port}")
        assert len(server.mails) == 1
    finally:
        await server.stop()


async def test_elsewhere_a_certificate_has_to_be_right(tls: ssl.SSLContext) -> None:
    async with mail_server(tls_context=tls) as server:
        with pytest.raises(Misconfigured) as failed:
            await send(f"smtp://127.1:{server.port}")  # another spelling, which the client does not know as here
        assert failed.value.code is ErrorCode.mail_misconfigured
        assert server.mails == []


async def test_an_address_beyond_ascii_needs_a_server_that_knows_such(server: MailServer) -> None:
    with pytest.raises(Refused):
        await send(server.url, "jörg@example.org")
    async with mail_server(enable_SMTPUTF8=True) as knowing:
        await send(knowing.url, "jörg@example.org")
        assert knowing.mails[0].recipients == ["jörg@example.org"]


@pytest.mark.parametrize("address", ["ada@example.org>\r\nDATA", "a b@example.org", "<ada>"])
async def test_what_cannot_be_an_address_reaches_no_server(server: MailServer, address: str) -> None:
    with pytest.raises(Refused):
        await send(server.url, address)
    assert server.mails == []


# what the server answers

ANSWERS: list[tuple[str, str, type[ProviderError], ErrorCode]] = [
    ("to_sender", "451 4.3.0 later", RetrySafe, ErrorCode.mail_unavailable),
    ("to_sender", "530 5.7.0 log in first", Misconfigured, ErrorCode.mail_misconfigured),
    ("to_sender", "553 5.7.1 not your address", Misconfigured, ErrorCode.mail_misconfigured),
    ("to_recipient", "450 4.2.1 greylisted", RetrySafe, ErrorCode.mail_unavailable),
    ("to_recipient", "550 5.1.1 <ada@example.org> unknown", Refused, ErrorCode.mail_address_refused),
    ("to_recipient", "550 no such user", Refused, ErrorCode.mail_address_refused),
    # of the sender, not of the address
    ("to_recipient", "554 5.7.1 blocked by a list", Refused, ErrorCode.mail_refused),
    ("to_recipient", "550 Relaying denied", Refused, ErrorCode.mail_refused),
    ("to_recipient", "421 closing", RetrySafe, ErrorCode.mail_unavailable),
    ("answers", "452 4.3.1 full", RetrySafe, ErrorCode.mail_unavailable),
    ("answers", "554 5.7.1 spam", Refused, ErrorCode.mail_refused),
]


@pytest.mark.parametrize(("at", "answer", "outcome", "code"), ANSWERS)
async def test_each_answer_has_its_outcome(
    server: MailServer, at: str, answer: str, outcome: type[ProviderError], code: ErrorCode
) -> None:
    setattr(server, at, [answer] if at == "answers" else answer)
    with pytest.raises(ProviderError) as failed:
        await send(server.url)
    assert (type(failed.value), failed.value.code) == (outcome, code)
    assert answer[:3] in failed.value.detail
    assert "ada" not in failed.value.detail  # logs know no addresses
    assert server.mails == []


@pytest.mark.parametrize("login", ["post:wrong@", "nobody:right@"])
async def test_a_wrong_login_is_the_operators(login: str) -> None:
    async with mail_server(auth_require_tls=False, authenticator=only("post", "right")) as server:
        with pytest.raises(Misconfigured) as failed:
            await send(f"smtp://{login}127.0.0.1:{server.port}")
    assert failed.value.code is ErrorCode.mail_misconfigured
    assert "535" in failed.value.detail
    assert "wrong" not in str(failed.value)


async def test_a_login_where_none_is_offered_is_the_operators(server: MailServer) -> None:
    with pytest.raises(Misconfigured):
        await send(f"smtp://post:secret@127.0.0.1:{server.port}")


async def test_a_password_goes_nowhere_in_plain_text() -> None:
    """Whoever sits in between takes the offer of STARTTLS away."""
    async with mail_server(auth_require_tls=False, authenticator=only("post", "right")) as server:
        with pytest.raises(Misconfigured) as failed:
            await send(f"smtp://post:right@127.1:{server.port}")  # not known as here
    assert failed.value.code is ErrorCode.mail_misconfigured
    assert server.mails == []


async def test_beyond_this_machine_no_mail_goes_out_in_plain_text_unless_told_to(server: MailServer) -> None:
    with pytest.raises(Misconfigured) as failed:
        await send(f"smtp://127.1:{server.port}")
    assert failed.value.code is ErrorCode.mail_misconfigured
    assert server.mails == []
    await send(f"smtp+plain://127.1:{server.port}")
    assert [received.encrypted for received in server.mails] == [False]


async def test_a_server_that_is_away_had_no_effect(server: MailServer) -> None:
    await server.stop()
    with pytest.raises(RetrySafe) as failed:
        await send(server.url)
    assert failed.value.code is ErrorCode.mail_unavailable


async def test_a_connection_lost_after_the_mail_leaves_it_open(server: MailServer) -> None:
    server.mute = 1
    with pytest.raises(Ambiguous) as failed:
        await send(server.url)
    assert failed.value.code is ErrorCode.mail_unavailable
    await send(server.url)
    assert [received.message["Message-ID"] for received in server.mails] == ["<one@example.org>"] * 2


async def test_a_silent_server_is_not_waited_for_without_end(
    nowhere_to_go: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail, "ANSWER", timedelta(seconds=0.3))
    with pytest.raises(RetrySafe):
        await send(nowhere_to_go)


@pytest.fixture
async def nowhere_to_go() -> AsyncIterator[str]:
    """A server that takes connections and never says a word."""

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    listening = await asyncio.start_server(silent, "127.0.0.1", 0)
    yield f"smtp://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    listening.close()
