"""Every kind of mail in both languages, as it arrives."""

import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import pytest
from sqlalchemy import select, update

from core.billing.rules import Interval, Price, price_to_json
from core.clock import utcnow
from core.container import Services
from core.crypto import new_code, new_token, shown_code, token_hash
from core.database import Sessions
from core.errors import ErrorCode, RetrySafe
from core.i18n import texts_in
from core.ids import new_id
from core.notifications import mailing
from core.notifications.mailing import PATIENCE, MailingService
from core.notifications.mails.letters import letter
from core.notifications.mails.traits import ABOUT, FOOTERS, WITH_ARTICLE_TEXT
from core.notifications.repositories.mails import MailRepository
from core.notifications.rules import MailKind, NotificationKind
from core.notifications.smtp import open_mailer
from core.notifications.tables.mails import Mail, MailState
from core.notifications.tables.notifications import Notification
from core.users.invitations import invitation_proof
from core.users.tables.users import Invitation, LinkPurpose, MailLink, User
from tests.factories import Factory
from tests.mailbox import MailServer, Received, mail_server

PURPOSES = {
    MailKind.verify_email: LinkPurpose.verify_email,
    MailKind.change_email: LinkPurpose.verify_email,
    MailKind.reset_password: LinkPurpose.reset_password,
}
URL = "https://posts.example.org"
TO = "ada+posts@example.org"


@dataclass(frozen=True)
class Post:
    """Writes mails as the services do, and reads them where they arrive."""

    sessions: Sessions
    make: Factory
    user: User
    server: MailServer
    service: MailingService

    async def write(
        self,
        kind: MailKind,
        language: str = "en",
        *,
        expires_in: timedelta = timedelta(hours=1),
        created_at: datetime | None = None,
        to: str = TO,
        inviter: str = "Mara Lind",
    ) -> tuple[UUID, str]:
        """The mail's id, and the token or code that it carries."""
        secret = new_code() if kind is MailKind.invitation else new_token() if kind in PURPOSES else ""
        expires_at = utcnow() + expires_in
        vault = self.make.vault
        mail = Mail(
            id=new_id(),
            user_id=self.user.id,
            kind=kind,
            to_email=to,
            language=language,
            params=_params(kind, inviter),
            secret_encrypted=vault.encrypt(secret) if secret else None,
            created_at=created_at or utcnow(),
        )
        async with self.sessions.begin() as session:
            if kind is MailKind.invitation:
                code = {"code_hash": vault.keyed_hash(secret), "code_encrypted": vault.encrypt(secret)}
                session.add(Invitation(user_id=self.user.id, email=to, expires_at=expires_at, **code))
            elif secret:
                session.add(
                    MailLink(
                        user_id=self.user.id,
                        purpose=PURPOSES[kind],
                        token_hash=token_hash(secret),
                        email=to,
                        expires_at=expires_at,
                    )
                )
            await MailRepository(session).add(mail)
        return mail.id, secret

    async def sent(self, kind: MailKind, language: str = "en", **options: Any) -> tuple[Received, str]:
        mail_id, secret = await self.write(kind, language, **options)
        assert await self.service.send(mail_id) is MailState.sent
        return self.server.mails[-1], secret

    async def row(self, mail_id: UUID) -> Mail:
        async with self.sessions() as session:
            found = await MailRepository(session).find(mail_id)
        assert found is not None
        return found

    async def change(self, change: Any) -> None:
        async with self.sessions.begin() as session:
            await session.execute(change)


PAUSED = {"assistant_id": str(new_id()), "assistant": "Commuter tips", "reason": "delivery_needs_reconnect"}


def _params(kind: MailKind, inviter: str) -> dict[str, Any]:
    if kind is MailKind.invitation:
        return {"inviter": inviter}
    if kind in ABOUT_ASSISTANTS:
        return PAUSED
    if kind in ABOUT_APPROVALS:
        return APPROVAL
    if kind in ABOUT_ACCOUNTS:
        return ACCOUNT | {"expires_at": "2031-03-04T07:05:00+00:00"}
    if kind in ABOUT_POSTS or kind in ABOUT_ARTICLES:
        return POST
    if kind is MailKind.run_failed:
        return RUN
    if kind is MailKind.daily_overview:
        return OVERVIEW
    if kind in ABOUT_SUBSCRIPTIONS:
        return SUBSCRIPTION
    return BUDGET if kind in ABOUT_BUDGETS else {}


