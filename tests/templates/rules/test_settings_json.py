"""Settings of a version as its row keeps them: every release must read what an earlier one wrote."""

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.media.rules.cards import CardFont, CardLayout, CardSettings, card_from_json, card_to_json
from core.media.rules.media import ImageRatio
from core.templates.rules.model_settings import (
    ImageSettings,
    TextSettings,
    image_from_json,
    image_to_json,
    logo_of_settings,
    text_from_json,
    text_to_json,
    without_logo,
)
from core.templates.rules.templates import Engine, ImageQuality, ReasoningEffort

LOGO = UUID("0190b6a4-0000-7000-8000-000000000001")
STORED_CARD: dict[str, Any] = {
    "layout": "quote",
    "size": "portrait",
    "font": "source_serif",
    "ground": "#102030",
    "ink": "#ffffff",
    "accent": "#d98e04",
    "logo_id": str(LOGO),
    "foot": "Lindhof",
}
CARD = CardSettings(
    layout=CardLayout.quote,
    size=ImageRatio.portrait,
    font=CardFont.source_serif,
    ground="#102030",
    ink="#ffffff",
    accent="#d98e04",
    logo_id=LOGO,
    foot="Lindhof",
)
STORED_IMAGE: dict[str, Any] = {
    "engine": "ai",
    "model": "a-model",
    "size": "landscape",
    "quality": "high",
    "style": "ink drawing",
    "card": STORED_CARD,
}
IMAGE = ImageSettings(
    engine=Engine.ai,
    model="a-model",
    size=ImageRatio.landscape,
    quality=ImageQuality.high,
    style="ink drawing",
    card=CARD,
)
STORED_TEXT: dict[str, Any] = {
    "model": "a-model",
    "temperature": 0.7,
    "max_characters": 900,
    "tone": "dry",
    "effort": "high",
}
TEXT = TextSettings(model="a-model", temperature=0.7, max_characters=900, tone="dry", effort=ReasoningEffort.high)


def test_what_is_kept_is_read_and_written_the_same() -> None:
    assert card_from_json(STORED_CARD) == CARD
    assert card_to_json(CARD) == STORED_CARD
    assert image_from_json(STORED_IMAGE) == IMAGE
    assert image_to_json(IMAGE) == STORED_IMAGE
    assert text_from_json(STORED_TEXT) == TEXT
    assert text_to_json(TEXT) == STORED_TEXT
    # an older release, which may run beside this one, knows no such setting
    assert "effort" not in text_to_json(TextSettings())


def test_what_an_older_release_did_not_write_takes_its_default() -> None:
    assert card_from_json({}) == CardSettings()
    assert text_from_json({}) == TextSettings()
    # before there was a choice every image was asked of the server's model
    assert image_from_json({}) == ImageSettings(engine=Engine.ai)
    assert image_from_json({"card": None}) == ImageSettings(engine=Engine.ai)


@pytest.mark.parametrize("left_out", STORED_CARD)
def test_any_one_of_a_cards_settings_may_be_missing(left_out: str) -> None:
    stored = {name: value for name, value in STORED_CARD.items() if name != left_out}
    default = card_to_json(CardSettings())
    assert card_to_json(card_from_json(stored)) == {**stored, left_out: default[left_out]}


colours = st.none() | st.from_regex(r"#[0-9a-f]{6}", fullmatch=True)
cards = st.builds(
    CardSettings,
    layout=st.none() | st.sampled_from(CardLayout),
    size=st.sampled_from(ImageRatio),
    font=st.sampled_from(CardFont),
    ground=colours,
    ink=colours,
    accent=colours,
    logo_id=st.none() | st.uuids(),
    foot=st.text(max_size=20),
)


@given(
    st.builds(
        ImageSettings,
        engine=st.sampled_from(Engine),
        model=st.none() | st.text(max_size=10),
        size=st.sampled_from(ImageRatio),
        quality=st.sampled_from(ImageQuality),
        style=st.text(max_size=20),
        card=cards,
    )
)
def test_any_image_settings_come_back_from_their_row(settings: ImageSettings) -> None:
    assert image_from_json(image_to_json(settings)) == settings


def test_a_logo_stays_with_its_owner() -> None:
    settings = {"text": STORED_TEXT, "image": STORED_IMAGE}
    assert logo_of_settings(settings) == LOGO
    shared = without_logo(settings)
    assert logo_of_settings(shared) is None
    assert shared == {"text": STORED_TEXT, "image": {**STORED_IMAGE, "card": {**STORED_CARD, "logo_id": None}}}
    # the owner's own is as it was
    assert logo_of_settings(settings) == LOGO


@pytest.mark.parametrize("settings", [{}, {"image": None}, {"image": {}}, {"image": {"card": None}}])
def test_settings_without_a_card_have_no_logo(settings: dict[str, Any]) -> None:
    assert logo_of_settings(settings) is None
    assert without_logo(settings) == settings
