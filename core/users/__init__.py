"""People who sign in: identity, sessions, two-step login, API keys, invitations, export and deletion.

"User" is the person; "account" is a social account (`core.social_accounts`). A call carries an opaque token; what
of it a route needs stands in `api/dependencies.py`. What concerns a user's safety is a row (`security_events`) and
a line of the log.

Deleting a user waits until nothing more can go out. Then the worker (`temporal/account_deletion.py`) ends and
deletes the workflows, revokes tokens at the networks, and removes files and rows, the user's row last. A crash in
between is found and finished (decision 6).
"""
