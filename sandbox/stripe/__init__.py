"""Stand-in for Stripe: the API, pages and webhooks that a subscription needs, and a clock that can be moved.

The API is at `/stripe/v1`, so `/stripe` is the library's base address. The controls, as JSON (`standin.py`) and for
people at `/stripe/` (`screens.py`):

    POST /stripe/clock/                             {"days": 14}, {"seconds": 60} or {"to": "2027-01-31T12:00:00Z"}
    POST /stripe/endpoint/                          {"url": "http://…", "secrets": ["whsec_…"]}
    POST /stripe/delivery/                          {"mode": "shuffled", "seed": 4, "skew_seconds": 0}
    POST /stripe/delivery/release/                  {"order": "reversed", "times": 2} or {"ids": ["evt_…"]}
    POST /stripe/settings/                          {"after_retries": "unpaid", "keys": ["sk_test_…"]}
    POST /stripe/prices/                            {"unit_amount": 3900, "interval": "year", "active": true}
    POST /stripe/customers/ID-OR-EMAIL/next-payment/  {"outcome": "declined" or "asks", "times": 1}
    POST /stripe/customers/ID-OR-EMAIL/refund/      {"amount": 900}
    DELETE /stripe/customers/ID-OR-EMAIL/
    DELETE /stripe/state/?all=true

Customers, subscriptions, events and the clock outlive a restart; the endpoint, held events, settings and idempotency
keys do not. Faults (`on`: `stripe`, `stripe_checkout` and so on) are added as for the networks (`sandbox/faults.py`).
"""
