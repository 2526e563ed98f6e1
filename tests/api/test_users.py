"""The signed-in user: profile, proof of the e-mail, and the change of it."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest
import time_machine
from sqlalchemy import select

from core.clock import utcnow
from core.container import Services
from core.crypto import token_hash
from core.errors import ErrorCode
from core.notifications.notifying import NotifyingService
from core.notifications.rules import MailKind
from core.notifications.tables.mails import Mail
from core.users.tables.users import LinkPurpose, MailLink, User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused, wrong_fields
from tests.conftest import browsing, mailed
from tests.factories import Factory

PASSWORD = "loom over warp and weft"
MARA = "mara@example.com"


async def sign_up(client: httpx2.AsyncClient, services: Services, email: str = MARA, language: str = "de") -> None:
    """`client` is signed in as the new user, whose e-mail is not proved."""
    form = {
        "email": email,
        "password": PASSWORD,
        "invitation_code": await services.invitations.invite(),
        "language": language,
        "time_zone": "Europe/Berlin",
        "consent": True,
    }
    token = done(await client.post("/auth/signup/", json=form), 201)["token"]
    client.headers["Authorization"] = f"Bearer {token}"


async def links(services: Services, to: str, kind: MailKind = MailKind.verify_email) -> list[str]:
    """Tokens of the links that were mailed to that address, oldest first."""
    return [mail.secret for mail in await mailed(services, to) if mail.kind is kind]


async def verify(client: httpx2.AsyncClient, link: str) -> httpx2.Response:
    """Whoever opens the link need not be signed in."""
    return await client.post("/users/verify-email/", json={"token": link}, headers={"Authorization": ""})


async def ask_for(client: httpx2.AsyncClient, email: str) -> None:
    body = {"email": email, "current_password": PASSWORD}
    done(await client.post("/users/me/email/", json=body), 204)


async def me(client: httpx2.AsyncClient) -> dict[str, Any]:
    found: dict[str, Any] = done(await client.get("/users/me/"))
    return found


@pytest.fixture
async def mara(anonymous: httpx2.AsyncClient, services: Services) -> httpx2.AsyncClient:
    """Signed up, not verified."""
    await sign_up(anonymous, services)
    return anonymous


# profile


async def test_what_is_left_out_of_a_profile_stays(api: httpx2.AsyncClient) -> None:
    before = await me(api)
    for change in (
        {"display_name": "  Mara Lind "},
        {"language": "de"},
        {"time_zone": "America/Argentina/Ushuaia"},
        {},
        {"display_name": "", "language": None},
    ):
        answer = done(await api.patch("/users/me/", json=change))
        before |= {name: value.strip() for name, value in change.items() if value is not None}
        assert answer == before
    assert await me(api) == before
    assert before["time_zone"] == "America/Argentina/Ushuaia"


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"time_zone": "Europe/Atlantis"}, "time_zone", ErrorCode.unknown_time_zone),
        ({"time_zone": ""}, "time_zone", ErrorCode.unknown_time_zone),
        ({"time_zone": "../UTC"}, "time_zone", ErrorCode.unknown_time_zone),
        ({"language": "fr"}, "language", ErrorCode.invalid_input),
        ({"display_name": "x" * 101}, "display_name", ErrorCode.invalid_input),
        ({"email": "other@example.com"}, "email", ErrorCode.invalid_input),
        ({"is_email_verified": True}, "is_email_verified", ErrorCode.invalid_input),
    ],
)
async def test_a_profile_that_does_not_fit_is_not_saved(
    api: httpx2.AsyncClient, change: dict[str, Any], field: str, code: ErrorCode
) -> None:
    before = await me(api)
    assert wrong_fields(await api.patch("/users/me/", json={"display_name": "Mara", **change})) == {field: code}
    assert await me(api) == before


# proof of the e-mail


async def test_signing_up_mails_a_link_that_proves_the_address(mara: httpx2.AsyncClient, services: Services) -> None:
    [mail] = await mailed(services, MARA)
    assert (mail.kind, mail.language) == (MailKind.verify_email, "de")
    refused(await mara.get("/templates/"), 409, ErrorCode.email_not_verified)
    assert done(await verify(mara, mail.secret)) == {"email": MARA, "is_email_verified": True}
    assert (await me(mara))["is_email_verified"]
    done(await mara.get("/templates/"))


async def test_a_used_link_still_says_that_the_address_is_verified(
    mara: httpx2.AsyncClient, services: Services
) -> None:
    """As long as it is: a mail is opened twice, and no second event or mail comes of it."""
    [link] = await links(services, MARA)
    for _ in range(2):
        assert done(await verify(mara, link)) == {"email": MARA, "is_email_verified": True}
    events = [one["kind"] for one in done(await mara.get("/users/me/security-events/"))["items"]]
    assert events.count("email_verified") == 1
    await ask_for(mara, "mara@example.org")
    [change] = await links(services, "mara@example.org", MailKind.change_email)
    done(await verify(mara, change))
    refused(await verify(mara, link), 422, ErrorCode.link_invalid)


async def test_a_refused_sign_up_mails_nothing(anonymous: httpx2.AsyncClient, services: Services) -> None:
    await sign_up(anonymous, services)
    with pytest.raises(AssertionError):
        await sign_up(anonymous, services)
    assert len(await mailed(services, MARA)) == 1


async def test_a_link_proves_for_a_day(mara: httpx2.AsyncClient, services: Services) -> None:
    [link] = await links(services, MARA)
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=24, seconds=1)):
        refused(await verify(mara, link), 422, ErrorCode.link_invalid)
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=23, minutes=59)):
        done(await verify(mara, link))


async def test_a_new_link_makes_the_older_ones_void(mara: httpx2.AsyncClient, services: Services) -> None:
    for _ in range(2):
        done(await mara.post("/users/resend_verification_email/"), 204)
    first, second, third = await links(services, MARA)
    for void in (first, second):
        refused(await verify(mara, void), 422, ErrorCode.link_invalid)
    done(await verify(mara, third))


async def test_who_is_verified_gets_no_further_link(mara: httpx2.AsyncClient, services: Services) -> None:
    [link] = await links(services, MARA)
    done(await verify(mara, link))
    refused(await mara.post("/users/resend_verification_email/"), 409, ErrorCode.already_verified)
    assert len(await mailed(services, MARA)) == 1


async def test_a_link_opens_only_what_it_is_for(mara: httpx2.AsyncClient, services: Services) -> None:
    [link] = await links(services, MARA)
    body = {"token": link, "password": "another thread entirely"}
    refused(await mara.post("/auth/reset/", json=body), 422, ErrorCode.link_invalid)
    refused(await mara.post("/auth/link/", json={"token": link}), 422, ErrorCode.login_failed)
    user = await services.identity.authenticate(mara.headers["Authorization"].removeprefix("Bearer "))
    sign_in = await services.identity.sign_in_link(user.user.id)
    refused(await verify(mara, sign_in), 422, ErrorCode.link_invalid)
    refused(await verify(mara, "made up"), 422, ErrorCode.link_invalid)
    done(await verify(mara, link))


async def test_a_link_of_a_disabled_user_proves_nothing(mara: httpx2.AsyncClient, services: Services) -> None:
    [link] = await links(services, MARA)
    async with services.sessions.begin() as session:
        user = (await session.scalars(select(User).where(User.email == MARA))).one()
        user.disabled_at = datetime.now(UTC)
    refused(await verify(mara, link), 422, ErrorCode.link_invalid)


async def test_neither_a_link_nor_a_code_is_readable_in_the_database(
    mara: httpx2.AsyncClient, services: Services
) -> None:
    [link] = await links(services, MARA)
    async with services.sessions() as session:
        stored = [
            *await session.execute(select(MailLink.__table__)),
            *await session.execute(select(Mail.__table__)),
        ]
    assert len(stored) == 2
    assert link not in str(stored)


async def test_one_link_opened_twenty_times_at_once_proves_once(standing: Services, away: Gateway) -> None:
    async with browsing(standing, away) as client:
        await sign_up(client, standing)
        [link] = await links(standing, MARA)
        answers = await asyncio.gather(*(verify(client, link) for _ in range(20)))
        assert {answer.status_code for answer in answers} <= {200, 422}
        events = [one["kind"] for one in done(await client.get("/users/me/security-events/"))["items"]]
    assert events.count("email_verified") == 1


# change of the e-mail


async def test_the_old_address_stays_until_the_new_one_is_proved(mara: httpx2.AsyncClient, services: Services) -> None:
    [first] = await links(services, MARA)
    done(await verify(mara, first))
    await ask_for(mara, "Mara.Lind@Example.org")
    assert (await me(mara))["email"] == MARA
    assert len(await mailed(services, MARA)) == 1
    [link] = await links(services, "Mara.Lind@example.org", MailKind.change_email)
    assert done(await verify(mara, link)) == {"email": "Mara.Lind@example.org", "is_email_verified": True}
    assert (await me(mara))["email"] == "Mara.Lind@example.org"
    told = (await mailed(services, MARA))[1:]
    assert [(mail.kind, mail.secret) for mail in told] == [(MailKind.email_changed, "")]
    assert "example.org" not in str(told[0].params)
    done(await verify(mara, link))
    assert len(await mailed(services, MARA)) == len(told) + 1, "nothing is told twice"
    for email, status in ((MARA, 422), ("mara.lind@example.org", 200)):
        answer = await mara.post("/auth/login/", json={"email": email, "password": PASSWORD})
        assert answer.status_code == status


async def test_a_changed_address_makes_all_that_was_mailed_before_void(
    mara: httpx2.AsyncClient, services: Services
) -> None:
    [to_old] = await links(services, MARA)
    done(await mara.post("/auth/forgot/", json={"email": MARA}), 204)
    [reset] = await links(services, MARA, MailKind.reset_password)
    await ask_for(mara, "mara@example.org")
    [to_new] = await links(services, "mara@example.org", MailKind.change_email)
    done(await verify(mara, to_new))
    refused(await verify(mara, to_old), 422, ErrorCode.link_invalid)
    body = {"token": reset, "password": "another thread entirely"}
    refused(await mara.post("/auth/reset/", json=body), 422, ErrorCode.link_invalid)
    assert (await me(mara))["email"] == "mara@example.org"


async def test_who_mistyped_the_address_is_verified_by_the_new_one(
    anonymous: httpx2.AsyncClient, services: Services
) -> None:
    await sign_up(anonymous, services, "mara@exampel.com")
    await ask_for(anonymous, MARA)
    # asked for once more meanwhile: that goes to the address which is still the user's
    done(await anonymous.post("/users/resend_verification_email/"), 204)
    [link] = await links(services, MARA, MailKind.change_email)
    assert done(await verify(anonymous, link)) == {"email": MARA, "is_email_verified": True}
    for stale in await links(services, "mara@exampel.com"):
        refused(await verify(anonymous, stale), 422, ErrorCode.link_invalid)


async def test_an_address_that_somebody_took_meanwhile_is_not_taken_from_them(
    mara: httpx2.AsyncClient, services: Services, make: Factory
) -> None:
    await ask_for(mara, "mara@example.org")
    [link] = await links(services, "mara@example.org", MailKind.change_email)
    await make.user("MARA@example.org")
    refused(await verify(mara, link), 422, ErrorCode.email_taken)
    assert (await me(mara))["email"] == MARA
    assert not (await me(mara))["is_email_verified"]
    assert [mail.kind for mail in await mailed(services, MARA)] == [MailKind.verify_email]


async def test_one_address_proved_by_two_at_once_is_one_users(standing: Services, away: Gateway) -> None:
    async with browsing(standing, away) as client:
        for email in (MARA, "ada@example.com"):
            await sign_up(client, standing, email)
            await ask_for(client, "shared@example.com")
        opened = await links(standing, "shared@example.com", MailKind.change_email)
        answers = await asyncio.gather(*(verify(client, link) for link in opened))
    assert sorted(answer.status_code for answer in answers) == [200, 422]
    refused(next(answer for answer in answers if answer.status_code == 422), 422, ErrorCode.email_taken)


async def test_a_name_is_one_line(api: httpx2.AsyncClient) -> None:
    """It stands in the subjects of invitations."""
    answer = await api.patch("/users/me/", json={"display_name": "Mara\r\nLind\u202e"})
    assert answer.json()["display_name"] == "Mara Lind"


async def test_a_refused_address_is_asked_again_where_its_user_says_so(
    api: httpx2.AsyncClient, services: Services, user: User
) -> None:
    assert done(await api.get("/users/me/"))["email_refused_at"] is None
    async with services.sessions.begin() as session:
        await NotifyingService(session).mark_email_refused(user.id, user.email, "the first")
        await NotifyingService(session).mark_email_refused(user.id, user.email, "told already")
    assert done(await api.get("/users/me/"))["email_refused_at"] is not None
    shown = done(await api.get("/notifications/"))
    assert [(one["kind"], one["read_at"]) for one in shown["items"]] == [("email_refused", None)]
    assert done(await api.post("/users/me/email/try-again/"))["email_refused_at"] is None
    [told] = done(await api.get("/notifications/"))["items"]
    assert told["read_at"] is not None


async def test_another_address_is_not_the_one_that_was_refused(
    api: httpx2.AsyncClient, services: Services, user: User
) -> None:
    async with services.sessions.begin() as session:
        await NotifyingService(session).mark_email_refused(user.id, user.email, "the old one")
        session.add(
            MailLink(
                user_id=user.id,
                purpose=LinkPurpose.verify_email,
                token_hash=token_hash("proof"),
                email="new@example.com",
                expires_at=utcnow() + timedelta(hours=1),
            )
        )
    await services.identity.verify_email("proof")
    me = done(await api.get("/users/me/"))
    assert (me["email"], me["email_refused_at"]) == ("new@example.com", None)
