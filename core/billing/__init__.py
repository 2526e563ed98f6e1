"""Subscriptions by Stripe, and what they allow.

How a subscription stands is fetched from Stripe and kept; a webhook only says that something changed (decision
49). `entitlements` alone decides what a user may do: asked at activation, before a model is called, when a post is
planned, before a run's paid steps and when a delivery is armed. Where nobody is charged, it asks no database.
"""
