"""What a reference may say beside its arrays; see check.py."""


def tolerance(relative, absolute=0.0):
    """Floats may be off by this; without it they are equal to the last bit and the sign of 0."""
    return _fact("tolerance", (relative, absolute))


def options(*words):
    """More words for the command line of `kjit run`."""
    return _fact("options", list(words))


def fails(status, message):
    """The run ends with this exit status, and its stderr matches the regular expression."""
    return _fact("fails", (status, message))


def needs(capability):
    """Only GPUs from this one on have it: 90 for sm_90."""
    return _fact("needs", capability)


def _fact(name, value):
    def mark(reference):
        setattr(reference, name, value)
        return reference
    return mark
