"""numba.config: what programs set there reads as they set it, and does nothing; what they read is 0."""
DISABLE_JIT = ENABLE_CUDASIM = 0


def __getattr__(name):
    if name.isupper():
        return 0
    raise AttributeError(name)


def reload_config():
    pass