ABOUT_ASSISTANTS = (MailKind.assistant_paused_itself, MailKind.planning_failed)
ABOUT_POSTS = (
    MailKind.post_failed,
    MailKind.removal_failed,
    MailKind.comment_failed,
    MailKind.announcement_ready,
    MailKind.announcement_failed,
    MailKind.post_unknown,
)
ABOUT_ARTICLES = (MailKind.update_failed, MailKind.takedown_failed)
POST: dict[str, Any] = {"post_id": str(new_id()), "topic": "Rain without drama", "networks": ["LinkedIn"]}
RUN = {"assistant_id": str(new_id()), "assistant": "Commuter tips", "slot": "2031-03-04T08:00:00+00:00"}
OVERVIEW: dict[str, Any] = {"day": "2031-03-04", "counts": {"approval_needed": 2, "post_unknown": 1}}
ABOUT_BUDGETS = (MailKind.budget_reached, MailKind.budget_unpriced)
BUDGET: dict[str, Any] = {
    "assistant_id": str(new_id()),
    "assistant": "Commuter tips",
    "unit": "money",
    "amount": 12_500_000,
    "next_month": "2026-11-30T23:00:00+00:00",
    "time_zone": "Europe/Berlin",
}
ABOUT_SUBSCRIPTIONS = (
    MailKind.trial_ending,
    MailKind.payment_failed,
    MailKind.subscription_ended,
    MailKind.allowance_reached,
)
PRICE = Price("price_1", 129_000, "EUR", Interval.month, 1, "Postloom", livemode=True)
SUBSCRIPTION: dict[str, Any] = {
    "until": "2031-03-04T07:05:00+00:00",
    "paused": 2,
    "limit": "published_posts",
    "allowed": 10,
    "subscribed": False,
    "next_month": "2026-11-30T23:00:00+00:00",
    "time_zone": "Europe/Berlin",
}
ABOUT_ACCOUNTS = (MailKind.account_expires, MailKind.account_reconnect)
ACCOUNT = {"account": "Mara Lind", "network": "LinkedIn"}


ABOUT_APPROVALS = (MailKind.approval_needed, MailKind.approval_reminder)
APPROVAL: dict[str, Any] = {
    "post_id": str(new_id()),
    "assistant": "Commuter tips",
    "topic": "Rain without drama",
    "planned_at": "2031-03-04T08:00:00+00:00",
    "deadline": "2031-03-04T07:58:30+00:00",
    "at_deadline": "hold",
}


@pytest.fixture
async def post(sessions: Sessions, make: Factory, user: User, services: Services) -> AsyncIterator[Post]:
    async with mail_server() as server:
        sender = "Postloom <post@example.org>"
        service = MailingService(sessions, make.vault, open_mailer(server.url), sender, URL, services.media)
        yield Post(sessions, make, user, server, service)


def links(received: Received) -> set[str]:
    """All addresses of the HTML part that lead anywhere."""
    return {unescape(found) for found in re.findall(r'(?:href|src)="([^"]+)"', received.part("html"))}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("kind", MailKind)
