"""No post is lost or published twice, whichever process is killed: `python -m benchmarks.crashes --posts 1000`.

Runs the whole installation as `make run` starts it, with an account at each network (`--kinds` selects networks; a
kind of site gets a website and articles). Manual posts are created over HTTP and scheduled within some minutes. At
random moments a worker, the API, Temporal's server or PostgreSQL gets `kill -9` and is restarted by the supervisor,
or a worker gets SIGSTOP for a while; and one in ten publishing calls meets a network fault: no answer, a connection
cut before or after the post is accepted, 5xx, 429, a broken answer. Then the sandbox's posts are compared with the
ledger: a published post exists once, a failed one does not exist and has a reason, an unknown one exists at most
once. Where a network has first comments each post has one, and one in three posts is deleted at its network once
published: a comment exists once, a removed post does not exist, and either may instead have failed with a reason.

Also printed: how many seconds late published posts were sent, and the share within a minute.
`--strike worker --every 10` hits workers only, one every ten seconds.

The seed of a round is printed; `--seed` repeats its times and faults, but not how the machine reacts to them.
Exits with 1 if a post is lost or doubled. `--short` is a round of two minutes, for the tests.
"""

import argparse
import asyncio
import json
import os
import random
import re
import secrets
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any, Final, LiteralString
from urllib.parse import parse_qs, urljoin, urlsplit
from uuid import uuid4

import httpx2
import psycopg
from PIL import Image

from benchmarks.engine import family
from core.errors import ErrorCode
from core.networks.rules.channels import NETWORKS, ChannelKind
from sandbox.ghost_keys import GhostKey
from sandbox.webhook import SECRET

_PASSWORD: Final = "warp over weft under warp"
_FORM: Final = {"handle": "mara-lind.test", "app_password": "abcd-efgh-ijkl-mnop"}
_SITE_FORM: Final = {
    "app_password": "abcd-efgh-ijkl-mnop-qrst-uvwx",
    "username": "mara-lind",
    "admin_key": str(GhostKey("")),
    "secret": SECRET,
    "site_name": "Journal",
    "address": "journal",
}
_PERSON: Final = "ada-lindqvist"  # has pages, so can connect every network

_ONE_IN: Final = 10
"""Publishing calls per fault."""
_FAULTS: Final[tuple[dict[str, Any], ...]] = (
    {"kind": "status", "status": 500},
    {"kind": "status", "status": 503},
    {"kind": "rate_limited", "seconds": 3},
    {"kind": "reset"},
    {"kind": "lost_answer"},
    {"kind": "timeout", "seconds": 40},
    {"kind": "html"},
    {"kind": "truncated", "effect": True},
    {"kind": "slow", "seconds": 4},
)


@dataclass(frozen=True)
class Pace:
    """Times of a round in seconds; pairs are the bounds of a random value."""

    ahead: float
    """From the first post's creation to the first slot."""
    pauses: tuple[float, float]
    """Between two blows."""
    frozen: tuple[float, float]
    afterwards: float
    """From the last slot to the last blow, while published posts get comments and are deleted."""


_USUAL: Final = Pace(45, (4, 15), (5, 45), 30)
_SHORT: Final = Pace(12, (3, 6), (3, 8), 30)
_AFTERWARDS: Final = timedelta(minutes=20)
"""How long to wait for unfinished posts."""
_BLOWS: Final = ("worker", "worker", "frozen", "frozen", "api", "temporal", "postgres")
_IN_TIME: Final = 60.0  # seconds
_COMMENTED: Final = frozenset({ChannelKind.facebook, ChannelKind.instagram})
_REMOVED_ONE_IN: Final = 3
_ENDED: Final = ("published", "failed", "cancelled", "unknown")


@dataclass
class Installation:
    """A running installation, with clients of a signed-in user and of the sandbox."""

    process: asyncio.subprocess.Process
    client: httpx2.AsyncClient
    sandbox: httpx2.AsyncClient
    database: str
    accounts: dict[ChannelKind, str] = field(default_factory=dict)
    """Account ids by network; for a kind of site, the website's id."""

    def parts(self) -> dict[str, list[int]]:
        """Return the ids of the processes that can be killed, by part."""
        found: dict[str, list[int]] = defaultdict(list)
        for pid in family(self.process.pid):
            with suppress(OSError):
                words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
                if name := _part(words):
                    found[name].append(pid)
        return found


