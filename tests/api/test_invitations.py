"""Invitations: who may sign up, as those who invite see it."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
import time_machine
from sqlalchemy import select

from core.container import Services
from core.errors import ErrorCode
from core.notifications.rules import MailKind
from core.notifications.tables.mails import Mail
from core.users.invitations import invitation_proof
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused, wrong_fields
from tests.conftest import browsing, mailed
from tests.factories import Factory

LIMIT = 10


async def invite(client: httpx2.AsyncClient, email: str | None = None, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = done(await client.post("/invitations/", json={"email": email, **more}), 201)
    return found


async def listed(client: httpx2.AsyncClient, **query: str) -> dict[str, Any]:
    found: dict[str, Any] = done(await client.get("/invitations/", params=query))
    return found


async def revoke(client: httpx2.AsyncClient, invitation: dict[str, Any]) -> httpx2.Response:
    return await client.delete(f"/invitations/{invitation['id']}/")


async def sign_up(
    client: httpx2.AsyncClient, code: str, email: str = "ada@example.com", proof: str = ""
) -> httpx2.Response:
    form = {
        "email": email,
        "password": "loom over warp and weft",
        "invitation_code": code,
        "language": "en",
        "time_zone": "UTC",
        "consent": True,
        "invitation_proof": proof,
    }
    return await client.post("/auth/signup/", json=form)


@pytest.mark.parametrize(
    ("bound", "proof", "verified"),
    [
        ("eva@example.com", "{mailed}", True),
        ("eva@example.com", "", False),  # whoever made the invitation knows its code as well
        ("eva@example.com", "{other}", False),
        (None, "{mailed}", False),  # for anybody, so that nobody's address is proved by it
    ],
)
async def test_who_comes_by_the_invitations_mail_has_proved_the_address(
    api: httpx2.AsyncClient,
    anonymous: httpx2.AsyncClient,
    services: Services,
    bound: str | None,
    proof: str,
    verified: bool,
) -> None:
    code = (await invite(api, bound))["code"]
    mailed, other = (
        services.vault.sign(invitation_proof(code, email)) for email in ("eva@example.com", "ada@example.com")
    )
    answer = await sign_up(anonymous, code, "eva@example.com", proof.format(mailed=mailed, other=other))
    token = done(answer, 201)["token"]
    me = done(await anonymous.get("/users/me/", headers={"Authorization": f"Bearer {token}"}))
    assert me["is_email_verified"] is verified
    async with services.sessions() as session:
        wanted = Mail.kind == MailKind.verify_email, Mail.to_email == "eva@example.com"
        assert len((await session.scalars(select(Mail).where(*wanted))).all()) == (0 if verified else 1)


def test_the_limit_of_these_tests_is_the_products(services: Services) -> None:
    assert services.invitations.limit == LIMIT


async def test_a_code_can_be_checked_before_signing_up(api: httpx2.AsyncClient) -> None:
    async def valid(code: str) -> bool:
        answer: dict[str, bool] = done(await api.post("/auth/signup/code/", json={"invitation_code": code}))
        return answer["valid"]

    for_all, for_one, revoked = await invite(api), await invite(api, "eva@example.com"), await invite(api)
    done(await revoke(api, revoked), 204)
    assert await valid(for_all["code"].lower().replace("-", " "))
    assert await valid(for_one["code"]), "whose it is comes with the e-mail"
    assert not await valid(revoked["code"])
    assert not await valid("AAAAA-AAAAA")
    done(await sign_up(api, for_all["code"]), 201)
    assert not await valid(for_all["code"])


async def test_an_invitation_leads_to_a_sign_up_with_its_code(api: httpx2.AsyncClient) -> None:
    made = await invite(api)
    assert (made["email"], made["state"], made["accepted_at"]) == (None, "open", None)
    assert made["link"] == f"http://postloom.test/signup#code={made['code']}"
    days = datetime.fromisoformat(made["expires_at"]) - datetime.fromisoformat(made["created_at"])
    assert abs(days - timedelta(days=14)) < timedelta(seconds=5)
    assert (await listed(api))["items"] == [made]
    done(await sign_up(api, made["code"]), 201)
    [used] = (await listed(api))["items"]
    assert used["state"] == "used"
    assert used["accepted_at"]
    assert {**used, "state": "open", "accepted_at": None} == made


async def test_a_link_names_the_address_that_it_is_for(api: httpx2.AsyncClient) -> None:
    made = await invite(api, " Ada+loom@EXAMPLE.com ")
    assert made["email"] == "Ada+loom@example.com"
    named = parse_qs(urlsplit(made["link"]).fragment)
    assert named == {"code": [made["code"]], "email": ["Ada+loom@example.com"]}
    done(await sign_up(api, named["code"][0], named["email"][0]), 201)


async def test_the_list_is_ones_own_newest_first(
    api: httpx2.AsyncClient, services: Services, away: Gateway, make: Factory
) -> None:
    made = [await invite(api, f"friend-{at}@example.com") for at in range(5)]
    async with browsing(services, away, await make.user()) as another:
        await invite(another)
        assert (await listed(another))["total"] == 1
    first = await listed(api, page_size="3")
    rest = await listed(api, page_size="3", cursor=first["next_cursor"])
    assert [*first["items"], *rest["items"]] == made[::-1]
    assert (first["total"], first["open"], first["limit"], rest["next_cursor"]) == (5, 5, LIMIT, None)


async def test_a_search_looks_at_the_address_and_takes_it_literally(api: httpx2.AsyncClient) -> None:
    for email in (None, "ada@example.com", "a_da@example.org", "ada@example.org"):
        await invite(api, email)

    async def found(search: str) -> list[str | None]:
        page = await listed(api, search=search)
        assert page["total"] == len(page["items"])
        assert page["open"] == 4  # of all, whatever was searched for
        return [item["email"] for item in page["items"]]

    assert await found("ADA@") == ["ada@example.org", "ada@example.com"]
    assert await found("_") == ["a_da@example.org"]
    assert await found("%") == []


async def test_every_state_is_told(api: httpx2.AsyncClient) -> None:
    with time_machine.travel(datetime.now(UTC) - timedelta(days=15)):
        expired = await invite(api)
    used, revoked, open_one = [await invite(api) for _ in range(3)]
    done(await sign_up(api, used["code"]), 201)
    done(await revoke(api, revoked), 204)
    page = await listed(api)
    states = {item["id"]: item["state"] for item in page["items"]}
    assert states == {expired["id"]: "expired", used["id"]: "used", revoked["id"]: "revoked", open_one["id"]: "open"}
    assert page["open"] == 1


# sent by mail


async def test_an_invitation_is_mailed_to_its_address(api: httpx2.AsyncClient, user: User, services: Services) -> None:
    await invite(api, "ada@example.com")
    assert await mailed(services, "ada@example.com") == []
    done(await api.patch("/users/me/", json={"display_name": "Mara Lind", "language": "de"}))
    made = await invite(api, "ada@example.com", send=True)
    [mail] = await mailed(services, "ada@example.com")
    assert (mail.kind, mail.language, mail.params) == (MailKind.invitation, "de", {"inviter": "Mara Lind"})
    assert mail.secret == made["code"].replace("-", "")


async def test_an_inviter_without_a_name_is_known_by_the_address(
    api: httpx2.AsyncClient, user: User, services: Services
) -> None:
    await invite(api, "ada@example.com", send=True)
    assert [mail.params for mail in await mailed(services, "ada@example.com")] == [{"inviter": user.email}]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"email": "no address"}, ErrorCode.invalid_email),
        ({"email": "no address", "send": True}, ErrorCode.invalid_email),
        ({"send": True}, ErrorCode.invalid_email),
        ({"email": "  ", "send": True}, ErrorCode.invalid_email),
    ],
)
async def test_an_address_that_cannot_be_invited(
    api: httpx2.AsyncClient, body: dict[str, Any], code: ErrorCode
) -> None:
    assert wrong_fields(await api.post("/invitations/", json=body)) == {"email": code}
    assert (await listed(api))["total"] == 0


async def test_who_invites_does_not_learn_who_has_an_account(
    api: httpx2.AsyncClient, services: Services, make: Factory
) -> None:
    """Answer, list and mail are the same; only the code is worth nothing to that address."""
    await make.user("taken@example.com")
    told = []
    for email in ("taken@example.com", "vacant@example.com"):
        made = await invite(api, email, send=True)
        [mail] = await mailed(services, email)
        told.append((made["state"], made.keys(), mail.kind, mail.params))
    assert told[0] == told[1]
    assert [item["state"] for item in (await listed(api))["items"]] == ["open", "open"]


# how many


async def test_only_open_ones_count(api: httpx2.AsyncClient, services: Services) -> None:
    first, second, *_ = [await invite(api) for _ in range(LIMIT)]
    refusal = refused(
        await api.post("/invitations/", json={"email": "ada@example.com", "send": True}),
        409,
        ErrorCode.invitation_limit,
    )
    assert refusal["params"] == {"limit": LIMIT}
    assert await mailed(services, "ada@example.com") == []
    done(await revoke(api, first), 204)
    await invite(api)
    done(await sign_up(api, second["code"]), 201)
    await invite(api)
    refused(await api.post("/invitations/", json={}), 409, ErrorCode.invitation_limit)
    with time_machine.travel(datetime.now(UTC) + timedelta(days=14, seconds=1)):
        await invite(api)
        assert (await listed(api))["open"] == 1


async def test_twenty_at_once_make_no_more_than_allowed(standing: Services, away: Gateway) -> None:
    inviter = await Factory(standing.sessions, standing.vault).user()
    async with browsing(standing, away, inviter) as client:
        answers = await asyncio.gather(*(client.post("/invitations/", json={}) for _ in range(20)))
        assert sorted(answer.status_code for answer in answers) == [201] * LIMIT + [409] * (20 - LIMIT)
        page = await listed(client)
    assert (page["open"], page["total"]) == (LIMIT, LIMIT)


# taken back


async def test_only_an_open_invitation_is_revoked(api: httpx2.AsyncClient) -> None:
    revoked, used, expired = [await invite(api) for _ in range(3)]
    done(await revoke(api, revoked), 204)
    done(await sign_up(api, used["code"]), 201)
    for closed in (revoked, used):
        refused(await revoke(api, closed), 409, ErrorCode.invitation_used)
    with time_machine.travel(datetime.now(UTC) + timedelta(days=14, seconds=1)):
        refused(await revoke(api, expired), 409, ErrorCode.invitation_used)
    done(await sign_up(api, expired["code"], "grace@example.com"), 201)


async def test_another_users_invitation_is_not_there(
    api: httpx2.AsyncClient, services: Services, away: Gateway, make: Factory
) -> None:
    async with browsing(services, away, await make.user()) as another:
        theirs = await invite(another)
        refused(await revoke(api, theirs), 404, ErrorCode.not_found)
        assert (await listed(another))["items"] == [theirs]


async def test_a_code_is_either_used_or_revoked(standing: Services, away: Gateway) -> None:
    inviter = await Factory(standing.sessions, standing.vault).user()
    async with browsing(standing, away, inviter) as client:
        for at in range(8):
            made = await invite(client)
            joined, gone = await asyncio.gather(
                sign_up(client, made["code"], f"ada-{at}@example.com"), revoke(client, made)
            )
            state = (await listed(client))["items"][0]["state"]
            assert (joined.status_code, gone.status_code, state) in {(201, 409, "used"), (422, 204, "revoked")}
