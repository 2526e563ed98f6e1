"""A namespace that an older release has set up learns what lists are filtered by."""

import asyncio
from datetime import timedelta
from uuid import uuid4

import pytest
from google.protobuf.duration_pb2 import Duration
from temporalio.api.operatorservice.v1 import ListSearchAttributesRequest, ListSearchAttributesResponse
from temporalio.api.workflowservice.v1 import RegisterNamespaceRequest
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from temporal.attributes import register_attributes
from workflows.names import SEARCH_ATTRIBUTES


async def test_what_is_missing_is_registered_once(temporal: Client) -> None:
    namespace = f"old-{uuid4()}"
    await temporal.workflow_service.register_namespace(
        RegisterNamespaceRequest(
            namespace=namespace,
            workflow_execution_retention_period=Duration(seconds=int(timedelta(days=1).total_seconds())),
        )
    )
    client = await Client.connect(temporal.service_client.config.target_host, namespace=namespace)
    async with asyncio.timeout(30):
        while True:  # a new namespace is known everywhere after some seconds
            try:
                first = await register_attributes(client)
                break
            except RPCError:
                await asyncio.sleep(0.5)
    assert first == sorted(key.name for key in SEARCH_ATTRIBUTES)
    async with asyncio.timeout(30):
        while await register_attributes(client):
            await asyncio.sleep(0.5)


async def test_who_may_not_is_told_what_is_needed(
    temporal: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def refused(request: ListSearchAttributesRequest) -> ListSearchAttributesResponse:
        raise RPCError("not yours", RPCStatusCode.PERMISSION_DENIED, b"")

    monkeypatch.setattr(temporal.operator_service, "list_search_attributes", refused)
    assert await register_attributes(temporal) == []
    assert "AssistantPhase" in caplog.text
