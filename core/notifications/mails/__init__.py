"""What mails say, in German and English, and how they look."""
