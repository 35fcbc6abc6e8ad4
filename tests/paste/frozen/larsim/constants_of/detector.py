"""Sets detector constants."""
import numpy as np
import yaml

#: Electric field, kV/cm
E_FIELD = 0.50
#: Drift velocity, cm/us
V_DRIFT = 0.1648
#: Electron lifetime, us
ELECTRON_LIFETIME = 2.2e3
LONG_DIFF = 4.0e-6
TRAN_DIFF = 8.8e-6
TPC_BORDERS = np.array([[[-31.0, 31.0], [-62.0, 62.0], [-31.0, -0.4]],
                        [[-31.0, 31.0], [-62.0, 62.0], [31.0, 0.4]]], dtype=np.float32)
TIME_SAMPLING = 0.1
TIME_INTERVAL = (0, 200.0)
N_PIXELS = 64, 128
PIXEL_PITCH = 0.4434
MAX_ADC_VALUES = 10
SAMPLED_POINTS = int(1.0 / TIME_SAMPLING) * 4


def get_n_modules(borders):
    return {len(b) for b in borders}


def set_detector_properties(detprop_file: str, pixel_file: str):
    """Changes what this module holds by what the files say."""
    global PIXEL_PITCH, TPC_BORDERS
    with open(detprop_file) as df:
        detprop = yaml.load(df, Loader=yaml.FullLoader)
    PIXEL_PITCH = detprop["pixel_pitch"]
    TPC_BORDERS = np.zeros((len(detprop["tpcs"]), 3, 2))
    for itpc, tpc in enumerate(detprop["tpcs"]):
        TPC_BORDERS[itpc] = [(lo, hi) for lo, hi in tpc]
