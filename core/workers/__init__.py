"""Heartbeats of the worker processes, and the health of database and worker."""
