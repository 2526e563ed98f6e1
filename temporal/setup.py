"""Make the namespace and the search attributes on a Temporal server."""

import asyncio
import shlex
import time
from collections.abc import Awaitable, Callable, Set
from datetime import timedelta
from typing import Final

from google.protobuf.duration_pb2 import Duration
from temporalio.api.enums.v1 import IndexedValueType
from temporalio.api.namespace.v1 import NamespaceConfig
from temporalio.api.workflowservice.v1 import (
    DescribeNamespaceRequest,
    RegisterNamespaceRequest,
    UpdateNamespaceRequest,
)
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from core.installation.start_checks import StartDelayed, StartRefused
from temporal.attributes import NO_RIGHT, TYPES, find_missing_attributes, register_attributes
from temporal.away import AWAY

RETENTION: Final = timedelta(days=30)
"""How long a new namespace keeps closed workflows."""

_PATIENCE: Final = 60.0
"""Seconds for each step: a server that starts refuses calls at first, and its parts learn one after the other of a new
namespace and of its attributes."""

Say = Callable[[str], None]


async def set_up(client: Client, retention: timedelta | None, say: Say) -> None:
    """Make what is missing, and wait until it can be used. `retention` also changes that of an existing namespace.
    Idempotent. Raise StartRefused if this login may not do it, RPCError or StartDelayed if the server is not ready
    within a minute."""
    try:
        # ALREADY_EXISTS: another process was faster, or the answer to a first call was lost
        await _repeat(lambda: _make_namespace(client, retention, say), AWAY | {RPCStatusCode.ALREADY_EXISTS})
        await _make_attributes(client, say)
    except RPCError as error:
        if error.status not in NO_RIGHT:
            raise
        raise StartRefused(f"Temporal: this login may not do it ({error.message}); an administrator may") from None


def list_commands(namespace: str, retention: timedelta | None = None) -> list[str]:
    """Return the commands by which an administrator does the same."""
    name, days = shlex.quote(namespace), (retention or RETENTION).days
    by_type: dict[str, list[str]] = {}
    for attribute, kind in TYPES.items():
        by_type.setdefault(_type_name(kind), []).append(f"--name {attribute}")
    return [
        f"temporal operator namespace create --namespace {name} --retention {days}d",
        *(
            f"temporal operator search-attribute create --namespace {name} {' '.join(names)} --type {kind}"
            for kind, names in by_type.items()
        ),
    ]


async def _make_namespace(client: Client, retention: timedelta | None, say: Say) -> None:
    name = client.namespace
    try:
        found = await client.workflow_service.describe_namespace(DescribeNamespaceRequest(namespace=name))
    except RPCError as error:
        if error.status is not RPCStatusCode.NOT_FOUND:
            raise
        wanted = retention or RETENTION
        await client.workflow_service.register_namespace(
            RegisterNamespaceRequest(namespace=name, workflow_execution_retention_period=_to_message(wanted))
        )
        say(f"namespace {name}: made, keeps closed workflows for {describe_days(wanted)}")
        return
    kept = found.config.workflow_execution_retention_ttl.ToTimedelta()
    if retention and retention != kept:
        await client.workflow_service.update_namespace(
            UpdateNamespaceRequest(
                namespace=name, config=NamespaceConfig(workflow_execution_retention_ttl=_to_message(retention))
            )
        )
        say(f"namespace {name}: keeps closed workflows for {describe_days(retention)}, before {describe_days(kept)}")
    else:
        say(f"namespace {name}: is there, keeps closed workflows for {describe_days(kept)}")


async def _make_attributes(client: Client, say: Say) -> None:
    made: set[str] = set()

    async def make() -> None:
        made.update(await register_attributes(client))
        if missing := await find_missing_attributes(client):
            raise StartDelayed(f"Temporal: the server does not know these yet: {', '.join(missing)}")

    await _repeat(make, AWAY | {RPCStatusCode.NOT_FOUND})  # NOT_FOUND: a new namespace is not known everywhere at once
    say(f"search attributes: {'made ' + ', '.join(sorted(made)) if made else 'all there'}")


async def _repeat(step: Callable[[], Awaitable[None]], passing: Set[RPCStatusCode]) -> None:
    """Repeat a step while it raises StartDelayed or one of these errors. Raise the last one after _PATIENCE."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            return await step()
        except (RPCError, StartDelayed) as error:
            lasting = isinstance(error, RPCError) and error.status not in passing
            if lasting or time.monotonic() > deadline:
                raise
        await asyncio.sleep(0.5)


def describe_days(value: timedelta) -> str:
    days = value / timedelta(days=1)
    return f"{days:g} day{'' if days == 1 else 's'}"


def _to_message(value: timedelta) -> Duration:
    message = Duration()
    message.FromTimedelta(value)
    return message


def _type_name(kind: IndexedValueType.ValueType) -> str:
    """Return the name as Temporal's command line has it: `KeywordList`."""
    words = IndexedValueType.Name(kind).removeprefix("INDEXED_VALUE_TYPE_").split("_")
    return "".join(word.capitalize() for word in words)
