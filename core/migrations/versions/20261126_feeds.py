"""sites that are served here: feeds and what was published in them"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0095"
down_revision = "0094"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "feed_addresses",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("taken_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_feed_addresses")),
    )
    op.create_table(
        "feeds",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("account_id", sa.Uuid(), nullable=False),
        sa.Column("address", sa.String(60), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("author", sa.String(120), nullable=False),
        sa.Column("indexed", sa.Boolean(), nullable=False),
        sa.Column("closed_key", sa.String(64)),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_feeds_account_id_accounts"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_feeds_user_id_users"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_feeds")),
        sa.UniqueConstraint("account_id", name=op.f("uq_feeds_account_id")),
        sa.UniqueConstraint("address", name=op.f("uq_feeds_address")),
    )
    op.create_index(op.f("ix_feeds_user_id"), "feeds", ["user_id"])
    op.create_table(
        "feed_articles",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("feed_id", sa.Uuid(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("html", sa.Text(), nullable=False),
        sa.Column("markdown", sa.Text(), nullable=False),
        sa.Column("tags", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("seo_title", sa.Text(), nullable=False),
        sa.Column("seo_description", sa.Text(), nullable=False),
        sa.Column("canonical_url", sa.Text(), nullable=False),
        sa.Column("images", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("featured", sa.Boolean(), nullable=False),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("removed_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(
            ["feed_id"], ["feeds.id"], name=op.f("fk_feed_articles_feed_id_feeds"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_feed_articles_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_feed_articles")),
    )
    op.create_index(op.f("ix_feed_articles_user_id"), "feed_articles", ["user_id"])
    op.create_index("ix_feed_articles_at", "feed_articles", ["feed_id", "slug"])
    op.create_index(
        "ix_feed_articles_newest",
        "feed_articles",
        ["feed_id", sa.text("published_at DESC"), sa.text("id DESC")],
        postgresql_where=sa.text("removed_at IS NULL"),
    )
    op.create_index(
        "ux_feed_articles_slug",
        "feed_articles",
        ["feed_id", "slug"],
        unique=True,
        postgresql_where=sa.text("removed_at IS NULL"),
    )


def downgrade() -> None:
    op.drop_table("feed_articles")
    op.drop_table("feeds")
    op.drop_table("feed_addresses")
