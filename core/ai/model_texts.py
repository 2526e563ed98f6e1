"""All calls of a text model: metered, and repeated once with a higher output limit if the answer was cut off."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Final, Protocol, TypeVar

from core.ai.bounds import form_bound, text_bound, titles_bound
from core.ai.model_calls import ModelRequest, Result
from core.ai.repositories.transactions import Cause
from core.ai.writers.base import Suggested, SuggestOrder, TextOrder, Writer, Written
from core.ai.writers.forms import Filled, FormOrder, FormWriter
from core.errors import ErrorCode, KnownFault, NoMoreSpending, ProviderError

_CUT_OFF: Final = (ErrorCode.model_incomplete, ErrorCode.model_reasoned_too_long)


class CallMeter(Protocol):
    """Allows and books calls: a `Meter`, or one that stores nothing."""

    async def call(
        self, cause: Cause, request: ModelRequest, call: Callable[[], Awaitable[Result]]
    ) -> tuple[Result, dict[str, Any]]: ...


Order = TypeVar("Order", TextOrder, SuggestOrder, FormOrder)
Made = TypeVar("Made")


async def write_text(
    meter: CallMeter,
    cause: Cause,
    writer: Writer,
    order: TextOrder,
    write: Callable[[TextOrder], Awaitable[Written]] | None = None,
) -> tuple[Written, dict[str, Any]]:
    """Return the text and the call's usage, as `Meter.call`. `write` replaces the writer's own. Raise the errors of
    `Meter.call`; if the repeat is not possible, the first call's error."""
    call = write or writer.write
    return await _ask(order, lambda request: meter.call(cause, text_request(writer, request), lambda: call(request)))


async def suggest_titles(
    meter: CallMeter, cause: Cause, writer: Writer, order: SuggestOrder
) -> tuple[Suggested, dict[str, Any]]:
    """As `write_text`."""
    return await _ask(
        order, lambda request: meter.call(cause, titles_request(writer, request), lambda: writer.suggest(request))
    )


async def fill_form(meter: CallMeter, cause: Cause, writer: Writer, order: FormOrder) -> tuple[Filled, dict[str, Any]]:
    """As `write_text`. `writer` has to be a `FormWriter`."""
    assert isinstance(writer, FormWriter)
    return await _ask(
        order, lambda request: meter.call(cause, form_request(writer, request), lambda: writer.fill(request))
    )


def text_request(writer: Writer, order: TextOrder) -> ModelRequest:
    return ModelRequest(writer.provider, order.model or writer.model, text_bound(order, writer.effort))


def titles_request(writer: Writer, order: SuggestOrder) -> ModelRequest:
    return ModelRequest(writer.provider, writer.model, titles_bound(order, writer.effort))


def form_request(writer: Writer, order: FormOrder) -> ModelRequest:
    return ModelRequest(writer.provider, writer.model, form_bound(order, writer.effort))


async def _ask(order: Order, call: Callable[[Order], Awaitable[Made]]) -> Made:
    try:
        return await call(order)
    except ProviderError as error:
        if error.code not in _CUT_OFF:
            raise
        first = error
    try:
        return await call(replace(order, more_room=True))
    except (NoMoreSpending, KnownFault) as error:
        raise first from error
    except ProviderError as error:
        if error.retryable or error.spent is not None:
            raise
        # a refusal of the higher limit says nothing about the text
        raise first from error
