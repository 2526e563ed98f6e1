"""One module per network or kind of site, named after its `ChannelKind`, and the code they share.

`base` is what the engine calls, with the types of `connections` and `posts`. The engine asks what an adapter can do and
never which network it is; `registry.channel` imports the module by name. Networks of one API share a module (`graph`),
and so do kinds of site (`site_parts`). "Add a network" in CONTRIBUTING.md names each file. Facts and their sources are
in `docs/networks/`, those of LinkedIn and Meta in decisions 57, 60 and 61.
"""
