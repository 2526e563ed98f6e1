"""What is secret is nowhere but in the one answer that tells it: in no table, no log and no other answer."""

import logging
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import httpx2
import pytest
from pyotp import TOTP
from sqlalchemy import text

from api.app import connected_app
from api.web_app import WEB
from core.container import Services, wire
from core.database import open_engine, open_sessions
from core.observability import configure_logs
from core.settings import Settings
from core.tables import Base
from temporal.gateway import Gateway
from tests.conftest import Networks, mailed
from tests.serving import serve

PASSWORD, NEW_PASSWORD, WRONG = "loom over warp and weft", "shuttle under reed and heddle", "spindle beside the wheel"
OURS = ("api", "core", "temporal", "activities", "workflows", "uvicorn", "fastapi", "starlette", "")
QUIET = ("httpx2", "httpcore2", "openai", "stripe", "urllib3", "uvicorn.access")


class Everything(logging.Handler):
    """Whatever a logger lets through, with all that its record carries."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{self.format(record)} {vars(record)}")


@pytest.fixture
def logs() -> Iterator[Everything]:
    """As in production, and more of it: every level of ours."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    levels = {name: logging.getLogger(name).level for name in QUIET}
    configure_logs("json", logging.DEBUG)
    heard = Everything()
    root.addHandler(heard)
    yield heard
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)


@dataclass
class Witness:
    """Makes the calls, and keeps every answer."""

    client: httpx2.AsyncClient
    answers: list[tuple[str, str]] = field(default_factory=list)
    secrets: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)

    def plant(self, name: str, value: str, *told_by: str) -> str:
        """A secret, and the calls that may tell it."""
        assert len(value) >= 6
        self.secrets[name] = (value, told_by)
        return value

    async def call(self, what: str, path: str, bearer: str = "", *, status: int, **body: Any) -> Any:
        """`what` is the method and a name for the answer; no body for GET."""
        method = what.partition(" ")[0]
        headers = {"Authorization": f"Bearer {bearer}"} if bearer else {}
        answer = await self.client.request(method, path, headers=headers, json=body if method == "POST" else None)
        assert answer.status_code == status, answer.text
        self.answers.append((what, f"{_text(answer)} {answer.headers}"))
        return answer.json() if answer.content and "json" in answer.headers["content-type"] else answer.text


def _text(answer: httpx2.Response) -> str:
    if answer.headers.get("content-type") != "application/zip":
        return answer.text
    with ZipFile(BytesIO(answer.content)) as packed:
        files = [packed.read(name).decode() for name in packed.namelist() if name.endswith(".json")]
    assert len(files) > 5
    return "\n".join(files)


@pytest.fixture
async def witness(
    database: str, settings: Settings, networks: Networks, away: Gateway, logs: Everything
) -> AsyncIterator[tuple[Witness, Services]]:
    """A real server, with its log of accesses on."""
    own = settings.model_copy(update={"database_url": database, "rate_limits": True})
    engine = open_engine(database)
    services = wire(own, engine, open_sessions(engine))
    async with (
        serve(connected_app(own, gateway=away), access_log=True) as address,
        httpx2.AsyncClient(base_url=address, timeout=30) as client,
    ):
        yield Witness(client), services
    await engine.dispose()


async def link_in(services: Services, to: str) -> str:
    """The token or the code that the newest mail to that address carries."""
    newest = (await mailed(services, to))[-1].secret
    assert newest
    return newest


async def dump(services: Services) -> dict[str, str]:
    """Every table as text."""
    async with services.sessions() as session:
        return {
            table.name: "\n".join(await session.scalars(text(f'SELECT CAST(one AS text) FROM "{table.name}" AS one')))
            for table in Base.metadata.sorted_tables
        }


