"""media by assistant"""

import sqlalchemy as sa
from alembic import op

revision = '0016'
down_revision = '0015'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column('media', sa.Column('by_assistant', sa.Boolean(), nullable=False, server_default='false'))
    # what is in an assistant's post, and nobody uploaded, was made for it
    op.execute(
        """
        UPDATE media SET by_assistant = true
        FROM post_files, posts
        WHERE post_files.media_id = media.id AND posts.id = post_files.post_id AND posts.source = 'assistant'
          AND media.source <> 'upload'
        """
    )
    # from here on the code says it
    op.alter_column('media', 'by_assistant', server_default=None)


def downgrade() -> None:
    op.drop_column('media', 'by_assistant')