async def test_every_kind_says_in_both_parts_and_languages_what_it_has_to(
    post: Post, kind: MailKind, language: str
) -> None:
    received, secret = await post.sent(kind, language)
    text, html = received.part("plain"), received.part("html")
    assert (received.sender, received.recipients) == ("post@example.org", [TO])
    assert received.message["From"] == "Postloom <post@example.org>"
    assert received.message["To"] == TO
    assert received.message["Auto-Submitted"] == "auto-generated"
    assert received.message["Content-Language"] == language
    assert f'<html lang="{language}">' in html

    texts = texts_in(language)
    reason = texts.text(f"mail.reason.{ErrorCode.delivery_needs_reconnect}")
    facts = {
        "inviter": "Mara Lind",
        "assistant": BUDGET["assistant"],
        "topic": APPROVAL["topic"],
        "reason": reason,
        "count": "3 Neuigkeiten" if language == "de" else "3 things are new",
        "day": "Dienstag, 4. März 2031" if language == "de" else "Tuesday, 4 March 2031",
        "allowance": (
            "10 veröffentlichte Beiträge und Artikel" if language == "de" else "10 published posts and articles"
        ),
        "waits": "Ein Beitrag" if language == "de" else "A post",
        "state": "Nicht veröffentlicht" if language == "de" else "Not published",
        **ACCOUNT,
    }
    title = texts.text(f"mail.{kind}.title", **facts)
    assert text.startswith(title)
    assert f">{title}</h1>" in html
    assert received.message["Subject"] == texts.text(f"mail.{kind}.subject", **facts)
    assert "posts.example.org" in text
    assert TO in text
    assert TO in html
    assert "{" not in text
    for one in (text, str(received.message["Subject"])):
        assert "None" not in one

    expected = {
        MailKind.verify_email: f"{URL}/verify-email#token={secret}",
        MailKind.change_email: f"{URL}/verify-email#token={secret}",
        MailKind.reset_password: f"{URL}/signin?reset#token={secret}",
        **dict.fromkeys(ABOUT_ACCOUNTS, f"{URL}/account"),
        MailKind.invitation: (
            f"{URL}/signup#code={shown_code(secret)}&email=ada%2Bposts%40example.org"
            f"&proof={post.make.vault.sign(invitation_proof(secret, TO))}"
        ),
        **dict.fromkeys(ABOUT_ASSISTANTS, f"{URL}/assistants/{PAUSED['assistant_id']}"),
        **dict.fromkeys(ABOUT_APPROVALS, f"{URL}/social-media-posts/{APPROVAL['post_id']}"),
        **dict.fromkeys(ABOUT_POSTS, f"{URL}/social-media-posts/{POST['post_id']}"),
        **dict.fromkeys(ABOUT_ARTICLES, f"{URL}/posts/{POST['post_id']}"),
        MailKind.run_failed: f"{URL}/assistants/{RUN['assistant_id']}?tab=runs",
        MailKind.daily_overview: f"{URL}/",
        **dict.fromkeys(ABOUT_SUBSCRIPTIONS, f"{URL}/subscription"),
        **dict.fromkeys(ABOUT_BUDGETS, f"{URL}/assistants/{BUDGET['assistant_id']}?tab=configuration"),
    }.get(kind)
    # nothing is loaded from elsewhere, and nothing else can be followed
    counted = (
        {f"{URL}/social-media-posts?tab=approvals", f"{URL}/social-media-posts?state=unknown"}
        if kind is MailKind.daily_overview
        else set()
    )
    assert links(received) == {"cid:mark@postloom"} | ({expected} if expected else set()) | counted
    for one in counted:
        assert one in text.splitlines()
    if expected:
        assert expected in text.splitlines()
        # button, and the address in full with its link
        assert len(re.findall(re.escape(expected) + "(?![a-z])", unescape(html))) == 3
    else:
        assert "http" not in text


async def test_the_link_of_an_invitation_brings_code_and_address(post: Post) -> None:
    received, code = await post.sent(MailKind.invitation)
    [link] = [link for link in links(received) if link.startswith(URL)]
    brought = parse_qs(urlsplit(link).fragment)
    [proof] = brought.pop("proof")
    assert brought == {"code": [shown_code(code)], "email": [TO]}
    assert post.make.vault.verify(invitation_proof(code, TO), proof)
    assert proof not in received.part("plain").replace(link, "")
    assert f"Your invitation code is {shown_code(code)}." in received.part("plain")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "until Tuesday, 4 March 2031, 08:05 (Europe/Berlin)"),
        ("de", "bis Dienstag, 4. März 2031, 08:05 Uhr (Europe/Berlin)"),
    ],
)
async def test_a_link_says_on_the_readers_clock_until_when_it_works(post: Post, language: str, said: str) -> None:
    async with post.sessions.begin() as session:
        (await session.merge(post.user)).time_zone = "Europe/Berlin"
    until = datetime(2031, 3, 4, 7, 5, tzinfo=UTC)
    received, _ = await post.sent(MailKind.reset_password, language, expires_in=until - utcnow())
    assert said in received.part("plain")
    assert said in received.part("html")


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "on {0:%A}, {0.day} {0:%B} {0.year} at {0:%H:%M} (UTC)"), ("de", "um {0:%H:%M} Uhr (UTC)")],
)
@pytest.mark.parametrize("kind", [MailKind.email_changed, MailKind.password_changed])
async def test_a_notice_says_when_it_happened(post: Post, kind: MailKind, language: str, said: str) -> None:
    happened = utcnow() - timedelta(hours=3)
    received, _ = await post.sent(kind, language, created_at=happened)
    assert said.format(happened) in received.part("plain")
    assert received.message["Date"].datetime == happened.replace(microsecond=0)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "expires on Tuesday, 4 March 2031 at 07:05 (UTC)"),
        ("de", "läuft am Dienstag, 4. März 2031 um 07:05 Uhr (UTC) ab"),
    ],
)
async def test_a_mail_about_an_end_says_when_that_is(post: Post, language: str, said: str) -> None:
    received, _ = await post.sent(MailKind.account_expires, language)
    assert said in " ".join(received.part("plain").split())


