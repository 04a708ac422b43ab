"""What goes wrong, in the words of the command line."""


class Error(Exception):
    """Any error of visviva."""


class SceneError(Error, ValueError):
    """What was asked for cannot be done as it stands: the message names the value and what is allowed."""


class RunError(Error, RuntimeError):
    """What went wrong under way, or with the files of a run."""
