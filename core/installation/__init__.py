"""What all nodes of an installation must have in common: the database's revision, SECRET_KEY, storage and clock.

A process checks them when it starts (`start_checks`). What waiting cannot mend stops the start with one line that says
what to do; what only does not answer yet delays it. Nothing is checked again after it has passed: a newer release that
migrates the database does not make the running nodes unready. `restoring` makes a database safe that comes from a
backup.
"""
