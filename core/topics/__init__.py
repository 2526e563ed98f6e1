"""Topic trees, and subtopics that a model suggests.

Topics are numbered in reading order, so a branch is one range: adding, moving and deleting take a constant number
of statements. A deleted branch can be brought back for a day.
"""
