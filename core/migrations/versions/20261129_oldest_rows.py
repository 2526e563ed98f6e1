"""what retention looks for has b-trees: a BRIN index keeps the times of removed rows, until it leads to the whole table"""

import sqlalchemy as sa
from alembic import op

revision = "0115"
down_revision = "0114"
branch_labels = None
depends_on = None


def upgrade() -> None:
    without_run = {"postgresql_where": sa.text("run_id IS NULL")}
    with op.get_context().autocommit_block():
        _create("ix_transactions_without_run", "transactions", "created_at", **without_run)
        _create("ix_delivery_entries_oldest", "delivery_entries", "at")
        _drop("ix_transactions_created_at", "transactions")
        _drop("ix_delivery_entries_at", "delivery_entries")


def downgrade() -> None:
    with op.get_context().autocommit_block():
        _create("ix_transactions_created_at", "transactions", "created_at", postgresql_using="brin")
        _create("ix_delivery_entries_at", "delivery_entries", "at", postgresql_using="brin")
        _drop("ix_transactions_without_run", "transactions")
        _drop("ix_delivery_entries_oldest", "delivery_entries")


def _create(name: str, table: str, column: str, **more: object) -> None:
    _drop(name, table)  # what an interrupted attempt has left is not usable
    op.create_index(name, table, [column], postgresql_concurrently=True, **more)


def _drop(name: str, table: str) -> None:
    op.drop_index(name, table_name=table, if_exists=True, postgresql_concurrently=True)
