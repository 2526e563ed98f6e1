"""Assistants: configuration, schedules, pausing, skipping, budgets and dry runs.

An assistant is one long-running workflow (`workflows/assistant.py`) with a durable timer to its next slot. Saving
an assistant raises the row's version, commits and tells the workflow; `temporal/reconcile.py` repairs what a crash
in between left. An edit of the schedule applies from its own moment: the row keeps each version of the schedule
with its start (decision 31). A pause is a schedule that does not post (decision 34). Workflow code never computes
a calendar: planning is a local activity, so new time zone data cannot break a replay.
"""
