"""How often a publishing call is retried, how long it pauses, and until when.

Within an activity Temporal retries (`workflows/options.py`). A delivery that waits longer is held, and its workflow
sleeps until the next attempt (`core/deliveries/deadlines.py`). The windows count from the slot; a run's window is the
catch-up time of its assistant (`CATCH_UP_SECONDS` in `core/settings.py`). Other pauses are where they are used: of
staging in `workflows/options.py`, of a network in its adapter, of follow-ups in their modules.
"""

from datetime import timedelta
from typing import Final

from core.errors import ErrorCode

FIRST_RETRY: Final = timedelta(seconds=1)
"""Pause before the first retry of an activity that publishes; it doubles each time."""
LONGEST_RETRY: Final = timedelta(minutes=5)
LONGEST_WAIT_IN_STEP: Final = timedelta(hours=1)
"""After this long past its slot, a delivery that waits for its network is held outside its activity: a held post can be
moved, and an activity does not last for a day."""
LONGEST_GUESSED_PAUSE: Final = timedelta(hours=1)
"""Between two attempts while a network's limit lasts, where the network names no end of it."""
SETTINGS_PAUSES: Final = timedelta(minutes=5), timedelta(minutes=30)
"""First and longest pause between two checks of whether this server's settings are fixed."""
SHORTEST_WINDOW: Final = timedelta(minutes=1)
"""A post is published at its slot, which is past by then: even without a window it is not late at once."""
BY_HAND_WINDOW: Final = timedelta(days=1)
"""How long a post that a person sends waits for its account, at least: no newer post replaces it."""
NETWORK_WINDOW: Final = timedelta(days=1)
"""How long a delivery waits for its network or for this server's settings, at least: limits of networks end by then."""
MAX_FAILURES: Final = {
    ErrorCode.staging_lost: 3,
    ErrorCode.media_unreachable: 3,
    ErrorCode.image_not_ready: 5,
    ErrorCode.delivery_refused: 1,
}
"""How often an error that does not last for hours may occur before the delivery fails."""
