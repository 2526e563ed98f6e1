"""Signs of life of the worker processes, and the health of what the product stands on."""
