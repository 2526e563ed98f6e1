"""The media library: uploads, storage and cards.

Each file is stored through `pictures`. Uploads are checked in a process with limits: pictures are re-encoded from
their pixels (`uploads`, `decoding`), the tracks of videos are packed into a new file (`remuxing`). `card_renderer`
draws cards identically for the designer's preview, a try-out and a run.
"""
