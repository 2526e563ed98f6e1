"""E-mail addresses."""

from email_validator import EmailNotValidError, validate_email

from core.texts.rules.texts import without_invisible


def normal_email(email: str) -> str | None:
    """Return the normalized address, or None if it is invalid. Makes no DNS query."""
    try:
        return validate_email(without_invisible(email), check_deliverability=False).normalized
    except EmailNotValidError:
        return None
