"""What becomes of an article that its website's setting announces."""

from enum import StrEnum


class AnnouncementState(StrEnum):
    waiting = "waiting"
    """Readers do not get the article at its address yet; it is asked again."""
    writing = "writing"
    """Its text is being written."""
    made = "made"
    failed = "failed"


OPEN_ANNOUNCEMENTS = frozenset({AnnouncementState.waiting, AnnouncementState.writing})
