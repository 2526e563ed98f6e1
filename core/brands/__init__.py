"""Brands: for whom, in which voice and with which facts texts are written, and how cards look."""
