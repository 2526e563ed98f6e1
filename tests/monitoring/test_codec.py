"""The codec endpoint, asked as Temporal's Web UI and its command line ask."""

import asyncio
import base64
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr
from temporalio.client import Client

from api.codec import codec_app
from core.assistants.rules.assistants import RunState
from core.setting_types import CodecKey
from core.settings import ROOT, Settings
from temporal.client import data_converter
from temporal.server import find_dev_server
from temporal.worker import run_worker
from tests.conftest import GRACEFUL, Stack
from tests.serving import serve
from tests.workflows.support import automatic, order_for, run_once, soon

KEYS = (CodecKey("second", os.urandom(32)), CodecKey("first", os.urandom(32)))
TOKEN = "a-shared-token-of-operators"
UI = "https://temporal.example.org"
AUTHORIZED = {"Authorization": f"Bearer {TOKEN}"}


def payload(text: str) -> dict[str, Any]:
    encoding = base64.b64encode(b"json/plain").decode()
    return {"metadata": {"encoding": encoding}, "data": base64.b64encode(text.encode()).decode()}


@pytest.fixture
def own(settings: Settings) -> Settings:
    return settings.model_copy(
        update={
            "temporal_codec_keys": KEYS,
            "codec_token": SecretStr(TOKEN),
            "temporal_ui_url": f"{UI}/namespaces/default",
        }
    )


@pytest.fixture
async def codec(own: Settings) -> AsyncIterator[httpx2.AsyncClient]:
    transport = httpx2.ASGITransport(app=codec_app(own))
    async with httpx2.AsyncClient(transport=transport, base_url="http://codec.test") as client:
        yield client


async def test_what_is_encoded_is_decoded(codec: httpx2.AsyncClient) -> None:
    asked = {"payloads": [payload('"a"'), payload('"b"')]}
    encoded = (await codec.post("/encode", json=asked, headers=AUTHORIZED)).json()
    assert encoded != asked
    assert base64.b64decode(encoded["payloads"][0]["metadata"]["encryption-key-id"]) == b"second"
    assert (await codec.post("/decode", json=encoded, headers=AUTHORIZED)).json() == asked
    # as it is from before encryption
    assert (await codec.post("/decode", json=asked, headers=AUTHORIZED)).json() == asked


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer another"}, {"Authorization": f"Basic {TOKEN}"}])
async def test_nobody_else_is_answered(codec: httpx2.AsyncClient, headers: dict[str, str]) -> None:
    for path in ("/encode", "/decode"):
        answer = await codec.post(path, json={"payloads": [payload('"a"')]}, headers=headers)
        assert answer.status_code == 401
        assert "payloads" not in answer.text


async def test_what_cannot_be_decoded_is_refused_with_its_reason(codec: httpx2.AsyncClient, own: Settings) -> None:
    encoded = (await codec.post("/encode", json={"payloads": [payload('"a"')]}, headers=AUTHORIZED)).json()
    for keys, reason in (
        ((CodecKey("third", os.urandom(32)),), "has no key 'second'"),
        ((CodecKey("second", os.urandom(32)),), "another key of the same id"),
    ):
        other = codec_app(own.model_copy(update={"temporal_codec_keys": keys}))
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=other), base_url="http://c.test") as client:
            answer = await client.post("/decode", json=encoded, headers=AUTHORIZED)
        assert (answer.status_code, reason in answer.text) == (400, True)
    assert (await codec.post("/decode", content=b"nothing", headers=AUTHORIZED)).status_code == 400


@pytest.mark.parametrize(
    ("key_id", "data"), [(b"second", b""), (b"second", b"short"), (b"second", bytes(12)), (b"\xff", bytes(40))]
)
async def test_a_malformed_payload_is_refused(codec: httpx2.AsyncClient, key_id: bytes, data: bytes) -> None:
    metadata = {"encoding": b"binary/encrypted", "encryption-key-id": key_id}
    malformed = {
        "metadata": {name: base64.b64encode(value).decode() for name, value in metadata.items()},
        "data": base64.b64encode(data).decode(),
    }
    answer = await codec.post("/decode", json={"payloads": [malformed]}, headers=AUTHORIZED)
    assert answer.status_code == 400


@pytest.mark.parametrize("body", [b"\xff\xfe", b'{"payloads": ' + b"[" * 100_000])
async def test_a_malformed_body_is_refused(codec: httpx2.AsyncClient, body: bytes) -> None:
    for path in ("/encode", "/decode"):
        assert (await codec.post(path, content=body, headers=AUTHORIZED)).status_code == 400


async def test_the_web_ui_alone_may_call_from_a_browser(codec: httpx2.AsyncClient) -> None:
    asked = {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type,x-namespace",
    }
    ours = await codec.options("/decode", headers={"Origin": UI, **asked})
    assert ours.status_code == 200
    assert ours.headers["access-control-allow-origin"] == UI
    assert ours.headers["access-control-allow-credentials"] == "true"
    others = await codec.options("/decode", headers={"Origin": "https://example.com", **asked})
    assert others.status_code == 400
    assert "access-control-allow-origin" not in others.headers


async def test_temporals_command_line_reads_an_encrypted_workflow_by_it(stack: Stack, own: Settings) -> None:
    config = stack.client.config()
    config["data_converter"] = data_converter(KEYS)
    secret = replace(stack, client=Client(**config))
    assistant = await automatic(secret)
    slot = soon(0)
    name, _ = order_for(assistant, slot)
    program = str(find_dev_server())
    target = ("--address", stack.client.service_client.config.target_host, "-w", name)

    async def run(*command: str) -> str:
        process = await asyncio.create_subprocess_exec(
            program, "workflow", *command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        return (await process.communicate())[0].decode(errors="replace")

    async with (
        run_worker(secret.client, secret.services, graceful=GRACEFUL),
        serve(codec_app(own)) as url,
    ):
        assert (await run_once(secret, assistant, slot)).state == RunState.published
        endpoint = ("--codec-endpoint", url, "--codec-auth", f"Bearer {TOKEN}")
        metadata, blind = await run("metadata", *target, *endpoint), await run("metadata", *target)
        result = await run("result", *target, *endpoint)
    assert f"owner {assistant.user_id}" in metadata
    assert str(assistant.user_id) not in blind
    assert RunState.published in result


@pytest.mark.parametrize(
    ("environment", "name"),
    [
        ({}, "TEMPORAL_CODEC_KEYS"),
        ({"TEMPORAL_CODEC_KEYS": f"a:{base64.b64encode(bytes(32)).decode()}", "CODEC_HOST": "0.0.0.0"}, "CODEC_TOKEN"),
        ({"CODEC_TOKEN": "short"}, "CODEC_TOKEN: must have at least 20 characters"),
    ],
)
def test_the_command_refuses_to_serve_everybody(environment: dict[str, str], name: str) -> None:
    command = [sys.executable, "-m", "cli", "codec"]
    done = subprocess.run(
        command, env={"PATH": os.defpath, **environment}, cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert done.stderr.startswith(f"✗ {name}")
    assert len(done.stderr.splitlines()) == 1
