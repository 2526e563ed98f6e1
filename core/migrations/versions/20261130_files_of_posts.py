"""documents and videos beside images, and how a post shows them"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0118"
down_revision = "0117"
branch_labels = None
depends_on = None

_KINDS = ("image", "document", "video")


def upgrade() -> None:
    kinds = sa.Enum(*_KINDS, name="mediakind_known", native_enum=False, create_constraint=False, length=32)
    op.add_column("media", sa.Column("kind", kinds, nullable=False, server_default="image"))
    op.create_check_constraint(
        op.f("ck_media_mediakind_known"),
        "media",
        "kind IN ('image', 'document', 'video')",
        postgresql_not_valid=True,
    )
    op.execute("ALTER TABLE media VALIDATE CONSTRAINT ck_media_mediakind_known")
    op.add_column("media", sa.Column("facts", postgresql.JSONB(), nullable=True))
    op.add_column("post_files", sa.Column("title", sa.String(length=200), nullable=False, server_default=""))
    op.add_column("post_files", sa.Column("cover_id", sa.Uuid(), nullable=True))
    op.create_foreign_key(
        "fk_post_files_cover_id_media", "post_files", "media", ["cover_id"], ["id"], ondelete="SET NULL",
        postgresql_not_valid=True,
    )
    op.execute("ALTER TABLE post_files VALIDATE CONSTRAINT fk_post_files_cover_id_media")


def downgrade() -> None:
    op.drop_column("post_files", "cover_id")
    op.drop_column("post_files", "title")
    op.drop_column("media", "facts")
    op.drop_column("media", "kind")
