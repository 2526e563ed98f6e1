"""Articles: drafts, writing part by part, revisions and announcements.

An article is a post whose `article` is set and whose account is a website (decision 69). An assistant of a website
writes it part by part: outline, sections, summary, search texts, each a call and a step (`writing`, decision 72).
A published article can be announced by a social post (`announcements`), by itself where the website's setting says
so (`auto_announcements`). A change of a published article is a revision, a wish on its delivery's row
(`revisions`, decision 73).
"""
