"""An order for a text says for which networks it is, in whose voice, and what people thought of earlier posts."""

from datetime import UTC, datetime
from typing import Any

import pytest

from core.ai.writers.base import TextOrder
from core.articles.orders import outline_order
from core.brands.rules import BrandVoice
from core.ids import new_id
from core.networks.rules.channels import ChannelKind
from core.networks.rules.craft import NetworkRoom
from core.posts.repositories.posts import Objection
from core.posts.rules.edits import Edit
from core.runs.imaging import picture_of_run
from core.runs.rules.runs import Brief
from core.runs.text_orders import order_for_network, text_order_of_run
from core.templates.rules.model_settings import ImageSettings, TextSettings
from core.templates.rules.templates import Engine

LINKEDIN, BLUESKY = NetworkRoom(ChannelKind.linkedin, 3000), NetworkRoom(ChannelKind.bluesky, 300)
BOTH = (LINKEDIN, BLUESKY)
DEFAULTS = TextSettings()
BRAND = BrandVoice("Kettwerk", about="A workshop.", voice="dry")


def order(settings: TextSettings = DEFAULTS, variables: dict[str, str] | None = None, **more: Any) -> TextOrder:
    brief = Brief("Rain", "en", "UTC", variables or {}, "Mudguards", topic_notes="They keep backs dry.")
    return text_order_of_run(
        "About ((Topic)) on ((Channel)), ((Brand Voice)).",
        settings,
        brief,
        slot=datetime(2027, 1, 1, tzinfo=UTC),
        limit=3000,
        user_id=new_id(),
        seed="s",
        **more,
    )


def test_several_networks_get_a_text_each_in_one_answer() -> None:
    made = order(networks=BOTH)
    assert made.networks == BOTH
    assert made.max_characters == 3000
    assert "on <value>LinkedIn, Bluesky</value>," in made.brief
    assert "JSON" in made.instructions


def test_one_of_the_networks_can_be_asked_for_alone() -> None:
    made = order(networks=BOTH)
    alone = order_for_network(made, BLUESKY)
    assert (alone.networks, alone.max_characters) == ((BLUESKY,), 300)
    assert "on <value>Bluesky</value>," in alone.brief
    assert "for Bluesky. Answer with the post alone" in alone.instructions
    assert alone.instructions == order(networks=(BLUESKY,)).instructions
    assert alone.brief == order(networks=(BLUESKY,)).brief


def test_one_text_for_all_networks_is_one_answer() -> None:
    made = order(networks=BOTH, shared=True)
    assert made.networks == ()
    assert "published unchanged on LinkedIn, Bluesky" in made.instructions
    assert "on <value>LinkedIn, Bluesky</value>," in made.brief


def test_the_templates_limit_counts_on_each_network() -> None:
    made = order(TextSettings(max_characters=500), networks=BOTH)
    assert [room.limit for room in made.networks] == [500, 300]
    assert made.max_characters == 500
    assert "LinkedIn: at most 500 characters." in made.instructions


@pytest.mark.parametrize(
    ("brand", "fixed", "tone", "voice"),
    [
        (BRAND, "warm", "loud", "warm"),
        (BRAND, "", "loud", "dry"),
        (BRAND, " ", "loud", "dry"),
        (BrandVoice("Kettwerk"), "warm", "loud", "warm"),
        (None, "warm", "loud", "warm"),
        (None, "", "loud", "loud"),
    ],
)
def test_the_brand_voice_is_the_assistants_then_the_brands_then_the_templates(
    brand: BrandVoice | None, fixed: str, tone: str, voice: str
) -> None:
    made = order(TextSettings(tone=tone), {"Brand Voice": fixed}, brand=brand)
    assert f", <value>{voice}</value>." in made.brief


@pytest.mark.parametrize("name", ["Brand Voice", "brand voice"])
def test_without_a_brand_the_assistants_voice_replaces_the_templates_everywhere(name: str) -> None:
    made = order(TextSettings(tone="loud"), {name: "warm"})
    of_article = outline_order(made).instructions
    for told in (made.brief, made.instructions, of_article):
        assert "<value>warm</value>" in told
        assert "loud" not in told
    assert "<value>loud</value>" in outline_order(order(TextSettings(tone="loud"))).instructions


def test_earlier_posts_edits_and_objections_are_told_below_the_notes() -> None:
    made = order(
        latest=["Rain again. So what.", "Before. That."],
        edits=[Edit("Hi!", "Good day.")],
        objections=[Objection("Rain", "Too loud")],
    )
    _, notes, earlier = made.brief.partition("Notes on the topic: <value>They keep backs dry.</value>")
    assert notes
    places = [earlier.index(part) for part in ("Rain again. … So what.", "<value>Hi!</value> became", "Too loud")]
    assert places == sorted(places)
    assert made.latest == "Rain again. So what."


def test_an_image_template_is_told_the_brands_voice() -> None:
    for brand, fixed, voice in ((BRAND, {}, "dry"), (BRAND, {"Brand Voice": "warm"}, "warm")):
        brief = Brief("Rain", "en", "UTC", fixed, "Mudguards")
        picture = picture_of_run(
            "((Content)), ((Brand Voice))",
            ImageSettings(engine=Engine.ai),
            brief,
            "Rain.",
            slot=datetime(2027, 1, 1, tzinfo=UTC),
            user_id=new_id(),
            seed="s",
            logo=None,
            drawn=False,
            brand=brand,
        )
        assert picture.prompt == f"Rain., {voice}"


def test_the_parts_of_an_article_are_told_the_brand_of_their_order() -> None:
    assert "<value>Kettwerk</value>" in outline_order(order(brand=BRAND)).instructions
    assert "Kettwerk" not in outline_order(order()).instructions