async def test_secrets_stay_with_whom_they_belong_to(
    witness: tuple[Witness, Services], logs: Everything, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, services = witness
    for name, password in (("password", PASSWORD), ("new password", NEW_PASSWORD), ("mistyped password", WRONG)):
        seen.plant(name, password)
    email = "mara@example.com"

    built = (WEB / "index.html").is_file()

    # in
    code = seen.plant("first invitation", await services.invitations.invite())
    form: dict[str, Any] = {"email": email, "invitation_code": code, "language": "en", "consent": True}
    await seen.call("POST wrong sign-up", "/api/auth/signup/", status=422, **form, password=WRONG, consented=[WRONG])
    token = (await seen.call("POST sign-up", "/api/auth/signup/", status=201, **form, password=PASSWORD))["token"]
    seen.plant("session", token, "POST sign-up")
    link = seen.plant("verifying link", await link_in(services, email))
    await seen.call("GET page of the link", "/verify-email", status=200 if built else 503)
    await seen.call("POST verify", "/api/users/verify-email/", status=200, token=link)
    await seen.call("POST verify again", "/api/users/verify-email/", status=200, token=link)

    # the account
    form = {"name": "x", "scope": "read", "current_password": PASSWORD}
    key = (await seen.call("POST key", "/api/users/me/api-keys/", token, status=201, **form))["key"]
    seen.plant("API key", key, "POST key")
    path = "/api/users/me/second-factor/"
    await seen.call("POST wrong offer", path, token, status=422, current_password=WRONG)
    offer = await seen.call("POST offer", path, token, status=200, current_password=PASSWORD)
    secret = seen.plant("secret of the authenticator", offer["secret"], "POST offer")
    confirmed = await seen.call("POST confirm", f"{path}confirm/", token, status=200, code=TOTP(secret).now())
    for number, recovery in enumerate(confirmed["recovery_codes"]):
        seen.plant(f"recovery code {number}", recovery, "POST confirm")
    mistyped = {"email": email, "password": WRONG}
    await seen.call("POST mistyped login", "/api/auth/login/", status=422, **mistyped)
    body = {"email": email, "password": PASSWORD}
    await seen.call("POST half a login", "/api/auth/login/", status=422, **body)
    first = confirmed["recovery_codes"][0]
    second = (await seen.call("POST login", "/api/auth/login/", status=200, **body, code=first))["token"]
    seen.plant("second session", second, "POST login")
    await seen.call("POST login again", "/api/auth/login/", status=422, **body, code=first)

    # others
    invited: dict[str, Any] = {"email": "ida@example.com", "send": True}
    made = await seen.call("POST invite", "/api/invitations/", token, status=201, **invited)
    seen.plant("invitation", made["code"], "POST invite", "GET invitations")
    assert (await link_in(services, "ida@example.com")).replace("-", "") == made["code"].replace("-", "")

    # out, and in again
    await seen.call("POST forgot", "/api/auth/forgot/", status=204, email=email)
    reset = seen.plant("resetting link", await link_in(services, email))
    await seen.call("GET page of the reset", "/signin?reset", status=200 if built else 503)
    await seen.call("POST bad reset", "/api/auth/reset/", status=422, token=reset, password="short")
    await seen.call("POST reset", "/api/auth/reset/", status=204, token=reset, password=NEW_PASSWORD)
    await seen.call("GET with a token that has ended", "/api/users/me/", token, status=401)
    body = {"email": email, "password": NEW_PASSWORD, "code": confirmed["recovery_codes"][1]}
    token = (await seen.call("POST last login", "/api/auth/login/", status=200, **body))["token"]
    seen.plant("last session", token, "POST last login")

    # everything that can be read, by the person and by the key
    for name in ("sessions", "api-keys", "second-factor"):
        await seen.call(f"GET {name}", f"/api/users/me/{name}/", token, status=200)
    for name in ("users/me", "invitations", "system", "users/account_stats", "users/account_setup_state"):
        await seen.call(f"GET {name}", f"/api/{name}/", token, status=200)
    await seen.call("GET by key", "/api/users/me/", key, status=200)
    await seen.call("POST by key", "/api/templates/preview/", key, status=403, type="text", body="x")
    await seen.call("POST export", "/api/users/me/export/", token, status=200)

    # and where something breaks in the middle of it
    async def broken(*given: object, **_: object) -> None:
        raise RuntimeError("the database has said something unexpected")

    with monkeypatch.context() as patched:
        patched.setattr("core.users.identity.IdentityService.sign_in", broken)
        await seen.call("POST broken login", "/api/auth/login/", status=500, **body)
    tables = await dump(services)
    assert sum(map(bool, tables.values())) > 5
    await seen.call("POST leave", "/api/users/me/delete/", token, status=204, current_password=NEW_PASSWORD)

    tables |= {f"{table} after leaving": rows for table, rows in (await dump(services)).items()}
    log = "\n".join(logs.lines)
    assert "unhandled error at /auth/login/" in log
    for name, (value, told_by) in seen.secrets.items():
        for spelt in {value, value.replace("-", "")}:
            found = [f"table {table}" for table, rows in tables.items() if spelt in rows]
            found += ["log"] * (spelt in log)
            found += [what for what, answer in seen.answers if spelt in answer and what not in told_by]
            assert not found, f"{name} is in {found}"
        for what in told_by:
            assert any(value in answer for kept, answer in seen.answers if kept == what), f"{what} does not tell {name}"
