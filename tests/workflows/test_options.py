"""Times that steps have."""

from datetime import timedelta

from core.ids import new_id
from core.media.rules.media import VIDEO_BYTES
from core.networks.uploads import upload_time
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


def test_the_largest_video_is_staged_at_the_slowest_speed_that_is_not_given_up() -> None:
    """An attempt that is cut off begins at the first byte again, so the video would never arrive."""
    staging = stage_step("facebook", new_id(), timedelta(hours=3))["start_to_close_timeout"]
    assert staging
    processing = timedelta(minutes=10)
    assert staging > upload_time(VIDEO_BYTES) + processing
