import base64
import binascii
import hashlib
import struct
import zlib
import numpy as np
a = np.arange(1000, dtype=np.int32)
print(hashlib.md5().hexdigest(), hashlib.sha1(b"abc").hexdigest())
h = hashlib.sha256()
h.update(b"abc"); h.update(a.tobytes())
print(h.hexdigest(), h.digest()[:4], h.digest_size, h.block_size, h.name, h.copy().hexdigest() == h.hexdigest())
print(hashlib.sha512(a).hexdigest()[:20], hashlib.new("SHA1", b"x").hexdigest(), hashlib.sha384("ä".encode()).hexdigest()[:9])
print(int(hashlib.sha256(b"seed").hexdigest()[:8], 16))
try:
    hashlib.md5("text")
except TypeError as e:
    print(e)
try:
    hashlib.new("nope")
except ValueError as e:
    print(e)
print(zlib.crc32(b"hello"), zlib.crc32(b"lo", zlib.crc32(b"hel")), zlib.adler32(b"hello world"), zlib.adler32(a.tobytes()), zlib.adler32(b"\xff" * 9000))
packed = zlib.compress(a.tobytes(), 9)
print(len(packed) < a.nbytes, zlib.decompress(packed) == a.tobytes(), zlib.decompress(zlib.compress(b"")), len(zlib.decompress(zlib.compress(bytes(300000)))))
try:
    zlib.decompress(b"not packed")
except zlib.error as e:
    print("zlib.error")
print(binascii.crc32(b"x"), binascii.hexlify(b"\x00\xff"), binascii.unhexlify("00ff"), binascii.hexlify(b"abc").decode())
try:
    binascii.unhexlify("0")
except binascii.Error as e:
    print(e)
for n in range(5):
    e = base64.b64encode(bytes(range(250, 250 + n)))
    print(e, base64.b64decode(e), base64.urlsafe_b64encode(bytes(range(250, 250 + n))))
print(base64.b64decode("aGVsbG8="), base64.b16encode(b"hi"))
def chunk(tag, data):
    c = struct.pack(">I", len(data)) + tag + data
    return c + struct.pack(">I", binascii.crc32(tag + data) & 0xffffffff)
print(chunk(b"IEND", b""))


def says(function, *values):
    for value in values:
        try:
            print(function.__name__, function(value))
        except (TypeError, ValueError) as e:
            print(function.__name__, type(e).__name__, e)


grid = np.arange(6, dtype=np.int16).reshape(2, 3)
for refused in (3, True, None, 1.5, 1j, [1, 2], (1,), {}, range(3), object(), print, "x", grid.T, grid[:, ::2], grid[::-1]):
    try:
        print(hashlib.sha256(refused).hexdigest())
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
h = hashlib.md5(grid[1])
for value in ([1, 2], 7, grid.T):
    try:
        h.update(value)
    except (TypeError, ValueError) as e:
        print(e)
for value in (np.int64(3), np.float32(1.5), np.bool_(True), np.complex128(1j), np.array(2.5), grid[:1], bytearray(b"ab"), np.zeros(2, dtype=[("a", "i4"), ("b", "f8")])):
    h.update(value)
    print(h.hexdigest())
for function in (zlib.crc32, zlib.adler32, binascii.crc32, binascii.hexlify, base64.b64encode, base64.b16encode, base64.urlsafe_b64encode):
    says(function, 3, [1, 2], None, "x", grid.T, np.int16(5), grid, bytearray(b"q"))
says(zlib.compress, 3, "x", grid.T)
says(zlib.decompress, 3, [1], grid.T)
