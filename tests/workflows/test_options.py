"""Times that steps have."""

from datetime import timedelta

from core.ids import new_id
from workflows.options import delivery_step, stage_step


def test_a_delivery_that_still_has_to_upload_has_as_long_as_staging() -> None:
    """After an edit, or if the network has lost what was staged, a video is uploaded while the delivery is armed."""
    arm, until = timedelta(seconds=75), timedelta(hours=3)
    staging = stage_step("linkedin", new_id(), until)["start_to_close_timeout"]
    delivering = delivery_step("linkedin", new_id(), arm, until)
    assert staging
    assert delivering["start_to_close_timeout"] == arm + staging
    # a dead worker is found long before
    assert delivering["heartbeat_timeout"] == timedelta(seconds=30)
