"""Check that no post is lost or published twice when processes are killed: `python -m benchmarks.crashes`.

Runs the whole installation as `make run` starts it, with an account at each network (`--kinds` selects networks; a
kind of site gets a website and articles). Manual posts are created over HTTP and scheduled within some minutes. At
random moments a worker, the API, Temporal's server or PostgreSQL gets `kill -9` and is restarted by the supervisor,
or a worker gets SIGSTOP for a while; and one in ten publishing calls meets a network fault: no answer, a connection
cut before or after the post is accepted, 5xx, 429, a broken answer. Then the sandbox's posts are compared with the
ledger: a published post exists once, a failed one does not exist and has a reason, an unknown one exists at most
once. Where a network has first comments each post has one, and one in three posts is deleted at its network once
published: a comment exists once, a removed post does not exist, and either may instead have failed with a reason.

Also printed: how many seconds late published posts were sent, and the share within a minute.
`--disrupt worker --every 10` kills workers only, one every ten seconds.

The seed of a round is printed; `--seed` repeats its times and faults, but not how the machine reacts to them.
Exits with 1 if the ledger and the networks differ. `--short` is a round of two minutes, for the tests.
"""

import argparse
import asyncio
import os
import random
import re
import secrets
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any, Final, LiteralString
from urllib.parse import urljoin
from uuid import uuid4

import httpx2
import psycopg
from PIL import Image

from benchmarks.installation import SITE_FORM, Installation, connect_account, request_until_answered, run_installation
from benchmarks.verdict import FINAL_STATES, FollowUps, compare_follow_ups, compare_posts
from core.networks.rules.channels import NETWORKS, ChannelKind

_CALLS_PER_FAULT: Final = 10
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
    """Between two disruptions."""
    frozen: tuple[float, float]
    """From SIGSTOP to SIGCONT."""
    afterwards: float
    """From the last slot to the last disruption, while published posts get comments and are deleted."""


_USUAL: Final = Pace(45, (4, 15), (5, 45), 30)
_SHORT: Final = Pace(12, (3, 6), (3, 8), 30)
_MAX_WAIT: Final = timedelta(minutes=20)
"""How long to wait for posts without a final state."""
_DISRUPTIONS: Final = ("worker", "worker", "frozen", "frozen", "api", "temporal", "postgres")
_IN_TIME_SECONDS: Final = 60.0
_WITH_COMMENT: Final = frozenset({ChannelKind.facebook, ChannelKind.instagram})
_POSTS_PER_REMOVAL: Final = 3


def _draw_picture() -> bytes:
    """Return a red PNG."""
    png = BytesIO()
    Image.new("RGB", (600, 600), "firebrick").save(png, "PNG")
    return png.getvalue()


async def _create_post(
    installation: Installation, kind: ChannelKind, word: str, at: datetime, images: list[str]
) -> None:
    """Create a post or an article that contains the word, and schedule it."""
    post_id = str(uuid4())
    body: dict[str, Any] = {
        "id": post_id,
        "content": f"A post with the word {word}.",
        "time_zone": "UTC",
        "language": "en",
    }
    if kind.is_site:
        body |= {"website_id": installation.accounts[kind], "fields": {"title": f"Of {word}", "slug": word}}
        body["featured"] = {"media_id": images[0], "alt": "Red"} if images else None
    else:
        body |= {
            "account_ids": [installation.accounts[kind]],
            "files": [{"media_id": image, "alt": ""} for image in images],
            "first_comment": f"A comment with the word {word}." if kind in _WITH_COMMENT else "",
        }
    path = "/articles/" if kind.is_site else "/social-media-posts/"
    answer = (await request_until_answered(lambda: installation.client.post(path, json=body))).raise_for_status()
    version = answer.json()["version"]

    async def publish() -> httpx2.Response:
        planned = max(at, datetime.now(UTC) + timedelta(seconds=10))  # the request may have waited for the API
        wanted = {"version": version, "planned_at": planned.isoformat()}
        return await installation.client.post(f"/social-media-posts/{post_id}/publish/", json=wanted)

    answer = await request_until_answered(publish)
    if answer.status_code == 409:  # the answer to an earlier try was lost
        answer = await request_until_answered(lambda: installation.client.get(f"{path}{post_id}/"))
        assert answer.json()["status"] != "draft", answer.text
    assert answer.is_success, answer.text


