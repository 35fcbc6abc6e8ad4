"""Everything that can be set."""
import json
from pathlib import Path
import numpy as np

_HERE = Path(__file__).resolve().parent
_defaults = json.loads((_HERE / "defaults.json").read_text()) if (_HERE / "defaults.json").exists() else {}

real = np.float64
integer = np.int32
charge, mass = -1.602176634e-19, 9.1093837015e-31
qm = charge / mass
NX = 64
LENGTH = 1.0
DX = LENGTH / NX
VERBOSE = _defaults.get("verbose", False)
