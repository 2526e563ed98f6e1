"""What migrations do to large tables while others write to them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from alembic import op


def create_index(name: str, table: str, columns: Sequence[Any], **options: Any) -> None:
    """Create an index without a lock that writers wait for. The migration does nothing else: what stands before it is
    committed, and if it fails, it is done again from its beginning."""
    with _without_limit():  # it waits for all transactions that were open before it
        op.drop_index(name, table, if_exists=True, postgresql_concurrently=True)  # what a try that failed left behind
        op.create_index(name, table, columns, postgresql_concurrently=True, **options)


def drop_index(name: str, table: str) -> None:
    """Drop an index without a lock that others wait for, if it is there. The same holds for the migration."""
    with _without_limit():
        op.drop_index(name, table, if_exists=True, postgresql_concurrently=True)


@contextmanager
def _without_limit() -> Iterator[None]:
    """Outside of a transaction, with lock_timeout set aside: not RESET, since it is set in the session."""
    with op.get_context().autocommit_block():
        op.execute("SELECT set_config('postloom.lock_timeout', current_setting('lock_timeout'), false)")
        op.execute("SET lock_timeout = 0")
        yield
        op.execute("SELECT set_config('lock_timeout', current_setting('postloom.lock_timeout'), false)")
