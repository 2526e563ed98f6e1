"""Topic trees and subtopics suggested by a model.

Topics are numbered in reading order, so a branch is one range: adding, moving and deleting take a constant number
of statements. A deleted branch can be restored for a day.
"""
