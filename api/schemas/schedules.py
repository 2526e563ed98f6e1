from datetime import date, datetime
from typing import Annotated

from pydantic import Field, StringConstraints, WithJsonSchema

from api.schemas.base import In, Out
from api.schemas.problems import FieldProblem
from core.assistants.rules.assistants import RunState
from core.assistants.rules.occurrences import LeftOutReason
from core.assistants.rules.schedules import (
    MAX_CRON_LENGTH,
    MAX_EVERY_DAYS,
    MAX_LEFT_OUT,
    MAX_PER_DAY,
    DateRange,
    Frequency,
    MonthEnd,
    Schedule,
)

TimeSlot = Annotated[str, StringConstraints(max_length=40)]
_HOLIDAY_COUNTRY = "ISO 3166-1 code of the country whose public holidays are left out"
_HOLIDAY_REGION = "Region whose holidays are left out too; null: only those of the whole country"
_MOST_PER_DAY = "Slots per day at most; the earliest ones are kept"


class DateRangeIn(In):
    first: date
    last: date


class DateRangeOut(Out):
    first: date
    last: date


class ScheduleIn(In):
    frequency: Frequency
    time_zone: str = Field(max_length=64, description="IANA name", examples=["Europe/Berlin"])
    time_slots: list[TimeSlot] = Field(default_factory=list, max_length=MAX_PER_DAY, examples=[["09:00", "16:30"]])
    days_of_week: list[int] = Field(default_factory=list, max_length=7, description="1 is Monday")
    days_of_month: list[int] = Field(default_factory=list, max_length=31)
    month_end: MonthEnd = MonthEnd.last_day
    every_days: int | None = Field(default=None, json_schema_extra={"minimum": 1, "maximum": MAX_EVERY_DAYS})
    start_date: date | None = None
    end_date: date | None = None
    cron: str | None = Field(default=None, max_length=MAX_CRON_LENGTH, examples=["30 8 * * 1-5"])
    most_per_day: int | None = Field(
        default=None, description=_MOST_PER_DAY, json_schema_extra={"minimum": 1, "maximum": MAX_PER_DAY}
    )
    left_out_dates: list[DateRangeIn] = Field(
        default_factory=list, max_length=MAX_LEFT_OUT, description="Days without a slot, first and last included"
    )
    holiday_country: str | None = Field(default=None, max_length=2, description=_HOLIDAY_COUNTRY, examples=["DE"])
    holiday_region: str | None = Field(default=None, max_length=40, description=_HOLIDAY_REGION, examples=["BY"])

    def to_domain(self) -> Schedule:
        return Schedule(
            frequency=self.frequency,
            time_zone=self.time_zone,
            time_slots=tuple(self.time_slots),
            days_of_week=tuple(self.days_of_week),
            days_of_month=tuple(self.days_of_month),
            month_end=self.month_end,
            every_days=self.every_days,
            start_date=self.start_date,
            end_date=self.end_date,
            cron=self.cron,
            most_per_day=self.most_per_day,
            left_out_dates=tuple(DateRange(dates.first, dates.last) for dates in self.left_out_dates),
            holiday_country=self.holiday_country,
            holiday_region=self.holiday_region,
        )


class ScheduleOut(Out):
    frequency: Frequency
    time_zone: str
    time_slots: list[str]
    days_of_week: list[int]
    days_of_month: list[int]
    month_end: MonthEnd
    every_days: int | None
    start_date: date | None
    end_date: date | None
    cron: str | None
    most_per_day: int | None = Field(description=_MOST_PER_DAY)
    left_out_dates: list[DateRangeOut]
    holiday_country: str | None = Field(description=_HOLIDAY_COUNTRY)
    holiday_region: str | None = Field(description=_HOLIDAY_REGION)


class LeftOutDayOut(Out):
    """A day of the schedule without a post; for `day_full`, a day without one or more of its times."""

    day: date
    reason: LeftOutReason
    holiday: str = Field(description="Name of the holiday")


class RegionOut(Out):
    code: str
    name: str = Field(description="Name in the country's language")


class HolidayCalendarOut(Out):
    country: str = Field(description="ISO 3166-1 code")
    regions: list[RegionOut]


class OccurrenceOut(Out):
    slot: datetime
    # not the format date-time, which always has an offset (RFC 3339)
    local: Annotated[datetime, WithJsonSchema({"type": "string"})] = Field(
        description="Local time without an offset", examples=["2026-11-21T09:30:00"]
    )
    offset_minutes: int
    clock_change: int = Field(description="Minutes by which the offset differs from the previous occurrence's")


class ComingOut(OccurrenceOut):
    run_state: RunState | None = Field(description="State of the slot's run; null: it has not begun")
    planned_at: datetime | None = Field(description="When the run's post is published; null: it has none")
    passed_over: bool = Field(
        description="Nothing is published at the slot itself: it was skipped, its run has ended, or its post was moved"
    )


class SchedulePreviewOut(Out):
    occurrences: list[OccurrenceOut]
    left_out: list[LeftOutDayOut] = Field(description="Days left out before the last occurrence")
    errors: list[FieldProblem]
