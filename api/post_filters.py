"""Filters of post lists and exports."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query

from api.paging import Search, known_tag
from api.schemas.base import Moment
from core.networks.rules.channels import ChannelKind
from core.posts.repositories.post_lists import PostFact, PostFilter
from core.posts.rules.posts import PostSource, PostStatus


async def _filter(
    search: Search,
    tag: Annotated[str | None, Query(max_length=40)] = None,
    status: Annotated[list[PostStatus] | None, Query(max_length=20, description="Any of these")] = None,
    state: Annotated[
        list[PostFact] | None, Query(max_length=20, description="Any of these facts, which the status does not say")
    ] = None,
    channel: Annotated[
        list[ChannelKind] | None, Query(max_length=20, description="Published on any of these channels")
    ] = None,
    account_id: Annotated[UUID | None, Query()] = None,
    assistant_id: Annotated[UUID | None, Query()] = None,
    source: Annotated[PostSource | None, Query()] = None,
    planned_from: Annotated[Moment | None, Query(description="Planned at or after this time")] = None,
    planned_before: Annotated[Moment | None, Query(description="Planned before this time")] = None,
    waiting: Annotated[bool, Query(description="Only posts that wait for a person")] = False,
    articles_too: Annotated[bool, Query(description="Include articles")] = False,
) -> PostFilter:
    return PostFilter(
        search=search,
        statuses=frozenset(status or ()),
        facts=frozenset(state or ()),
        channels=frozenset(channel or ()),
        account_id=account_id,
        assistant_id=assistant_id,
        source=source,
        tag=await known_tag(tag),
        planned_from=planned_from,
        planned_before=planned_before,
        waiting=waiting,
        articles=None if articles_too else False,
    )


Filtered = Annotated[PostFilter, Depends(_filter)]
