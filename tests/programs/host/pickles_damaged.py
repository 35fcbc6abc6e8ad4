import io
import pickle

whole = pickle.dumps({"a": [1, 2.5, "x" * 9, (1, 2, 3, 4)], "b": {3, 1 << 70}, "c": b"bytes", "d": [[]] * 2})
damaged = [
    b"junk", b"hello world", b".", b"", b"\x80\x09K\x01.", b"\x80\x05K\x01.", b"\x80\x04", b"\x80", b"K\x01", b"K", b"J\x01.",
    # without what they work on, and with a mark before it
    b"(.", b"(t", b"t.", b"a.", b"s.", b"e.", b"u.", b"K\x01a.", b"]a.", b"(a.", b"](K\x01a.", b"]K\x01u.", b"}K\x01s.", b"}(K\x01u.",
    b"}(K\x01K\x02u.", b"(e.", b"((e.", b"(]K\x01K\x02e.", b"K\x01(]K\x02e.", b"\x85.", b"\x87.", b"K\x01\x86.", b"K\x01(\x85.", b"R.", b"(R.", b"b.", b"0.", b"(0K\x05.",
    b"(00.", b"1.", b"K\x01(1.", b"\x90.", b"\x91.", b"(\x91.", b"\x81.", b"K\x01)\x81.", b"K\x01)R.", b"\x93.", b"K\x01K\x02\x93.", b"(\x93.",
    # what was not remembered
    b"h\x05.", b"j\x05\0\0\0.", b"\x94.", b"q\x01.", b"r\x01\0\0\0.", b"K\x05q\x01h\x01.", b"K\x05\x940h\x00.",
    # codes that there are not
    b"\xff.", b"\n", b"'", b"\\", b"\x7f", b"~", b"\x00", b" ",
    # less than they announce
    b"cfoo", b"X\x05\0\0\0ab.", b"\x8c\x09ab.", b"C\x09ab.", b"B\x09\0\0\0ab.", b"\x95\xff\0\0\0\0\0\0\0K\x01.", b"\x95\x03\0\0\0\0\0\0\0K\x01.",
    b"\x80\x04\x95\x02\0\0\0\0\0\0\0K\x01.", b"K\x01K\x02.", b"(K\x01.", b"\x8a\x02\x01.", b"G\0\0.", b"M\x01", b"N.", "text", 5, None, [46],
]
for data in damaged + [whole[:n] for n in range(len(whole))]:
    try:
        print(data, repr(pickle.loads(data)))
    except Exception as e:
        print(data, type(e).__name__, e)
for data in (whole[:30], b"", b"K"):
    try:
        pickle.load(io.BytesIO(data))
    except (pickle.UnpicklingError, EOFError) as e:
        print(type(e).__name__, e)
print(pickle.loads(bytearray(whole)) == pickle.loads(whole))
