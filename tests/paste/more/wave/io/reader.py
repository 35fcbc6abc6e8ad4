import struct
from ..core import grid


def read(path, *, dtype="<f4"):
    with open(path, "rb") as stream:
        header = stream.read(3600)
        while chunk := stream.read(240):
            yield struct.unpack(f">{len(chunk) // 4}i", chunk), header[:4]
