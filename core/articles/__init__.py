"""Articles: drafts, writing part by part, revisions and announcements.

An article is a post whose `article` is set and whose account is a website (decision 69). A website's assistant writes
it part by part: outline, sections, summary, search texts, each a model call and a step (`writing`, decision 72).
A published article can be announced by a social post (`announcements`), automatically if the website's settings
say so (`auto_announcements`). A change of a published article is a revision, requested in its delivery's row
(`revisions`, decision 73).
"""
