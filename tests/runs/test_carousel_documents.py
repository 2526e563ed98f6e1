"""Documents of runs: a network that shows documents gets a carousel as one, the others as images."""

import io
import json
from uuid import UUID

from pypdf import PdfReader
from sqlalchemy import func, select, update

from core.container import Services
from core.media.rules.media import MediaKind
from core.media.tables import Media
from core.networks.rules.channels import ChannelKind
from core.posts.fitting import limits_of_account, sent_files
from core.posts.repositories.posts import PostRepository
from core.posts.tables.posts import Post
from core.social_accounts.tables import Account
from tests.ai.test_model_calls import Assistants, assistants, models
from tests.http_server import Server
from tests.runs.test_carousels import PAGES, said, with_text

__all__ = ["assistants", "models"]


async def post_of(services: Services, user_id: UUID, run: UUID) -> Post:
    async with services.sessions() as session:
        post = await PostRepository(session).find_by_run(user_id, run)
    assert post is not None
    return post


async def test_a_carousel_for_linkedin_has_its_document(
    services: Services, assistants: Assistants, models: Server
) -> None:
    async with with_text(services, assistants, models, said(json.dumps({"pages": PAGES}))) as (own, assistant, run):
        await own.imaging.make(assistant.user_id, run, 1)
        await own.imaging.make(assistant.user_id, run, 2)
        post = await post_of(own, assistant.user_id, run)
        account = await _account(own, assistant.user_id)
        assert len((await own.drafting.check(assistant.user_id, run)).deliveries) == 1
        *pages, document = [file.media for file in post.files]
        assert [page.kind for page in pages] == [MediaKind.image] * 4
        assert (document.kind, (document.facts or {})["pages"], document.by_assistant) == (MediaKind.document, 4, True)
        assert (document.width, document.height) == (810, 1012)
        assert document.name == pages[0].name[:58]
        assert post.files[-1].alt == ""
        # LinkedIn gets the document, others the pages
        sent = sent_files(post, limits_of_account(account))
        assert [file.media_id for file in sent] == [document.id]
        data = await own.media.storage.get(document.storage_key)
        again = await own.carousel_documents.make(assistant.user_id, pages, language="en", by_assistant=True)
        assert again.id == document.id, "a retry stores nothing twice"
    words = [" ".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(data)).pages]
    assert ["Lower your light" in words[1], "104" in words[2], "Come by on Saturday" in words[3]] == [True] * 3


async def test_without_a_network_that_shows_documents_there_is_none(
    services: Services, assistants: Assistants, models: Server
) -> None:
    async with with_text(services, assistants, models, said(json.dumps({"pages": PAGES}))) as (own, assistant, run):
        async with services.sessions.begin() as session:
            await session.execute(
                update(Account).where(Account.user_id == assistant.user_id).values(kind=ChannelKind.mastodon)
            )
        await own.imaging.make(assistant.user_id, run, 1)
    async with services.sessions() as session:
        documents = select(func.count()).where(Media.user_id == assistant.user_id, Media.kind == MediaKind.document)
        assert await session.scalar(documents) == 0


async def _account(services: Services, user_id: UUID) -> Account:
    async with services.sessions() as session:
        return (await session.scalars(select(Account).where(Account.user_id == user_id))).one()
