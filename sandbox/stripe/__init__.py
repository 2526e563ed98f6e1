"""A stand-in for Stripe: what a subscription needs of its API, its pages, its webhooks, and a clock to move.

The API is at `/stripe/v1`, so `/stripe` is the address that the library is pointed at. What is done to it beside that,
as JSON (`standin.py`) and at `/stripe/` by hand (`screens.py`):

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

Customers, subscriptions, events and the clock outlive a restart; the endpoint, what is held back and the settings do
not, nor do the keys of idempotency. Faults (`on`: `stripe`, `stripe_checkout` and so on) are those of `faults.py`.
"""
