"""What the operator's app may not do: told at the account and before a post goes out, not by a failure afterwards."""

from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from core.clock import utcnow
from core.container import Services
from core.errors import ErrorCode
from core.networks.rules.channels import ChannelKind
from core.social_accounts.comment_access import REFUSED_FOR
from core.social_accounts.tables import Account
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, wrong_fields
from tests.api.owned import Owned, own_a_post
from tests.api.test_composing import FAR, POSTS, at, created, written
from tests.conftest import Networks, browsing
from tests.factories import Factory

COMMENT = "More on it: https://lindhof.example"


@pytest.fixture
async def mine(services: Services, make: Factory, networks: Networks) -> Owned:
    return await own_a_post(services, make, networks)


@pytest.fixture
async def owner(services: Services, away: Gateway, mine: Owned) -> AsyncIterator[httpx2.AsyncClient]:
    async with browsing(services, away, mine.user) as client:
        yield client


async def refusals(owner: httpx2.AsyncClient) -> dict[str, Any]:
    """Return by account why it can have no first comments."""
    return {one["id"]: one["first_comment_error"] for one in done(await owner.get("/accounts/"))}


async def page_of(make: Factory, networks: Networks, user: User, person: str = "mara-lind") -> str:
    account = await make.account(user, networks.url, person, kind=ChannelKind.facebook)
    return str(account.id)


async def test_what_the_consent_lacks_is_told_at_the_account(
    owner: httpx2.AsyncClient, mine: Owned, make: Factory, networks: Networks
) -> None:
    facebook = await page_of(make, networks, mine.user)
    told = await refusals(owner)
    assert told.pop(facebook) is None
    [reason] = told.values()
    assert reason == {
        "field": "first_comment",
        "code": ErrorCode.first_comment_not_granted,
        "params": {
            "network": "LinkedIn",
            "scope": "w_member_social_feed",
            "product": "Community Management API",
            "setting": "LINKEDIN_SCOPES",
        },
    }
    channels = {one["kind"]: one["limits"]["max_first_comment"] for one in done(await owner.get("/channels/"))}
    assert channels["linkedin"] == 1250, "the network has them"


async def test_a_consent_with_the_permission_allows_comments_until_a_call_is_refused(
    services: Services, make: Factory, user: User, networks: Networks, away: Gateway
) -> None:
    # the app for pages has it
    connected = await make.account(user, networks.url, kind=ChannelKind.linkedin_pages)
    async with browsing(services, away, user) as owner:
        assert list((await refusals(owner)).values()) == [None]
        async with services.sessions.begin() as session:
            row = await session.get_one(Account, connected.id)
            row.comments_refused_at = row.created_at
        [reason] = (await refusals(owner)).values()
        assert reason["code"] == ErrorCode.first_comment_refused
        assert reason["params"]["setting"] == "LINKEDIN_PAGES_SCOPES"
        async with services.sessions.begin() as session:
            (await session.get_one(Account, connected.id)).comments_refused_at = utcnow() - REFUSED_FOR
        assert list((await refusals(owner)).values()) == [None], "the next comment asks again"
        await make.account(user, networks.url, kind=ChannelKind.linkedin_pages)
        assert list((await refusals(owner)).values()) == [None], "connected anew, it may be allowed by now"


async def test_a_comment_that_no_account_can_have_is_refused_before_the_post_goes_out(
    owner: httpx2.AsyncClient, mine: Owned, make: Factory, networks: Networks
) -> None:
    post = await created(owner, mine, first_comment=COMMENT, planned_at=FAR)
    refused = await owner.post(f"{at(post)}publish/", json={"version": post["version"]})
    not_granted = ErrorCode.first_comment_not_granted
    assert wrong_fields(refused, not_granted) == {"first_comment": not_granted}
    facebook = await page_of(make, networks, mine.user)
    both = written(mine, version=post["version"], first_comment=COMMENT, planned_at=FAR)
    both["account_ids"] = [*both["account_ids"], facebook]
    changed = done(await owner.put(at(post), json=both))["post"]
    sent = await owner.post(f"{POSTS}{post['id']}/publish/", json={"version": changed["version"]})
    assert sent.status_code in (200, 202), "one of them can have it"
    assert changed["first_comment"] == COMMENT