@pytest.mark.parametrize("kind", ABOUT_BUDGETS)
@pytest.mark.parametrize(
    ("language", "said"),
    [("en", ("$12.50", "Tuesday, 1 December 2026")), ("de", ("12,50 $", "Dienstag, 1. Dezember 2026"))],
)
async def test_a_mail_about_a_budget_names_it_and_leads_to_it(
    post: Post, kind: MailKind, language: str, said: tuple[str, str]
) -> None:
    received, _ = await post.sent(kind, language)
    words = received.part("plain") + received.part("html")
    assert said[0] in words
    assert (said[1] in words) is (kind is MailKind.budget_reached)
    assert f"{URL}/assistants/{BUDGET['assistant_id']}?tab=configuration" in links(received)


@pytest.mark.parametrize(
    ("language", "kind", "params", "said"),
    [
        (
            "en",
            MailKind.trial_ending,
            {},
            ("until Tuesday, 4 March 2031, 07:05 (UTC)", "The price is on the page of the"),
        ),
        (
            "de",
            MailKind.trial_ending,
            {},
            ("bis Dienstag, 4. März 2031, 07:05 Uhr (UTC)", "Der Preis steht auf der Seite des Abonnements"),
        ),
        (
            "en",
            MailKind.trial_ending,
            {"price": price_to_json(PRICE)},
            (
                "a subscription: €1,290.00 a month, charged to your payment method on Tuesday, 4 March 2031 for the "
                "first time.",
            ),
        ),
        (
            "de",
            MailKind.trial_ending,
            {"price": price_to_json(PRICE)},
            ("zum Abonnement: 1.290,00 € im Monat, zum ersten Mal am Dienstag, 4. März 2031 über deine Zahlungsart",),
        ),
        (
            "en",
            MailKind.trial_ending,
            {"price": price_to_json(replace(PRICE, currency="CHF", interval=Interval.week, interval_count=2))},
            ("CHF1,290.00 every 2 weeks",),
        ),
        (
            "de",
            MailKind.trial_ending,
            {"price": price_to_json(replace(PRICE, currency="JPY", interval=Interval.year, interval_count=3))},
            ("129.000 ¥ alle 3 Jahre",),
        ),
        ("en", MailKind.payment_failed, {}, ("until Tuesday, 4 March 2031, 07:05 (UTC) everything stays unlocked",)),
        (
            "de",
            MailKind.payment_failed,
            {},
            ("bis Dienstag, 4. März 2031, 07:05 Uhr (UTC) bleibt alles freigeschaltet",),
        ),
        ("en", MailKind.subscription_ended, {"paused": 1}, ("1 assistant pauses.",)),
        ("de", MailKind.subscription_ended, {"paused": 3}, ("3 Assistenten pausieren.",)),
        ("de", MailKind.subscription_ended, {"paused": 0}, ("Keiner deiner Assistenten war aktiv.",)),
        (
            "en",
            MailKind.allowance_reached,
            {"allowed": 1},
            ("1 published post or article", "Tuesday, 1 December 2026", "With a subscription"),
        ),
        (
            "de",
            MailKind.allowance_reached,
            {"limit": "cost_micros", "allowed": 12_500_000, "subscribed": True},
            ("12,50 $ für Modelle", "Dienstag, 1. Dezember 2026", "So viel ist in deinem Abonnement enthalten."),
        ),
    ],
)
async def test_a_mail_about_a_subscription_says_until_when_and_how_much(
    post: Post, language: str, kind: MailKind, params: dict[str, Any], said: tuple[str, ...]
) -> None:
    mail_id, _ = await post.write(kind, language)
    await post.change(update(Mail).where(Mail.id == mail_id).values(params=SUBSCRIPTION | params))
    assert await post.service.send(mail_id) is MailState.sent
    for part in (post.server.mails[-1].part("plain"), post.server.mails[-1].part("html")):
        words = " ".join(unescape(part).split())
        assert all(one in words for one in said), words


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("Tuesday, 4 March 2031, 07:58 (UTC)", "Without an answer, the draft is kept and not published.")),
        ("de", ("Dienstag, 4. März 2031, 07:58 Uhr (UTC)", "Ohne Antwort bleibt der Entwurf erhalten")),
    ],
)
async def test_a_mail_about_an_approval_says_until_when_and_what_comes_then(
    post: Post, language: str, said: tuple[str, str]
) -> None:
    received, _ = await post.sent(MailKind.approval_needed, language)
    for part in (received.part("plain"), received.part("html")):
        assert all(one in " ".join(part.split()) for one in said)


@pytest.mark.parametrize(
    ("kind", "language", "why"),
    [
        (MailKind.approval_needed, "en", "because your assistant needs your approval."),
        (MailKind.approval_reminder, "de", "weil dein Assistent deine Freigabe braucht."),
        (MailKind.password_changed, "de", "weil es um dein Konto geht."),
        (MailKind.post_failed, "en", "because you get notifications by email."),
        (MailKind.daily_overview, "de", "weil du den täglichen Überblick gewählt hast."),
        (MailKind.payment_failed, "en", "because it concerns your subscription."),
    ],
)
async def test_the_footer_says_why_the_mail_came(post: Post, kind: MailKind, language: str, why: str) -> None:
    received, _ = await post.sent(kind, language)
    for part in (received.part("plain"), received.part("html")):
        assert why in " ".join(part.split())


