"""Alembic's entry: one history for all tables."""

import os
import time

from alembic import context
from sqlalchemy import create_engine

from core.tables import Base

config = context.config
url = config.attributes.get("database_url") or os.environ.get("DATABASE_URL", "")
url = url.replace("postgresql://", "postgresql+psycopg://", 1)

if context.is_offline_mode():
    context.configure(url=url, target_metadata=Base.metadata, literal_binds=True)
    with context.begin_transaction():
        context.run_migrations()
else:
    engine = create_engine(url, hide_parameters=True, connect_args={"application_name": "postloom migrate"})
    with engine.connect() as connection:
        # two starts at once: the second waits and finds nothing left to do. It waits without a transaction: an index
        # that is built concurrently waits for those
        while not connection.exec_driver_sql("SELECT pg_try_advisory_lock(7305441)").scalar():
            connection.rollback()
            time.sleep(0.5)
        connection.commit()
        context.configure(connection=connection, target_metadata=Base.metadata, compare_type=True)
        with context.begin_transaction():
            context.run_migrations()
        connection.commit()
        connection.exec_driver_sql("SELECT pg_advisory_unlock(7305441)")
    engine.dispose()
