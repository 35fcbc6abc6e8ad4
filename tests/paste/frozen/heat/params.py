import os

NX = int(os.environ.get("NX", 512))
NY = NX
ALPHA = 0.1
DX = DY = 1.0 / 511
BLOCK = (16, 16)
RESULTS = {"dir": "out", "fmt": ("png", "svg")}
