"""An article of a run, section by section. Idempotent by the run's id and the section's number."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity

from activities.drafting import RunRef
from activities.heartbeating import heartbeating

if TYPE_CHECKING:  # workflows import this module, so nothing that does I/O may load with it
    from core.articles.writing import ArticleWritingService


@dataclass(frozen=True)
class OutlineResult:
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
    async def plan_article(self, ref: RunRef) -> OutlineResult:
        """Write title and headings, and create the draft."""
        async with heartbeating():
            return OutlineResult(await self.service.write_outline(ref.user_id, ref.run_id, activity.info().attempt))

    @activity.defn
    async def write_section(self, section: Section) -> None:
        """Write the text below one heading, after the sections before it."""
        async with heartbeating():
            attempt = activity.info().attempt
            await self.service.write_section(section.user_id, section.run_id, section.number, attempt)

    @activity.defn
    async def write_summary(self, ref: RunRef) -> None:
        """Write the summary that lists show below the title."""
        async with heartbeating():
            await self.service.write_summary(ref.user_id, ref.run_id, activity.info().attempt)

    @activity.defn
    async def write_search(self, ref: RunRef) -> None:
        """Write title and description for search results."""
        async with heartbeating():
            await self.service.write_search(ref.user_id, ref.run_id, activity.info().attempt)
