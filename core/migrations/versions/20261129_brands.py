"""brands, which assistants choose; what a second look found, and what a model wrote first

The tones of templates become brands when the new release's worker starts."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0116"
down_revision = "0115"
branch_labels = None
depends_on = None

_ADDRESSES = ("any", "informal", "formal")
_EMOJI = ("none", "sparing", "free")
_HASHTAGS = ("none", "network")
_FONTS = ("schibsted", "source_sans", "source_serif", "zilla_slab")
_TEXTS_PER = ("post", "network")
_SECOND_LOOKS = ("off", "rules", "revision")


def _status(name: str, values: tuple[str, ...], *, constraint: bool = True) -> sa.Enum:
    return sa.Enum(*values, name=f"{name}_known", native_enum=False, create_constraint=constraint, length=32)


def upgrade() -> None:
    op.create_table(
        "brands",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("audience", sa.Text(), nullable=False),
        sa.Column("voice", sa.Text(), nullable=False),
        sa.Column("dos", postgresql.JSONB(), nullable=False),
        sa.Column("donts", postgresql.JSONB(), nullable=False),
        sa.Column("address", _status("address", _ADDRESSES), nullable=False),
        sa.Column("emoji", _status("emojiuse", _EMOJI), nullable=False),
        sa.Column("hashtags", _status("hashtaguse", _HASHTAGS), nullable=False),
        sa.Column("words_to_use", postgresql.JSONB(), nullable=False),
        sa.Column("words_to_avoid", postgresql.JSONB(), nullable=False),
        sa.Column("facts", postgresql.JSONB(), nullable=False),
        sa.Column("examples", postgresql.JSONB(), nullable=False),
        sa.Column("languages", postgresql.JSONB(), nullable=False),
        sa.Column("logo_id", sa.Uuid(), nullable=True),
        sa.Column("ground", sa.String(length=7), nullable=True),
        sa.Column("ink", sa.String(length=7), nullable=True),
        sa.Column("accent", sa.String(length=7), nullable=True),
        sa.Column("font", _status("cardfont", _FONTS), nullable=True),
        sa.Column("utm", postgresql.JSONB(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["logo_id"], ["media.id"], name="fk_brands_logo_id_media", ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_brands_user_id_users", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_brands"),
    )
    op.create_index("ix_brands_named", "brands", ["user_id", sa.text("lower(name)"), "id"])
    op.create_index("ix_brands_logo_id", "brands", ["logo_id"])

    op.add_column("assistants", sa.Column("brand_id", sa.Uuid(), nullable=True))
    op.create_foreign_key(
        "fk_assistants_brand_id_brands",
        "assistants",
        "brands",
        ["brand_id"],
        ["id"],
        ondelete="SET NULL",
        postgresql_not_valid=True,
    )
    op.execute("ALTER TABLE assistants VALIDATE CONSTRAINT fk_assistants_brand_id_brands")
    # assistants of before go on as they were; new ones get their defaults from the application
    _add_status("text_per", "textper", _TEXTS_PER, "post")
    _add_status("second_look", "secondlook", _SECOND_LOOKS, "rules")

    # rows of before, and those that the older release adds: the worker converts them (core/brands/tones.py)
    op.add_column("templates", sa.Column("tone_converted", sa.Boolean(), nullable=False, server_default=sa.false()))

    op.add_column(
        "posts", sa.Column("review", postgresql.JSONB(), nullable=False, server_default=sa.text("'[]'::jsonb"))
    )
    op.add_column("posts", sa.Column("written", postgresql.JSONB(none_as_null=True), nullable=True))


def _add_status(column: str, kind: str, values: tuple[str, ...], of_before: str) -> None:
    """Add a column to the assistants and check its values."""
    status = _status(kind, values, constraint=False)
    op.add_column("assistants", sa.Column(column, status, nullable=False, server_default=of_before))
    name = f"ck_assistants_{kind}_known"
    listed = ", ".join(f"'{value}'" for value in values)
    op.create_check_constraint(op.f(name), "assistants", f"{column} IN ({listed})", postgresql_not_valid=True)
    op.execute(f"ALTER TABLE assistants VALIDATE CONSTRAINT {name}")


def downgrade() -> None:
    op.drop_column("posts", "written")
    op.drop_column("posts", "review")
    op.drop_column("templates", "tone_converted")
    op.drop_column("assistants", "second_look")
    op.drop_column("assistants", "text_per")
    op.drop_column("assistants", "brand_id")
    op.drop_table("brands")
