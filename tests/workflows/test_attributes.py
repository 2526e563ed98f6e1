"""A namespace that an older release or an administrator has set up: what is missing is made, or stops the start."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from google.protobuf.duration_pb2 import Duration
from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest, RegisterNamespaceRequest
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from core.installation.start_checks import StartRefused
from temporal.attributes import ensure_namespace, find_missing_attributes, register_attributes
from temporal.client import connect
from temporal.gateway import Gateway
from temporal.setup import list_commands, set_up
from tests.conftest import Stack
from tests.patience import PATIENCE
from workflows.names import SEARCH_ATTRIBUTES

NAMES = sorted(key.name for key in SEARCH_ATTRIBUTES)


async def new_client(temporal: Client) -> Client:
    """A client of a namespace that does not exist yet."""
    return await Client.connect(temporal.service_client.config.target_host, namespace=f"new-{uuid4()}")


async def refused(*_: object, **__: object) -> Any:
    raise RPCError("not yours", RPCStatusCode.PERMISSION_DENIED, b"")


async def kept(client: Client) -> timedelta:
    found = await client.workflow_service.describe_namespace(DescribeNamespaceRequest(namespace=client.namespace))
    return found.config.workflow_execution_retention_ttl.ToTimedelta()


async def test_a_missing_namespace_stops_the_start_until_it_is_made(temporal: Client) -> None:
    client, said = await new_client(temporal), list[str]()
    with pytest.raises(StartRefused, match=f"no namespace {client.namespace}: run `postloom temporal-setup`"):
        await ensure_namespace(client)
    await set_up(client, timedelta(days=3), said.append)
    await ensure_namespace(client)
    assert await find_missing_attributes(client) == []
    assert await kept(client) == timedelta(days=3)
    assert said[0] == f"namespace {client.namespace}: made, keeps closed workflows for 3 days"
    assert set(said[1].removeprefix("search attributes: made ").split(", ")) == set(NAMES)

    await set_up(client, None, said.append)
    assert said[-1] == "search attributes: all there"
    assert await kept(client) == timedelta(days=3)
    await set_up(client, timedelta(days=4), said.append)
    assert await kept(client) == timedelta(days=4)


async def test_a_server_that_is_starting_is_waited_for(temporal: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client, said = await new_client(temporal), list[str]()
    real = client.workflow_service.register_namespace

    async def lose_answer(*given: Any, **more: Any) -> Any:
        monkeypatch.setattr(client.workflow_service, "register_namespace", real)
        await real(*given, **more)
        raise RPCError("connection reset", RPCStatusCode.UNAVAILABLE, b"")

    monkeypatch.setattr(client.workflow_service, "register_namespace", lose_answer)
    refuse_at_first(client.workflow_service, "describe_namespace", RPCStatusCode.UNAVAILABLE, monkeypatch)
    refuse_at_first(client.operator_service, "list_search_attributes", RPCStatusCode.DEADLINE_EXCEEDED, monkeypatch)
    await set_up(client, timedelta(days=3), said.append)
    assert said[0] == f"namespace {client.namespace}: is there, keeps closed workflows for 3 days"
    assert set(said[1].removeprefix("search attributes: made ").split(", ")) == set(NAMES)


async def test_a_server_that_stays_away_is_an_error(temporal: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client = await new_client(temporal)
    refuse_at_first(client.workflow_service, "describe_namespace", RPCStatusCode.UNAUTHENTICATED, monkeypatch)
    with pytest.raises(RPCError, match="not now"):  # at once: waiting does not change it
        await set_up(client, None, lambda _: None)
    monkeypatch.setattr("temporal.setup._PATIENCE", 0.0)
    refuse_at_first(client.workflow_service, "describe_namespace", RPCStatusCode.UNAVAILABLE, monkeypatch)
    with pytest.raises(RPCError, match="not now"):
        await set_up(client, None, lambda _: None)


def refuse_at_first(service: object, name: str, status: RPCStatusCode, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the first call fail."""
    real = getattr(service, name)

    async def refuse(*_: object, **__: object) -> Any:
        monkeypatch.setattr(service, name, real)
        raise RPCError("not now", status, b"")

    monkeypatch.setattr(service, name, refuse)


async def test_who_may_not_register_is_stopped_with_what_is_missing(
    temporal: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = await new_client(temporal)
    await set_up(client, None, lambda _: None)
    monkeypatch.setattr(client.operator_service, "list_search_attributes", refused)
    monkeypatch.setattr(client.operator_service, "add_search_attributes", refused)
    # all are there: found out by queries
    assert await register_attributes(client) == []
    bare = await new_client(temporal)
    await _register_namespace_alone(bare)
    monkeypatch.setattr(bare.operator_service, "list_search_attributes", refused)
    monkeypatch.setattr(bare.operator_service, "add_search_attributes", refused)
    with pytest.raises(StartRefused, match=f"lacks the search attributes {', '.join(NAMES)}: run `postloom temporal-"):
        await register_attributes(bare)
    monkeypatch.setattr(bare.workflow_service, "describe_namespace", refused)
    with pytest.raises(StartRefused, match="this login may not do it"):
        await set_up(bare, None, lambda _: None)


async def _register_namespace_alone(client: Client) -> None:
    """Return when queries know it."""
    await client.workflow_service.register_namespace(
        RegisterNamespaceRequest(
            namespace=client.namespace, workflow_execution_retention_period=Duration(seconds=86_400)
        )
    )
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                await client.count_workflows("")
                return
            except RPCError:
                await asyncio.sleep(0.5)


async def test_an_administrator_gets_the_commands() -> None:
    namespace, keywords, lists, times = list_commands("ours", timedelta(days=7))
    assert namespace == "temporal operator namespace create --namespace ours --retention 7d"
    assert "--name AssistantId" in keywords
    assert keywords.endswith(" --type Keyword")
    assert lists.endswith("--name Channels --type KeywordList")
    assert times.endswith("--name NextSlot --type Datetime")
    assert f"{keywords} {lists} {times}".count("--name ") == len(NAMES)


async def test_the_app_is_not_ready_without_its_namespace(
    stack: Stack, temporal: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = await new_client(temporal)
    monkeypatch.setenv("TEMPORAL_ADDRESS", temporal.service_client.config.target_host)
    monkeypatch.setenv("TEMPORAL_NAMESPACE", client.namespace)
    settings = stack.services.settings
    gateway = Gateway(await connect(settings, lazy=True), settings)
    assert "no namespace" in str(await gateway.find_setup_problem())
    await set_up(client, None, lambda _: None)
    assert await gateway.find_setup_problem() is None