def _part(words: list[str]) -> str | None:
    program = Path(words[0]).name
    if words[1:3] == ["-m", "temporal"]:
        return "worker"
    if words[1:3] == ["-m", "api.server"]:
        return "api"
    if program == "temporal" and "start-dev" in words:
        return "temporal"
    # only the postmaster: PostgreSQL's backends have other titles
    return "postgres" if program == "postgres" and "-D" in words else None


async def _patiently(ask: Callable[[], Awaitable[httpx2.Response]]) -> httpx2.Response:
    """Repeat the same request until it gets an answer other than 5xx, 429 or a past slot."""
    while True:
        with suppress(httpx2.HTTPError):
            answer = await ask()
            late = answer.status_code == 422 and ErrorCode.slot_past in answer.text  # the request waited too long
            if answer.status_code < 500 and answer.status_code != 429 and not late:
                return answer
        await asyncio.sleep(0.5)


@asynccontextmanager
async def _running(folder: Path) -> AsyncIterator[Installation]:
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
            await _ready(process, address)
            told = json.loads((folder / "run.json").read_text())["environment"]
            database = told["DATABASE_URL"].replace("postgresql+psycopg", "postgresql")
            async with httpx2.AsyncClient(base_url=told["LINKEDIN_API_URL"], timeout=60) as sandbox:
                made = Installation(process, client, sandbox, database)
                await _sign_up(made, environment)
                yield made
    finally:
        process.send_signal(signal.SIGINT)
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), 20)
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)


async def _ready(process: asyncio.subprocess.Process, address: str) -> None:
    async with asyncio.timeout(180), httpx2.AsyncClient() as client:
        while True:
            if process.returncode is not None:
                raise SystemExit("the installation does not start")
            with suppress(httpx2.HTTPError):
                if (await client.get(f"{address}/readyz")).status_code == 200:
                    return
            await asyncio.sleep(0.5)


async def _sign_up(made: Installation, environment: dict[str, str]) -> None:
    inviting = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cli", "invite", "1", env=environment, stdout=asyncio.subprocess.PIPE
    )
    code, _ = await inviting.communicate()
    email = "crashes@example.org"
    answer = await made.client.post(
        "/auth/signup/",
        json={
            "email": email,
            "password": _PASSWORD,
            "invitation_code": code.decode().strip(),
            "language": "en",
            "consent": True,
        },
    )
    answer.raise_for_status()
    made.client.headers["Authorization"] = f"Bearer {answer.json()['token']}"
    async with asyncio.timeout(60):
        while True:
            mails = (await made.sandbox.get("/sandbox/mails", params={"to": email})).json()
            if found := re.search(r"/verify-email#token=(\S+)", "".join(mail["text"] for mail in mails)):
                break
            await asyncio.sleep(0.5)
    (await made.client.post("/users/verify-email/", json={"token": found[1]})).raise_for_status()


async def _connect(made: Installation, kind: ChannelKind) -> None:
    """Connect one account or website, as a browser does."""
    channels = (await made.client.get("/websites/kinds/" if kind.is_site else "/channels/")).raise_for_status().json()
    [fields] = [one["connection"]["fields"] for one in channels if one["kind"] == kind]
    known = _SITE_FORM if kind.is_site else _FORM
    form = {one["name"]: one["initial"] or known[one["name"]] for one in fields}
    if kind.is_site:
        body = {"fields": form, "language": "en"}
        site = (await made.client.post(f"/websites/connect/{kind}/", json=body)).raise_for_status().json()
        made.accounts[kind] = site["id"]
        return
    begun = (await made.client.post(f"/accounts/connect/{kind}/", json={"fields": form})).raise_for_status().json()
    found = begun["connected"]
    if begun["authorize_url"]:
        consent = await made.sandbox.get(f"{begun['authorize_url']}&sandbox_person={_PERSON}")
        back = parse_qs(urlsplit(consent.headers["location"]).query)
        said = {"state": back["state"][0], "code": back["code"][0]}
        answer = await made.client.post(f"/accounts/connect/{kind}/callback/", json=said)
        found = answer.raise_for_status().json()
    accounts = found["accounts"]
    if found["choice"]:
        names = [found["choice"]["candidates"][0]["external_id"]]
        chosen = {"grant_id": found["choice"]["grant_id"], "external_ids": names}
        accounts = (await made.client.post("/accounts/connect/choice/accounts/", json=chosen)).raise_for_status().json()
    made.accounts[kind] = accounts[0]["id"]


