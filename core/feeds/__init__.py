"""Feeds of topic trees: RSS, Atom and JSON Feed whose new items become topics under a branch.

A workflow for each feed asks its server and sleeps until the next time (decision 135). An item becomes one topic at
most: its row is stored before the topic is made, and says in the topic's transaction that it was.
Not to be confused with the feeds that this installation serves itself (`core/websites`).
"""
