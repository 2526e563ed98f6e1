"""Limits and defaults of an assistant's configuration, for the form, the API, the table and the workflows."""

DEFAULT_NO_REPEAT = 10
"""Number of posts within which a topic is not repeated."""
MAX_NO_REPEAT = 100
DEFAULT_LEAD = 15
"""Minutes before its slot at which a post is prepared."""
MAX_LEAD = 7 * 24 * 60
MAX_CATCH_UP = 6 * 60
"""Minutes after its slot within which a post may still be published. Then the run ends its deliveries, except held
ones."""
MAX_HASHTAGS = 30
