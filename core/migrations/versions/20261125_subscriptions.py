"""who has subscribed to what, and what the payment provider told"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "subscriptions",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("customer_id", sa.String(length=255), nullable=True),
        sa.Column("checkout_id", sa.String(length=255), nullable=True),
        sa.Column("checkout_price_id", sa.String(length=255), nullable=True),
        sa.Column("checkout_number", sa.Integer(), nullable=False),
        sa.Column("paid", postgresql.JSONB(), nullable=True),
        sa.Column("had_one", sa.Boolean(), nullable=False),
        sa.Column("past_due_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("locked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("fetched_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("fetches", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_subscriptions_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_subscriptions")),
        sa.UniqueConstraint("customer_id", name=op.f("uq_subscriptions_customer_id")),
    )
    op.create_table(
        "stripe_prices",
        sa.Column("id", sa.String(length=255), nullable=False),
        sa.Column("price", postgresql.JSONB(), nullable=False),
        sa.Column("fetched_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stripe_prices")),
    )
    op.create_table(
        "stripe_events",
        sa.Column("id", sa.String(length=255), nullable=False),
        sa.Column("type", sa.String(length=100), nullable=False),
        sa.Column("customer_id", sa.String(length=255), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("processed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("outcome", sa.String(length=64), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stripe_events")),
    )
    op.create_index(op.f("ix_stripe_events_customer_id"), "stripe_events", ["customer_id"])
    op.create_index(
        "ix_stripe_events_open",
        "stripe_events",
        ["received_at"],
        postgresql_where=sa.text("processed_at IS NULL"),
    )


def downgrade() -> None:
    op.drop_table("stripe_events")
    op.drop_table("stripe_prices")
    op.drop_table("subscriptions")
