"""old evidence can be removed: sums of removed model calls, totals of runs, and indexes that find what is old"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0113"
down_revision = "0112"
branch_labels = None
depends_on = None
offline = True  # nobody can write to these tables meanwhile

_TYPES = ("text", "image")
_OUTCOMES = ("calling", "succeeded", "refused", "incomplete", "failed", "lost")


def _status(name: str, values: tuple[str, ...]) -> sa.Enum:
    return sa.Enum(*values, name=f"{name}_known", native_enum=False, create_constraint=True, length=32)


def upgrade() -> None:
    op.create_table(
        "usage_sums",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("type", _status("transactiontype", _TYPES), nullable=False),
        sa.Column("outcome", _status("calloutcome", _OUTCOMES), nullable=False),
        sa.Column("cause", sa.String(length=16), nullable=False),
        sa.Column("provider", sa.String(length=64), nullable=False),
        sa.Column("model", sa.String(length=100), nullable=False),
        sa.Column("assistant_id", sa.Uuid(), nullable=True),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cached_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("images", sa.Integer(), nullable=False),
        sa.Column("cost_micros", sa.BigInteger(), nullable=False),
        sa.Column("uncounted", sa.Integer(), nullable=False),
        sa.Column("unpriced", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assistant_id"], ["assistants.id"], name="fk_usage_sums_assistant_id_assistants", ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_usage_sums_user_id_users", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_usage_sums"),
    )
    op.create_index("ix_usage_sums_user_id_at", "usage_sums", ["user_id", "at"])
    op.create_index("ix_usage_sums_assistant_id", "usage_sums", ["assistant_id"])
    op.add_column("runs", sa.Column("totals", postgresql.JSONB(none_as_null=True), nullable=True))
    unfolded = sa.text("totals IS NULL AND finished_at IS NOT NULL")
    op.create_index("ix_runs_in_full", "runs", ["finished_at"], postgresql_where=unfolded)
    op.create_index("ix_transactions_created_at", "transactions", ["created_at"], postgresql_using="brin")
    op.create_index("ix_delivery_entries_at", "delivery_entries", ["at"], postgresql_using="brin")


def downgrade() -> None:
    if op.get_bind().scalar(sa.text("SELECT EXISTS (SELECT FROM usage_sums)")):
        raise RuntimeError("usage_sums has the only record of model calls that were removed: restore a backup instead")
    op.drop_index("ix_delivery_entries_at", table_name="delivery_entries")
    op.drop_index("ix_transactions_created_at", table_name="transactions")
    op.drop_index("ix_runs_in_full", table_name="runs")
    op.drop_column("runs", "totals")
    op.drop_table("usage_sums")
