import base64
from uuid import UUID

from fastapi import status

from api.bodies import Router
from api.dependencies import Core, CurrentUser
from api.errors import problems
from api.limits import CARDS, DRAWING, by_user
from api.routes.media import media_out
from api.schemas.cards import (
    CardIn,
    CardOptionsOut,
    CardPresetIn,
    CardPresetOut,
    CardPreviewOut,
    CardSaveIn,
    CardSettingsModel,
    PaletteOut,
)
from api.schemas.media import MediaOut
from core.container import Services
from core.errors import ErrorCode
from core.media.card_renderer.palettes import PALETTES
from core.media.cards import CardForm
from core.media.rules.cards import CardFont, CardLayout, CardSettings, card_from_json
from core.media.tables import CardPreset

router = Router(prefix="/cards", tags=["cards"])


def settings_of(body: CardSettingsModel) -> CardSettings:
    return card_from_json(body.model_dump(mode="json"))


def _form(body: CardIn) -> CardForm:
    return CardForm(body.headline, body.text, settings_of(body.settings))


def _preset(row: CardPreset, services: Services) -> CardPresetOut:
    settings = CardSettingsModel.model_validate(row.settings)
    return CardPresetOut(
        id=row.id,
        name=row.name,
        settings=settings,
        logo_url=services.media.signed_url(settings.logo_id) if settings.logo_id else None,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


@router.get("/options/")
async def read_card_options(user: CurrentUser) -> CardOptionsOut:
    """The options of the card designer."""
    return CardOptionsOut(
        layouts=list(CardLayout),
        fonts=list(CardFont),
        palettes=[
            PaletteOut(name=palette.name, ground=palette.ground, ink=palette.ink, accent=palette.accent)
            for palette in PALETTES
        ],
    )


@router.post(
    "/preview/",
    responses=problems(ErrorCode.content_empty, ErrorCode.card_letters_missing),
    dependencies=[by_user(CARDS, DRAWING)],
)
async def preview_card(body: CardIn, user: CurrentUser, services: Core) -> CardPreviewOut:
    """The card as it would be saved; nothing is stored."""
    card = await services.cards.preview(user.id, _form(body))
    return CardPreviewOut(
        image=base64.b64encode(card.data).decode(),
        mime=card.mime,
        width=card.width,
        height=card.height,
        layout=card.layout,
        notes=list(card.notes),
    )


@router.post(
    "/",
    status_code=status.HTTP_201_CREATED,
    responses=problems(
        ErrorCode.content_empty,
        ErrorCode.card_letters_missing,
        ErrorCode.content_too_long,
        ErrorCode.storage_unavailable,
    ),
    dependencies=[by_user(CARDS, DRAWING)],
)
async def save_card(body: CardSaveIn, user: CurrentUser, services: Core) -> MediaOut:
    """Draw a card and store it in the media library."""
    return media_out(await services.cards.save(user.id, _form(body), body.alt, body.tags), services)


@router.get("/presets/")
async def list_card_presets(user: CurrentUser, services: Core) -> list[CardPresetOut]:
    return [_preset(row, services) for row in await services.cards.presets(user.id)]


@router.post("/presets/", status_code=status.HTTP_201_CREATED, responses=problems(ErrorCode.name_taken))
async def create_card_preset(body: CardPresetIn, user: CurrentUser, services: Core) -> CardPresetOut:
    return _preset(await services.cards.add_preset(user.id, body.name, settings_of(body.settings)), services)


@router.put("/presets/{preset_id}/", responses=problems(ErrorCode.not_found, ErrorCode.name_taken))
async def update_card_preset(preset_id: UUID, body: CardPresetIn, user: CurrentUser, services: Core) -> CardPresetOut:
    row = await services.cards.change_preset(user.id, preset_id, body.name, settings_of(body.settings))
    return _preset(row, services)


@router.delete("/presets/{preset_id}/", status_code=status.HTTP_204_NO_CONTENT, responses=problems(ErrorCode.not_found))
async def delete_card_preset(preset_id: UUID, user: CurrentUser, services: Core) -> None:
    await services.cards.remove_preset(user.id, preset_id)
