"""Stripe subscriptions and the limits they set.

A subscription's state is fetched from Stripe and stored; a webhook only says that it changed (decision 49). Only
`entitlements` decides what a user may do: at activation, before model calls, when a post is planned, before a run's
paid steps and when a delivery is armed. Without billing it makes no query.
"""