async def _disrupt(
    installation: Installation,
    chance: random.Random,
    pace: Pace,
    kinds: Sequence[str],
    counts: Counter[str],
    stop: asyncio.Event,
) -> None:
    """Kill or freeze a process at random moments until `stop`; count each disruption by its kind."""
    thawing: list[asyncio.Task[None]] = []

    async def thaw(pid: int, after: float) -> None:
        await asyncio.sleep(after)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)

    while not stop.is_set():
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), chance.uniform(*pace.pauses))
            break
        kind = chance.choice(kinds)
        seconds = chance.uniform(*pace.frozen)
        pids = sorted(installation.processes()["worker" if kind == "frozen" else kind])
        if not pids:
            continue
        pid = chance.choice(pids)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP if kind == "frozen" else signal.SIGKILL)
            counts[kind] += 1
            if kind == "frozen":
                thawing.append(asyncio.create_task(thaw(pid, seconds)))
    await asyncio.gather(*thawing)


async def _inject_faults(
    installation: Installation, chance: random.Random, rate: float, counts: Counter[str], stop: asyncio.Event
) -> None:
    """Order a network fault for one in ten calls until `stop`, and count each by its kind. `rate`: calls per
    second."""
    while not stop.is_set():
        fault = chance.choice(_FAULTS)
        for on in ("posts", "comments", "deletes"):
            body = {"on": on, "times": 1, **fault}
            (await installation.sandbox.post("/sandbox/faults", json=body)).raise_for_status()
        counts[f"{fault['kind']} {fault.get('status', '')}".strip()] += 1
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), chance.expovariate(rate / _CALLS_PER_FAULT))


async def _read_deliveries(installation: Installation) -> list[tuple[Any, ...]]:
    """Return (word, network, state, reason) of each delivery."""
    statement = (
        "SELECT substring(p.content from 'word ([0-9a-z]+)'), d.channel, d.state, d.error_code"
        " FROM deliveries d JOIN posts p ON p.id = d.post_id"
    )
    return await _query(installation, statement)


async def _read_follow_ups(installation: Installation) -> list[FollowUps]:
    statement = (
        "SELECT substring(p.content from 'word ([0-9a-z]+)'),"
        " d.comment, d.comment_error_code, d.removal, d.removal_error_code"
        " FROM deliveries d JOIN posts p ON p.id = d.post_id"
    )
    return [FollowUps(*row) for row in await _query(installation, statement)]


async def _query(installation: Installation, statement: LiteralString) -> list[tuple[Any, ...]]:
    """Return the rows of a query, repeated until PostgreSQL answers."""
    while True:
        with suppress(psycopg.OperationalError):
            async with await psycopg.AsyncConnection.connect(installation.database, connect_timeout=5) as connection:
                return list(await (await connection.execute(statement)).fetchall())
        await asyncio.sleep(1)


async def _request_removals_until(installation: Installation, seen: set[str], stop: asyncio.Event) -> None:
    while not stop.is_set():
        await _request_removals(installation, seen)
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), 1)


async def _request_removals(installation: Installation, seen: set[str]) -> None:
    """Request the removal of one in three published posts at their networks, except those `seen` before."""
    statement = (
        "SELECT p.id::text, d.id::text, substring(p.content from 'word ([0-9]+)')::int"
        " FROM deliveries d JOIN posts p ON p.id = d.post_id"
        " WHERE d.state = 'published' AND d.removal IS NULL AND p.article IS NULL"
    )
    for post_id, delivery_id, number in await _query(installation, statement):
        if number // len(installation.accounts) % _POSTS_PER_REMOVAL or delivery_id in seen:
            continue
        seen.add(delivery_id)
        path, body = f"/social-media-posts/{post_id}/remove/", {"delivery_ids": [delivery_id], "here": False}

        async def remove(path: str = path, body: dict[str, Any] = body) -> httpx2.Response:
            return await installation.client.post(path, json=body)

        answer = await request_until_answered(remove)
        # 422: the network has no deletion for apps, or the answer to an earlier try was lost
        assert answer.is_success or answer.status_code == 422, answer.text