def _picture() -> bytes:
    drawn = BytesIO()
    Image.new("RGB", (600, 600), "firebrick").save(drawn, "PNG")
    return drawn.getvalue()


async def _write(made: Installation, kind: ChannelKind, word: str, at: datetime, images: list[str]) -> None:
    post_id = str(uuid4())
    body: dict[str, Any] = {
        "id": post_id,
        "content": f"A post with the word {word}.",
        "time_zone": "UTC",
        "language": "en",
    }
    if kind.is_site:
        body |= {"website_id": made.accounts[kind], "fields": {"title": f"Of {word}", "slug": word}}
        body["featured"] = {"media_id": images[0], "alt": "Red"} if images else None
    else:
        body |= {
            "account_ids": [made.accounts[kind]],
            "files": [{"media_id": image, "alt": ""} for image in images],
            "first_comment": f"A comment with the word {word}." if kind in _COMMENTED else "",
        }
    path = "/articles/" if kind.is_site else "/social-media-posts/"
    answer = (await _patiently(lambda: made.client.post(path, json=body))).raise_for_status()
    version = answer.json()["version"]

    async def publish() -> httpx2.Response:
        planned = max(at, datetime.now(UTC) + timedelta(seconds=10))  # the request may have waited for the API
        wanted = {"version": version, "planned_at": planned.isoformat()}
        return await made.client.post(f"/social-media-posts/{post_id}/publish/", json=wanted)

    answer = await _patiently(publish)
    if answer.status_code == 409:  # the answer to an earlier try was lost
        answer = await _patiently(lambda: made.client.get(f"{path}{post_id}/"))
        assert answer.json()["status"] != "draft", answer.text
    assert answer.is_success, answer.text


async def _blows(
    made: Installation,
    chance: random.Random,
    pace: Pace,
    kinds: Sequence[str],
    struck: Counter[str],
    stop: asyncio.Event,
) -> None:
    thawing: list[asyncio.Task[None]] = []

    async def thaw(pid: int, after: float) -> None:
        await asyncio.sleep(after)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)

    while not stop.is_set():
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), chance.uniform(*pace.pauses))
            break
        blow = chance.choice(kinds)
        seconds = chance.uniform(*pace.frozen)
        pids = sorted(made.parts()["worker" if blow == "frozen" else blow])
        if not pids:
            continue
        pid = chance.choice(pids)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP if blow == "frozen" else signal.SIGKILL)
            struck[blow] += 1
            if blow == "frozen":
                thawing.append(asyncio.create_task(thaw(pid, seconds)))
    await asyncio.gather(*thawing)


async def _faults(
    made: Installation, chance: random.Random, rate: float, given: Counter[str], stop: asyncio.Event
) -> None:
    """Order a fault for one in ten calls; `rate` is in calls per second."""
    while not stop.is_set():
        fault = chance.choice(_FAULTS)
        for on in ("posts", "comments", "deletes"):
            (await made.sandbox.post("/sandbox/faults", json={"on": on, "times": 1, **fault})).raise_for_status()
        given[f"{fault['kind']} {fault.get('status', '')}".strip()] += 1
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), chance.expovariate(rate / _ONE_IN))


async def _rows(made: Installation) -> list[tuple[Any, ...]]:
    """Return (word, network, state, reason) of each delivery."""
    statement = (
        "SELECT substring(p.content from 'word ([0-9a-z]+)'), d.channel, d.state, d.error_code"
        " FROM deliveries d JOIN posts p ON p.id = d.post_id"
    )
    return await _asked(made, statement)


