"""Cards as people draw them: previews, cards that are kept, and saved looks."""

import asyncio
import threading
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from PIL import Image

from core.ai.pictures.base import PictureOrder
from core.container import Services
from core.errors import Conflict, ErrorCode, FieldError, InvalidInput, NotFound
from core.ids import new_id
from core.media import cards
from core.media.cards import CardForm
from core.media.rules.cards import CardFont, CardLayout, CardSettings, card_from_json
from core.media.rules.media import ImageRatio
from core.media.tables import Media, MediaSource
from core.users.tables.users import User
from tests.factories import Factory
from tests.media.test_pictures import picture
from tests.patience import PATIENCE
from tests.pictures import opened, saved

LOOK = CardSettings(
    layout=CardLayout.quote,
    size=ImageRatio.portrait,
    font=CardFont.zilla_slab,
    ground="#123456",
    ink="#ffffff",
    accent="#ffcc00",
    foot="Postloom",
)


def form(
    settings: CardSettings = LOOK, headline: str = "Rain without drama", text: str = "A jacket helps."
) -> CardForm:
    return CardForm(headline, text, settings)


def wrong(error: InvalidInput) -> dict[str, ErrorCode]:
    return {found.field: found.code for found in error.errors if isinstance(found, FieldError)}


async def test_a_preview_is_what_would_be_saved(services: Services, user: User) -> None:
    card = await services.cards.preview(user.id, form())
    again = await services.cards.preview(user.id, form())
    assert card.data == again.data
    assert card.layout is CardLayout.quote
    drawn = opened(card.data).convert("RGB")
    assert drawn.size == (card.width, card.height)
    assert card.width * 5 == card.height * 4
    ground = drawn.getpixel((3, 3))
    assert isinstance(ground, tuple)
    assert ground[:3] == pytest.approx((0x12, 0x34, 0x56), abs=3)
    kept = await services.cards.save(user.id, form(), "Rain", ["Wet"])
    assert await services.media.read(kept) == card.data
    assert (kept.mime, kept.width, kept.height) == (card.mime, card.width, card.height)


async def test_a_saved_card_knows_what_it_was_made_of(services: Services, user: User) -> None:
    kept = await services.cards.save(user.id, form(headline="Rain / wind"), "Rain", [" Wet ", "wet"])
    assert (kept.source, kept.name, kept.alt, kept.tags) == (MediaSource.card, "Rain / wind", "Rain", ["Wet"])
    assert kept.design is not None
    assert (kept.design["headline"], kept.design["text"]) == ("Rain / wind", "A jacket helps.")
    assert card_from_json(kept.design["settings"]) == LOOK


async def test_words_that_can_be_drawn_are_needed(services: Services, user: User) -> None:
    for ask, code in (
        (services.cards.preview(user.id, form(headline=" \n")), ErrorCode.content_empty),
        (services.cards.save(user.id, form(headline=""), "", []), ErrorCode.content_empty),
        (services.cards.preview(user.id, form(headline="こんにちは")), ErrorCode.card_letters_missing),
        (services.cards.preview(user.id, form(CardSettings(), "مرحبا", "")), ErrorCode.card_letters_missing),
        (services.cards.save(user.id, form(headline="สวัสดี"), "", []), ErrorCode.card_letters_missing),
    ):
        with pytest.raises(InvalidInput) as raised:
            await ask
        assert wrong(raised.value) == {"headline": code}


async def test_a_card_that_looks_the_same_takes_over_alt_text_and_tags(services: Services, user: User) -> None:
    first = await services.cards.save(user.id, form(), "Rain", ["Wet"])
    renamed = await services.gallery.change(user.id, first.id, first.version, name="My card")
    again = await services.cards.save(user.id, form(headline="Rain without drama "), "A jacket", ["Dry", " dry"])
    assert (again.id, again.alt, again.tags, again.name) == (first.id, "A jacket", ["Dry"], "My card")
    assert again.version > renamed.version
    assert again.design is not None
    assert again.design["headline"] == "Rain without drama "
    # what is stored without a person writes over nothing
    kept = await services.media.store(
        user.id, replace(picture("red"), data=await services.media.read(first)), alt="Something", tags=["Else"]
    )
    assert (kept.id, kept.alt, kept.tags, kept.version) == (first.id, "A jacket", ["Dry"], again.version)


async def test_a_tag_that_is_too_long_is_told(services: Services, user: User) -> None:
    with pytest.raises(InvalidInput) as raised:
        await services.cards.save(user.id, form(), "", ["Wet", "x" * 41])
    assert wrong(raised.value) == {"tags.1": ErrorCode.content_too_long}


async def logo(services: Services, user: User, colour: str = "#ff00ff") -> Media:
    return await services.media.store(user.id, picture(colour, 200, 100))


