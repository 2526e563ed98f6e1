"""The list of 10,000 posts over HTTP, compared with a plain query for the same data: `python -m benchmarks.post_list`.

Each page, filter and search alternates with its query, over one connection each; ten other users have 10,000 posts.
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
from benchmarks.post_rows import add_accounts, add_posts
from benchmarks.query_comparison import HEAD, Rows, compare_with_queries, open_connection
from benchmarks.serving import ApiServer, run_api
from core.users.tables.users import User

POSTS, OTHERS, ASSISTANTS = 10_000, 10, 20
PAGE: Final = 30  # as the web app asks for
_PATH: Final = "/api/social-media-posts/"
_UNKNOWN: Final = "d.state = 'unknown'"
_REMOVAL_FAILED: Final = "d.removal = 'failed'"
_COMMENT_MISSING: Final = "d.comment IN ('unknown', 'failed')"
_OWN: Final = "p.user_id = %s AND p.deleted_at IS NULL AND p.article IS NULL"
# only the columns that the response needs
_POST: Final = (
    "p.id, p.assistant_id, p.source, p.status, p.content, p.first_comment, p.link, p.topic_title, p.language,"
    " p.written_by, p.planned_at, p.time_zone, p.content_hash, p.account_ids, p.variants, p.tags, p.leaves, p.pinned,"
    " p.announces_id, p.acknowledged_at, p.version, p.created_at, p.updated_at"
)
_DELIVERY: Final = (
    "d.id, d.account_id, d.channel, d.content, d.state, d.attempts, d.permalink, d.error_code, d.error_detail,"
    " d.called_at, d.held_until, d.settled_at, d.decided_at, d.provider_id, d.removal, d.removal_attempts,"
    " d.removal_due_at, d.removed_at, d.removal_error_code, d.removal_error_detail, d.comment, d.comment_attempts,"
    " d.comment_due_at, d.comment_error_code, d.comment_error_detail, a.name, a.kind, a.type, a.external_id,"
    " a.base_url, a.disconnected_at"
)
_FILE: Final = "f.media_id, f.alt, m.mime, m.width, m.height, m.card_notes"
_APPROVAL: Final = (
    "a.content_hash, a.state, a.at_deadline, a.deadline_at, a.decided_at, a.by_deadline, a.remark, a.at_once,"
    " a.rewrite_error"
)
_RELATED: Final = (
    f"s.name, (SELECT json_agg(d) FROM (SELECT {_DELIVERY} FROM deliveries d JOIN accounts a ON a.id = d.account_id"
    " WHERE d.post_id = p.id AND d.user_id = p.user_id ORDER BY d.id) d),"
    f" (SELECT json_agg(f) FROM (SELECT {_FILE} FROM post_files f JOIN media m ON m.id = f.media_id"
    " WHERE f.post_id = p.id AND f.user_id = p.user_id ORDER BY f.position) f),"
    f" (SELECT json_agg(a) FROM (SELECT {_APPROVAL} FROM approvals a WHERE a.post_id = p.id AND"
    " a.user_id = p.user_id) a)"
)
_NAME: Final = "LEFT JOIN assistants s ON s.id = p.assistant_id"
_BY_INDEX: Final = {"cursor", "sort", "status", "assistant_id", "planned_from", "planned_before"}


def _has_delivery(condition: str) -> str:
    return f"EXISTS (SELECT FROM deliveries d WHERE d.post_id = p.id AND d.user_id = p.user_id AND {condition})"


def _contains(words: str) -> str:
    return (
        f"(strpos(lower(p.topic_title || E'\\n' || p.content), '{words}') > 0 OR (p.tags != '[]' AND EXISTS"
        f" (SELECT FROM jsonb_array_elements_text(p.tags) t WHERE strpos(lower(t), '{words}') > 0)))"
    )


def _waiting_condition() -> str:
    """Return the condition of a post that waits for a person."""
    unseen = "p.acknowledged_at IS NULL"
    failed = f"{_has_delivery(_REMOVAL_FAILED)} OR {_has_delivery(_COMMENT_MISSING)} OR p.status = 'failed'"
    return (
        f"({_has_delivery(_UNKNOWN)} OR (({failed}) AND {unseen}) OR (p.status = 'draft' AND"
        " EXISTS (SELECT FROM approvals a WHERE a.post_id = p.id AND a.user_id = p.user_id AND"
        " a.content_hash = p.content_hash AND (a.state = 'waiting' OR (a.state = 'expired' AND"
        f" a.at_deadline = 'hold' AND {unseen})))))"
    )


def _cases(account: UUID, assistant: UUID, now: datetime) -> dict[str, tuple[dict[str, str], str]]:
    """Return by name the query parameters over HTTP and the equivalent SQL condition."""
    since, until = now - timedelta(days=60), now - timedelta(days=30)
    of_account, of_network = _has_delivery(f"d.account_id = '{account}'"), _has_delivery("d.channel = 'linkedin'")
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
        "state: unknown": ({"state": "unknown"}, _has_delivery(_UNKNOWN)),
        "waiting for a person": ({"waiting": "true"}, _waiting_condition()),
        "channel": ({"channel": "linkedin"}, meant),
        "account": ({"account_id": str(account)}, chosen),
        "assistant": ({"assistant_id": str(assistant)}, f"p.assistant_id = '{assistant}'"),
        "by hand": ({"source": "person"}, "p.source = 'person'"),
        "tag": ({"tag": "winter"}, tagged),
        "a month": (
            {"planned_from": since.isoformat(), "planned_before": until.isoformat()},
            f"p.planned_at >= '{since.isoformat()}' AND p.planned_at < '{until.isoformat()}'",
        ),
        "search, in all": ({"search": "window"}, _contains("window")),
        "search, in one": ({"search": "post 4711."}, _contains("post 4711.")),
        "search, in none": ({"search": "no such word"}, _contains("no such word")),
    }


def _queries(parameters: dict[str, str], condition: str) -> list[str]:
    """Return the queries for the number of posts by status and for one page with related rows: as few statements and
    columns as possible. A condition without an index is evaluated once, for both."""
    offset = {cursor_at(number): number for number in (149 * PAGE, POSTS - PAGE)}.get(parameters.get("cursor", ""), 0)
    order = "p.updated_at DESC, p.id DESC" if "sort" in parameters else "p.planned_at DESC NULLS LAST, p.id DESC"
    limits = f"ORDER BY {order} OFFSET {offset} LIMIT {PAGE}"
    counts = "SELECT p.status, count(*) FROM {} GROUP BY p.status"
    if parameters.keys() <= _BY_INDEX:
        counted = _OWN if "status" in parameters else f"{_OWN} AND {condition}"
        # limit first: else related rows of earlier pages would be read, too
        page = f"SELECT * FROM posts p WHERE {_OWN} AND {condition} {limits}"
        return [
            counts.format(f"posts p WHERE {counted}"),
            f"SELECT {_POST}, {_RELATED} FROM ({page}) p {_NAME} ORDER BY {order}",
        ]
    return [
        f"WITH found AS MATERIALIZED (SELECT p.id, p.status, p.planned_at, p.updated_at FROM posts p WHERE {_OWN} AND"
        f" {condition}), page AS (SELECT p.id FROM found p {limits}) SELECT {_POST}, {_RELATED},"
        f" (SELECT json_agg(c) FROM ({counts.format('found p')}) c)"
        f" FROM page JOIN posts p ON p.id = page.id {_NAME} ORDER BY {order}"
    ]


async def _add_rows(server: ApiServer, user: User, count: int, now: datetime) -> tuple[UUID, UUID]:
    """Add posts. Return the ids of an account and an assistant that have some of them."""
    accounts = await add_accounts(server, user)
    assistants = [(await server.make.assistant(user, accounts=accounts[:1])).id for _ in range(ASSISTANTS)]
    await add_posts(server, user, accounts, [now - timedelta(hours=number) for number in range(count)], assistants)
    return accounts[0], assistants[1]


async def main(rounds: int) -> None:
    now = datetime.now(UTC)
    async with run_api(worker=False) as server:
        for _ in range(OTHERS):
            await _add_rows(server, await server.make.user(), POSTS // OTHERS, now)
        user, token = await server.add_user()
        account, assistant = await _add_rows(server, user, POSTS, now)
        url = os.environ["DATABASE_URL"].replace("postgresql+psycopg", "postgresql")
        async with (
            await psycopg.AsyncConnection.connect(url, autocommit=True) as plain,
            open_connection(server, token) as client,
        ):
            # as autovacuum does within a minute
            await plain.execute("VACUUM ANALYZE")
            sys.stdout.write(HEAD)
            for name, (parameters, condition) in _cases(account, assistant, now).items():
                path = f"{_PATH}?{urlencode({'page_size': PAGE, **parameters})}"
                queries = [(query, (user.id,)) for query in _queries(parameters, condition)]
                await compare_with_queries(name, rounds, server, client, path, plain, queries, _agrees)


def _agrees(answer: Any, rows: Rows) -> bool:
    return [item["id"] for item in answer["items"]] == [str(row[0]) for row in rows[-1]]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100, help="requests per list")
    asyncio.run(main(parser.parse_args().rounds))