@dataclass(frozen=True)
class FollowUps:
    """State of a post's first comment and of its removal, each with the reason of a failure; None if not
    requested."""

    word: str
    comment: str | None = None
    comment_reason: str | None = None
    removal: str | None = None
    removal_reason: str | None = None


async def _follow_ups(made: Installation) -> list[FollowUps]:
    statement = (
        "SELECT substring(p.content from 'word ([0-9a-z]+)'),"
        " d.comment, d.comment_error_code, d.removal, d.removal_error_code"
        " FROM deliveries d JOIN posts p ON p.id = d.post_id"
    )
    return [FollowUps(*row) for row in await _asked(made, statement)]


async def _asked(made: Installation, statement: LiteralString) -> list[tuple[Any, ...]]:
    """Return the rows of a query, repeated until PostgreSQL answers."""
    while True:
        with suppress(psycopg.OperationalError):
            async with await psycopg.AsyncConnection.connect(made.database, connect_timeout=5) as connection:
                return list(await (await connection.execute(statement)).fetchall())
        await asyncio.sleep(1)


async def _removals(made: Installation, seen: set[str], stop: asyncio.Event) -> None:
    while not stop.is_set():
        await _remove(made, seen)
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), 1)


async def _remove(made: Installation, seen: set[str]) -> None:
    """Request the removal of one in three published posts at their networks, except those `seen` before."""
    statement = (
        "SELECT p.id::text, d.id::text, substring(p.content from 'word ([0-9]+)')::int"
        " FROM deliveries d JOIN posts p ON p.id = d.post_id"
        " WHERE d.state = 'published' AND d.removal IS NULL AND p.article IS NULL"
    )
    for post_id, delivery_id, number in await _asked(made, statement):
        if number // len(made.accounts) % _REMOVED_ONE_IN or delivery_id in seen:
            continue
        seen.add(delivery_id)
        path, body = f"/social-media-posts/{post_id}/remove/", {"delivery_ids": [delivery_id], "here": False}

        async def remove(path: str = path, body: dict[str, Any] = body) -> httpx2.Response:
            return await made.client.post(path, json=body)

        answer = await _patiently(remove)
        # 422: the network has no deletion for apps, or the answer to an earlier try was lost
        assert answer.is_success or answer.status_code == 422, answer.text


async def _lateness(made: Installation) -> list[float]:
    """Return how many seconds after its slot each published delivery was sent, ascending."""
    statement = (
        "SELECT extract(epoch FROM d.called_at - p.planned_at)::float"
        " FROM deliveries d JOIN posts p ON p.id = d.post_id WHERE d.state = 'published' ORDER BY 1"
    )
    async with await psycopg.AsyncConnection.connect(made.database, connect_timeout=5) as connection:
        return [late for (late,) in await (await connection.execute(statement)).fetchall()]


async def _until_over(made: Installation, count: int) -> list[tuple[Any, ...]]:
    until = time.monotonic() + _AFTERWARDS.total_seconds()
    while True:
        rows = await _rows(made)
        still = sum(state not in _ENDED for _, _, state, _ in rows)
        still += sum("waiting" in (one.comment, one.removal) for one in await _follow_ups(made))
        if (not still and len(rows) >= count) or time.monotonic() > until:
            return rows
        await asyncio.sleep(3)


@dataclass
class Verdict:
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    unlike: list[str] = field(default_factory=list)
    """Where the ledger contradicts the network or has no final state."""


async def _shown(made: Installation) -> tuple[Counter[str], Counter[str]]:
    """Return how many posts and how many comments of each word exist at the networks."""
    shown, comments = Counter[str](), Counter[str]()
    for post in (await made.sandbox.get("/sandbox/posts")).raise_for_status().json():
        if found := re.search(r"word ([0-9a-z]+)", post["text"]):
            shown[found[1]] += 1
            comments[found[1]] += len(post.get("comments", ()))
    if ChannelKind.hosted_feed in made.accounts:
        page: str | None = f"/feeds/{_SITE_FORM['address']}/feed.json"
        while page:
            feed = (await made.client.get(urljoin(str(made.client.base_url), page))).raise_for_status().json()
            page = feed.get("next_url")
            words = (re.search(r"word ([0-9a-z]+)", item["content_html"]) for item in feed["items"])
            shown.update(found[1] for found in words if found)
    return shown, comments