async def _read_lateness(installation: Installation) -> list[float]:
    """Return how many seconds after its slot each published delivery was sent, ascending."""
    statement = (
        "SELECT extract(epoch FROM d.called_at - p.planned_at)::float"
        " FROM deliveries d JOIN posts p ON p.id = d.post_id WHERE d.state = 'published' ORDER BY 1"
    )
    async with await psycopg.AsyncConnection.connect(installation.database, connect_timeout=5) as connection:
        return [late for (late,) in await (await connection.execute(statement)).fetchall()]


async def _wait_for_final_states(installation: Installation, count: int) -> list[tuple[Any, ...]]:
    """Return the deliveries when all of them are in a final state, at the latest after 20 minutes."""
    until = time.monotonic() + _MAX_WAIT.total_seconds()
    while True:
        rows = await _read_deliveries(installation)
        unfinished = sum(state not in FINAL_STATES for _, _, state, _ in rows)
        unfinished += sum("waiting" in (one.comment, one.removal) for one in await _read_follow_ups(installation))
        if (not unfinished and len(rows) >= count) or time.monotonic() > until:
            return rows
        await asyncio.sleep(3)


async def _count_at_networks(installation: Installation) -> tuple[Counter[str], Counter[str]]:
    """Return how many posts and how many comments of each word exist at the networks."""
    posts, comments = Counter[str](), Counter[str]()
    for post in (await installation.sandbox.get("/sandbox/posts")).raise_for_status().json():
        if found := re.search(r"word ([0-9a-z]+)", post["text"]):
            posts[found[1]] += 1
            comments[found[1]] += len(post.get("comments", ()))
    if ChannelKind.hosted_feed in installation.accounts:
        page: str | None = f"/feeds/{SITE_FORM['address']}/feed.json"
        while page:
            address = urljoin(str(installation.client.base_url), page)
            feed = (await installation.client.get(address)).raise_for_status().json()
            page = feed.get("next_url")
            words = (re.search(r"word ([0-9a-z]+)", item["content_html"]) for item in feed["items"])
            posts.update(found[1] for found in words if found)
    return posts, comments


