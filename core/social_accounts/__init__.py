"""Accounts at networks: connecting them, their grants, renewal and check.

A grant is what a network has granted: tokens and scopes, encrypted. Accounts point to it. It is given back to the
network with the last of its accounts, unless another user posts by the same grant (decisions 50 and 77). A
workflow per grant renews it ahead of its end and tells its user in time where that is impossible
(`workflows/grant.py`, decision 58).
"""
