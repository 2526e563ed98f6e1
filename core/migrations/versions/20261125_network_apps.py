"""ways to a network's server: apps that were registered there"""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "network_apps",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("base_url", sa.Text(), nullable=False),
        sa.Column("redirect_uri", sa.Text(), nullable=False),
        sa.Column("client_id", sa.Text(), nullable=False),
        sa.Column("client_secret_encrypted", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("kind", "base_url", "redirect_uri", name="uq_network_apps_kind_base_url_redirect_uri"),
    )
    op.add_column("connect_attempts", sa.Column("base_url", sa.Text(), nullable=False, server_default=""))
    op.alter_column("connect_attempts", "base_url", server_default=None)


def downgrade() -> None:
    op.drop_column("connect_attempts", "base_url")
    op.drop_table("network_apps")
