from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import Depends, Query
from fastapi.responses import StreamingResponse

from api.bodies import Router
from api.dependencies import Core, CurrentUser, Reading
from api.errors import problems
from api.limits import EXPORTING, EXPORTS, by_user, in_turn
from api.paging import Cursor, cursor_at
from api.schemas.base import has_nul
from api.schemas.transactions import (
    AssistantSumOut,
    DaySumOut,
    ModelSumOut,
    PriceOut,
    TransactionDetailOut,
    TransactionOut,
    TransactionPage,
    TransactionTotalsOut,
    TypeSumOut,
)
from core.ai.repositories.transaction_lists import (
    CauseKind,
    NamedCall,
    TransactionFilter,
    TransactionListRepository,
    TransactionSort,
    cause_of,
)
from core.ai.spending import LONGEST_DAYS, Days, days_of
from core.ai.tables.transactions import TransactionType
from core.errors import ErrorCode, FieldError, InvalidInput

router = Router(prefix="/transactions", tags=["transactions"])


@dataclass(frozen=True)
class _TransactionQuery:
    days: Days
    filter: TransactionFilter


async def _transaction_query(
    user: CurrentUser,
    first: Annotated[
        date | None,
        Query(alias="from", description="In the user's time zone; by default the first of the month"),
    ] = None,
    last: Annotated[
        date | None, Query(alias="to", description=f"Last day, included; at most {LONGEST_DAYS} days, by default today")
    ] = None,
    types: Annotated[list[TransactionType] | None, Query(alias="type", max_length=20)] = None,
    models: Annotated[list[str] | None, Query(alias="model", max_length=50, description="Any of these")] = None,
    causes: Annotated[list[CauseKind] | None, Query(alias="cause", max_length=20)] = None,
    assistant_id: Annotated[UUID | None, Query()] = None,
    failed: Annotated[bool, Query(description="Only calls without a usable result")] = False,
    unpriced: Annotated[bool, Query(description="Only calls of unknown cost")] = False,
) -> _TransactionQuery:
    if any(map(has_nul, models or ())):
        raise InvalidInput(errors=[FieldError("model", ErrorCode.invalid_input)])
    days = days_of(first, last, user.time_zone, datetime.now(UTC))
    bounds = days.bounds
    filter = TransactionFilter(
        since=bounds[0],
        until=bounds[-1],
        types=frozenset(types or ()),
        models=frozenset(models or ()),
        causes=frozenset(causes or ()),
        assistant_id=assistant_id,
        failed=failed,
        unpriced=unpriced,
    )
    return _TransactionQuery(days, filter)


Asked = Annotated[_TransactionQuery, Depends(_transaction_query)]


@router.get("/", responses=problems(ErrorCode.period_too_long))
async def list_transactions(
    user: CurrentUser,
    session: Reading,
    query: Asked,
    sort: Annotated[TransactionSort, Query()] = TransactionSort.latest,
    page_size: Annotated[int, Query(ge=1, le=200)] = 50,
    offset: Cursor = 0,
) -> TransactionPage:
    """Model calls in a period of days in the user's time zone, including running ones."""
    transactions, total = await TransactionListRepository(session).list_page(
        user.id, query.filter, sort, offset=offset, limit=page_size
    )
    after = offset + page_size
    return TransactionPage(
        items=[TransactionOut(**_facts(call)) for call in transactions],
        next_cursor=cursor_at(after) if after < total else None,
        total=total,
        first_day=query.days.first,
        last_day=query.days.last,
    )


@router.get("/totals/", responses=problems(ErrorCode.period_too_long))
async def read_transaction_totals(user: CurrentUser, services: Core, query: Asked) -> TransactionTotalsOut:
    """The sums of the filtered calls: in total, and by day, type, model and assistant."""
    totals = await services.spending.totals(user.id, query.filter, query.days)
    return TransactionTotalsOut(
        **asdict(totals.sum),
        currency=totals.currency,
        first_day=query.days.first,
        last_day=query.days.last,
        days=[DaySumOut(day=day, **asdict(sum)) for day, sum in totals.days],
        types=[TypeSumOut(type=type, **asdict(sum)) for type, sum in totals.types],
        models=[ModelSumOut(provider=provider, model=model, **asdict(sum)) for (provider, model), sum in totals.models],
        assistants=[
            AssistantSumOut(assistant_id=id, assistant_name=totals.names.get(id) if id else None, **asdict(sum))
            for id, sum in totals.assistants
        ],
    )


@router.get("/models/")
async def list_transaction_models(user: CurrentUser, session: Reading) -> list[str]:
    """All models that the user's calls have used, by name."""
    return await TransactionListRepository(session).models(user.id)


@router.get(
    "/export/",
    response_class=StreamingResponse,
    responses={
        200: {"content": {"text/csv": {"schema": {"type": "string"}}}},
        **problems(ErrorCode.period_too_long),
    },
    dependencies=[by_user(EXPORTS)],
)
async def export_transactions(user: CurrentUser, services: Core, query: Asked) -> StreamingResponse:
    """The filtered calls as CSV (RFC 4180, UTF-8 with byte order mark), earliest first.

    Columns: id, created_at, type, outcome, cause, assistant, post_id, template, topic_tree, provider, model,
    input_tokens, cached_tokens, output_tokens, images, cost, currency, price_since, duration_ms, request_id. Unknown
    values are empty cells, never 0."""
    name, chunks = await services.spending.export(user.id, query.filter)
    return StreamingResponse(
        in_turn(EXPORTING, str(user.id), chunks),
        media_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@router.get("/{transaction_id}/", responses=problems(ErrorCode.not_found))
async def read_transaction(transaction_id: UUID, user: CurrentUser, session: Reading) -> TransactionDetailOut:
    """One call, with the price used for its cost."""
    call = await TransactionListRepository(session).get(user.id, transaction_id)
    row = call.row
    optional = {"cached_input": None, "long_context": None}
    return TransactionDetailOut(
        **_facts(call),
        price=PriceOut.model_validate(optional | row.price) if row.price else None,
        request_id=row.request_id,
        most_input_tokens=row.most_input_tokens,
        most_output_tokens=row.most_output_tokens,
    )


def _facts(call: NamedCall) -> dict[str, Any]:
    named = {name: getattr(call.row, name) for name in TransactionOut.model_fields if hasattr(call.row, name)}
    return named | call._asdict() | {"cause": cause_of(call.row)}
