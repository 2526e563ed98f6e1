"""What stands in the calendar."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any
from unittest.mock import patch

import httpx2
import icalendar
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select, update

from core.approvals.rules import ApprovalState, AtDeadline
from core.approvals.tables.approvals import Approval
from core.assistants.configuration import AssistantConfigurationService
from core.assistants.rules.assistants import Mode, RunState
from core.assistants.rules.schedules import DateRange, Frequency, Schedule
from core.assistants.tables import Assistant, AssistantAccount
from core.clock import utcnow
from core.container import Services
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode
from core.ids import new_id, run_id, run_workflow
from core.networks.rules.channels import AccountState
from core.posts import calendar, calendar_feed
from core.posts.rules.posts import DeliveryState, PostStatus, RemovalState
from core.posts.tables.calendar import CalendarFeed
from core.posts.tables.posts import Post
from core.runs.tables import Run
from core.social_accounts.tables import Account
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused, wrong_fields
from tests.api.owned import own_a_post
from tests.api.test_overview import a_delivery, a_post, an_account, save
from tests.api.test_security import PASSWORD, with_password
from tests.conftest import Networks, browsing, mailed
from tests.factories import Factory
from tests.statements import record_statements

BEGIN = datetime(2031, 3, 1, tzinfo=UTC)
NOW = BEGIN + timedelta(hours=8, minutes=30)
PROOF = {"current_password": PASSWORD}
DAILY = Schedule(Frequency.daily, "Europe/Berlin", ("09:00",))


@pytest.fixture
async def user(services: Services, make: Factory) -> User:
    """Who knows a password."""
    return await with_password(services, await make.user())


async def active(
    services: Services, make: Factory, user: User, schedule: Schedule = DAILY, mode: Mode = Mode.draft, **more: Any
) -> Assistant:
    assistant = await make.assistant(user, schedule=schedule, mode=mode, image=False, **more)
    async with services.sessions.begin() as session:
        await AssistantConfigurationService(session).activate(user.id, assistant.id)
    return assistant


def a_run(assistant: Assistant, slot: datetime, state: RunState, **more: Any) -> Run:
    name = run_workflow(assistant.id, slot)
    return Run(
        id=run_id(name),
        user_id=assistant.user_id,
        assistant_id=assistant.id,
        workflow_id=name,
        slot=slot,
        state=state,
        **more,
    )


async def read(
    api: httpx2.AsyncClient, begin: datetime = BEGIN, days: int = 7, at: datetime = NOW, **filters: Any
) -> dict[str, Any]:
    period = {"from": begin.isoformat(), "to": (begin + timedelta(days=days)).isoformat()}
    with patch.object(calendar, "utcnow", lambda: at):  # a token would not live so long
        found: dict[str, Any] = done(await api.get("/calendar/", params=period | filters))
    return found


def slots(found: dict[str, Any], kind: str = "planned") -> list[str]:
    return [one["slot"] for one in found[kind]]


async def test_what_a_schedule_will_do_is_planned_from_now_on(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User
) -> None:
    assistant = await active(services, make, user)
    found = await read(api, days=3)
    # the first of March is over by half an hour
    assert slots(found) == ["2031-03-02T08:00:00Z", "2031-03-03T08:00:00Z"]
    assert found["planned"][0] == {
        "assistant_id": str(assistant.id),
        "assistant_name": "Commuter tips",
        "slot": "2031-03-02T08:00:00Z",
        "time_zone": "Europe/Berlin",
        "mode": "draft",
        "channels": [],
        "is_next": True,
        "others": 0,
        "last": None,
    }
    assert [one["is_next"] for one in found["planned"]] == [True, False]
    assert (found["posts"], found["runs"], found["left_out"], found["more"]) == ([], [], [], [])
    later = await read(api, BEGIN + timedelta(days=5), days=1)
    assert [one["is_next"] for one in later["planned"]] == [False]


async def test_a_run_that_waits_for_a_new_login_says_so(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User
) -> None:
    assistant = await active(services, make, user)
    account = an_account(user, "mara", AccountState.needs_reconnecting)
    await save(services, account)
    await save(
        services,
        AssistantAccount(assistant_id=assistant.id, account_id=account.id, user_id=user.id),
        a_run(assistant, datetime(2031, 3, 2, 8, tzinfo=UTC), RunState.preparing),
        a_run(assistant, datetime(2031, 3, 1, 8, tzinfo=UTC), RunState.failed),
    )
    found = await read(api, datetime(2031, 3, 1, tzinfo=UTC))
    assert [(one["state"], one["needs_login"]) for one in found["runs"]] == [("failed", False), ("preparing", True)]


async def test_slots_keep_their_time_over_a_change_of_the_clocks(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User
) -> None:
    await active(services, make, user)
    found = await read(api, datetime(2031, 3, 29, tzinfo=UTC), days=3)
    assert slots(found) == ["2031-03-29T08:00:00Z", "2031-03-30T07:00:00Z", "2031-03-31T07:00:00Z"]


async def test_the_end_is_not_part_of_the_period_and_its_beginning_is(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User
) -> None:
    await active(services, make, user)
    at = datetime(2031, 3, 3, 8, tzinfo=UTC)
    await save(services, a_post(user, at), a_post(user, at + timedelta(days=1)))
    found = await read(api, at, days=1)
    assert slots(found) == ["2031-03-03T08:00:00Z"]
    assert [one["planned_at"] for one in found["posts"]] == ["2031-03-03T08:00:00Z"]


@pytest.mark.parametrize("state", [RunState.missed, RunState.skipped, RunState.failed, RunState.preparing])
async def test_a_run_without_a_post_stands_in_the_place_of_its_slot(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User, state: RunState
) -> None:
    assistant = await active(services, make, user)
    slot = datetime(2031, 3, 2, 8, tzinfo=UTC)
    run = a_run(assistant, slot, state, reason=ErrorCode.missed_outage)
    await save(services, run)
    found = await read(api, days=3)
    assert slots(found) == ["2031-03-03T08:00:00Z"]
    assert found["runs"] == [
        {
            "id": str(run.id),
            "assistant_id": str(assistant.id),
            "assistant_name": "Commuter tips",
            "slot": "2031-03-02T08:00:00Z",
            "state": state,
            "reason": "missed_outage",
            "topic_title": None,
            "needs_login": False,
        }
    ]
    # while one is being made, that is the one to be skipped
    assert [one["is_next"] for one in found["planned"]] == [state is not RunState.preparing]


async def test_a_post_stands_where_it_was_moved_to_and_its_slot_is_not_planned_again(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User
) -> None:
    assistant = await active(services, make, user)
    run = a_run(assistant, datetime(2031, 3, 2, 8, tzinfo=UTC), RunState.ready)
    moved = datetime(2031, 3, 4, 17, tzinfo=UTC)
    post = a_post(user, moved, PostStatus.complete, assistant_id=assistant.id, run_id=run.id, content="\n\nRain.\nMore")
    await save(services, run, post)
    found = await read(api, days=3)
    assert (slots(found), found["runs"], found["posts"]) == (["2031-03-03T08:00:00Z"], [], [])
    [shown] = (await read(api, days=5))["posts"]
    assert shown == {
        "id": str(post.id),
        "assistant_id": str(assistant.id),
        "assistant_name": "Commuter tips",
        "source": "assistant",
        "status": "complete",
        "is_article": False,
        "title": "Rain.",
        "planned_at": "2031-03-04T17:00:00Z",
        "deliveries": [],
        "channels": [],
        "approval": None,
        "acknowledged_at": None,
        "first_file": None,
        "version": 1,
        "fixed": "post_ended",
    }


async def test_a_draft_says_where_it_is_meant_to_go(
    api: httpx2.AsyncClient, services: Services, make: Factory, networks: Networks, user: User
) -> None:
    account, gone = await make.account(user, networks.url), await make.account(user, networks.url, "jonas-weber")
    stranger = await make.account(await make.user("other@example.org"), networks.url, "ada-lindqvist")
    async with services.sessions.begin() as session:
        await session.execute(update(Account).where(Account.id == gone.id).values(disconnected_at=utcnow()))
    moment = datetime(2031, 3, 4, 17, tzinfo=UTC)
    for chosen in ([account, gone], [stranger], []):
        await save(services, a_post(user, moment, PostStatus.draft, account_ids=[str(one.id) for one in chosen]))
    shown = (await read(api, days=5))["posts"]
    assert sorted(one["channels"] for one in shown) == [[], [], ["linkedin"]]


async def test_in_a_pause_nothing_is_planned(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User
) -> None:
    assistant = await active(services, make, user)
    async with services.sessions.begin() as session:
        # as `pause` would write it, if the database's own clock had moved
        row = await session.get_one(Assistant, assistant.id)
        stretch, until = dict(row.stretches[-1]), NOW + timedelta(days=2)
        row.stretches = [
            stretch,
            {**stretch, "since": NOW.isoformat(), "active": False},
            {**stretch, "since": until.isoformat()},
        ]
    assert slots(await read(api, days=4)) == ["2031-03-04T08:00:00Z"]
    async with services.sessions.begin() as session:
        await AssistantConfigurationService(session).pause(user.id, assistant.id, None)
        row = await session.get_one(Assistant, assistant.id)
        row.stretches = row.stretches[-1:]
    assert slots(await read(api, days=4)) == []


async def test_an_inactive_assistant_plans_nothing(api: httpx2.AsyncClient, make: Factory, user: User) -> None:
    await make.assistant(user, schedule=DAILY, mode=Mode.draft, image=False)
    assert slots(await read(api)) == []


async def test_days_that_are_left_out_are_named(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User
) -> None:
    left_out = Schedule(
        Frequency.daily,
        "Europe/Berlin",
        ("09:00",),
        left_out_dates=(DateRange(date(2031, 4, 9), date(2031, 4, 9)),),
        holiday_country="DE",
    )
    await active(services, make, user, left_out)
    await active(services, make, user, left_out)
    found = await read(api, datetime(2031, 4, 8, 22, tzinfo=UTC), days=4)
    assert found["left_out"] == [
        {"day": "2031-04-09", "reason": "date", "holiday": "", "assistant_names": ["Commuter tips"]},
        {"day": "2031-04-11", "reason": "holiday", "holiday": "Good Friday", "assistant_names": ["Commuter tips"]},
    ]
    assert slots(found) == ["2031-04-10T07:00:00Z"] * 2 + ["2031-04-12T07:00:00Z"] * 2


@pytest.mark.parametrize(
    ("state", "called", "fixed"),
    [
        (DeliveryState.pending, False, None),
        (DeliveryState.retrying, False, None),
        (DeliveryState.publishing, False, "post_going_out"),
        (DeliveryState.retrying, True, "post_going_out"),
        (DeliveryState.unknown, True, "post_going_out"),
        (DeliveryState.published, True, "post_ended"),
        (DeliveryState.failed, True, "post_ended"),
        (DeliveryState.cancelled, False, "post_ended"),
    ],
)
async def test_it_says_of_a_post_what_moving_it_would_say(
    services: Services, away: Gateway, make: Factory, networks: Networks, state: DeliveryState, called: bool, fixed: str
) -> None:
    mine = await own_a_post(services, make, networks)
    at = utcnow()
    async with services.sessions.begin() as session:
        values = {"state": state, "called_at": at if called else None}
        await session.execute(update(Delivery).where(Delivery.user_id == mine.user.id).values(**values))
        await session.execute(update(Post).where(Post.user_id == mine.user.id).values(planned_at=at))
    async with browsing(services, away, mine.user) as api:
        [post] = (await read(api, at - timedelta(days=1), days=2, at=at))["posts"]
        assert post["fixed"] == fixed
        body = {"version": post["version"], "planned_at": (at + timedelta(days=1)).isoformat()}
        answer = await api.post(f"/social-media-posts/{post['id']}/move/", json=body)
    assert answer.status_code == (409 if fixed else 200)
    assert answer.json().get("code") == fixed


async def test_a_post_with_its_picture_and_what_it_asks(
    services: Services, away: Gateway, make: Factory, networks: Networks
) -> None:
    mine = await own_a_post(services, make, networks)
    async with services.sessions.begin() as session:
        post = await session.get_one(Post, mine.ids["post_id"])
        for content, state in ((post.content_hash, ApprovalState.waiting), ("older", ApprovalState.declined)):
            session.add(
                Approval(
                    user_id=mine.user.id,
                    post_id=post.id,
                    content_hash=content,
                    state=state,
                    at_deadline=AtDeadline.hold,
                    deadline_at=utcnow(),
                )
            )
        assert post.planned_at is not None
        begin = post.planned_at - timedelta(hours=1)
        delivery = await session.get_one(Delivery, mine.ids["delivery_id"])
        delivery.removal = RemovalState.failed
    async with browsing(services, away, mine.user) as api:
        [found] = (await read(api, begin, days=1, at=begin))["posts"]
        listed = done(await api.get(f"/social-media-posts/{mine.ids['post_id']}/"))
        asked = found["approval"]
        assert asked == {name: listed["approval"][name] for name in ("state", "at_deadline", "deadline_at", "at_once")}
        assert found["deliveries"] == [
            {
                "channel": "linkedin",
                "state": "pending",
                "called_at": None,
                "error_code": None,
                "removal": {"state": "failed"},
            }
        ]
        assert found["channels"] == ["linkedin"]
        assert found["title"] == listed["content"].splitlines()[0][:160]
        assert (found["version"], found["fixed"]) == (listed["version"], None)
        assert found["first_file"]["kind"] == listed["files"][0]["kind"]
        picture = await api.get(found["first_file"]["thumbnail_url"].removeprefix("/api"))
        assert picture.headers["content-type"].startswith("image/")


async def entries(api: httpx2.AsyncClient, **filters: Any) -> Sequence[int]:
    found = await read(api, **filters)
    return len(found["posts"]), len(found["runs"]), len(found["planned"])


async def test_filters(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User, networks: Networks
) -> None:
    account = await make.account(user, networks.url)
    posting = await active(services, make, user, mode=Mode.automatic, accounts=(account.id,))
    drafting = await active(services, make, user)
    at = datetime(2031, 3, 2, 12, tzinfo=UTC)
    sent = a_post(user, at, PostStatus.failed, assistant_id=posting.id)
    await save(
        services,
        sent,
        a_delivery(sent, account, DeliveryState.failed, None),
        a_post(user, at, PostStatus.draft, assistant_id=drafting.id),
        a_run(drafting, datetime(2031, 3, 2, 8, tzinfo=UTC), RunState.skipped),
        a_run(posting, datetime(2031, 3, 1, 8, tzinfo=UTC), RunState.missed),
    )
    assert await entries(api, days=2) == (2, 2, 1)
    assert await entries(api, days=2, status="draft") == (1, 0, 0)
    assert await entries(api, days=2, status=["failed", "missed", "planned"]) == (1, 1, 1)
    assert await entries(api, days=2, status="skipped") == (0, 1, 0)
    assert await entries(api, days=2, assistant_id=str(posting.id)) == (1, 1, 1)
    assert await entries(api, days=2, assistant_id=str(drafting.id)) == (1, 1, 0)
    assert await entries(api, days=2, channel="linkedin") == (1, 1, 1)
    assert await entries(api, days=2, assistant_id=str(new_id())) == (0, 0, 0)


async def test_nobody_sees_anything_of_others(
    services: Services, away: Gateway, make: Factory, user: User, api: httpx2.AsyncClient
) -> None:
    other = await make.user()
    assistant = await active(services, make, other)
    slot = datetime(2031, 3, 2, 8, tzinfo=UTC)
    await save(services, a_post(other, slot), a_run(assistant, slot, RunState.missed))
    assert await entries(api) == (0, 0, 0)
    assert await entries(api, assistant_id=str(assistant.id)) == (0, 0, 0)
    async with browsing(services, away, other) as theirs:
        assert await entries(theirs) == (1, 1, 5)


@pytest.mark.parametrize(
    ("begin", "end", "field", "code"),
    [
        ("2031-03-01T00:00:00Z", "2031-05-03T00:00:00Z", "to", ErrorCode.period_too_long),
        ("2031-03-01T00:00:00Z", "2031-03-01T00:00:00Z", "to", ErrorCode.invalid_input),
        ("2031-03-01T00:00:00", "2031-03-02T00:00:00Z", "from", ErrorCode.invalid_input),
        ("2031-03-01T00:00:00Z", "tomorrow", "to", ErrorCode.invalid_input),
    ],
)
async def test_a_period_has_to_be_one(
    api: httpx2.AsyncClient, begin: str, end: str, field: str, code: ErrorCode
) -> None:
    answer = await api.get("/calendar/", params={"from": begin, "to": end})
    whole = code if code is ErrorCode.period_too_long else ErrorCode.invalid_input
    assert wrong_fields(answer, whole) == {field: code}
    refused(await api.get("/calendar/", params={"from": begin}), 422, ErrorCode.invalid_input)


async def test_two_whole_months_of_a_zone_are_not_too_long(
    api: httpx2.AsyncClient, services: Services, user: User
) -> None:
    async with services.sessions.begin() as session:
        await session.execute(update(User).where(User.id == user.id).values(time_zone="Europe/Berlin"))
    # with an hour more, since clocks go back in October
    period = {"from": "2031-09-30T22:00:00Z", "to": "2031-11-30T23:00:00Z"}
    assert done(await api.get("/calendar/", params=period))["time_zone"] == "Europe/Berlin"


async def test_a_dense_schedule_is_cut_day_by_day(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calendar, "MOST", 20)
    await active(services, make, user, Schedule(Frequency.cron, "UTC", cron="* * * * *"))
    at = datetime(2031, 3, 2, 12, tzinfo=UTC)
    await save(services, *(a_post(user, at + timedelta(minutes=minute)) for minute in range(5)), a_post(user, NOW))
    found = await read(api, days=5)
    by_day = [slot[:10] for slot in slots(found)]
    assert by_day == [f"2031-03-0{day}" for day in range(1, 6) for _ in range(4)]
    # one for each hour
    assert slots(found)[:2] == ["2031-03-01T08:31:00Z", "2031-03-01T09:00:00Z"]
    assert [(one["others"], one["last"]) for one in found["planned"][:2]] == [
        (28, "2031-03-01T08:59:00Z"),
        (59, "2031-03-01T09:59:00Z"),
    ]
    assert [one["is_next"] for one in found["planned"][:2]] == [True, False]
    assert len(found["posts"]) == 5
    # what is not shown is counted: the rest of the first day from its fifth hour on, and of one day the fifth post
    beyond = [1440 - 12 * 60, *(1440 - 4 * 60 for _ in range(4))]
    beyond[1] += 1
    assert found["more"] == [{"day": f"2031-03-0{day}", "count": count} for day, count in enumerate(beyond, 1)]
    # a shorter period has room for more of a day, which has as many in all
    day = await read(api, BEGIN + timedelta(days=1), days=1)
    shown = sum(1 + one["others"] for one in day["planned"]) + len(day["posts"])
    assert (shown, day["more"]) == (20 * 60 + 5, [{"day": "2031-03-02", "count": 1440 - 20 * 60}])
    # where there is room for each hour nothing is left out
    monkeypatch.setattr(calendar, "MOST", 120)
    assert (await read(api, days=5))["more"] == []


async def test_what_is_too_much_to_be_counted_shows_the_first_of_each_day_all_the_same(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calendar, "MOST", 20)
    monkeypatch.setattr(calendar, "_COUNTED", 2500)
    await active(services, make, user, Schedule(Frequency.cron, "UTC", cron="* * * * *"))
    found = await read(api, days=5)
    assert sorted({slot[:10] for slot in slots(found)}) == [f"2031-03-0{day}" for day in range(1, 6)]
    assert [one["count"] for one in found["more"]] == [720, 1200, 1, 1, 1]


async def test_any_number_of_assistants_takes_the_same_statements(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User
) -> None:
    taken = []
    for _ in range(2):
        with record_statements() as statements:
            found = await read(api)
        taken.append(len([one for one in statements if one.startswith("SELECT")]))
        for day in range(2, 5):
            assistant = await active(services, make, user)
            slot = datetime(2031, 3, day, 8, tzinfo=UTC)
            post = a_post(user, slot, assistant_id=assistant.id)
            account = an_account(user, str(new_id()))
            await save(services, account, post, a_delivery(post, account, DeliveryState.pending, None))
    assert (len(found["planned"]), len((await read(api))["posts"])) == (18, 6)
    assert taken[0] == taken[1]


# the next free moment


async def free(api: httpx2.AsyncClient) -> list[str]:
    with patch.object(calendar, "utcnow", lambda: NOW):
        moments: list[str] = done(await api.get("/calendar/free/"))["moments"]
    return moments


async def test_the_next_free_moments_are_around_what_is_planned(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User
) -> None:
    async with services.sessions.begin() as session:
        await session.execute(update(User).where(User.id == user.id).values(time_zone="Europe/Berlin"))
    await active(services, make, user)  # every day at 9:00 in Berlin
    await save(
        services,
        a_post(user, datetime(2031, 3, 2, 12, tzinfo=UTC), status=PostStatus.draft),
        a_post(await make.user(), datetime(2031, 3, 3, 11, 30, tzinfo=UTC)),
    )
    assert await free(api) == ["2031-03-01T11:30:00Z", "2031-03-01T16:00:00Z", "2031-03-02T16:00:00Z"]


# the feed


async def feed(api: httpx2.AsyncClient) -> str:
    """Its path, once it is made."""
    address: str = done(await api.post("/calendar/feed/", json=PROOF))["address"]
    assert address.startswith("http://postloom.test/api/calendar/feed/")
    return address.removeprefix("http://postloom.test/api")


async def events(anonymous: httpx2.AsyncClient, path: str, at: datetime = NOW) -> dict[str, Any]:
    """By their UID."""
    with patch.object(calendar_feed, "utcnow", lambda: at), patch.object(calendar, "utcnow", lambda: at):
        answer = await anonymous.get(path)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    file = icalendar.Calendar.from_ical(answer.content)
    assert (file["version"], file["prodid"]) == ("2.0", "-//Postloom//Calendar//EN")
    found = {str(event["uid"]): event for event in file.walk("VEVENT")}
    assert len(found) == len(file.walk("VEVENT"))
    return found


async def test_a_calendar_program_reads_the_feed(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, services: Services, make: Factory, user: User
) -> None:
    assistant = await active(services, make, user)
    slot = datetime(2031, 3, 2, 8, tzinfo=UTC)
    name = f"run-{run_id(run_workflow(assistant.id, slot))}@postloom"
    path = await feed(api)
    planned = await events(anonymous, path)
    assert len(planned) == 62  # none for the day that is over half an hour
    event = planned[name]
    assert (str(event["summary"]), str(event["status"])) == ("Slot: Commuter tips", "TENTATIVE")
    assert event["dtstart"].dt == slot
    assert event["dtend"].dt > slot
    assert str(event["url"]) == f"http://postloom.test/assistants/{assistant.id}"

    # its post takes the place of the slot, wherever it is moved to
    run = a_run(assistant, slot, RunState.ready)
    moved = slot + timedelta(days=3, hours=2)
    text = 'Rain, no drama; "dry"\nMore'
    post = a_post(user, moved, PostStatus.complete, assistant_id=assistant.id, run_id=run.id, content=text)
    by_hand = a_post(user, slot, PostStatus.draft)
    skipped = a_run(assistant, slot + timedelta(days=1), RunState.skipped)
    await save(services, run, post, by_hand, skipped)
    found = await events(anonymous, path)
    assert found[name].decoded("dtstart") == moved
    assert str(found[name]["summary"]) == 'Scheduled: Rain, no drama; "dry"'
    assert str(found[name]["url"]) == f"http://postloom.test/social-media-posts/{post.id}"
    assert str(found[f"post-{by_hand.id}@postloom"]["summary"]) == "Draft: No text yet"
    assert set(planned) - set(found) == {f"run-{skipped.id}@postloom"}


async def test_the_feed_has_all_of_busy_days(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, services: Services, make: Factory, user: User
) -> None:
    twice = Schedule(Frequency.daily, "UTC", ("07:00", "16:00"))
    assistants = [await active(services, make, user, twice) for _ in range(12)]
    noon = datetime(2031, 3, 2, 12, tzinfo=UTC)
    await save(services, *(a_post(user, noon + timedelta(minutes=minute)) for minute in range(60)))
    found = await events(anonymous, await feed(api))
    # of the day of today the second one
    assert len([name for name in found if name.startswith("run-")]) == len(assistants) * (62 * 2)
    assert len([name for name in found if name.startswith("post-")]) == 60
    assert not [name for name in found if name.startswith("more-")]


async def test_the_feed_says_what_it_has_no_place_for(
    api: httpx2.AsyncClient,
    anonymous: httpx2.AsyncClient,
    services: Services,
    make: Factory,
    user: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(calendar_feed, "UNCUT", 94 * 4)
    assistant = await active(services, make, user, Schedule(Frequency.cron, "UTC", cron="* * * * *"))
    found = await events(anonymous, await feed(api))
    hour = found[f"run-{run_id(run_workflow(assistant.id, datetime(2031, 3, 2, tzinfo=UTC)))}@postloom"]
    assert (str(hour["summary"]), hour["dtend"].dt) == (
        "Slot: Commuter tips +59",
        datetime(2031, 3, 2, 1, 14, tzinfo=UTC),
    )
    rest = found["more-2031-03-02@postloom"]
    assert (str(rest["summary"]), rest["dtstart"].dt) == (f"{20 * 60} more in Postloom", date(2031, 3, 2))
    assert rest["dtend"].dt == date(2031, 3, 3)
    assert str(rest["url"]) == "http://postloom.test/calendar?view=day&date=2031-03-02"


@given(st.lists(st.integers(0, 50)), st.integers(1, 500))
def test_what_some_do_not_need_the_others_have(numbers: list[int], most: int) -> None:
    share = calendar.fair_share(numbers, most)
    given_out = sum(min(number, share) for number in numbers)
    assert given_out <= most
    # one more for each who has not enough would be too much
    short = sum(number > share for number in numbers)
    assert not short or given_out + short > most


async def test_the_feed_is_in_the_language_of_its_owner(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, services: Services, user: User
) -> None:
    async with services.sessions.begin() as session:
        await session.execute(update(User).where(User.id == user.id).values(language="de"))
    post = a_post(user, NOW, PostStatus.published, content="Regen ohne Drama")
    await save(services, post)
    found = await events(anonymous, await feed(api))
    assert str(found[f"post-{post.id}@postloom"]["summary"]) == "Veröffentlicht: Regen ohne Drama"


async def test_a_renewed_address_closes_the_one_before(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, services: Services
) -> None:
    assert done(await api.get("/calendar/feed/")) == {"created_at": None}
    first = await feed(api)
    shown = done(await api.post("/calendar/feed/address/", json=PROOF))
    assert shown["address"].endswith(first)
    assert done(await api.get("/calendar/feed/")) == {"created_at": shown["created_at"]}
    second = await feed(api)
    assert first != second
    refused(await anonymous.get(first), 404, ErrorCode.not_found)
    assert (await anonymous.get(second)).status_code == 200
    token = second.rpartition("/")[2].removesuffix(".ics")
    async with services.sessions() as session:
        row = (await session.scalars(select(CalendarFeed))).one()
        assert token not in (row.token_hash, row.token_encrypted)
    done(await api.delete("/calendar/feed/"), 204)
    done(await api.delete("/calendar/feed/"), 204)
    refused(await anonymous.get(second), 404, ErrorCode.not_found)


async def test_a_stolen_session_reads_no_address_and_makes_none(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient
) -> None:
    refused(await api.post("/calendar/feed/address/", json=PROOF), 404, ErrorCode.not_found)
    path = await feed(api)
    for call in ("/calendar/feed/", "/calendar/feed/address/"):
        refused(await api.post(call, json={"current_password": "another one"}), 422, ErrorCode.password_wrong)
        refused(await api.post(call), 422, ErrorCode.invalid_input)
    assert (await anonymous.get(path)).status_code == 200


@pytest.mark.parametrize("way", ["change", "reset"])
async def test_a_new_password_ends_the_address(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, services: Services, user: User, way: str
) -> None:
    path, new = await feed(api), "a shuttle flies both ways"
    if way == "change":
        done(await api.post("/users/me/password/", json=PROOF | {"new_password": new}), 204)
    else:
        done(await anonymous.post("/auth/forgot/", json={"email": user.email}), 204)
        [mail] = await mailed(services, user.email)
        done(await anonymous.post("/auth/reset/", json={"token": mail.secret, "password": new}), 204)
    refused(await anonymous.get(path), 404, ErrorCode.not_found)


async def test_a_defect_does_not_log_the_secret_of_the_feed(
    api: httpx2.AsyncClient,
    anonymous: httpx2.AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    path = await feed(api)

    async def breaks(*_: object) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr(calendar.CalendarService, "entries", breaks)
    refused(await anonymous.get(path), 500, ErrorCode.internal)
    assert "unhandled error at /calendar/feed/{token}.ics" in caplog.text
    assert path.rpartition("/")[2].removesuffix(".ics") not in caplog.text


async def test_nobody_reads_along_with_one_who_is_disabled_or_leaves(
    api: httpx2.AsyncClient, anonymous: httpx2.AsyncClient, services: Services, user: User
) -> None:
    path = await feed(api)
    for column in ("disabled_at", "deletion_requested_at"):
        async with services.sessions.begin() as session:
            await session.execute(update(User).where(User.id == user.id).values({column: utcnow()}))
        refused(await anonymous.get(path), 404, ErrorCode.not_found)
        async with services.sessions.begin() as session:
            await session.execute(update(User).where(User.id == user.id).values({column: None}))
    assert (await anonymous.get(path)).status_code == 200


async def test_what_a_status_alone_does_not_say_is_filtered_by_too(
    api: httpx2.AsyncClient, services: Services, make: Factory, user: User, networks: Networks
) -> None:
    account = await make.account(user, networks.url)
    at = datetime(2031, 3, 2, 12, tzinfo=UTC)
    held, unclear, asked, missed = (
        a_post(user, at, status)
        for status in (PostStatus.complete, PostStatus.complete, PostStatus.draft, PostStatus.draft)
    )
    asked.content_hash = "of it"
    asks = Approval(
        user_id=user.id,
        post_id=asked.id,
        content_hash=asked.content_hash,
        state=ApprovalState.waiting,
        at_deadline=AtDeadline.hold,
        deadline_at=at,
    )
    too_late = a_delivery(missed, account, DeliveryState.cancelled, None)
    too_late.error_code = ErrorCode.missed_outage
    await save(
        services,
        held,
        unclear,
        asked,
        missed,
        a_post(user, at, PostStatus.complete),
        a_post(user, at, PostStatus.draft),
        a_delivery(held, account, DeliveryState.held, None),
        a_delivery(unclear, account, DeliveryState.unknown, None),
        too_late,
        asks,
    )

    async def shown(*statuses: str) -> set[str]:
        return {one["id"] for one in (await read(api, days=2, status=list(statuses)))["posts"]}

    assert await shown("held") == {str(held.id)}
    assert await shown("unknown") == {str(unclear.id)}
    assert await shown("waiting") == {str(asked.id)}
    assert await shown("missed") == {str(missed.id)}
    assert await shown("held", "waiting") == {str(held.id), str(asked.id)}
    assert len(await shown("complete")) == 3
    assert len(await shown("complete", "draft", "published", "failed", "held")) == 6
