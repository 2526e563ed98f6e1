"""What keeps an assistant from being activated: its image, by the channels that it posts on."""

from dataclasses import replace

import pytest

from core.assistants.rules.assistants import AssistantParts, ImageSource, missing
from core.assistants.rules.schedules import Frequency, Schedule
from core.errors import ErrorCode

COMPLETE = AssistantParts(
    name="Bike shop",
    schedule=Schedule(Frequency.daily, "UTC", ("09:00",)),
    topic_tree=True,
    enabled_topics=3,
    template_body="About ((Topic)).",
    image_source=ImageSource.template,
    image_template_body="((Content))",
    variables={},
    accounts=1,
    needs_image=(),
    publishes=True,
)
OF_ITS_OWN = ErrorCode.image_template_required
UNSET = replace(COMPLETE, image_template_body=None)
WITHOUT = replace(UNSET, image_source=ImageSource.none)
OWN = replace(UNSET, image_source=ImageSource.own)


@pytest.mark.parametrize(
    ("setup", "expected"),
    [
        (COMPLETE, []),
        (replace(COMPLETE, needs_image=[OF_ITS_OWN]), []),
        (WITHOUT, []),
        (UNSET, [("image_template_id", ErrorCode.image_template_missing)]),
        (
            replace(UNSET, needs_image=[OF_ITS_OWN]),
            [("image_template_id", ErrorCode.image_template_missing)],
        ),
        # a network's own sentence is for that network
        (replace(WITHOUT, needs_image=[ErrorCode.image_required]), [("image_source", ErrorCode.image_required)]),
        (replace(OWN, own_images=2, needs_image=[OF_ITS_OWN]), []),
        (OWN, [("image_media_ids", ErrorCode.own_images_required)]),
        (replace(OWN, needs_image=[ErrorCode.image_required]), [("image_media_ids", ErrorCode.own_images_required)]),
        (
            replace(OWN, needs_image=[OF_ITS_OWN]),
            [("image_media_ids", ErrorCode.image_template_required)],
        ),
        (
            replace(WITHOUT, needs_image=[OF_ITS_OWN]),
            [("image_source", ErrorCode.image_template_required)],
        ),
    ],
)
def test_what_its_image_lacks(setup: AssistantParts, expected: list[tuple[str, ErrorCode]]) -> None:
    assert [(problem.field, problem.code) for problem in missing(setup)] == expected
