"""websites, and articles: posts that go to them"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0093"
down_revision = "0092"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "websites",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_websites_account_id_accounts"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_websites_user_id_users"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_websites")),
        sa.UniqueConstraint("account_id", name=op.f("uq_websites_account_id")),
    )
    op.create_index(op.f("ix_websites_user_id"), "websites", ["user_id"])
    op.add_column("posts", sa.Column("article", postgresql.JSONB(astext_type=sa.Text())))
    op.drop_index("ix_posts_counted", "posts")
    op.create_index(
        "ix_posts_counted",
        "posts",
        ["user_id", "status"],
        postgresql_where=sa.text("deleted_at IS NULL AND article IS NULL"),
    )
    op.create_index(
        "ix_posts_articles",
        "posts",
        ["user_id", sa.text("planned_at DESC NULLS LAST"), sa.text("id DESC")],
        postgresql_where=sa.text("deleted_at IS NULL AND article IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_index("ix_posts_articles", "posts")
    op.drop_index("ix_posts_counted", "posts")
    op.create_index(
        "ix_posts_counted", "posts", ["user_id", "status"], postgresql_where=sa.text("deleted_at IS NULL")
    )
    op.drop_column("posts", "article")
    op.drop_table("websites")
