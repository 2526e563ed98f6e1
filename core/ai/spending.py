"""The cost of model calls: sums and the CSV export."""

from collections.abc import AsyncIterator, Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, timedelta
from typing import Final, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

from core.ai.repositories.transaction_lists import (
    Figures,
    Group,
    NamedCall,
    TransactionFilter,
    TransactionListRepository,
    cause_of,
)
from core.ai.rules.usage import CURRENCY
from core.ai.tables.transactions import TransactionType
from core.dashboard.overview import day_bounds
from core.database import Sessions
from core.errors import ErrorCode, FieldError, InvalidInput
from core.posts.rules.post_csv import BOM, written
from core.texts.rules.dates import YEARS

LONGEST_DAYS: Final = 366
_PORTION: Final = 500  # calls that are in memory at once

COLUMNS: Final = (
    "id",
    "created_at",
    "type",
    "outcome",
    "cause",
    "assistant",
    "post_id",
    "template",
    "topic_tree",
    "provider",
    "model",
    "input_tokens",
    "cached_tokens",
    "output_tokens",
    "images",
    "cost",
    "currency",
    "price_since",
    "duration_ms",
    "request_id",
)
"""Columns of the export. Unknown values are empty cells, never 0; `cost` has six decimals."""


@dataclass(frozen=True)
class Sum:
    """Sums over ended calls. `cost_micros`: None if there are calls and no cost is known."""

    calls: int
    failed: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    images: int
    cost_micros: int | None
    uncounted: int
    """Calls with unknown tokens, which are not in the sums."""
    unpriced: int
    """Calls with unknown cost, which is not in the sum."""


Of = TypeVar("Of", bound=Hashable)


@dataclass(frozen=True)
class Totals:
    """Groups are sorted by cost, highest first; days are in order and include days without a call."""

    sum: Sum
    days: list[tuple[date, Sum]]
    types: list[tuple[TransactionType, Sum]]
    models: list[tuple[tuple[str, str], Sum]]
    """By provider and model."""
    assistants: list[tuple[UUID | None, Sum]]
    """None: calls without an assistant or of a deleted one."""
    names: dict[UUID, str]
    """Names of the assistants."""
    currency: str = CURRENCY


@dataclass(frozen=True)
class Days:
    """Days in a time zone, both inclusive."""

    first: date
    last: date
    time_zone: str

    @property
    def bounds(self) -> list[datetime]:
        """The start of each day, and the end of the last."""
        return day_bounds(self.first, (self.last - self.first).days + 1, self.time_zone)


def days_of(first: date | None, last: date | None, time_zone: str, now: datetime) -> Days:
    """Return the days; `last` defaults to today, `first` to the first of its month. Raise InvalidInput at the field
    if days are in the wrong order, more than LONGEST_DAYS, or outside YEARS."""
    last = last or now.astimezone(ZoneInfo(time_zone)).date()
    first = first or last.replace(day=1)
    for field, day in (("from", first), ("to", last)):
        if day.year not in YEARS:
            raise InvalidInput(errors=[FieldError(field, ErrorCode.invalid_input)])
    if last < first:
        raise InvalidInput(errors=[FieldError("to", ErrorCode.invalid_input)])
    if (last - first).days >= LONGEST_DAYS:
        raise InvalidInput(
            ErrorCode.period_too_long, errors=[FieldError("to", ErrorCode.period_too_long, maximum=LONGEST_DAYS)]
        )
    return Days(first, last, time_zone)


@dataclass(frozen=True)
class SpendingService:
    sessions: Sessions

    async def totals(self, user_id: UUID, filter: TransactionFilter, days: Days) -> Totals:
        async with self.sessions() as session:
            repository = TransactionListRepository(session)
            by_day, groups = await repository.sum_calls(user_id, filter, days.bounds)
            ids = {group.assistant_id for group in groups if group.assistant_id}
            names = await repository.assistants(user_id, ids) if ids else {}
        return Totals(
            sum=added(group.figures for group in groups),
            days=[
                (days.first + timedelta(days=at), added(figures for figures in [by_day.get(at + 1)] if figures))
                for at in range((days.last - days.first).days + 1)
            ],
            types=_by(groups, lambda group: group.type),
            models=_by(groups, lambda group: (group.provider, group.model)),
            assistants=_by(groups, lambda group: group.assistant_id if group.assistant_id in names else None),
            names=names,
        )

    async def export(self, user_id: UUID, filter: TransactionFilter) -> tuple[str, AsyncIterator[bytes]]:
        """Return a file name and the CSV in chunks: all matching calls, earliest first."""
        return f"transactions-{datetime.now(UTC):%Y-%m-%d}.csv", self._portions(user_id, filter)

    async def _portions(self, user_id: UUID, filter: TransactionFilter) -> AsyncIterator[bytes]:
        yield (BOM + written([COLUMNS])).encode()
        after = None
        while True:
            async with self.sessions() as session:
                calls = await TransactionListRepository(session).list_after(
                    user_id, filter, after=after, limit=_PORTION
                )
            if not calls:
                return
            yield written([_cells(call) for call in calls]).encode()
            after = calls[-1].row.id


def added(parts: Iterable[Figures]) -> Sum:
    figures = list(parts)
    summed = {field.name: sum(getattr(part, field.name) for part in figures) for field in fields(Figures)}
    unknown = summed["calls"] > 0 and summed["calls"] == summed["unpriced"]
    return Sum(**(summed | ({"cost_micros": None} if unknown else {})))


def _by(groups: Sequence[Group], of: Callable[[Group], Of]) -> list[tuple[Of, Sum]]:
    parts: dict[Of, list[Figures]] = {}
    for group in groups:
        parts.setdefault(of(group), []).append(group.figures)
    sums = [(key, added(part)) for key, part in parts.items()]
    return sorted(sums, key=lambda group: (-(group[1].cost_micros or 0), -group[1].calls, str(group[0])))


def _cells(call: NamedCall) -> list[str]:
    row = call.row
    return [
        str(row.id),
        row.created_at.astimezone(UTC).isoformat(timespec="milliseconds"),
        row.type,
        row.outcome,
        cause_of(row),
        call.assistant_name or "",
        str(call.post_id or ""),
        call.template_name or "",
        call.tree_name or "",
        row.provider,
        row.model,
        _figure(row.input_tokens),
        _figure(row.cached_tokens),
        _figure(row.output_tokens),
        str(row.images),
        "" if row.cost_micros is None else f"{row.cost_micros // 1_000_000}.{row.cost_micros % 1_000_000:06}",
        row.currency,
        str((row.price or {}).get("since", "")),
        str(row.duration_ms),
        row.request_id or "",
    ]


def _figure(figure: int | None) -> str:
    return "" if figure is None else str(figure)