@pytest.mark.parametrize(
    ("language", "params", "subject", "said"),
    [
        (
            "en",
            {"networks": ["Instagram", "Threads"], "published": ["LinkedIn"]},
            "Not published on Instagram · Threads: Rain without drama",
            "“Rain without drama” was published on LinkedIn, but not on Instagram · Threads.",
        ),
        (
            "de",
            {"networks": ["Instagram"], "published": []},
            "Nicht veröffentlicht: Rain without drama",
            "„Rain without drama“ wurde bei Instagram nicht veröffentlicht.",
        ),
        # as older releases wrote them
        ("en", {}, "Not published: Rain without drama", "was not published, or not on all of its channels."),
    ],
)
async def test_a_mail_about_a_failed_post_names_where_it_is_out_and_where_not(
    post: Post, language: str, params: dict[str, Any], subject: str, said: str
) -> None:
    mail_id, _ = await post.write(MailKind.post_failed, language)
    about = {"post_id": POST["post_id"], "topic": POST["topic"]}
    await post.change(update(Mail).where(Mail.id == mail_id).values(params=about | params))
    assert await post.service.send(mail_id) is MailState.sent
    received = post.server.mails[-1]
    assert received.message["Subject"] == subject
    for part in (received.part("plain"), received.part("html")):
        assert said in " ".join(part.split())


@pytest.mark.parametrize("kind", ABOUT_APPROVALS)
@pytest.mark.parametrize(("language", "said"), [("en", "The demo writer wrote"), ("de", "der Demo-Texter geschrieben")])
@pytest.mark.parametrize("demo", [True, False])
async def test_a_mail_about_an_approval_names_the_demo_writer(
    post: Post, kind: MailKind, language: str, said: str, demo: bool
) -> None:
    mail_id, _ = await post.write(kind, language)
    await post.change(update(Mail).where(Mail.id == mail_id).values(params=APPROVAL | {"demo": demo}))
    assert await post.service.send(mail_id) is MailState.sent
    received = post.server.mails[-1]
    assert (said in " ".join(received.part("plain").split())) is demo
    assert (said in " ".join(received.part("html").split())) is demo


async def test_a_mail_that_asks_is_not_sent_after_the_deadline(post: Post) -> None:
    mail_id, _ = await post.write(MailKind.approval_reminder)
    late = APPROVAL | {"deadline": "2026-01-01T00:00:00+00:00"}
    await post.change(update(Mail).where(Mail.id == mail_id).values(params=late))
    assert await post.service.send(mail_id) is MailState.refused
    assert (await post.row(mail_id)).error == ErrorCode.approval_expired


NAMES_NO_POST = {
    "en": re.compile(r"\b(posts?|networks?|(?<!your )accounts?)\b(?!, Notifications)", re.I),
    "de": re.compile(r"Beitr(ag|äge)|Netzwerk|Konto(?!, Benachrichtigungen)"),
}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("kind", [*sorted(WITH_ARTICLE_TEXT), MailKind.assistant_paused_itself, *ABOUT_APPROVALS])
async def test_a_mail_about_an_article_speaks_of_it_and_of_its_website(
    post: Post, kind: MailKind, language: str
) -> None:
    mail_id, _ = await post.write(kind, language)
    params = _params(kind, "") | {"article": True, "networks": ["Lindhof Journal"]}
    if kind is MailKind.account_reconnect:
        params |= {"account": "Lindhof Journal", "network": "WordPress"}
    await post.change(update(Mail).where(Mail.id == mail_id).values(params=params))
    assert await post.service.send(mail_id) is MailState.sent
    received = post.server.mails[-1]
    text = " ".join(received.part("plain").split())
    # the frame speaks of the reader's account, and where mails are chosen
    frame = texts_in(language).text(f"mail.footer.{FOOTERS[ABOUT[kind]]}", host="posts.example.org")
    said = f"{received.message['Subject']} {text.replace(frame, '')}"
    said = re.sub(r"https?://\S+", "", said).replace(TO, "")
    assert not NAMES_NO_POST[language].findall(said)
    if kind is MailKind.account_reconnect:
        assert f"{URL}/websites" in text
        assert "Lindhof Journal" in str(received.message["Subject"])
    if kind in (MailKind.post_unknown, MailKind.removal_failed):
        assert "Lindhof Journal" in text


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["1 post needs your approval", "1 article needs your approval", "2 websites need a new login"]),
        (
            "de",
            [
                "1 Beitrag wartet auf deine Freigabe",
                "1 Artikel wartet auf deine Freigabe",
                "2 Websites brauchen eine neue Anmeldung",
            ],
        ),
    ],
)
async def test_an_overview_counts_articles_and_websites_by_themselves(
    post: Post, language: str, said: Sequence[str]
) -> None:
    mail_id, _ = await post.write(MailKind.daily_overview, language)
    counts = {"approval_needed": 2, "account_reconnect": 2}
    params = OVERVIEW | {"counts": counts, "articles": {"approval_needed": 1, "account_reconnect": 2}}
    await post.change(update(Mail).where(Mail.id == mail_id).values(params=params))
    assert await post.service.send(mail_id) is MailState.sent
    received = post.server.mails[-1]
    lines = [line.removesuffix(":") for line in received.part("plain").splitlines()]
    assert [line for line in lines if line in said] == said
    assert f"{URL}/websites" in links(received)
    assert f"{URL}/account" not in links(received)


