"""The list behind the bell, its number, and the choice of mails."""

from uuid import UUID, uuid4

import httpx2

from core.container import Services
from core.errors import ErrorCode
from core.ids import new_id
from core.notifications.notifying import About, NotifyingService
from core.notifications.rules import NotificationKind
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused, wrong_fields
from tests.api.owned import own_a_post
from tests.conftest import Networks, browsing
from tests.factories import Factory

NOTHING = About()


async def tell(services: Services, user_id: UUID, kind: NotificationKind, cause: str, about: About = NOTHING) -> None:
    async with services.sessions.begin() as session:
        await NotifyingService(session).notify(user_id, kind, cause, about)


async def number(client: httpx2.AsyncClient) -> int:
    """As the bell and the list have it."""
    waiting = done(await client.get("/users/waiting/"))["notifications"]
    page = done(await client.get("/notifications/"))
    assert waiting == page["unread"] == done(await client.get("/notifications/?unread=true"))["total"]
    return int(waiting)


async def test_each_says_what_it_is_about_as_that_is_called_today(
    services: Services, make: Factory, networks: Networks, away: Gateway
) -> None:
    mine = await own_a_post(services, make, networks)
    ids = {name: UUID(value) for name, value in mine.ids.items()}
    abouts = {
        NotificationKind.approval_needed: About(post_id=ids["post_id"]),
        NotificationKind.assistant_paused_itself: About(assistant_id=ids["assistant_id"]),
        NotificationKind.account_reconnect: About(account_id=ids["account_id"]),
    }
    for kind, about in abouts.items():
        await tell(services, mine.user.id, kind, "once", about)
    async with browsing(services, away, mine.user) as owner:
        items = done(await owner.get("/notifications/"))["items"]
        named = ("kind", "post_title", "assistant_name", "account_name", "channel")
        assert [tuple(item[name] for name in named) for item in reversed(items)] == [
            ("approval_needed", "Rain without drama", "Commuter tips", None, None),
            ("assistant_paused_itself", None, "Commuter tips", None, None),
            ("account_reconnect", None, None, "Mara Lind", "linkedin"),
        ]
        assert [item["post_id"] for item in items if item["post_id"]] == [mine.ids["post_id"]]
        assert all(item["read_at"] is None for item in items)
        assert await number(owner) == 3
        # what is in the bin leads nowhere
        await services.projecting.finish(mine.user.id, ids["run_id"])
        version = done(await owner.get(f"/social-media-posts/{mine.ids['post_id']}/"))["version"]
        picked = [{"id": mine.ids["post_id"], "version": version}]
        done(await owner.post("/social-media-posts/bulk/", json={"action": "delete", "posts": picked}))
        assert await number(owner) == 2


async def test_a_post_without_a_topic_is_called_by_its_first_line_and_what_is_cut_says_so(
    api: httpx2.AsyncClient, services: Services, user: User
) -> None:
    for at, content in enumerate(("\nMudguards help.\n\nRain does not ask.", "x" * 101)):
        post_id = uuid4()
        told = {"id": str(post_id), "content": content, "time_zone": "UTC", "language": "en"}
        done(await api.post("/social-media-posts/", json=told), 201)
        await tell(services, user.id, NotificationKind.post_failed, str(at), About(post_id=post_id))
    items = done(await api.get("/notifications/"))["items"]
    assert [item["post_title"] for item in items] == ["x" * 99 + "…", "Mudguards help."]


async def test_pages_and_what_was_seen(api: httpx2.AsyncClient, services: Services, user: User) -> None:
    for at in range(5):
        await tell(services, user.id, NotificationKind.post_failed, str(at))
    first = done(await api.get("/notifications/?page_size=3"))
    second = done(await api.get("/notifications/", params={"page_size": 3, "cursor": first["next_cursor"]}))
    assert (len(first["items"]), len(second["items"]), second["next_cursor"], second["total"]) == (3, 2, None, 5)
    shown = [*first["items"], *second["items"]]
    assert [item["created_at"] for item in shown] == sorted((item["created_at"] for item in shown), reverse=True)

    oldest = shown[-1]["id"]
    for _ in range(2):
        done(await api.post(f"/notifications/{oldest}/read/"), 204)
    assert await number(api) == 4
    # what came while somebody was looking stays unread
    done(await api.post("/notifications/read/", json={"until": shown[1]["created_at"]}), 204)
    assert [item["id"] for item in done(await api.get("/notifications/?unread=true"))["items"]] == [shown[0]["id"]]
    done(await api.post("/notifications/read/", json={"until": shown[0]["created_at"]}), 204)
    assert await number(api) == 0


async def test_nobody_counts_beyond_a_hundred(api: httpx2.AsyncClient, services: Services, user: User) -> None:
    async with services.sessions.begin() as session:
        for at in range(103):
            await NotifyingService(session).notify(user.id, NotificationKind.post_failed, str(at), About())
    assert done(await api.get("/users/waiting/"))["notifications"] == 100
    page = done(await api.get("/notifications/?unread=true"))
    assert (page["unread"], page["total"]) == (100, 103)


async def test_choices_are_kept_and_what_makes_no_sense_is_refused(api: httpx2.AsyncClient) -> None:
    before = done(await api.get("/notifications/settings/"))
    assert {one["topic"]: one["mail"] for one in before} == {
        **dict.fromkeys(
            ("approval", "failed", "unknown", "reconnect", "self_paused", "budget", "subscription"), "at_once"
        ),
        "overview": "never",
    }
    assert before[-1]["choices"] == ["daily", "never"]
    for mail in ("daily", "never"):
        chosen = done(await api.put("/notifications/settings/failed/", json={"mail": mail}))
        assert (chosen["topic"], chosen["mail"]) == ("failed", mail)
    after = {one["topic"]: one["mail"] for one in done(await api.get("/notifications/settings/"))}
    assert after == {one["topic"]: one["mail"] for one in before} | {"failed": "never"}
    answer = await api.put("/notifications/settings/overview/", json={"mail": "at_once"})
    assert wrong_fields(answer) == {"mail": ErrorCode.invalid_input}


async def test_what_is_not_there_is_missed(api: httpx2.AsyncClient) -> None:
    refused(await api.post(f"/notifications/{new_id()}/read/"), 404, ErrorCode.not_found)
