"""np.savez and what np.load makes of it."""
import os
import tempfile

import numpy as np

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "all.npz")
    np.savez(path, np.arange(3), x=np.eye(2), y=np.float32([1.5]))
    with np.load(path) as z:
        print(z.files, z["arr_0"], z["x"], z["y"].dtype, "x" in z, len(z), sorted(z))
        for k, v in z.items():
            print(k, v.shape)
    d = np.load(path)
    try:
        d["no"]
    except KeyError as e:
        print(e)
    np.savez_compressed(os.path.join(folder, "c"), a=np.zeros((3, 2)))
    print(np.load(os.path.join(folder, "c.npz"))["a"].shape, sorted(os.listdir(folder)))
