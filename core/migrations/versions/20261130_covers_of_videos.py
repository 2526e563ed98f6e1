"""images that are covers of videos are found by their id"""

from core.migrations.concurrently import create_index, drop_index

revision = "0119"
down_revision = "0118"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_index("ix_post_files_cover_id", "post_files", ["cover_id"])


def downgrade() -> None:
    drop_index("ix_post_files_cover_id", "post_files")
