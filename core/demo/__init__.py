"""Demo data: created by a button or `make demo`, and removed by a button.

Each created row is noted in `demo_items`, in the same transaction; decision 12 says what the removal keeps.
"""
