"""The connection to Temporal: one data converter for clients, workers, replays and tests."""

import dataclasses
import os
from collections.abc import Mapping, Sequence
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from structlog.contextvars import get_contextvars
from temporalio.api.common.v1 import Payload
from temporalio.client import (
    Client,
    Interceptor,
    OutboundInterceptor,
    StartWorkflowInput,
    StartWorkflowUpdateWithStartInput,
    WorkflowHandle,
    WorkflowUpdateHandle,
)
from temporalio.contrib.pydantic import PydanticJSONPlainPayloadConverter, PydanticPayloadConverter
from temporalio.converter import DataConverter, DefaultFailureConverterWithEncodedAttributes, PayloadCodec
from temporalio.envconfig import ClientConfig
from temporalio.service import RetryConfig

from core.setting_types import CodecKey
from core.settings import Settings
from core.tracing import is_tracing_on

_ENCODING = b"binary/encrypted"


class EncryptionCodec(PayloadCodec):
    """Encrypts whole payloads with AES-256-GCM. The first key encrypts, all keys decrypt."""

    def __init__(self, keys: Sequence[CodecKey]) -> None:
        self._ciphers = {key.id: AESGCM(key.key) for key in keys}
        self._active = keys[0].id

    async def encode(self, payloads: Sequence[Payload]) -> list[Payload]:
        return [self._encrypted(payload) for payload in payloads]

    async def decode(self, payloads: Sequence[Payload]) -> list[Payload]:
        return [self._decrypted(payload) for payload in payloads]

    def _encrypted(self, payload: Payload) -> Payload:
        nonce, key_id = os.urandom(12), self._active.encode()
        sealed = self._ciphers[self._active].encrypt(nonce, payload.SerializeToString(), key_id)
        return Payload(metadata={"encoding": _ENCODING, "encryption-key-id": key_id}, data=nonce + sealed)

    def _decrypted(self, payload: Payload) -> Payload:
        if payload.metadata.get("encoding") != _ENCODING:
            return payload  # histories from before encryption stay readable
        key_id = payload.metadata["encryption-key-id"]
        cipher = self._ciphers[key_id.decode()]
        return Payload.FromString(cipher.decrypt(payload.data[:12], payload.data[12:], key_id))


_JSON = PydanticJSONPlainPayloadConverter()
"""Shared, because it caches how to read each type: milliseconds and some hundred kilobytes for all types of a workflow.
Temporal creates a converter per cached workflow, which would build that cache anew."""


class PayloadConverter(PydanticPayloadConverter):
    """Pydantic's converter with a shared cache."""

    def __init__(self) -> None:
        super().__init__()
        self.converters = {
            encoding: _JSON if encoding == _JSON.encoding.encode() else converter
            for encoding, converter in self.converters.items()
        }


_PLAIN = DataConverter(payload_converter_class=PayloadConverter)


def data_converter(keys: Sequence[CodecKey] = ()) -> DataConverter:
    """Return the only converter of the product. Without keys payloads are readable: they contain only ids."""
    if not keys:
        return _PLAIN
    return dataclasses.replace(
        _PLAIN,
        payload_codec=EncryptionCodec(keys),
        failure_converter_class=DefaultFailureConverterWithEncodedAttributes,
    )


class _RequestIds(OutboundInterceptor):
    async def start_workflow(self, input: StartWorkflowInput) -> WorkflowHandle[Any, Any]:
        input.memo = _with_request_id(input.memo)
        return await super().start_workflow(input)

    async def start_update_with_start_workflow(
        self, input: StartWorkflowUpdateWithStartInput
    ) -> WorkflowUpdateHandle[Any]:
        started = input.start_workflow_input
        started.memo = _with_request_id(started.memo)
        return await super().start_update_with_start_workflow(input)


def _with_request_id(memo: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return the memo with the id of the request that starts a workflow, if one does: it leads to the API's log."""
    request_id = get_contextvars().get("request_id")
    return {**(memo or {}), "request_id": request_id} if request_id else memo


class RequestIds(Interceptor):
    """Adds the request's id to the memo of workflows that a request starts."""

    def intercept_client(self, next: OutboundInterceptor) -> OutboundInterceptor:
        return _RequestIds(next)


async def connect(settings: Settings, *, lazy: bool = False) -> Client:
    """Connect. Address, namespace, key and certificates are Temporal's own environment variables.

    `lazy`: the caller starts while Temporal is away; calls then fail within a second. Workers cannot be lazy.
    """
    options = ClientConfig.load_client_connect_config()
    options.setdefault("target_host", "localhost:7233")
    interceptors: list[Interceptor] = [RequestIds()]
    if is_tracing_on():
        # loads OpenTelemetry's SDK, which is not always installed
        from temporalio.contrib.opentelemetry import TracingInterceptor

        interceptors.append(TracingInterceptor())
    return await Client.connect(
        **options,
        lazy=lazy,
        interceptors=interceptors,
        data_converter=data_converter(settings.temporal_codec_keys),
        retry_config=RetryConfig(max_elapsed_time_millis=2000, max_retries=3) if lazy else None,
    )