async def main(
    posts: int,
    minutes: float,
    seed: int,
    pace: Pace = _USUAL,
    kinds: Sequence[ChannelKind] = NETWORKS,
    disruptions: Sequence[str] = _DISRUPTIONS,
    start: Callable[[Path], AbstractAsyncContextManager[Installation]] = run_installation,
) -> int:
    """Run one round. Return 1 if ledger and networks differ. `start` runs an installation on a folder."""
    chance = random.Random(seed)
    sys.stdout.write(f"seed {seed}: {posts} posts at each of {', '.join(kinds)} within {minutes:g} minutes\n")
    sys.stdout.flush()
    with tempfile.TemporaryDirectory(prefix="postloom-crashes-") as name:
        folder = Path(name) / "data"
        folder.mkdir()
        async with start(folder) as installation:
            limits = dict.fromkeys(("instagram_posts_a_day", "threads_posts_a_day"), 10 * posts + 100)
            (await installation.sandbox.post("/sandbox/settings", json=limits)).raise_for_status()
            for kind in kinds:
                await connect_account(installation, kind)
            files = {"file": ("red.png", _draw_picture(), "image/png")}
            image = (await installation.client.post("/media/", files=files)).raise_for_status().json()["id"]
            count = posts * len(kinds)
            networks = {f"{number}x{secrets.token_hex(4)}": kinds[number % len(kinds)] for number in range(count)}
            begin = datetime.now(UTC) + timedelta(seconds=pace.ahead)
            moments = {word: begin + timedelta(minutes=chance.uniform(0, minutes)) for word in networks}
            stop, disrupted, faulty = asyncio.Event(), Counter[str](), Counter[str]()
            seen: set[str] = set()
            rate = count / (minutes * 60)
            began = time.monotonic()
            waiting = sorted(networks, key=lambda word: moments[word])

            async def create_posts() -> None:
                while waiting:
                    word = waiting.pop(0)
                    kind = networks[word]
                    # every second article and every second post at Threads has an image
                    may_have = kind.is_site or kind is ChannelKind.threads
                    has_image = kind is ChannelKind.instagram or (may_have and int(word.partition("x")[0]) % 2)
                    await _create_post(installation, kind, word, moments[word], [image] if has_image else [])

            async with asyncio.TaskGroup() as group:
                disrupting = group.create_task(
                    _disrupt(installation, random.Random(chance.random()), pace, disruptions, disrupted, stop)
                )
                removing = group.create_task(_request_removals_until(installation, seen, stop))
                injecting = group.create_task(
                    _inject_faults(installation, random.Random(chance.random()), rate, faulty, stop)
                )
                await asyncio.gather(*(create_posts() for _ in range(8)))
                left = (begin + timedelta(minutes=minutes) - datetime.now(UTC)).total_seconds()
                await asyncio.sleep(max(left, 0) + pace.afterwards)
                stop.set()
                await asyncio.gather(disrupting, injecting, removing)
            (await installation.sandbox.delete("/sandbox/faults")).raise_for_status()
            await _wait_for_final_states(installation, count)
            await _request_removals(installation, seen)  # posts published late
            rows = await _wait_for_final_states(installation, count)
            existing, comments = await _count_at_networks(installation)
            follow_ups = await _read_follow_ups(installation)
            removed = {one.word for one in follow_ups if one.removal == "removed"}
            kept = {word: kind for word, kind in networks.items() if word not in removed}
            verdict, states = compare_posts(kept, rows, existing)
            follow_up_states = compare_follow_ups(follow_ups, existing, comments, verdict)
            lateness = await _read_lateness(installation)
    sys.stdout.write(f"processes killed or frozen: {_describe(disrupted)}\nnetwork faults: {_describe(faulty)}\n")
    for network, counts in sorted(states.items()):
        sys.stdout.write(f"{network:16} {_describe(counts)}\n")
    sys.stdout.write(f"comments and removals: {_describe(follow_up_states)}\n")
    if lateness:
        in_time = sum(seconds <= _IN_TIME_SECONDS for seconds in lateness) / count
        parts = ", ".join(f"p{part} {lateness[len(lateness) * part // 100]:.1f}" for part in (50, 90, 99))
        sys.stdout.write(f"seconds after the slot: {parts}, max {lateness[-1]:.1f}; ")
        sys.stdout.write(f"{in_time:.1%} of the posts were sent within a minute\n")
    sys.stdout.write(f"{count} posts in {time.monotonic() - began:.0f} s: lost {len(verdict.lost)}, ")
    sys.stdout.write(f"doubled {len(verdict.doubled)}, unlike the ledger {len(verdict.unlike)}\n")
    for line in (*verdict.lost[:20], *verdict.doubled[:20], *verdict.unlike[:20]):
        sys.stdout.write(f"  {line}\n")
    return 1 if verdict.lost or verdict.doubled or verdict.unlike else 0


def _describe(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--posts", type=int, default=1000, help="posts at each network")
    parser.add_argument("--minutes", type=float, default=10, help="time within which the posts are due, in minutes")
    parser.add_argument(
        "--seed", type=int, default=secrets.randbelow(10**6), help="repeats the times and faults of a round"
    )
    parser.add_argument(
        "--kinds", nargs="+", choices=[*ChannelKind], default=[*NETWORKS], help="networks and kinds of site"
    )
    parser.add_argument(
        "--disrupt",
        nargs="+",
        choices=sorted({*_DISRUPTIONS}),
        default=_DISRUPTIONS,
        help="processes to kill; `frozen` stops a worker for a while",
    )
    parser.add_argument("--every", type=float, help="seconds between two disruptions; random if not set")
    parser.add_argument("--short", action="store_true", help="three posts at each network within 20 seconds")
    chosen = parser.parse_args()
    kinds = [ChannelKind(kind) for kind in chosen.kinds]
    posts, minutes, pace = (3, 1 / 3, _SHORT) if chosen.short else (chosen.posts, chosen.minutes, _USUAL)
    if chosen.every:
        pace = replace(pace, pauses=(chosen.every, chosen.every))
    sys.exit(asyncio.run(main(posts, minutes, chosen.seed, pace, kinds, chosen.disrupt)))
