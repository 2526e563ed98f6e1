import base64
from uuid import UUID

from fastapi import Response, status

from api.bodies import Router
from api.dependencies import Core, CurrentUser
from api.errors import problems
from api.limits import CARDS, DRAWING, by_user
from api.routes.cards import settings_of
from api.routes.media import media_out
from api.schemas.cards import (
    CardDocumentIn,
    CardPageOut,
    CardPagePreviewOut,
    CardPagesIn,
    CardSequenceIn,
    CardSequenceOut,
    CardSequencePreviewIn,
    CardSequenceSaveIn,
    CardSettingsModel,
)
from api.schemas.media import MediaOut
from core.errors import ErrorCode
from core.media.card_renderer.page_excerpts import pages_of_text
from core.media.rules.cards import card_to_json
from core.media.rules.sequences import MAX_PAGES, CardPage
from core.media.sequences import SequenceForm

router = Router(prefix="/cards/sequences", tags=["cards"])

_UNDRAWABLE = ErrorCode.content_empty, ErrorCode.card_letters_missing


def _form(body: CardSequenceIn) -> SequenceForm:
    pages = tuple(CardPage(page.kind, page.headline, page.text, page.alt) for page in body.pages)
    return SequenceForm(pages, settings_of(body.settings), body.seed)


@router.post("/pages/")
async def suggest_card_pages(body: CardPagesIn, user: CurrentUser) -> list[CardPageOut]:
    """The pages of a post without a model: its sentences and lists in their order. Empty if the post is too short."""
    return [CardPageOut.model_validate(page) for page in pages_of_text(body.text, title=body.title, most=MAX_PAGES)]


@router.post("/preview/", responses=problems(*_UNDRAWABLE), dependencies=[by_user(CARDS, DRAWING)])
async def preview_card_sequence(
    body: CardSequencePreviewIn, user: CurrentUser, services: Core
) -> list[CardPagePreviewOut]:
    """The pages as they would be saved; nothing is stored."""
    form = _form(body)
    if body.only is None:
        drawn = await services.sequences.preview(user.id, form)
    else:
        drawn = [await services.sequences.preview_page(user.id, form, body.only)]
    return [
        CardPagePreviewOut(
            image=base64.b64encode(page.data).decode(),
            mime=page.mime,
            width=page.width,
            height=page.height,
            alt=page.alt,
            notes=list(page.notes),
        )
        for page in drawn
    ]


@router.post(
    "/",
    status_code=status.HTTP_201_CREATED,
    responses=problems(*_UNDRAWABLE, ErrorCode.content_too_long, ErrorCode.storage_unavailable),
    dependencies=[by_user(CARDS, DRAWING)],
)
async def save_card_sequence(body: CardSequenceSaveIn, user: CurrentUser, services: Core) -> list[MediaOut]:
    """Draw the pages and store them in the media library, in order."""
    return [media_out(row, services) for row in await services.sequences.save(user.id, _form(body), body.tags)]


@router.get("/{page_id}/", responses=problems(ErrorCode.not_found))
async def read_card_sequence(page_id: UUID, user: CurrentUser, services: Core) -> CardSequenceOut:
    """The carousel with which a page was saved last."""
    saved = await services.sequences.read(user.id, page_id)
    return CardSequenceOut(
        pages=[CardPageOut.model_validate(page) for page in saved.form.pages],
        settings=CardSettingsModel.model_validate(card_to_json(saved.form.settings)),
        seed=saved.form.seed,
        tags=saved.tags,
    )


@router.post(
    "/document/",
    response_class=Response,
    responses=problems(*_UNDRAWABLE)
    | {200: {"content": {"application/pdf": {"schema": {"type": "string", "contentMediaType": "application/pdf"}}}}},
    dependencies=[by_user(CARDS, DRAWING)],
)
async def download_card_document(body: CardDocumentIn, user: CurrentUser, services: Core) -> Response:
    """The pages as a PDF document with selectable text; nothing is stored."""
    document = await services.sequences.document(user.id, _form(body), title=body.title, language=body.language)
    return Response(document, media_type="application/pdf")
