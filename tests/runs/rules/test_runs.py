from datetime import UTC, date, datetime

from core.assistants.rules.assistants import ImageSource, Mode, SecondLook, TextPer
from core.brands.rules import BrandVoice, Example
from core.ids import new_id
from core.networks.rules.channels import ChannelKind
from core.runs.rules.runs import Brief, RunSetup, setup_from_json, setup_to_json

SETUP = RunSetup(
    brief=Brief(
        name="Bike shop",
        language="de",
        time_zone="Pacific/Auckland",
        variables={"Brand Voice": "dry"},
        topic="Rain",
        topic_path=("Cargo bikes", "Weather", "Rain"),
        topic_notes="Mudguards are included.",
    ),
    mode=Mode.automatic,
    template_version_id=new_id(),
    image_source=ImageSource.template,
    image_template_version_id=new_id(),
    account_ids=(new_id(), new_id()),
    brand=BrandVoice("Spokes", facts=("We open at nine.",), examples=(Example("Rain.", "mastodon"),), utm={"a": "b"}),
    text_per=TextPer.network,
    networks=(ChannelKind.linkedin, ChannelKind.mastodon),
    second_look=SecondLook.revision,
)


def test_what_is_kept_of_a_setup_is_all_of_it() -> None:
    assert setup_from_json(setup_to_json(SETUP)) == SETUP


def test_a_setup_that_was_kept_before_topics_had_notes() -> None:
    stored = setup_to_json(SETUP)
    del stored["topic_notes"]
    assert setup_from_json(stored).brief.topic_notes == ""


def test_a_setup_that_was_kept_before_each_network_had_its_text() -> None:
    stored = setup_to_json(SETUP)
    for name in ("brand", "text_per", "networks", "second_look"):
        del stored[name]
    setup = setup_from_json(stored)
    assert (setup.brand, setup.text_per, setup.networks) == (None, TextPer.post, ())
    assert setup.second_look is SecondLook.off


def test_a_stored_text_has_the_number_of_its_network() -> None:
    linkedin, mastodon = SETUP.networks
    assert [SETUP.network_of(part) for part in (0, 1, 2, -1, -2, -1000)] == [
        *(linkedin, mastodon, None),
        *(linkedin, mastodon, None),
    ]


def test_a_posts_day_is_that_of_the_assistants_zone() -> None:
    assert SETUP.brief.day(datetime(2026, 3, 1, 12, tzinfo=UTC)) == date(2026, 3, 2)
