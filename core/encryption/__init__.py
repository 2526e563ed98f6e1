"""All encrypted columns, and the rotation of their key."""
