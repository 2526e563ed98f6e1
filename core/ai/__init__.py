"""Text and image models: calls, their cost, prices and faults.

Each model call goes through `model_calls`: reserve the maximum cost, call, settle. The next attempt settles a call
whose process died. A budget, a subscription or a known fault of the provider refuses a call before it costs
anything (decisions 32 and 66). `prompts` holds every word for models (decision 131). `rules.answers` extracts the text
from a model's answer (decision 80), `capabilities` learns what a server refuses (decision 82). A call's row keeps its
cost and its price; `spending` adds up the rows.
"""