def with_logo(logo_id: UUID) -> CardSettings:
    return CardSettings(ground="#ffffff", ink="#000000", logo_id=logo_id)


async def test_the_logo_is_one_of_the_users_own_pictures(services: Services, user: User, make: Factory) -> None:
    mine, theirs = await logo(services, user), await logo(services, await make.user())
    drawn = opened((await services.cards.preview(user.id, form(with_logo(mine.id)))).data).convert("RGB")
    pink = [colour for _, colour in drawn.getcolors(1 << 24) or [] if isinstance(colour, tuple) and colour[1] < 60]
    assert any(red > 200 and blue > 200 for red, _, blue in pink)
    for unknown in (theirs.id, new_id()):
        settings = with_logo(unknown)
        for ask in (
            services.cards.preview(user.id, form(settings)),
            services.cards.save(user.id, form(settings), "", []),
            services.cards.add_preset(user.id, "Brand", settings),
        ):
            with pytest.raises(InvalidInput) as raised:
                await ask
            assert wrong(raised.value) == {"settings.logo_id": ErrorCode.not_found}


async def test_a_logo_that_cannot_be_seen_is_told(services: Services, user: User) -> None:
    unseen = saved(Image.new("RGBA", (40, 30), (255, 0, 0, 0)), "PNG")
    logo = await services.media.store(user.id, replace(picture("red"), data=unseen))
    with pytest.raises(InvalidInput) as raised:
        await services.cards.preview(user.id, form(with_logo(logo.id)))
    assert wrong(raised.value) == {"settings.logo_id": ErrorCode.image_unreadable}


async def test_a_logo_that_was_deleted_is_still_drawn(services: Services, user: User) -> None:
    mine = await logo(services, user)
    before = await services.cards.preview(user.id, form(with_logo(mine.id)))
    await services.gallery.delete(user.id, mine.id)
    assert (await services.cards.preview(user.id, form(with_logo(mine.id)))).data == before.data


async def test_a_huge_logo_is_drawn_from_its_thumbnail(services: Services, user: User) -> None:
    large = await services.media.store(user.id, picture("#ff00ff", 4000, 2000))
    await services.media.storage.delete(large.storage_key)
    assert await services.cards.preview(user.id, form(with_logo(large.id)))


async def test_looks_are_saved_by_name(services: Services, user: User, make: Factory) -> None:
    second = await services.cards.add_preset(user.id, "  zebra ", LOOK)
    first = await services.cards.add_preset(user.id, "Brand", CardSettings())
    await services.cards.add_preset((await make.user()).id, "Brand", LOOK)
    presets = await services.cards.presets(user.id)
    assert [(row.id, row.name, card_from_json(row.settings)) for row in presets] == [
        (first.id, "Brand", CardSettings()),
        (second.id, "zebra", LOOK),
    ]
    with pytest.raises(Conflict) as raised:
        await services.cards.add_preset(user.id, "Brand", LOOK)
    assert raised.value.code is ErrorCode.name_taken
    with pytest.raises(Conflict) as raised:
        await services.cards.change_preset(user.id, second.id, "Brand", LOOK)
    assert raised.value.code is ErrorCode.name_taken
    changed = await services.cards.change_preset(user.id, second.id, "zebra", CardSettings(foot="New"))
    assert changed.settings["foot"] == "New"
    with pytest.raises(InvalidInput) as wrong_name:
        await services.cards.change_preset(user.id, second.id, " \u202e ", LOOK)
    assert wrong(wrong_name.value) == {"name": ErrorCode.name_required}
    await services.cards.remove_preset(user.id, second.id)
    assert [row.id for row in await services.cards.presets(user.id)] == [first.id]


async def test_another_users_look_does_not_exist(services: Services, user: User, make: Factory) -> None:
    theirs = await services.cards.add_preset((await make.user()).id, "Brand", LOOK)
    for ask in (
        services.cards.change_preset(user.id, theirs.id, "Mine", LOOK),
        services.cards.remove_preset(user.id, theirs.id),
    ):
        with pytest.raises(NotFound):
            await ask
    assert await services.cards.presets(user.id) == []


async def test_cards_are_drawn_beside_the_loop(services: Services, user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """None is finished before somebody else was answered: that would never come if the loop drew them itself."""
    draw, answered = cards._render, threading.Event()

    def draw_late(order: PictureOrder) -> Any:
        assert answered.wait(PATIENCE)
        return draw(order)

    monkeypatch.setattr(cards, "_render", draw_late)
    drawing = asyncio.gather(*(services.cards.preview(user.id, form(headline=f"Card {at}")) for at in range(8)))
    asyncio.get_running_loop().call_later(0.05, answered.set)
    assert len(await drawing) == 8
