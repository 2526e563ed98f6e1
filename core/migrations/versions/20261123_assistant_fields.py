"""an assistant's own images, hashtags, link, catch-up window and repeats"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

_SOURCES = ("none", "template")


def upgrade() -> None:
    _allow("image_source", "imagesource", (*_SOURCES, "own"))
    for name, kind, default in (
        ("image_order", sa.String(length=32), "in_turn"),
        ("no_repeat", sa.Integer(), "10"),
        ("hashtag_policy", sa.String(length=32), "as_written"),
        ("always_hashtags", postgresql.JSONB(astext_type=sa.Text()), "[]"),
        ("link", sa.String(length=500), ""),
    ):
        op.add_column("assistants", sa.Column(name, kind, nullable=False, server_default=default))
        op.alter_column("assistants", name, server_default=None)
    op.add_column("assistants", sa.Column("most_hashtags", sa.Integer(), nullable=True))
    op.add_column("assistants", sa.Column("catch_up_minutes", sa.Integer(), nullable=True))
    for name, rule in (
        ("imageorder_known", "image_order IN ('in_turn', 'random')"),
        ("hashtagpolicy_known", "hashtag_policy IN ('as_written', 'none', 'at_most')"),
        ("catch_up_range", "catch_up_minutes BETWEEN 0 AND 360"),
        ("no_repeat_range", "no_repeat BETWEEN 0 AND 100"),
        ("hashtags_range", "most_hashtags BETWEEN 0 AND 30"),
    ):
        op.create_check_constraint(op.f(f"ck_assistants_{name}"), "assistants", rule)
    op.create_table(
        "assistant_images",
        sa.Column("assistant_id", sa.Uuid(), nullable=False),
        sa.Column("media_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        *(
            sa.ForeignKeyConstraint(
                [f"{column}"], [f"{table}.id"], name=op.f(f"fk_assistant_images_{column}_{table}"), ondelete="CASCADE"
            )
            for column, table in (("assistant_id", "assistants"), ("media_id", "media"), ("user_id", "users"))
        ),
        sa.PrimaryKeyConstraint("assistant_id", "media_id", name=op.f("pk_assistant_images")),
    )
    for column in ("media_id", "user_id"):
        op.create_index(op.f(f"ix_assistant_images_{column}"), "assistant_images", [column])


def downgrade() -> None:
    op.drop_table("assistant_images")
    for name in ("hashtags_range", "no_repeat_range", "catch_up_range", "hashtagpolicy_known", "imageorder_known"):
        op.drop_constraint(op.f(f"ck_assistants_{name}"), "assistants")
    for name in (
        "catch_up_minutes",
        "most_hashtags",
        "link",
        "always_hashtags",
        "hashtag_policy",
        "no_repeat",
        "image_order",
    ):
        op.drop_column("assistants", name)
    op.execute("UPDATE assistants SET image_source = 'none' WHERE image_source = 'own'")
    _allow("image_source", "imagesource", _SOURCES)


def _allow(column: str, enum: str, values: tuple[str, ...]) -> None:
    name = op.f(f"ck_assistants_{enum}_known")
    op.drop_constraint(name, "assistants")
    listed = ", ".join(f"'{value}'" for value in values)
    op.create_check_constraint(name, "assistants", f"{column} IN ({listed})")
