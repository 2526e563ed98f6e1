"""An article of a run, part by part. Every step is repeatable by its run's id, and by the section's number."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity

from activities.drafting import RunRef
from activities.heartbeating import heartbeating

if TYPE_CHECKING:  # workflows import this module, so nothing that does I/O may load with it
    from core.articles.writing import ArticleWritingService


@dataclass(frozen=True)
class Outlined:
    sections: int


@dataclass(frozen=True)
class Section:
    """`number` is from 0."""

    user_id: UUID
    run_id: UUID
    number: int


@dataclass(frozen=True)
class ArticleWriting:
    service: "ArticleWritingService"

    @activity.defn
    async def plan_article(self, ref: RunRef) -> Outlined:
        """Title and headings, and the draft that they begin."""
        async with heartbeating():
            return Outlined(await self.service.outline(ref.user_id, ref.run_id, activity.info().attempt))

    @activity.defn
    async def write_section(self, section: Section) -> None:
        """The text below one heading, when those before it are written."""
        async with heartbeating():
            attempt = activity.info().attempt
            await self.service.section(section.user_id, section.run_id, section.number, attempt)

    @activity.defn
    async def write_summary(self, ref: RunRef) -> None:
        """What lists show below its title."""
        async with heartbeating():
            await self.service.summary(ref.user_id, ref.run_id, activity.info().attempt)

    @activity.defn
    async def write_search(self, ref: RunRef) -> None:
        """What a page of search results shows."""
        async with heartbeating():
            await self.service.search(ref.user_id, ref.run_id, activity.info().attempt)
