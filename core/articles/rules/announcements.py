"""States of an automatic announcement of an article."""

from enum import StrEnum


class AnnouncementState(StrEnum):
    waiting = "waiting"
    """The article is not readable at its address yet; this is checked again."""
    writing = "writing"
    """The text of the announcement is being written."""
    made = "made"
    failed = "failed"


OPEN_ANNOUNCEMENTS = frozenset({AnnouncementState.waiting, AnnouncementState.writing})
