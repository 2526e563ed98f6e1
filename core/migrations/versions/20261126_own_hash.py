"""a delivery has a hash of what its account alone gets"""

import sqlalchemy as sa
from alembic import op

revision = "0092"
down_revision = "0091"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("deliveries", sa.Column("own_hash", sa.String(64)))


def downgrade() -> None:
    op.drop_column("deliveries", "own_hash")
