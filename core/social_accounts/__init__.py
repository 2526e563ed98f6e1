"""Accounts at networks: connecting them, their grants, renewal and check.

A grant is what a network has granted: tokens and scopes, encrypted. Accounts refer to it. It is revoked at the network
with the last of its accounts, unless another user uses the same grant (decisions 50 and 77). A workflow per grant
renews it before its end, and warns its user in time where that is impossible (`workflows/grant.py`, decision 58).
"""
