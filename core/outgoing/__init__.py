"""HTTP calls to other servers: clients, allowed addresses, and records of calls.

Servers that a person names are called only through `destinations`, which refuses internal addresses (decision 63).
"""
