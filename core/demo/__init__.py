"""Demo data: made by a button or `make demo`, and removed again by a button.

Each row that demo data makes is noted in `demo_items`, in the same transaction; decision 12 says what its removal
leaves.
"""
