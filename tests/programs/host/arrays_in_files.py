# np.save() and np.load() with files that are open.
import io
import os
import tempfile
import numpy as np

t = np.dtype([("id", "i4"), ("x", "f8")], align=True)
r = np.zeros(3, t)
r["id"] = [3, 1, 2]
buf = io.BytesIO()
np.save(buf, np.arange(6).reshape(2, 3))
np.save(buf, r)
np.save(buf, np.asfortranarray(np.eye(2, 3, dtype=np.float32)))
np.save(buf, 2.5)
print(len(buf.getvalue()), buf.getvalue()[:6])
buf.seek(0)
print(np.load(buf), np.load(buf)["id"], sep="\n")
e = np.load(buf)
print(e, e.dtype, e.flags["F_CONTIGUOUS"], np.load(buf))
try:
    np.load(buf)
except EOFError as e:
    print(e)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "two.npy")
    with open(path, "wb") as f:
        np.save(f, np.array([1.5, 2]))
        np.save(f, np.array([True, False]))
    with open(path, "rb") as f:
        print(np.load(f), np.load(f))
    print(np.load(path), os.path.getsize(path))


# What fails leaves no files behind.
class Full:
    def write(self, data):
        raise OSError("disk full")


with tempfile.TemporaryDirectory() as folder:
    os.environ["TMPDIR"] = folder
    for attempt in (lambda: np.save(Full(), np.arange(3)),
                    lambda: np.load(io.BytesIO(b"\x93NUMPY\x01\x00\x10\x00 no header at all"))):
        try:
            attempt()
        except (OSError, ValueError) as e:
            print(isinstance(e, OSError) or "header" in str(e), os.listdir(folder))
