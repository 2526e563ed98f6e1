"""What users are told: the bell, digests and mails.

A notification is written in the transaction that causes it, once per cause. A mail is a row in the transaction it
tells of; one workflow per row sends it (`workflows/mail.py`), and its history holds the row's id alone. The mail's
text is made when it is sent (`mailing`, `mails`). A mail server that is away delays a mail by up to 24 hours; a
lost answer leads to the same mail again under the same Message-ID.
"""
