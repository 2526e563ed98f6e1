"""Events of Stripe: one for each change of an object."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy

from sandbox.stripe.book import API_VERSION, Book, Kind, Thing, is_live, public_fields
from sandbox.stripe.objects import ONLY_EXPANDED

_UPDATED = {"subscription": "customer.subscription.updated", "customer": "customer.updated"}


class Events:
    """Stores events. `send` is called with each."""

    def __init__(self, book: Book, send: Callable[[Thing], None]) -> None:
        self._book, self._send = book, send

    def add(self, kind: str, thing: Thing, previous: Thing | None = None) -> None:
        data: Thing = {"object": deepcopy(public_fields(thing))}
        for name in ONLY_EXPANDED:
            data["object"].pop(name, None)
        if previous is not None:
            data["previous_attributes"] = previous
        event = {
            "id": self._book.new_id(Kind.event),
            "object": "event",
            "api_version": API_VERSION,
            "created": self._book.now,
            "data": data,
            "livemode": is_live(thing),
            "pending_webhooks": 1,
            "request": {"id": None, "idempotency_key": None},
            "type": kind,
        }
        self._book.save(event)
        self._send(event)

    @contextmanager
    def changing(self, thing: Thing) -> Iterator[None]:
        """Save a customer or subscription after the block, and add an event if a public field changed."""
        before = deepcopy(public_fields(thing))
        yield
        self._book.save(thing)
        after = public_fields(thing)
        previous = {name: value for name, value in before.items() if after[name] != value}
        if previous:
            self.add(_UPDATED[thing["object"]], thing, previous)
