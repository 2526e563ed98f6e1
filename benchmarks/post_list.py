"""The list of 10,000 posts over HTTP, beside the plain query of the same answer: `python -m benchmarks.post_list`.

Each page, filter and search in turn with its query, from one connection each; another 10,000 posts are of ten others.
"""

import argparse
import asyncio
import os
import sys
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

import psycopg

from api.paging import cursor_at
from benchmarks.beside import HEAD, Rows, beside
from benchmarks.post_rows import add_accounts, add_posts
from benchmarks.serving import Serving, serving
from core.models import User

POSTS, OTHERS, ASSISTANTS = 10_000, 10, 20
PAGE: Final = 30  # as the web app asks for
_PATH: Final = "/api/social-media-posts/"
_UNCLEAR: Final = "d.state = 'unknown'"


def _goes(condition: str) -> str:
    return f"EXISTS (SELECT FROM deliveries d WHERE d.post_id = p.id AND d.user_id = p.user_id AND {condition})"


def _mentions(words: str) -> str:
    return (
        f"(strpos(lower(p.topic_title || E'\\n' || p.content), '{words}') > 0 OR (p.tags != '[]' AND EXISTS"
        f" (SELECT FROM jsonb_array_elements_text(p.tags) t WHERE strpos(lower(t), '{words}') > 0)))"
    )


def _waits() -> str:
    return (
        f"({_goes(_UNCLEAR)} OR (p.status = 'failed' AND p.acknowledged_at IS NULL) OR (p.status = 'draft' AND"
        " EXISTS (SELECT FROM approvals a WHERE a.post_id = p.id AND a.user_id = p.user_id AND"
        " a.content_hash = p.content_hash AND (a.state = 'waiting' OR (a.state = 'expired' AND a.at_deadline = 'hold'"
        " AND p.acknowledged_at IS NULL)))))"
    )


def _cases(account: UUID, assistant: UUID, now: datetime) -> dict[str, tuple[dict[str, str], str]]:
    """Name → what is asked over HTTP, and the same for the query: a condition."""
    since, until = now - timedelta(days=60), now - timedelta(days=30)
    of_account, of_network = _goes(f"d.account_id = '{account}'"), _goes("d.channel = 'linkedin'")
    chosen = f"({of_account} OR jsonb_exists(p.account_ids, '{account}'))"
    meant = (
        f"({of_network} OR EXISTS (SELECT FROM accounts a WHERE a.user_id = p.user_id AND a.kind = 'linkedin' AND"
        " jsonb_exists(p.account_ids, a.id::text)))"
    )
    tagged = "EXISTS (SELECT FROM jsonb_array_elements_text(p.tags) t WHERE lower(t) = 'winter')"
    return {
        "first page": ({}, "true"),
        "page 150": ({"cursor": cursor_at(149 * PAGE)}, "true"),
        "last page": ({"cursor": cursor_at(POSTS - PAGE)}, "true"),
        "by time of change": ({"sort": "updated_latest"}, "true"),
        "status": ({"status": "failed"}, "p.status = 'failed'"),
        "state: unclear": ({"state": "unknown"}, _goes(_UNCLEAR)),
        "waiting for a person": ({"waiting": "true"}, _waits()),
        "channel": ({"channel": "linkedin"}, meant),
        "account": ({"account_id": str(account)}, chosen),
        "assistant": ({"assistant_id": str(assistant)}, f"p.assistant_id = '{assistant}'"),
        "by hand": ({"source": "person"}, "p.source = 'person'"),
        "tag": ({"tag": "winter"}, tagged),
        "a month": (
            {"planned_from": since.isoformat(), "planned_before": until.isoformat()},
            f"p.planned_at >= '{since.isoformat()}' AND p.planned_at < '{until.isoformat()}'",
        ),
        "search, in all": ({"search": "window"}, _mentions("window")),
        "search, in one": ({"search": "post 4711."}, _mentions("post 4711.")),
        "search, in none": ({"search": "no such word"}, _mentions("no such word")),
    }


def _query(asked: dict[str, str], condition: str) -> tuple[str, str]:
    """How many of each status, and one page with all that belongs to its posts."""
    own = "p.user_id = %s AND p.deleted_at IS NULL AND "
    order = "p.updated_at DESC, p.id DESC" if "sort" in asked else "p.planned_at DESC NULLS LAST, p.id DESC"
    offset = {cursor_at(number): number for number in (149 * PAGE, POSTS - PAGE)}.get(asked.get("cursor", ""), 0)
    counted = condition if "status" not in asked else "true"
    count = f"SELECT p.status, count(*) FROM posts p WHERE {own}{counted} GROUP BY p.status"
    page = (
        f"WITH page AS (SELECT p.*, a.name FROM posts p LEFT JOIN assistants a ON a.id = p.assistant_id WHERE {own}"
        f"{condition} ORDER BY {order} OFFSET {offset} LIMIT {PAGE}) SELECT p.*,"
        " (SELECT json_agg(d) FROM (SELECT d.*, a.name, a.state AS account_state, a.picture_url FROM deliveries d"
        " JOIN accounts a ON a.id = d.account_id WHERE d.post_id = p.id AND d.user_id = p.user_id ORDER BY d.id) d),"
        " (SELECT json_agg(f) FROM (SELECT f.*, m.* FROM post_files f JOIN media m ON m.id = f.media_id"
        " WHERE f.post_id = p.id AND f.user_id = p.user_id ORDER BY f.position) f),"
        " (SELECT json_agg(a) FROM approvals a WHERE a.post_id = p.id AND a.user_id = p.user_id)"
        f" FROM page p ORDER BY {order}"
    )
    return count, page


async def _rows(server: Serving, user: User, count: int, now: datetime) -> tuple[UUID, UUID]:
    """Returns an account and an assistant that some of them are of."""
    accounts = await add_accounts(server, user)
    assistants = [(await server.make.assistant(user, accounts=accounts[:1])).id for _ in range(ASSISTANTS)]
    await add_posts(server, user, accounts, [now - timedelta(hours=number) for number in range(count)], assistants)
    return accounts[0], assistants[1]


async def main(rounds: int) -> None:
    now = datetime.now(UTC)
    async with serving(worker=False) as server:
        for _ in range(OTHERS):
            await _rows(server, await server.make.user(), POSTS // OTHERS, now)
        user, token = await server.somebody()
        account, assistant = await _rows(server, user, POSTS, now)
        url = os.environ["DATABASE_URL"].replace("postgresql+psycopg", "postgresql")
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as plain, server.client(token) as client:
            # what autovacuum does within a minute
            await plain.execute("VACUUM ANALYZE")
            sys.stdout.write(HEAD)
            for name, (asked, condition) in _cases(account, assistant, now).items():
                path = f"{_PATH}?{urlencode({'page_size': PAGE, **asked})}"
                queries = [(query, (user.id,)) for query in _query(asked, condition)]
                await beside(name, rounds, server, client, path, plain, queries, _same)


def _same(answer: Any, rows: Rows) -> bool:
    return [item["id"] for item in answer["items"]] == [str(row[0]) for row in rows[1]]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    asyncio.run(main(parser.parse_args().rounds))
