"""The layout of mails. Their words are in `core/locales`."""