def judged(
    intents: Mapping[str, ChannelKind], rows: Sequence[tuple[str, str, str, str | None]], shown: Counter[str]
) -> tuple[Verdict, dict[str, Counter[str]]]:
    """Compare the ledger's rows of the wanted posts (network by word) with the posts `shown` at the networks. Return
    the verdict, and per network how often each final state occurred."""
    verdict, table = Verdict(), defaultdict[str, Counter[str]](Counter)
    ledger = {word: (state, reason) for word, _, state, reason in rows}
    for word, kind in intents.items():
        state, reason = ledger.get(word, ("nowhere", None))
        table[kind.value][state if state in ("published", "nowhere") else f"{state} ({reason})"] += 1
        there = shown[word]
        if there > 1:
            verdict.doubled.append(word)
        if state == "published" and there == 0:
            verdict.lost.append(word)
        ends = state in _ENDED
        if not ends or (state in ("failed", "cancelled") and (there or not reason)):
            verdict.unlike.append(f"{word} at {kind}: {state} ({reason}), there {there} times")
    return verdict, table


def judge_follow_ups(
    rows: Sequence[FollowUps], shown: Counter[str], comments: Counter[str], verdict: Verdict
) -> Counter[str]:
    """Add to the verdict where the rows of first comments and removals contradict the networks, with posts `shown` and
    `comments`. Return how often each final state occurred."""
    ends: Counter[str] = Counter()
    for one in rows:
        if one.comment:
            ends[f"comment {one.comment}"] += 1
            there = comments[one.word]
            if there > 1:
                verdict.doubled.append(f"comment of {one.word}")
            if one.comment == "published" and not there and one.removal != "removed":
                verdict.lost.append(f"comment of {one.word}")
            if one.comment == "waiting" or (one.comment == "failed" and (there or not one.comment_reason)):
                told = f"{one.comment} ({one.comment_reason}), there {there} times"
                verdict.unlike.append(f"comment of {one.word}: {told}")
        if one.removal:
            ends[f"removal {one.removal}"] += 1
            there = shown[one.word]
            ended = not there if one.removal == "removed" else one.removal == "failed" and one.removal_reason
            if not ended:
                told = f"{one.removal} ({one.removal_reason}), there {there} times"
                verdict.unlike.append(f"removal of {one.word}: {told}")
    return ends


