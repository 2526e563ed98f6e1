"""Lists: search, pages, and a fixed number of queries."""

import httpx2
import pytest

from core.container import Services
from core.errors import ErrorCode
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused, wrong_fields
from tests.api.owned import own_everything
from tests.conftest import Networks, browsing
from tests.factories import Factory
from tests.statements import record_statements

LISTS = ["/templates/", "/topics/", "/assistants/", "/social-media-posts/", "/media/"]


async def template(api: httpx2.AsyncClient, name: str, **more: object) -> None:
    form = {"type": "text", "language": "en", "body": "About ((Topic))", "name": name, **more}
    done(await api.post("/templates/", json=form), 201)


async def names(api: httpx2.AsyncClient, path: str, **query: object) -> list[str]:
    found = done(await api.get(path, params={name: str(value) for name, value in query.items()}))
    return [item["name"] for item in found["items"]]


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("100%", ["100% rain"]),
        ("%", ["100% rain"]),
        ("_", ["snow_day"]),
        ("snow_", ["snow_day"]),
        ("\\", ["back\\slash"]),
        ("RAIN", ["100% rain", "1000 rains"]),
        ("'; --", []),
        ("", ["100% rain", "1000 rains", "back\\slash", "snow_day", "snowy day"]),
    ],
)
async def test_a_search_is_taken_literally(api: httpx2.AsyncClient, search: str, found: list[str]) -> None:
    for name in ("100% rain", "1000 rains", "snow_day", "snowy day", "back\\slash"):
        await template(api, name)
        done(await api.post("/topics/", json={"name": name, "text": "- a"}), 201)
    assert sorted(await names(api, "/templates/", search=search)) == found
    assert sorted(await names(api, "/topics/", search=search)) == found


async def test_pages_follow_one_another_without_gap_or_repetition(api: httpx2.AsyncClient) -> None:
    for at in range(7):
        await template(api, f"Template {at}")
    seen, cursor, totals = [], None, set()
    while True:
        query = {"page_size": "3", **({"cursor": cursor} if cursor else {})}
        page = done(await api.get("/templates/", params=query))
        seen += [item["name"] for item in page["items"]]
        totals.add(page["total"])
        if (cursor := page["next_cursor"]) is None:
            break
    assert seen == [f"Template {at}" for at in reversed(range(7))]
    assert totals == {7}


@pytest.mark.parametrize("path", LISTS)
@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("cursor=nonsense", "cursor"),
        ("cursor=b3g=", "cursor"),
        ("cursor=%C3%A4", "cursor"),
        ("cursor=by0x", "cursor"),
        ("page_size=0", "page_size"),
        ("page_size=201", "page_size"),
        ("search=%00", "search"),
        (f"search={'x' * 201}", "search"),
    ],
)
async def test_what_is_wrong_in_a_query_is_named(api: httpx2.AsyncClient, path: str, query: str, field: str) -> None:
    assert wrong_fields(await api.get(f"{path}?{query}")) == {field: ErrorCode.invalid_input}


async def test_a_list_beyond_its_end_is_empty(api: httpx2.AsyncClient) -> None:
    await template(api, "Only one")
    page = done(await api.get("/templates/", params={"cursor": "bzUw"}))
    assert (page["items"], page["next_cursor"], page["total"]) == ([], None, 1)


async def test_templates_by_type_and_assistants_by_state(api: httpx2.AsyncClient, user: User, make: Factory) -> None:
    await make.assistant(user)
    assert await names(api, "/templates/", type="image") == ["A image template"]
    assert await names(api, "/assistants/", active=False) == ["Commuter tips"]
    assert await names(api, "/assistants/", active=True) == []
    assert await names(api, "/assistants/", search="commuting") == ["Commuter tips"]  # a tag
    assert await names(api, "/assistants/", search="commut%") == []
    refused(await api.get("/templates/?type=sound"), 422, ErrorCode.invalid_input)


async def test_a_longer_list_takes_no_more_queries(
    services: Services, away: Gateway, make: Factory, networks: Networks
) -> None:
    owned = await own_everything(services, make, networks)
    async with browsing(services, away, owned.user) as api:
        taken: dict[str, list[int]] = {path: [] for path in [*LISTS, "/accounts/"]}
        for _ in range(2):
            for path, counts in taken.items():
                with record_statements() as statements:
                    found = done(await api.get(path))
                counts.append(len([one for one in statements if one.startswith("SELECT")]))
                assert found["items"] if isinstance(found, dict) else found
            for _ in range(3):
                await make.assistant(owned.user, topics="- A\n-- B")
            for path in ("ada-lindqvist", "jonas-weber"):
                await make.account(owned.user, networks.url, person=path)
    assert all(first == second for first, second in taken.values()), taken


@pytest.mark.parametrize("path", ["/approvals/", "/articles/", "/websites/", "/social-media-posts/"])
async def test_an_empty_list_asks_for_nothing_that_belongs_to_its_rows(api: httpx2.AsyncClient, path: str) -> None:
    """Whose token it is, and what there is."""
    await api.get(path)
    with record_statements() as statements:
        done(await api.get(path))
    asked = [one for one in statements if one.startswith("SELECT")]
    assert len(asked) == 2, asked
