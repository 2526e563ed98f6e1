"""Templates with variables: versions, the marketplace and try-outs.

Each change of a template is a version. An assistant is pinned to one version; the marketplace shows the newest.
The bundled templates are `starters/*.json`; the worker writes them into their table when it starts. A try-out is
saved as a row first, then run by a workflow that gets only ids (`workflows/tryout.py`).
"""
