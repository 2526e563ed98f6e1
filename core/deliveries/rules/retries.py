"""How often a publishing call is retried, how long it pauses, and until when.

| error | pause | until |
|---|---|---|
| network away, outcome unknown | FIRST_RETRY, doubled up to LONGEST_RETRY, by Temporal | end of the window |
| limit of the network | its own, or at most LONGEST_GUESSED_PAUSE | NETWORK_WINDOW; held after LONGEST_WAIT_IN_STEP |
| settings of this server | SETTINGS_PAUSES | NETWORK_WINDOW; held |
| account has to be reconnected | none | `core/deliveries/deadlines.py`; held |

Windows count from the slot. The window of a run is the catch-up time of its assistant: by default `CATCH_UP_SECONDS` in
`core/settings.py`, at most MAX_CATCH_UP in `core/assistants/rules/limits.py`, after which the workflow ends the
activity. The window of a post that a person sends is at least BY_HAND_WINDOW. `core/runs/repositories/lateness.py` has
the windows as SQL. A held delivery waits in its workflow, not in an activity. Other pauses are where they are used: of
staging in `workflows/options.py`, of a network in its adapter, of follow-ups in their modules.
"""

from datetime import timedelta
from typing import Final

from core.errors import ErrorCode

FIRST_RETRY: Final = timedelta(seconds=1)
"""Pause before the first retry of an activity that publishes; it doubles each time."""
LONGEST_RETRY: Final = timedelta(minutes=5)
LONGEST_WAIT_IN_STEP: Final = timedelta(hours=1)
"""After this long past its slot, a delivery that waits for the end of a network's limit is held outside its activity: a
held post can be moved, and an activity does not last for a day."""
LONGEST_GUESSED_PAUSE: Final = timedelta(hours=1)
"""Between two attempts while a network's limit lasts, where the network names no end of it."""
SETTINGS_PAUSES: Final = timedelta(minutes=5), timedelta(minutes=30)
"""First and longest pause between two checks of whether this server's settings are fixed."""
SHORTEST_WINDOW: Final = timedelta(minutes=1)
"""A post is published at its slot, which is past by then: even without a window it is not late at once."""
BY_HAND_WINDOW: Final = timedelta(days=1)
"""How long a post that a person sends waits for its account, at least: no newer post replaces it."""
NETWORK_WINDOW: Final = timedelta(days=1)
"""How long a delivery waits for the end of a network's limit or for this server's settings, at least: limits end by
then."""
NOT_READY: Final = (ErrorCode.document_not_ready, ErrorCode.image_not_ready, ErrorCode.video_not_ready)
"""A network may still process the file of a refused post."""

MAX_FAILURES: Final = {
    ErrorCode.staging_lost: 3,
    ErrorCode.media_unreachable: 3,
    **dict.fromkeys(NOT_READY, 5),
    ErrorCode.video_refused: 2,
    ErrorCode.delivery_refused: 1,
}
"""How often an error that does not last for hours may occur before the delivery fails."""
