"""What the privacy policy says of a server, for everybody."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr

from core.container import Services, wire
from core.errors import ErrorCode
from core.settings import Settings, WrongSetting, read_settings
from temporal.gateway import Gateway
from tests.api.conftest import done, refused
from tests.conftest import browsing

PATH = "/system/public/"


async def test_an_operator_who_set_nothing(anonymous: httpx2.AsyncClient, settings: Settings) -> None:
    assert done(await anonymous.get(PATH)) == {
        "operator_name": None,
        "operator_contact": None,
        "model_host": "none",
        "mail_outbox_url": None,
        "session_days": settings.session_days,
        "invitation_days": settings.invitation_days,
    }


@pytest.mark.parametrize(
    ("change", "host"),
    [
        ({"openai_api_key": SecretStr("sk-x")}, "openai"),
        ({"openai_base_url": "https://api.openai.com/v1"}, "openai"),
        ({"openai_base_url": "http://models.internal/v1", "text_model": "m"}, "other"),
    ],
)
async def test_what_the_operator_says(services: Services, away: Gateway, change: dict[str, Any], host: str) -> None:
    said = {"operator_name": "Lindhof GmbH", "operator_contact": "privacy@lindhof.example"}
    settings = services.settings.model_copy(update={**said, **change})
    async with browsing(wire(settings, services.engine, services.sessions), away, None) as anonymous:
        answer = await anonymous.get(PATH)
    found = done(answer)
    assert (found["operator_name"], found["operator_contact"]) == tuple(said.values())
    assert found["model_host"] == host
    assert "internal" not in answer.text


def test_a_name_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPERATOR_NAME", "  Lindhof \n GmbH ")
    assert read_settings().operator_name == "Lindhof GmbH"
    monkeypatch.setenv("OPERATOR_NAME", "Lindhof\x1b[31m")
    with pytest.raises(WrongSetting, match="OPERATOR_NAME"):
        read_settings()


@pytest.mark.parametrize(
    ("contact", "told"),
    [
        ("security@example.org", "mailto:security@example.org"),
        ("https://example.org/security", "https://example.org/security"),
        ("Ada, room 7", None),
        (None, None),
    ],
)
async def test_where_a_hole_is_reported(
    services: Services, away: Gateway, settings: Settings, contact: str | None, told: str | None
) -> None:
    served = replace(services, settings=settings.model_copy(update={"operator_contact": contact}))
    async with browsing(served, away) as anybody:
        answer = await anybody.get("http://postloom.test/.well-known/security.txt")
    if told is None:
        refused(answer, 404, ErrorCode.not_found)
        return
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    said = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert said["Contact"] == told
    assert said["Canonical"] == f"{settings.public_url}/.well-known/security.txt"
    left = datetime.fromisoformat(said["Expires"]) - datetime.now(UTC)
    assert timedelta(days=100) < left < timedelta(days=365)