async def test_an_overview_leads_to_lists_of_what_it_counts(post: Post) -> None:
    mail_id, _ = await post.write(MailKind.daily_overview, "en")
    counts = {"update_failed": 1, "takedown_failed": 2, "removal_failed": 1, "post_unknown": 2}
    params = OVERVIEW | {"counts": counts, "articles": {"update_failed": 1, "takedown_failed": 2, "post_unknown": 1}}
    await post.change(update(Mail).where(Mail.id == mail_id).values(params=params))
    assert await post.service.send(mail_id) is MailState.sent
    lines = post.server.mails[-1].part("plain").splitlines()
    said = {line.removesuffix(":"): lines[at + 1] for at, line in enumerate(lines) if line.endswith(":")}
    assert said["1 article was not updated"] == f"{URL}/posts?state=not_updated"
    assert said["2 articles were not unpublished"] == f"{URL}/posts?state=not_deleted"
    assert said["1 post was not deleted on its network"] == f"{URL}/social-media-posts?state=not_deleted"
    assert said["It is unclear whether 1 post was published"] == f"{URL}/social-media-posts?state=unknown"
    assert said["It is unclear whether 1 article was published"] == f"{URL}/posts?state=unknown"


# what somebody may call themselves


@pytest.mark.parametrize(
    "name",
    [
        "Eve\r\nBcc: all@example.org",
        "Eve\nSubject: Win\n\nhello",
        "Eve\u2028\u202e<b>bold</b>\x07\x1b[31m",
        '<img src="https://evil.test/x.png"> {email} {{ 7 * 7 }} {% raw %}',
        "E" * 5000,
        "Eve =?utf-8?q?=0D=0ABcc:_all@example.org?=",
        "Eve =?utf-8?b?4oCuZXZpbA==?=",
        "Eve =?utf-8?q?Grüße?= =?utf-8?q?a?=",
        "Eve =?unknown?x?!?=",
        "E =?",
    ],
)
@pytest.mark.parametrize("language", ["en", "de"])
async def test_a_name_stays_a_name(post: Post, name: str, language: str) -> None:
    received, _ = await post.sent(MailKind.invitation, language, inviter=name)
    assert received.recipients == [TO]
    names = [header.lower() for header in received.message]
    assert len(names) == len(set(names))
    assert "bcc" not in names
    subject = str(received.message["Subject"])
    assert subject.startswith("E" if name[0] == "E" else "<img")
    assert subject.endswith(("invites you to Postloom", "zu Postloom ein"))
    assert subject.isprintable()
    assert len(subject) < 150
    html = received.part("html")
    assert "<b>" not in html
    assert {urlsplit(link).netloc for link in links(received)} == {"", "posts.example.org"}
    assert "{email}" in subject or "{" not in name
    if "=?" in name:
        assert name in subject
    assert received.part("plain").splitlines()[0] == subject


@pytest.mark.parametrize(
    "to", ["ada@example.org\r\nBcc: eve@example.org", "ada", "", "ada@example.org, eve@example.org"]
)
async def test_what_is_no_address_gets_no_mail(post: Post, to: str) -> None:
    mail_id, _ = await post.write(MailKind.verify_email, to=to)
    assert await post.service.send(mail_id) is MailState.refused
    row = await post.row(mail_id)
    assert (row.error, row.secret_encrypted) == (ErrorCode.mail_refused, None)
    assert post.server.mails == []


