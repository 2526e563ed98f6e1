"""a delivery knows the version by which a person let it go out after its run"""

import sqlalchemy as sa
from alembic import op

revision = "0086"
down_revision = "0085"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("deliveries", sa.Column("opened_in_version", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("deliveries", "opened_in_version")
