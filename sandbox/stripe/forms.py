"""Parameters of Stripe's API: parsing of `a[b][0][c]=1` into objects and lists, and validation."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sandbox.stripe.problems import StripeError

Kind = Callable[[Any, str], Any]
"""Parses one value; the second argument is its name, for errors."""

MAX_DEPTH = 8


def nested(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return form fields as nested objects; lists are objects with numbers as names. Raise StripeError."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        match = re.fullmatch(r"([^\[\]]+)((?:\[[^\[\]]*\])*)", name)
        steps = [match[1], *re.findall(r"\[([^\[\]]*)\]", match[2])] if match else []
        if not steps or len(steps) > MAX_DEPTH:
            raise StripeError(f"Invalid parameter name: {name}", param=name)
        place = found
        for step, following in zip(steps, steps[1:], strict=False):
            inner = place.setdefault(step if step else str(len(place)), {})
            if not isinstance(inner, dict):
                raise StripeError(f"Invalid parameter name: {name} ({following})", param=name)
            place = inner
        place[steps[-1] if steps[-1] else str(len(place))] = value
    return found


def text(value: Any, name: str) -> str | None:
    """Return a text; None if empty, which unsets it."""
    if not isinstance(value, str):
        raise StripeError(f"Invalid string: {value}", param=name)
    return value or None


def integer(value: Any, name: str) -> int:
    if not isinstance(value, str) or not re.fullmatch(r"-?[0-9]{1,15}", value):
        raise StripeError(f"Invalid integer: {value}", code="parameter_invalid_integer", param=name)
    return int(value)


def positive(value: Any, name: str) -> int:
    number = integer(value, name)
    if number < 1:
        raise StripeError(
            "This value must be greater than or equal to 1.", code="parameter_invalid_integer", param=name
        )
    return number


def boolean(value: Any, name: str) -> bool:
    if value not in ("true", "false"):
        raise StripeError(f"Invalid boolean: {value}", param=name)
    return bool(value == "true")


def timestamp(value: Any, name: str) -> int | str:
    """Return epoch seconds, or `now`."""
    return "now" if value == "now" else integer(value, name)


def timestamp_or_none(value: Any, name: str) -> int | None:
    """Return epoch seconds; None if empty, which unsets it."""
    return None if value == "" else integer(value, name)


def one_of(*choices: str) -> Kind:
    def read(value: Any, name: str) -> str:
        if value not in choices:
            listed = ", ".join(choices)
            raise StripeError(f"Invalid {name}: must be one of {listed}", param=name)
        return str(value)

    return read


def metadata(value: Any, name: str) -> dict[str, str]:
    """Return `metadata`: at most 50 keys with texts."""
    if value == "":
        return {}
    if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
        raise StripeError("Invalid object", param=name)
    if len(value) > 50 or any(len(key) > 40 or len(item) > 500 for key, item in value.items()):
        raise StripeError("Metadata has at most 50 keys of 40 characters with values of 500", param=name)
    return dict(value)


def time_range(value: Any, name: str) -> dict[str, int]:
    """Return the bounds of `created`, given as one time or as bounds."""
    bounds = dict.fromkeys(("gt", "gte", "lt", "lte"), integer)
    if isinstance(value, dict):
        return object_of(bounds)(value, name)
    return {"gte": integer(value, name), "lte": int(value)}


def array(kind: Kind) -> Kind:
    def read(value: Any, name: str) -> list[Any]:
        if not isinstance(value, dict):
            raise StripeError("Invalid array", param=name)
        return [kind(item, f"{name}[{number}]") for number, item in enumerate(value.values())]

    return read


def object_of(names: Mapping[str, Kind]) -> Callable[[Any, str], dict[str, Any]]:
    def read(value: Any, name: str = "") -> dict[str, Any]:
        if not isinstance(value, dict):
            raise StripeError("Invalid object", param=name)
        found = {}
        for inner, item in value.items():
            full = f"{name}[{inner}]" if name else inner
            if inner not in names:
                raise StripeError(f"Received unknown parameter: {full}", code="parameter_unknown", param=full)
            found[inner] = names[inner](item, full)
        return found

    return read
