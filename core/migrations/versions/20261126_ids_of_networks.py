"""a network's name of a post may be longer: it holds an account's id, which may have 200 characters itself"""

import sqlalchemy as sa
from alembic import op

revision = "0091"
down_revision = "0090"
branch_labels = None
depends_on = None

_COLUMNS = ("provider_id", "comment_id")


def upgrade() -> None:
    for column in _COLUMNS:
        op.alter_column("deliveries", column, type_=sa.Text(), existing_type=sa.String(200))


def downgrade() -> None:
    for column in _COLUMNS:
        # one that is longer is as if the network had named none
        op.execute(f"UPDATE deliveries SET {column} = NULL WHERE length({column}) > 200")
        op.alter_column("deliveries", column, type_=sa.String(200), existing_type=sa.Text())
