"""A running installation, started as `make run` starts it, for benchmarks that use it as a user does."""

import asyncio
import json
import os
import re
import secrets
import signal
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlsplit

import httpx2

from benchmarks.engine import process_tree
from core.errors import ErrorCode
from core.networks.rules.channels import ChannelKind
from sandbox.ghost_keys import GhostKey
from sandbox.webhook import SECRET

EMAIL: Final = "crashes@example.org"
_PASSWORD: Final = "warp over weft under warp"
_FORM: Final = {"handle": "mara-lind.test", "app_password": "abcd-efgh-ijkl-mnop"}
SITE_FORM: Final = {
    "app_password": "abcd-efgh-ijkl-mnop-qrst-uvwx",
    "username": "mara-lind",
    "admin_key": str(GhostKey("")),
    "secret": SECRET,
    "site_name": "Journal",
    "address": "journal",
}
_PERSON: Final = "ada-lindqvist"  # has pages, so can connect every network


@dataclass
class Installation:
    """A running installation, with clients of a signed-in user and of the sandbox."""

    processes: Callable[[], Mapping[str, list[int]]]
    """Return the ids of the processes that can be killed, by part."""
    client: httpx2.AsyncClient
    sandbox: httpx2.AsyncClient
    database: str
    accounts: dict[ChannelKind, str] = field(default_factory=dict)
    """Account ids by network; for a kind of site, the website's id."""


def _find_processes(supervisor: int) -> dict[str, list[int]]:
    pids: dict[str, list[int]] = defaultdict(list)
    for pid in process_tree(supervisor):
        with suppress(OSError):
            words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
            if part := _part_of(words):
                pids[part].append(pid)
    return pids


def _part_of(words: list[str]) -> str | None:
    """Return the part that a process with this command line belongs to; None if it is not to be killed."""
    program = Path(words[0]).name
    if words[1:3] == ["-m", "temporal"]:
        return "worker"
    if words[1:3] == ["-m", "api.server"]:
        return "api"
    if program == "temporal" and "start-dev" in words:
        return "temporal"
    # only the postmaster: PostgreSQL's backends have other titles
    return "postgres" if program == "postgres" and "-D" in words else None


async def request_until_answered(request: Callable[[], Awaitable[httpx2.Response]]) -> httpx2.Response:
    """Repeat the same request until it gets an answer other than 5xx, 429 or a past slot."""
    while True:
        with suppress(httpx2.HTTPError):
            answer = await request()
            late = answer.status_code == 422 and ErrorCode.slot_past in answer.text  # the request waited too long
            if answer.status_code < 500 and answer.status_code != 429 and not late:
                return answer
        await asyncio.sleep(0.5)


@asynccontextmanager
async def run_installation(folder: Path) -> AsyncIterator[Installation]:
    port = 20_000 + secrets.randbelow(10_000)
    address = f"http://127.0.0.1:{port}"
    environment = {
        **os.environ,
        "DATA_DIR": str(folder),
        "PORT": str(port),
        "PUBLIC_URL": address,
        "ARM_SECONDS": "4",
        "ARM_SPREAD_SECONDS": "4",
    }
    command = (sys.executable, "-m", "cli", "run")
    with (folder.parent / "run.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *command, env=environment, stdout=log, stderr=log, start_new_session=True
        )
    try:
        async with httpx2.AsyncClient(base_url=f"{address}/api", timeout=60) as client:
            await _wait_until_ready(process, address)
            added = json.loads((folder / "run.json").read_text())["environment"]
            database = added["DATABASE_URL"].replace("postgresql+psycopg", "postgresql")
            async with httpx2.AsyncClient(base_url=added["LINKEDIN_API_URL"], timeout=60) as sandbox:
                installation = Installation(partial(_find_processes, process.pid), client, sandbox, database)
                await sign_up(installation, environment)
                yield installation
    finally:
        process.send_signal(signal.SIGINT)
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), 20)
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)


async def _wait_until_ready(process: asyncio.subprocess.Process, address: str) -> None:
    async with asyncio.timeout(180), httpx2.AsyncClient() as client:
        while True:
            if process.returncode is not None:
                raise SystemExit("the installation does not start")
            with suppress(httpx2.HTTPError):
                if (await client.get(f"{address}/readyz")).status_code == 200:
                    return
            await asyncio.sleep(0.5)


async def sign_up(installation: Installation, environment: Mapping[str, str]) -> None:
    """Sign up with EMAIL and verify the address. The client stays signed in."""
    inviting = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cli", "invite", "1", env=environment, stdout=asyncio.subprocess.PIPE
    )
    code, _ = await inviting.communicate()
    answer = await installation.client.post(
        "/auth/signup/",
        json={
            "email": EMAIL,
            "password": _PASSWORD,
            "invitation_code": code.decode().strip(),
            "language": "en",
            "consent": True,
        },
    )
    answer.raise_for_status()
    installation.client.headers["Authorization"] = f"Bearer {answer.json()['token']}"
    async with asyncio.timeout(60):
        while True:
            mails = (await installation.sandbox.get("/sandbox/mails", params={"to": EMAIL})).json()
            if found := re.search(r"/verify-email#token=(\S+)", "".join(mail["text"] for mail in mails)):
                break
            await asyncio.sleep(0.5)
    (await installation.client.post("/users/verify-email/", json={"token": found[1]})).raise_for_status()


async def connect_account(installation: Installation, kind: ChannelKind, person: str = _PERSON) -> str:
    """Connect one account, or a website, as a browser does. Return its id."""
    client = installation.client
    channels = (await client.get("/websites/kinds/" if kind.is_site else "/channels/")).raise_for_status().json()
    [fields] = [one["connection"]["fields"] for one in channels if one["kind"] == kind]
    known = SITE_FORM if kind.is_site else _FORM
    form = {one["name"]: one["initial"] or known[one["name"]] for one in fields}
    if kind.is_site:
        body = {"fields": form, "language": "en"}
        site = (await client.post(f"/websites/connect/{kind}/", json=body)).raise_for_status().json()
        installation.accounts[kind] = site["id"]
        return installation.accounts[kind]
    started = (await client.post(f"/accounts/connect/{kind}/", json={"fields": form})).raise_for_status().json()
    result = started["connected"]
    if started["authorize_url"]:
        consent = await installation.sandbox.get(f"{started['authorize_url']}&sandbox_person={person}")
        back = parse_qs(urlsplit(consent.headers["location"]).query)
        granted = {"state": back["state"][0], "code": back["code"][0]}
        answer = await client.post(f"/accounts/connect/{kind}/callback/", json=granted)
        result = answer.raise_for_status().json()
    accounts = result["accounts"]
    if result["choice"]:
        names = [result["choice"]["candidates"][0]["external_id"]]
        chosen = {"grant_id": result["choice"]["grant_id"], "external_ids": names}
        accounts = (await client.post("/accounts/connect/choice/accounts/", json=chosen)).raise_for_status().json()
    installation.accounts[kind] = accounts[0]["id"]
    return installation.accounts[kind]
