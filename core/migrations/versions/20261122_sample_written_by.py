"""sample written by"""

import sqlalchemy as sa
from alembic import op

revision = '0012'
down_revision = '0011'
branch_labels = None
depends_on = None

TABLES = ('templates', 'starter_templates')


def upgrade() -> None:
    for table in TABLES:
        op.add_column(table, sa.Column('sample_written_by', sa.String(100), nullable=False, server_default=''))
        # whose samples of before are, nobody noted; from here on the code says it
        op.alter_column(table, 'sample_written_by', server_default=None)


def downgrade() -> None:
    for table in TABLES:
        op.drop_column(table, 'sample_written_by')
