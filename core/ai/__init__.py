"""Text and image models: calls, their cost, prices and faults.

Each call of a model goes through `model_calls`: reserve the most it may cost, call, settle. A call whose process
died is settled by the next attempt. A budget, a subscription or a known fault of the provider refuses a call
before it is paid (decisions 32 and 66). `rules.answers` takes a model's answer apart (decision 80), `capabilities`
learns what a server refuses (decision 82). What a call cost stays in its row with the price; `spending` adds the
rows up.
"""
