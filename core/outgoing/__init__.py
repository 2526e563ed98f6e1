"""HTTP calls to other servers: clients, addresses that may be asked, and what is recorded of a call.

A server that a person names is asked through `destinations` alone, which refuses addresses inside (decision 63).
"""
