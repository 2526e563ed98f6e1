"""Approvals of posts before they are published.

An answer is bound to exactly the content that was shown, by its hash. A request is sent by mail, with a reminder, and
has a deadline that decides if nobody answers. The link in the mail answers without signing in (decision 43).
"""
