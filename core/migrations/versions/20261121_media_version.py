"""media version"""

import sqlalchemy as sa
from alembic import op

revision = '0006'
down_revision = '0005'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column('media', sa.Column('version', sa.Integer(), nullable=False, server_default='1'))
    # rows of before are all of their first version; from here on the code says it
    op.alter_column('media', 'version', server_default=None)


def downgrade() -> None:
    op.drop_column('media', 'version')