async def test_a_topic_that_looks_like_an_encoded_header_is_asked_about(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    topic = "Offer =?utf-8?q?=0D=0Ax:_y?="
    monkeypatch.setitem(APPROVAL, "topic", topic)
    received, _ = await post.sent(MailKind.approval_needed)
    assert topic in str(received.message["Subject"])
    assert "x" not in [header.lower() for header in received.message]


async def test_a_mail_that_cannot_be_written_is_given_up_and_said_so(
    post: Post, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        return replace(letter(*_, **__), subject="Two\nlines")

    monkeypatch.setattr(mailing, "letter", broken)
    mail_id, _ = await post.write(MailKind.verify_email)
    assert await post.service.send(mail_id) is MailState.refused
    assert (await post.row(mail_id)).error == ErrorCode.mail_refused
    assert [record.levelname for record in caplog.records if "cannot be written" in record.getMessage()] == ["ERROR"]


async def test_an_address_with_umlauts_in_its_domain_arrives(post: Post) -> None:
    received, _ = await post.sent(MailKind.verify_email, to="ada@straße.example")
    assert received.recipients == ["ada@xn--strae-oqa.example"]
    assert "ada@straße.example" in received.part("plain")


# once, and only what is still good


async def test_a_sent_mail_is_marked_wiped_and_never_sent_again(post: Post) -> None:
    mail_id, secret = await post.write(MailKind.verify_email)
    assert await post.service.send(mail_id) is MailState.sent
    assert await post.service.send(mail_id) is MailState.sent
    [received] = post.server.mails
    assert received.message["Message-ID"] == f"<{mail_id}@example.org>"
    assert secret in received.part("plain")
    row = await post.row(mail_id)
    assert (row.state, row.error, row.secret_encrypted) == (MailState.sent, None, None)
    assert row.sent_at is not None


async def test_a_mail_that_went_with_its_user_is_nobodys(post: Post) -> None:
    assert await post.service.send(new_id()) is None


async def test_a_lost_answer_is_followed_by_the_same_mail(post: Post) -> None:
    mail_id, _ = await post.write(MailKind.reset_password)
    post.server.mute = 1
    with pytest.raises(Exception, match=ErrorCode.mail_unavailable):
        await post.service.send(mail_id)
    assert await post.service.send(mail_id) is MailState.sent
    first, second = post.server.mails
    for header in ("Message-ID", "Date", "Subject"):
        assert first.message[header] == second.message[header]


@pytest.mark.parametrize("kind", [*PURPOSES, MailKind.invitation])
@pytest.mark.parametrize("what", ["expired", "used", "gone", "another's"])
async def test_what_nobody_could_use_any_more_is_not_sent(post: Post, kind: MailKind, what: str) -> None:
    mail_id, secret = await post.write(kind, expires_in=timedelta(seconds=-1 if what == "expired" else 3600))
    other = await post.make.user()
    async with post.sessions.begin() as session:
        table: Any = Invitation if kind is MailKind.invitation else MailLink
        row = (await session.scalars(select(table).where(table.user_id == post.user.id))).one()
        if what == "used":
            setattr(row, "accepted_at" if kind is MailKind.invitation else "used_at", utcnow())
        if what == "gone":
            await session.delete(row)
        if what == "another's":
            row.user_id = other.id
    assert await post.service.send(mail_id) is MailState.refused
    left = await post.row(mail_id)
    assert (left.error, left.secret_encrypted) == (ErrorCode.link_invalid, None)
    assert post.server.mails == []
    assert secret


async def test_a_revoked_invitation_is_not_sent(post: Post) -> None:
    mail_id, _ = await post.write(MailKind.invitation)
    await post.change(update(Invitation).values(revoked_at=utcnow()))
    assert await post.service.send(mail_id) is MailState.refused


@pytest.mark.parametrize("since", ["deletion_requested_at", "disabled_at"])
async def test_for_who_has_left_nothing_is_sent(post: Post, since: str) -> None:
    mail_id, _ = await post.write(MailKind.password_changed)
    async with post.sessions.begin() as session:
        setattr(await session.merge(post.user), since, utcnow())
    assert await post.service.send(mail_id) is MailState.refused
    assert (await post.row(mail_id)).error == ErrorCode.account_disabled
    assert post.server.mails == []


async def told_of_refusals(post: Post) -> list[bool]:
    """Of each notification whether it was read."""
    async with post.sessions() as session:
        query = select(Notification).where(Notification.kind == NotificationKind.email_refused)
        return [one.read_at is not None for one in await session.scalars(query.order_by(Notification.created_at))]


async def is_refused(post: Post) -> bool:
    async with post.sessions() as session:
        return (await session.get_one(User, post.user.id)).email_refused_at is not None


async def test_an_address_that_is_refused_is_told_once_and_asked_only_where_a_person_wants_a_mail(post: Post) -> None:
    mine = post.user.email
    post.server.to_recipient = "550 5.1.1 unknown"
    for _ in range(2):
        mail_id, _ = await post.write(MailKind.verify_email, to=mine)
        assert await post.service.send(mail_id) is MailState.refused
    assert (await is_refused(post), await told_of_refusals(post)) == (True, [False])
    post.server.to_recipient = None
    mail_id, _ = await post.write(MailKind.post_failed, to=mine)
    assert await post.service.send(mail_id) is MailState.refused
    assert (await post.row(mail_id)).error == ErrorCode.mail_address_refused
    assert post.server.mails == [], "nobody has asked for it"
    await post.sent(MailKind.reset_password, to=mine)
    assert (await is_refused(post), await told_of_refusals(post)) == (False, [True]), "it arrived, so the address works"
    await post.sent(MailKind.post_failed, to=mine)


async def test_another_address_than_the_users_is_no_word_about_theirs(post: Post) -> None:
    post.server.to_recipient = "550 5.1.1 unknown"
    for kind in (MailKind.change_email, MailKind.invitation):
        mail_id, _ = await post.write(kind, to="new@example.org")
        assert await post.service.send(mail_id) is MailState.refused
    assert (await is_refused(post), await told_of_refusals(post)) == (False, [])


async def test_what_the_server_refuses_for_good_is_marked(post: Post) -> None:
    mail_id, _ = await post.write(MailKind.verify_email)
    post.server.to_recipient = "550 5.1.1 unknown"
    assert await post.service.send(mail_id) is MailState.refused
    row = await post.row(mail_id)
    assert (row.state, row.error, row.secret_encrypted) == (MailState.refused, ErrorCode.mail_address_refused, None)
    post.server.to_recipient = None
    assert await post.service.send(mail_id) is MailState.refused
    assert post.server.mails == []


async def test_it_waits_for_the_operator_and_says_so(post: Post, caplog: pytest.LogCaptureFixture) -> None:
    mail_id, secret = await post.write(MailKind.verify_email)
    unset = replace(post.service, mailer=None)
    with pytest.raises(RetrySafe) as failed:
        await unset.send(mail_id)
    assert failed.value.code is ErrorCode.mail_misconfigured
    assert failed.value.retry_after == timedelta(minutes=5)
    assert "SMTP_URL" in caplog.text
    assert secret not in caplog.text
    row = await post.row(mail_id)
    assert (row.state, row.error) == (MailState.pending, ErrorCode.mail_misconfigured)
    assert await post.service.send(mail_id) is MailState.sent
    assert (await post.row(mail_id)).error is None


async def test_a_lost_secret_key_is_waited_for(post: Post) -> None:
    mail_id, _ = await post.write(MailKind.verify_email)
    stranger = replace(post.service, vault=type(post.service.vault).from_secrets(["x" * 40]))
    with pytest.raises(RetrySafe):
        await stranger.send(mail_id)
    assert await post.service.send(mail_id) is MailState.sent


@pytest.mark.parametrize("failed_before", [True, False])
async def test_after_a_day_it_is_given_up_with_its_reason(post: Post, failed_before: bool) -> None:
    mail_id, _ = await post.write(MailKind.password_changed)
    if failed_before:
        with pytest.raises(RetrySafe):
            await replace(post.service, mailer=None).send(mail_id)
    await post.change(update(Mail).values(created_at=utcnow() - PATIENCE - timedelta(seconds=1)))
    assert await post.service.send(mail_id) is MailState.refused
    reason = ErrorCode.mail_misconfigured if failed_before else ErrorCode.mail_unavailable
    assert (await post.row(mail_id)).error == reason
    assert post.server.mails == []


@pytest.mark.parametrize(
    ("language", "planned", "at_once"),
    [
        ("en", "Publishing is scheduled for ", "Publishing starts as soon as you approve."),
        ("de", "Die Veröffentlichung ist für ", "Die Veröffentlichung beginnt sofort nach deiner Freigabe."),
    ],
)
@pytest.mark.parametrize("kind", ABOUT_APPROVALS)
async def test_a_question_says_when_its_post_goes_out(
    post: Post, kind: MailKind, language: str, planned: str, at_once: str
) -> None:
    for more, told, other in (({}, planned, at_once), ({"at_once": True}, at_once, planned)):
        mail_id, _ = await post.write(kind, language)
        await post.change(update(Mail).where(Mail.id == mail_id).values(params=APPROVAL | more))
        assert await post.service.send(mail_id) is MailState.sent
        text = post.server.mails[-1].part("plain")
        assert told in text
        assert other not in text
