"""failed attempts of steps and deliveries"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = '0013'
down_revision = '0012'
branch_labels = None
depends_on = None

TABLES = ('run_steps', 'deliveries')


def upgrade() -> None:
    for table in TABLES:
        op.add_column(table, sa.Column('failures', postgresql.JSONB(astext_type=sa.Text()), nullable=False, server_default='[]'))
        # what failed before was never kept; from here on the code says it
        op.alter_column(table, 'failures', server_default=None)


def downgrade() -> None:
    for table in TABLES:
        op.drop_column(table, 'failures')
