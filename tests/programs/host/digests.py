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
