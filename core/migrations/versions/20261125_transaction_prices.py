"""transactions keep cached tokens and the price that was used, and are listed by page"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("transactions", sa.Column("cached_tokens", sa.Integer(), nullable=True))
    op.add_column("transactions", sa.Column("price", postgresql.JSONB(), nullable=True))


def downgrade() -> None:
    op.drop_column("transactions", "price")
    op.drop_column("transactions", "cached_tokens")