async def main(
    posts: int,
    minutes: float,
    seed: int,
    pace: Pace = _USUAL,
    kinds: Sequence[ChannelKind] = NETWORKS,
    strike: Sequence[str] = _BLOWS,
) -> int:
    chance = random.Random(seed)
    sys.stdout.write(f"seed {seed}: {posts} posts at each of {', '.join(kinds)} within {minutes:g} minutes\n")
    sys.stdout.flush()
    with tempfile.TemporaryDirectory(prefix="postloom-crashes-") as name:
        folder = Path(name) / "data"
        folder.mkdir()
        async with _running(folder) as made:
            more = {"instagram_posts_a_day": 10 * posts + 100}
            (await made.sandbox.post("/sandbox/settings", json=more)).raise_for_status()
            for kind in kinds:
                await _connect(made, kind)
            files = {"file": ("red.png", _picture(), "image/png")}
            image = (await made.client.post("/media/", files=files)).raise_for_status().json()["id"]
            count = posts * len(kinds)
            intents = {f"{number}x{secrets.token_hex(4)}": kinds[number % len(kinds)] for number in range(count)}
            begin = datetime.now(UTC) + timedelta(seconds=pace.ahead)
            moments = {word: begin + timedelta(minutes=chance.uniform(0, minutes)) for word in intents}
            stop, struck, given = asyncio.Event(), Counter[str](), Counter[str]()
            seen: set[str] = set()
            rate = count / (minutes * 60)
            began = time.monotonic()
            waiting = sorted(intents, key=lambda word: moments[word])

            async def writer() -> None:
                while waiting:
                    word = waiting.pop(0)
                    kind = intents[word]
                    # every second article has an image
                    wanted = kind is ChannelKind.instagram or (kind.is_site and int(word.partition("x")[0]) % 2)
                    await _write(made, kind, word, moments[word], [image] if wanted else [])

            async with asyncio.TaskGroup() as group:
                blows = group.create_task(_blows(made, random.Random(chance.random()), pace, strike, struck, stop))
                removals = group.create_task(_removals(made, seen, stop))
                faults = group.create_task(_faults(made, random.Random(chance.random()), rate, given, stop))
                await asyncio.gather(*(writer() for _ in range(8)))
                left = (begin + timedelta(minutes=minutes) - datetime.now(UTC)).total_seconds()
                await asyncio.sleep(max(left, 0) + pace.afterwards)
                stop.set()
                await asyncio.gather(blows, faults, removals)
            (await made.sandbox.delete("/sandbox/faults")).raise_for_status()
            await _until_over(made, count)
            await _remove(made, seen)  # posts published late
            rows = await _until_over(made, count)
            shown, comments = await _shown(made)
            followed = await _follow_ups(made)
            removed = {one.word for one in followed if one.removal == "removed"}
            verdict, table = judged({word: intents[word] for word in intents if word not in removed}, rows, shown)
            ends = judge_follow_ups(followed, shown, comments, verdict)
            late = await _lateness(made)
    told = ", ".join(f"{what} {times}" for what, times in sorted(struck.items()))
    sys.stdout.write(f"struck: {told}\n")
    sys.stdout.write("faults: " + ", ".join(f"{what} {times}" for what, times in sorted(given.items())) + "\n")
    for network, states in sorted(table.items()):
        sys.stdout.write(
            f"{network:16} " + ", ".join(f"{state} {times}" for state, times in sorted(states.items())) + "\n"
        )
    sys.stdout.write("afterwards: " + ", ".join(f"{end} {times}" for end, times in sorted(ends.items())) + "\n")
    if late:
        in_time = sum(seconds <= _IN_TIME for seconds in late) / count
        parts = ", ".join(f"p{part} {late[len(late) * part // 100]:.1f}" for part in (50, 90, 99))
        sys.stdout.write(f"seconds after their time: {parts}, max {late[-1]:.1f}; ")
        sys.stdout.write(f"{in_time:.1%} of what was due went out within a minute\n")
    sys.stdout.write(f"{count} posts in {time.monotonic() - began:.0f} s: lost {len(verdict.lost)}, ")
    sys.stdout.write(f"doubled {len(verdict.doubled)}, unlike the ledger {len(verdict.unlike)}\n")
    for line in (*verdict.lost[:20], *verdict.doubled[:20], *verdict.unlike[:20]):
        sys.stdout.write(f"  {line}\n")
    return 1 if verdict.lost or verdict.doubled or verdict.unlike else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--posts", type=int, default=1000, help="at each network")
    parser.add_argument("--minutes", type=float, default=10, help="within which they are due")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    parser.add_argument(
        "--kinds", nargs="+", choices=[*ChannelKind], default=[*NETWORKS], help="networks and kinds of site"
    )
    parser.add_argument("--strike", nargs="+", choices=sorted({*_BLOWS}), default=_BLOWS, help="what is struck")
    parser.add_argument("--every", type=float, help="seconds between two blows; else chance has it")
    parser.add_argument("--short", action="store_true", help="three posts at each network within 20 seconds")
    chosen = parser.parse_args()
    wanted = [ChannelKind(kind) for kind in chosen.kinds]
    posts, minutes, pace = (3, 1 / 3, _SHORT) if chosen.short else (chosen.posts, chosen.minutes, _USUAL)
    if chosen.every:
        pace = replace(pace, pauses=(chosen.every, chosen.every))
    sys.exit(asyncio.run(main(posts, minutes, chosen.seed, pace, wanted, chosen.strike)))
