"""What `kjit bench` and `kjit tune` say, as objects that notebooks draw: bench(), tune()."""
from kjit.measured.benched import Bench, bench  # noqa: F401
from kjit.measured.tuned import Tuning, tune  # noqa: F401
