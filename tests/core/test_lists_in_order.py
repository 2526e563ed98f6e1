"""Lists come in the order of an index: their first page costs the same, however many rows there are."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from itertools import takewhile

import pytest
from sqlalchemy import insert, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from core.assistants.repository import AssistantRepository
from core.assistants.tables import Assistant
from core.clock import utcnow
from core.database import Sessions
from core.ids import new_id
from core.posts.repositories.post_lists import PostFilter, PostListRepository, PostSort
from core.posts.tables.posts import Post
from core.templates.repositories.templates import TemplateRepository, TemplateSort
from core.templates.rules.templates import TemplateType
from core.templates.tables import Template, TemplateVersion
from core.users.tables.users import User
from tests.factories import Factory
from tests.statements import record_statements_with_values

ROWS = 3_000

Page = Callable[[AsyncSession, User], Awaitable[object]]


def posts_in(sort: PostSort) -> Page:
    return lambda session, user: PostListRepository(session).page(user.id, PostFilter(), sort, offset=0, limit=20)


PAGES: dict[str, Page] = {
    "assistants": lambda session, user: AssistantRepository(session).list_page(
        user.id, search="", active=None, offset=0, limit=20
    ),
    # what is to come is first: that order changes with the moment, so no index has it
    **{f"posts, {sort}": posts_in(sort) for sort in PostSort if sort is not PostSort.planned_next},
    "templates by change": lambda session, user: TemplateRepository(session).page(
        user.id, search="", type=None, offset=0, limit=20
    ),
    "templates by name": lambda session, user: TemplateRepository(session).page(
        user.id, search="", type=None, offset=0, limit=20, sort=TemplateSort.name
    ),
}


@pytest.fixture
async def much(make: Factory, sessions: Sessions) -> User:
    user, now = await make.user(), utcnow()
    ids = [new_id() for _ in range(ROWS)]
    named = [{"user_id": user.id, "name": f"Name {at}"} for at in range(ROWS)]
    async with sessions.begin() as session:
        await session.execute(insert(Assistant), [{**row, "id": new_id()} for row in named])
        await session.execute(
            insert(Post),
            [{"user_id": user.id, "id": new_id(), "planned_at": now - timedelta(hours=at)} for at in range(ROWS)],
        )
        kind = {"type": TemplateType.text}
        await session.execute(
            insert(Template),
            [
                {**row, **kind, "id": id, "updated_at": now - timedelta(hours=at)}
                for at, (id, row) in enumerate(zip(ids, named, strict=True))
            ],
        )
        await session.execute(
            insert(TemplateVersion),
            [
                {**row, **kind, "template_id": id, "number": 1, "body": "((Topic))"}
                for id, row in zip(ids, named, strict=True)
            ],
        )
        await session.execute(text("ANALYZE assistants, posts, templates, template_versions"))
    return user


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
async def test_a_page_sorts_nothing(page: Page, much: User, sessions: Sessions, connection: AsyncConnection) -> None:
    with record_statements_with_values() as found:
        async with sessions() as session:
            await page(session, much)
    paged = [(statement, parameters) for statement, parameters in found if "LIMIT" in statement]
    assert paged
    for statement, parameters in paged:
        plan = [row[0] for row in await connection.exec_driver_sql(f"EXPLAIN (COSTS OFF) {statement}", parameters)]
        assert not any("Sort" in line for line in whence_the_page_comes(plan)), "\n".join(plan)


def whence_the_page_comes(plan: list[str]) -> list[str]:
    """What is done with every row: below the limit, and not for one row's few relatives."""
    [cut, *_] = [number for number, line in enumerate(plan) if "Limit" in line]
    deeper = takewhile(lambda line: _indented(line) > _indented(plan[cut]), plan[cut + 1 :])
    return list(takewhile(lambda line: "SubPlan" not in line, deeper))


def _indented(line: str) -> int:
    return len(line) - len(line.lstrip())
