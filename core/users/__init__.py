"""People who sign in: identity, sessions, two-step login, API keys, invitations, export and deletion.

"User" is the person; "account" is a social account (`core.social_accounts`). A call carries an opaque token; the
scopes that routes need are in `api/dependencies.py`. Security events are rows (`security_events`) and log lines.

Deleting a user waits until nothing more can be published. Then the worker (`temporal/account_deletion.py`) ends and
deletes the workflows, revokes tokens at the networks, and removes files and rows, the user's row last. After a crash
the deletion is resumed (decision 6).
"""
