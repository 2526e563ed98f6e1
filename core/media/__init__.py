"""The media library: uploads, storage and cards.

Each picture is stored through `pictures`. Uploads are checked and re-encoded from their pixels in a process with
limits (`uploads`, `decoding`). `card_renderer` draws cards identically for the designer's preview, a try-out and a
run.
"""
