"""E-mail addresses."""

from email_validator import EmailNotValidError, validate_email

from core.texts.rules.texts import without_invisible


def normal_email(email: str) -> str | None:
    """The one spelling of an address; None where it is none. Nothing is looked up."""
    try:
        return validate_email(without_invisible(email), check_deliverability=False).normalized
    except EmailNotValidError:
        return None
