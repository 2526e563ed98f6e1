"""The marketplace: bundled templates and templates published by users, in one list."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from core.clock import utcnow
from core.database import Sessions, notify_browsers
from core.errors import NotFound
from core.ids import new_id
from core.live import LiveKind
from core.templates.repositories.marketplace import MarketFilter, MarketplaceRepository, MarketRow, MarketSort
from core.templates.repositories.templates import TemplateRepository, Versioned
from core.templates.rules.model_settings import without_own
from core.templates.rules.templates import TemplateType
from core.templates.tables import Template, TemplateVersion
from core.texts.rules.texts import visible

STARTERS = Path(__file__).resolve().with_name("starters")
_STARTER_IDS = UUID("5d1f4a0e-6b7c-4c53-9a52-0d6f2f9b7a11")


@dataclass(frozen=True)
class MarketplaceService:
    sessions: Sessions

    async def page(
        self, user_id: UUID, filter: MarketFilter, tag: str | None, sort: MarketSort, *, offset: int, limit: int
    ) -> tuple[list[MarketRow], int]:
        async with self.sessions() as session:
            market = MarketplaceRepository(session)
            rows, total = await market.page(user_id, filter, tag, sort, offset=offset, limit=limit)
            return [_shown(row) for row in rows], total

    async def tags(self, user_id: UUID, filter: MarketFilter) -> list[tuple[str, int]]:
        """Return each tag of the matching templates with its number of templates, most used first."""
        async with self.sessions() as session:
            return await MarketplaceRepository(session).tags(user_id, filter)

    async def get(self, user_id: UUID, template_id: UUID) -> MarketRow:
        """Raise NotFound if the template is not public."""
        async with self.sessions() as session:
            return await _found(MarketplaceRepository(session), user_id, template_id)

    async def copy(self, user_id: UUID, template_id: UUID) -> Versioned:
        """Create a private, independent template that names its source. Raise NotFound if it is not public."""
        async with self.sessions.begin() as session:
            market = MarketplaceRepository(session)
            source = await _found(market, user_id, template_id)
            content = {
                "name": source.name,
                "description": source.description,
                "language": source.language,
                "tags": list(source.tags),
            }
            copy = Template(
                id=new_id(),
                user_id=user_id,
                type=TemplateType(source.type),
                version=1,
                sample_text=source.sample_text,
                sample_written_by=source.sample_written_by,
                copied_from=source.id,
                copied_name=source.name,
                copied_author=source.author,
                **content,
            )
            session.add(copy)
            await session.flush()
            session.add(
                TemplateVersion(
                    user_id=user_id,
                    template_id=copy.id,
                    number=1,
                    type=copy.type,
                    body=source.body,
                    settings=source.settings if source.own else without_own(source.settings),
                    **content,
                )
            )
            await market.count_copy(source.id)
            await session.flush()
            await notify_browsers(session, user_id, LiveKind.template, copy.id)
            return await TemplateRepository(session).get(user_id, copy.id)

    async def sync(self) -> int:
        """Write the bundled templates of this release into their table. Return their number."""
        rows = [_starter(path) for path in sorted(STARTERS.glob("*.json"))]
        async with self.sessions.begin() as session:
            await MarketplaceRepository(session).write_starters(rows)
        return len(rows)


async def _found(market: MarketplaceRepository, user_id: UUID, template_id: UUID) -> MarketRow:
    row = await market.get(user_id, template_id)
    if row is None:
        raise NotFound(what="template", id=str(template_id))
    return _shown(row)


def _shown(row: MarketRow) -> MarketRow:
    """Return the row for this reader: another user's template has no invisible characters and no logo."""
    if row.own:
        return row
    return row._replace(
        name=visible(row.name),
        description=visible(row.description),
        body=visible(row.body),
        sample_text=visible(row.sample_text),
        tags=[visible(tag) for tag in row.tags],
        settings=without_own(row.settings),
    )


def _starter(path: Path) -> dict[str, Any]:
    """Return the row of a bundled file. Its id is derived from its key, so copies refer to it after an update."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    key = f"{content['language']}-{content['key']}"
    now = utcnow()
    return {
        "id": uuid5(_STARTER_IDS, key),
        "key": key,
        "type": TemplateType(content["type"]),
        "name": content["name"],
        "description": content["description"],
        "language": content["language"],
        "tags": content["tags"],
        "body": content["body"],
        "settings": content["settings"],
        "sample_text": content["sample_text"],
        "sample_written_by": content["sample_written_by"],
        "usage_count": 0,
        "created_at": now,
        "updated_at": now,
    }
