import os
import configparser
from pathlib import Path

ROOT = Path(__file__).resolve().parent
DEFAULTS = {
    "grid": {"nx": 32, "ny": 16, "dx": 0.1},
    "solver": {"omega": 1.7, "tol": 1e-6, "scheme": "sor"},
}
cfg = configparser.ConfigParser()
cfg.read(ROOT / "tool.ini")


def get(section, key, default=None):
    return DEFAULTS[section].get(key, default)


nx, ny = (get("grid", k) for k in ("nx", "ny"))
omega = get("solver", "omega")
damping = get("solver", "damping", 0.25)
SCHEME = {"jacobi": 0, "sor": 1}[DEFAULTS["solver"]["scheme"]]
THREADS = (int(os.environ.get("TOOL_TPB", "8")),) * 2
