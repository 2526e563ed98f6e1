"""What keeps an assistant from being activated: its image, by the channels that it posts on."""

from dataclasses import replace

import pytest

from core.domain.assistants import Configured, ImageSource, missing
from core.domain.errors import ErrorCode
from core.domain.schedules import Frequency, Schedule

COMPLETE = Configured(
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
UNSET = replace(COMPLETE, image_template_body=None)
WITHOUT = replace(UNSET, image_source=ImageSource.none)
OWN = replace(UNSET, image_source=ImageSource.own)


@pytest.mark.parametrize(
    ("setup", "expected"),
    [
        (COMPLETE, []),
        (replace(COMPLETE, needs_image=["instagram"]), []),
        (WITHOUT, []),
        (UNSET, [("image_template_id", ErrorCode.image_template_missing)]),
        (replace(UNSET, needs_image=["instagram"]), [("image_template_id", ErrorCode.image_template_missing)]),
        # the sentences about Instagram are for Instagram
        (replace(WITHOUT, needs_image=["another"]), [("image_source", ErrorCode.image_required)]),
        (replace(OWN, own_images=2, needs_image=["instagram"]), []),
        (OWN, [("image_media_ids", ErrorCode.own_images_required)]),
        (replace(OWN, needs_image=["another"]), [("image_media_ids", ErrorCode.own_images_required)]),
        (replace(OWN, needs_image=["instagram"]), [("image_media_ids", ErrorCode.image_template_required)]),
        (replace(WITHOUT, needs_image=["instagram"]), [("image_source", ErrorCode.image_template_required)]),
    ],
)
def test_what_its_image_lacks(setup: Configured, expected: list[tuple[str, ErrorCode]]) -> None:
    assert [(problem.field, problem.code) for problem in missing(setup)] == expected
