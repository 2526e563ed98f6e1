"""Notifications of users: the bell, digests and mails.

A notification is written in the transaction that causes it, once per cause. A mail is a row in the transaction of
its cause; one workflow per row sends it (`workflows/mail.py`), and its history holds only the row's id. The mail's
text is made when it is sent (`mailing`, `mails`). If the mail server is unavailable, a mail is delayed by up to 24
hours; after a lost answer the same mail is sent again with the same Message-ID.
"""
