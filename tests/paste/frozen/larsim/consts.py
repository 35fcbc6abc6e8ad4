"""Constants of the detector, split by what they belong to."""
from types import SimpleNamespace

from .constants_of import detector, light  # noqa: F401


def load_properties(path):
    import yaml

    with open(path) as stream:
        data = yaml.safe_load(stream)
    detector.E_FIELD = data.get("e_field", detector.E_FIELD)
    return SimpleNamespace(**data)
