"""In folders without __init__.py."""
HALF_LIFE = 5.27


def decay(t):
    return 0.5 ** (t / HALF_LIFE)
