"""What cannot be done, in words for the person at the screen."""


class Refusal(Exception):
    """Says what is wrong with the scene or the installation, and what to do."""
