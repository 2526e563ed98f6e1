"""The image of a draft: made once, stored, attached."""

import time
from dataclasses import dataclass
from uuid import UUID

from core.database import Sessions, announce
from core.domain.assistants import StepKind
from core.domain.errors import ErrorCode, InvalidInput
from core.domain.templates import fill
from core.domain.texts import first_sentence
from core.models import PostFile, TransactionType
from core.providers.pictures.base import PictureMaker, PictureOrder
from core.repositories.posts import PostRepository
from core.repositories.runs import RunRepository
from core.repositories.templates import TemplateRepository
from core.services.booking import book
from core.services.drafting import subject_of, values_for
from core.services.media import MediaService

_CARD_TEXT = 220


@dataclass(frozen=True)
class ImagingService:
    sessions: Sessions
    pictures: PictureMaker
    media: MediaService

    async def make(self, user_id: UUID, run_id: UUID, attempt: int) -> None:
        """A repeated step finds the picture that it made and asks no model again."""
        async with self.sessions.begin() as session:
            runs = RunRepository(session)
            run = await runs.get(user_id, run_id)
            post = await PostRepository(session).of_run(user_id, run_id)
            if post is None:
                raise InvalidInput(ErrorCode.content_empty)
            if post.files:
                return
            version = await TemplateRepository(session).version(user_id, UUID(run.setup["image_template_version_id"]))
            await runs.start_step(user_id, run_id, StepKind.image, attempt)
            await announce(session, user_id, "run", run_id)
        # a card has room for a sentence, a model reads the whole post
        content = first_sentence(post.content, _CARD_TEXT) if self.pictures.provider == "cards" else post.content
        order = PictureOrder(
            prompt=fill(version.body, values_for(run.setup, Content=content)),
            language=run.setup["language"],
            subject=subject_of(user_id),
            foot=run.setup["name"],
            seed=str(run_id),
        )
        began = time.monotonic()
        picture = await self.pictures.make(order)
        took = int((time.monotonic() - began) * 1000)
        media = await self.media.store(user_id, picture)
        async with self.sessions.begin() as session:
            booked = await book(
                session,
                picture,
                user_id=user_id,
                run_id=run_id,
                attempt=attempt,
                type=TransactionType.image,
                duration_ms=took,
            )
            session.add(
                PostFile(
                    user_id=user_id,
                    post_id=post.id,
                    media_id=media.id,
                    position=0,
                    alt=first_sentence(post.content, 300),
                )
            )
            await RunRepository(session).finish_step(
                user_id,
                run_id,
                StepKind.image,
                facts=booked | {"template_version_id": run.setup["image_template_version_id"]},
            )
            await announce(session, user_id, "run", run_id)
            await announce(session, user_id, "post", post.id)
