"""Makes the wheel: a zip file of what `make python` built, with its metadata (PEP 427).

    backend.py PACKAGES OUTPUT VERSION EXTENSION...     for _core.abi3.so OUTPUT/kjit-VERSION-cp39-abi3-PLATFORM.whl,
                                                        for that of a free-threaded Python one of cp313-cp313t

`pip install .` calls build_wheel() and build_sdist() (PEP 517). It needs nothing but Python, and for
build_wheel() what `make` needs.
"""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
METADATA = """Metadata-Version: 2.1
Name: kjit
Version: {version}
Summary: GPU kernels in numba's dialect, compiled at the first call, on a GPU or the processor
License: BSD-2-Clause
Requires-Python: >=3.9
Requires-Dist: numpy
Description-Content-Type: text/markdown

{about}"""
WHEEL = """Wheel-Version: 1.0
Generator: kjit
Root-Is-Purelib: false
Tag: {tag}
"""


def version_of_header():
    text = (ROOT / "include/kjit.h").read_text()
    return ".".join(re.search(rf"KJIT_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def record_row(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def members(packages):
    """The files of the package: (name, bytes, may be run)."""
    for path in sorted((packages / "kjit").rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(packages).as_posix(), path.read_bytes()


def python_tag(extension):
    """Which Pythons load an extension of that name."""
    found = re.fullmatch(r"_core\.cpython-(\d+)t-.*\.so", extension)
    return f"cp{found[1]}-cp{found[1]}t" if found else "cp39-abi3"


def is_code(name):
    return ".so" in name or name == "kjit/kjit"


def platform_tag(files):
    """Where the wheel runs: on every Linux whose C library has what the libraries among the files ask for (PEP 600)."""
    asked = [int(number) for name, data in files if is_code(name) for number in re.findall(rb"GLIBC_2\.(\d+)\b", data)]
    plain = re.sub(r"[-.]", "_", sysconfig.get_platform())
    return f"manylinux_2_{max(asked)}_{plain.removeprefix('linux_')}" if asked and plain.startswith("linux_") else plain


def write_wheel(packages, output, version, extension):
    own = [file for file in members(packages) if not re.match(r"kjit/_core\..*so", file[0]) or
           file[0] == f"kjit/{extension}"]
    tag = f"{python_tag(extension)}-{platform_tag(own)}"
    info = f"kjit-{version}.dist-info"
    about = (ROOT / "docs/python.md").read_text()
    files = [*own, (f"{info}/METADATA", METADATA.format(version=version, about=about).encode()),
             (f"{info}/WHEEL", WHEEL.format(tag=tag).encode()),
             (f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes())]
    rows = "".join(record_row(name, data) for name, data in files) + f"{info}/RECORD,,\n"
    output.mkdir(parents=True, exist_ok=True)
    path = output / f"kjit-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in [*files, (f"{info}/RECORD", rows.encode())]:
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if is_code(name) else 0o100644) << 16
            archive.writestr(entry, data)
    return path


# ---- what pip calls -------------------------------------------------------------------------------


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_sdist = get_requires_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    jobs = len(os.sched_getaffinity(0))
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        extension = "_core" + sysconfig.get_config_var("EXT_SUFFIX")
        settings = [f"PYTHON_T={sys.executable}", f"EXTENSIONS=build/python/kjit/{extension}"]
    else:
        extension, settings = "_core.abi3.so", [f"PYTHON={sys.executable}", "PYTHON_T="]
    subprocess.run(["make", "-C", str(ROOT), f"-j{jobs}", "python", *settings], check=True)
    return write_wheel(ROOT / "build/python", pathlib.Path(wheel_directory), version_of_header(), extension).name


def build_sdist(sdist_directory, config_settings=None):
    """What git knows of."""
    name = f"kjit-{version_of_header()}"
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files"], check=True, capture_output=True, text=True)
    with tarfile.open(pathlib.Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as archive:
        for path in listed.stdout.splitlines():
            archive.add(ROOT / path, f"{name}/{path}")
    return f"{name}.tar.gz"


def main():
    packages, output, version, *extensions = sys.argv[1:]
    for extension in extensions:
        print(write_wheel(pathlib.Path(packages), pathlib.Path(output), version, extension))


if __name__ == "__main__":
    main()
