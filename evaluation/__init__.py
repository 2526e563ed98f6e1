"""How good the texts are that the product writes: `make evaluate`, described in docs/content.md.

`python -m evaluation` writes posts with the bundled templates and with the demo's topic tree, by the product's own
orders, writer and second look. It judges them by rules and, where a judge is set, by a model, and stores the result as
JSON. It is no part of the wheel, and nothing of the product imports it.
"""
