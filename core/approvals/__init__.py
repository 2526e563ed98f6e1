"""Questions about posts before they go out, and their answers.

An answer is bound to exactly what was shown, by the hash of the content. A question goes out by mail, reminds, and
lets its deadline decide. The link of the mail answers without a sign-in (decision 43).
"""
