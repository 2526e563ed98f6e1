"""One run of an assistant for one slot: topic, text, image, checks and outcome.

Each step is an activity that may be repeated: it finds what an earlier attempt left. Steps, failed attempts and
calls of models are rows, the evidence of a run. Whether a run comes too late is decided from rows
(`repositories.lateness`, decision 3), also before each step that costs. No run ends with an open delivery
(`projecting`); proof that comes later corrects run and post (`outcomes`).
"""
