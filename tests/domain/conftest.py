"""Property tests are the same on every machine: no clock, no random seed, no file of earlier examples."""

from hypothesis import settings

settings.register_profile("domain", derandomize=True, deadline=None, database=None, max_examples=100)
settings.load_profile("domain")
