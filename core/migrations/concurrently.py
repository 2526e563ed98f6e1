"""What migrations do to large tables while others write to them."""

from collections.abc import Sequence
from typing import Any

from alembic import op


def create_index(name: str, table: str, columns: Sequence[Any], **options: Any) -> None:
    """Create an index without a lock that writers wait for. The migration does nothing else: what stands before it is
    committed, and if it fails, it is done again from its beginning."""
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")  # it waits for all transactions that were open before it
        op.drop_index(name, table, if_exists=True, postgresql_concurrently=True)  # what a try that failed left behind
        op.create_index(name, table, columns, postgresql_concurrently=True, **options)
        op.execute("RESET lock_timeout")


def drop_index(name: str, table: str) -> None:
    """Drop an index without a lock that others wait for, if it is there. The same holds for the migration."""
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        op.drop_index(name, table, if_exists=True, postgresql_concurrently=True)
        op.execute("RESET lock_timeout")
