"""200 connections request the lists of one user for 20 s: `python -m benchmarks.lists`. On this machine only.

5,010 templates, 10,000 posts and 60 assistants; each connection requests the next list right after a response.
"""

import argparse
import asyncio
import sys
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from itertools import cycle
from time import perf_counter

from sqlalchemy import text

from benchmarks.serving import ApiServer, Readiness, format_percentiles, run_api
from core.deliveries.tables.deliveries import Delivery
from core.ids import new_id
from core.networks.rules.channels import AccountState, AccountType, ChannelKind
from core.posts.rules.posts import DeliveryState, PostStatus
from core.posts.tables.posts import Post
from core.social_accounts.tables import Account
from core.templates.rules.templates import TemplateType
from core.templates.tables import Template, TemplateVersion
from core.templates.versions import TemplateForm
from core.users.tables.users import User

TEMPLATES, POSTS, ASSISTANTS = 5_010, 10_000, 60
_POSTS = "/api/social-media-posts/"
PATHS = (
    "/api/templates/",
    _POSTS,
    f"{_POSTS}?status=complete&channel=linkedin&sort=updated_latest",
    f"{_POSTS}?search=no+such+word",
    "/api/assistants/",
)
_SINGLE_REQUESTS = 40
_BODY = "Write a short post about ((Topic)) for people who ride to work in any weather.\n" * 8


async def add_rows(server: ApiServer, user: User) -> None:
    """Add the rows that the lists of PATHS show."""
    now = datetime.now(UTC)
    account = Account(
        id=new_id(),
        user_id=user.id,
        kind=ChannelKind.linkedin,
        type=next(iter(AccountType)),
        external_id="benchmark",
        name="Mara Lind",
        own_state=AccountState.connected,
    )
    async with server.services.sessions.begin() as session:
        session.add(account)
        await session.flush()
        for number in range(TEMPLATES):
            form = TemplateForm(TemplateType.text, f"Template {number}", "What it is for", "en", ("bench",), _BODY)
            template = Template(
                id=new_id(), user_id=user.id, type=form.type, name=form.name, description=form.description
            )
            template.language, template.tags = form.language, list(form.tags)
            session.add(template)
            session.add(
                TemplateVersion(
                    user_id=user.id,
                    template_id=template.id,
                    number=1,
                    type=form.type,
                    name=form.name,
                    language=form.language,
                    body=form.body,
                )
            )
        for number in range(POSTS):
            post = Post(
                id=new_id(),
                user_id=user.id,
                status=PostStatus.complete,
                content=f"Post {number}. " + "Rain is only drama to those who look at it through a window. " * 15,
                topic_title=f"Topic {number}",
                planned_at=now - timedelta(hours=number),
            )
            session.add(post)
            session.add(
                Delivery(
                    id=new_id(),
                    user_id=user.id,
                    post_id=post.id,
                    account_id=account.id,
                    channel=ChannelKind.linkedin,
                    state=DeliveryState.published,
                    content_hash="",
                )
            )
    for _ in range(ASSISTANTS):
        await server.make.assistant(user, accounts=(account.id,))
    async with server.services.sessions.begin() as session:
        # as autovacuum does within a minute; until then PostgreSQL plans for empty tables
        await session.execute(text("ANALYZE"))


class Connection:
    """A minimal HTTP client with one open connection. It shares the CPUs with the server, and a full client took half
    as much CPU time as the responses."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str | None = None) -> None:
        self.reader, self.writer = reader, writer
        signed_in = f"Authorization: Bearer {token}\r\n" if token else ""
        self.head = f"Host: localhost\r\n{signed_in}Accept-Encoding: gzip\r\n\r\n"

    async def get(self, path: str) -> str:
        """Return the status after the whole response has arrived."""
        return (await self.request(path))[0]

    async def request(self, path: str) -> tuple[str, bytes]:
        """Return status and body, the body compressed as received."""
        self.writer.write(f"GET {path} HTTP/1.1\r\n{self.head}".encode())
        return await self._read_response()

    async def post(self, path: str, body: bytes, header: str) -> str:
        """Return the status of a POST; `header`: one line."""
        self.writer.write(
            f"POST {path} HTTP/1.1\r\n{header}\r\nContent-Length: {len(body)}\r\n{self.head}".encode() + body
        )
        return (await self._read_response())[0]

    async def _read_response(self) -> tuple[str, bytes]:
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        _, _, length = head.partition("content-length: ")
        body = await self.reader.readexactly(int(length.split("\r")[0])) if length else b""
        return head.split(" ", 2)[1], body


async def main(connections: int, seconds: float) -> None:
    async with run_api() as server:
        user, token = await server.add_user()
        await add_rows(server, user)
        taken: dict[str, list[float]] = defaultdict(list)
        answers: Counter[str] = Counter()
        async with server.client(token, connections) as client:
            for path in PATHS:
                size = len((await client.get(path)).content)
                spent, alone = server.cpu_seconds(), []
                for _ in range(_SINGLE_REQUESTS):
                    began = perf_counter()
                    await client.get(path)
                    alone.append(perf_counter() - began)
                spent = 1000 * (server.cpu_seconds() - spent) / _SINGLE_REQUESTS
                figures = f"{format_percentiles(alone)}; CPU {spent:.1f} ms; {size // 1024} KB"
                sys.stdout.write(f"single {path:82} {figures}\n")
            sys.stdout.flush()
            until = perf_counter() + seconds
            port = int(server.address.rpartition(":")[2])

            async def request_lists(start: int) -> None:
                connection = Connection(*await asyncio.open_connection("127.0.0.1", port, limit=10**6), token)
                for path in cycle(PATHS[start:] + PATHS[:start]):
                    if perf_counter() > until:
                        break
                    began = perf_counter()
                    try:
                        answers[await connection.get(path)] += 1
                    except (OSError, asyncio.IncompleteReadError) as error:
                        answers[type(error).__name__] += 1
                        break
                    taken[path].append(perf_counter() - began)
                connection.writer.close()

            before = server.cpu_seconds_by_process()
            async with Readiness(server) as readiness:
                await asyncio.gather(*(request_lists(at % len(PATHS)) for at in range(connections)))
        each = [
            1000 * (after - start) / max(1, answers.total())
            for start, after in zip(before, server.cpu_seconds_by_process(), strict=True)
        ]
        shares = " + ".join(f"{one:.1f}" for one in each)
        for path in PATHS:
            sys.stdout.write(f"{connections:5}  {path:82} n={len(taken[path])} {format_percentiles(taken[path])}\n")
        every = [one for found in taken.values() for one in found]
        sys.stdout.write(f"all: n={len(every)} {format_percentiles(every)}; {dict(answers)}; ")
        sys.stdout.write(f"CPU {sum(each):.1f} ms per request ({shares} by process)\n")
        sys.stdout.write(readiness.describe() + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=200, help="open connections")
    parser.add_argument("--seconds", type=float, default=20, help="duration of the load")
    chosen = parser.parse_args()
    asyncio.run(main(chosen.connections, chosen.seconds))
