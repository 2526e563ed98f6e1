"""Previews of schedules and of how texts end, and public holidays."""

import asyncio
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Path, Query

from api.bodies import Router
from api.dependencies import CurrentUser
from api.errors import problems
from api.limits import SCHEDULES, by_user
from api.presenters import left_out_day_out, occurrence_out
from api.schemas.assistants import EndingPreviewIn, EndingPreviewOut
from api.schemas.problems import FieldProblem
from api.schemas.schedules import HolidayCalendarOut, RegionOut, ScheduleIn, SchedulePreviewOut
from core.assistants.configuration import ending_problems
from core.assistants.rules import public_holidays
from core.assistants.rules.occurrences import preview
from core.assistants.rules.schedules import validate
from core.errors import ErrorCode, NotFound
from core.languages import Language
from core.runs.text_orders import LONGEST_TEXT
from core.texts.rules.endings import finished, room_for

router = Router(tags=["assistants"])

SHOWN_OCCURRENCES = 10

_OfHolidays = Annotated[Language, Query(description="Language of the holidays' names")]
_Country = Annotated[str, Path(max_length=2, description="ISO 3166-1 code", examples=["DE"])]


@router.post("/schedules/preview/", dependencies=[by_user(SCHEDULES)])
async def preview_schedule(
    body: ScheduleIn, user: CurrentUser, language: _OfHolidays = Language.en
) -> SchedulePreviewOut:
    """The next ten occurrences and the days left out between them, computed as by the workflow."""
    schedule = body.to_domain()
    if schedule.holiday_country:
        await asyncio.to_thread(public_holidays.load)
    if errors := validate(schedule):
        return SchedulePreviewOut(occurrences=[], left_out=[], errors=[FieldProblem.of(error) for error in errors])
    coming, left = preview(schedule, datetime.now(UTC), SHOWN_OCCURRENCES, language)
    return SchedulePreviewOut(
        occurrences=[occurrence_out(occurrence) for occurrence in coming],
        left_out=[left_out_day_out(day) for day in left],
        errors=[],
    )


@router.get("/schedules/holidays/{country}/", responses=problems(ErrorCode.not_found))
async def read_holiday_calendar(country: _Country, user: CurrentUser) -> HolidayCalendarOut:
    """The regions of a country that have their own holidays."""
    await asyncio.to_thread(public_holidays.load)
    if not public_holidays.is_known(country, None):
        raise NotFound(what="holiday_calendar", id=country)
    regions = public_holidays.regions(country)
    return HolidayCalendarOut(country=country, regions=[RegionOut.model_validate(region) for region in regions])


@router.post("/endings/preview/", dependencies=[by_user(SCHEDULES)])
async def preview_ending(body: EndingPreviewIn, user: CurrentUser) -> EndingPreviewOut:
    """How a text ends, by the same rules as in a run."""
    ending = body.to_ending()
    if errors := ending_problems(ending):
        return EndingPreviewOut(text=body.text, room=0, errors=[FieldProblem.of(error) for error in errors])
    return EndingPreviewOut(text=finished(body.text, LONGEST_TEXT, ending), room=room_for(ending), errors=[])
