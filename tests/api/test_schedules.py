"""The preview: what a schedule means, before it is saved."""

from datetime import UTC, datetime
from typing import Any

import httpx2
import pytest
import time_machine

from core.container import Services
from core.errors import ErrorCode
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused
from tests.conftest import browsing


async def preview(api: httpx2.AsyncClient, **schedule: Any) -> dict[str, Any]:
    base = {"frequency": "daily", "time_zone": "Europe/Berlin", "time_slots": ["09:00"]}
    found: dict[str, Any] = done(await api.post("/schedules/preview/", json={**base, **schedule}))
    return found


async def test_ten_occurrences_over_a_change_of_clocks(services: Services, away: Gateway, user: User) -> None:
    with time_machine.travel(datetime(2027, 3, 24, 12, tzinfo=UTC), tick=False):
        async with browsing(services, away, user) as api:
            found = await preview(api)
    occurrences = found["occurrences"]
    assert found["errors"] == []
    assert len(occurrences) == 10
    assert {one["local"][11:] for one in occurrences} == {"09:00:00"}
    assert [one["offset_minutes"] for one in occurrences] == [60] * 3 + [120] * 7
    assert [one["clock_change"] for one in occurrences] == [0, 0, 0, 60, 0, 0, 0, 0, 0, 0]
    assert [one["slot"] for one in occurrences[2:4]] == ["2027-03-27T08:00:00Z", "2027-03-28T07:00:00Z"]


@pytest.mark.parametrize(
    ("schedule", "problems"),
    [
        (
            {"frequency": "cron", "cron": "61 25 * * *"},
            [
                ("schedule.cron", ErrorCode.bad_cron, {"position": 1, "value": "61"}),
                ("schedule.cron", ErrorCode.bad_cron, {"position": 2, "value": "25"}),
            ],
        ),
        ({"frequency": "cron", "cron": "* * *"}, [("schedule.cron", ErrorCode.bad_cron, {"found": 3})]),
        ({"frequency": "cron", "cron": None}, [("schedule.cron", ErrorCode.bad_cron, {"found": 0})]),
        (
            {"frequency": "cron", "cron": "0 9 30 2 *"},
            [("schedule.cron", ErrorCode.bad_cron, {"position": 3, "value": "30"})],
        ),
        ({"time_zone": " "}, [("schedule.time_zone", ErrorCode.time_zone_required, {})]),
        (
            {"time_zone": "Europe/Atlantis"},
            [("schedule.time_zone", ErrorCode.unknown_time_zone, {"value": "Europe/Atlantis"})],
        ),
        (
            {"time_zone": "../../etc/passwd"},
            [("schedule.time_zone", ErrorCode.unknown_time_zone, {"value": "../../etc/passwd"})],
        ),
        ({"time_slots": []}, [("schedule.time_slots", ErrorCode.time_slot_required, {})]),
        (
            {"time_slots": ["09:00", "24:00"]},
            [("schedule.time_slots.1", ErrorCode.bad_time, {"value": "24:00"})],
        ),
        ({"frequency": "weekly"}, [("schedule.days_of_week", ErrorCode.day_required, {})]),
        ({"frequency": "monthly"}, [("schedule.days_of_month", ErrorCode.day_required, {})]),
    ],
)
async def test_what_is_wrong_has_its_place(
    api: httpx2.AsyncClient, schedule: dict[str, Any], problems: list[tuple[str, ErrorCode, dict[str, Any]]]
) -> None:
    found = await preview(api, **schedule)
    assert found["occurrences"] == []
    assert [(one["field"], one["code"], one["params"]) for one in found["errors"]] == problems


@pytest.mark.parametrize("start", ["0001-01-01", "1969-12-31", "9000-02-01", "9999-12-31"])
@pytest.mark.parametrize("end", [None, "9999-12-31"])
@pytest.mark.parametrize("more", [{"frequency": "daily"}, {"frequency": "interval", "every_days": 7}])
async def test_the_ends_of_the_calendar(
    api: httpx2.AsyncClient, start: str, end: str | None, more: dict[str, Any]
) -> None:
    found = await preview(api, start_date=start, end_date=end, **more)
    assert len(found["occurrences"]) == (10 if start < "2000" else 0)


async def test_an_unknown_field_is_refused(api: httpx2.AsyncClient) -> None:
    body = {"frequency": "daily", "time_zone": "UTC", "time_slot": ["09:00"]}
    problem = refused(await api.post("/schedules/preview/", json=body), 422, ErrorCode.invalid_input)
    assert [one["field"] for one in problem["errors"]] == ["time_slot"]
