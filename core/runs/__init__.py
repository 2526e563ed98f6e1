"""One run of an assistant for one slot: topic, text, image, checks and outcome.

Each step is an activity that may be repeated: it continues from what an earlier attempt saved. Steps, failed attempts
and model calls are rows, the evidence of a run. Whether a run is too late is decided from rows
(`repositories.lateness`, decision 3), also before each step that costs money. No run ends with an open delivery
(`projecting`); a proof that arrives later corrects run and post (`outcomes`).
"""
