"""Delivering posts exactly once: ledger, fence, look-up, outcomes, removal and first comments.

Temporal repeats a step whose outcome it does not know, and no network offers an idempotency key. So the ledger
decides: one row of `deliveries` per post and account.

1. Intent: under a row lock, this attempt writes its id.
2. The wait for the slot, inside the activity.
3. Fence: `called_at` is set only while the attempt is the current one, nobody has called yet, the account is
   connected by the very token of the prepared call, the content is approved, and it is not too late: one
   statement, by the database's clock.
4. The publishing call, with a time-out of its own.
5. Receipt: published, id and permalink, in one commit.

An attempt that finds another attempt's `called_at` waits until that call must be over, then asks the network
(`lookup`). Proof of presence settles the row, proof of absence clears the fence; where the network cannot tell,
the delivery is `unknown` and a person decides. Only a clear "no effect" clears the fence without asking
(`failed_attempts`).

A delivery is held with a deadline while its account needs reconnecting, its network takes nothing, or the settings
of this server are wrong (`deadlines`, decisions 62, 84 and 85). Each worker process holds an advisory lock of
PostgreSQL; when a worker dies, others let Temporal repeat its steps at once (`temporal/dead_workers.py`, decision
79).
"""
