"""The texts of mails in German and English, and their layout."""
