"""what retention looks for has b-trees: a BRIN index keeps the times of removed rows, until it leads to the whole table"""

import sqlalchemy as sa

from core.migrations.concurrently import create_index, drop_index

revision = "0115"
down_revision = "0114"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_index(
        "ix_transactions_without_run", "transactions", ["created_at"], postgresql_where=sa.text("run_id IS NULL")
    )
    create_index("ix_delivery_entries_oldest", "delivery_entries", ["at"])
    drop_index("ix_transactions_created_at", "transactions")
    drop_index("ix_delivery_entries_at", "delivery_entries")


def downgrade() -> None:
    create_index("ix_transactions_created_at", "transactions", ["created_at"], postgresql_using="brin")
    create_index("ix_delivery_entries_at", "delivery_entries", ["at"], postgresql_using="brin")
    drop_index("ix_transactions_without_run", "transactions")
    drop_index("ix_delivery_entries_oldest", "delivery_entries")
