#!/usr/bin/env python3
"""No machine code has the instruction that ptxas 13.0 makes of a clamped number compared with its
end, and takes the wrong way round: a VIMNMX.RELU that sets a predicate (codegen/emit/cuda/equal.c,
runtime/cuda/cubin.c). And what computes the least of three numbers, of which one is a negative,
has a register with a sign (codegen/emit/cuda/least.c, runtime/cuda/negatives.c). And a function with
a barrier that unites no warp by itself goes to __syncwarp() (`reunited` of codegen/prelude/prelude.cu).
And a loop that waits for another block's word reads it each time (volatile_text() in codegen/emit/expr.c).

    sass.py [--kjit build/kjit]

Compiles tests/programs/clamps.k, negatives.k and goldens' barriers and spins for every generation that NVRTC knows, the former,
for those that have the instruction, also with plain comparisons in its text and with what launches
have in common, which makes lengths of slices 32 bits wide, and looks through what a disassembler
says.
Needs NVRTC, no GPU, and nvdisasm or cuobjdump on PATH. Ends in `N passed, N failed`.
"""
import argparse
import concurrent.futures
import ctypes
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = ROOT / "tests/programs/clamps.k"
NEGATIVES = ROOT / "tests/programs/negatives.k"
SPINS = ROOT / "tests/golden/ir/spin_waits_for_another_thread.k"
BARRIERS = ROOT / "tests/golden/ir/parted_warps_unoptimised.k"
WRONG = re.compile(r"VIMNMX\S*\.RELU\S*\s+\w+, (?!PT, PT,)P\w, P\w,[^;]*")
SIGN = re.compile(r", -U?R\d")


def disassembler():
    path = os.environ["PATH"] + ":/usr/local/cuda/bin"
    for program, *options in (["nvdisasm", "-c"], ["cuobjdump", "-sass"]):
        if found := shutil.which(program, path=path):
            return [found, *options]
    return None


def kernels_of(program):
    return re.findall(r"^@example\(.*?^def (\w+)", program.read_text(), re.M | re.S)


def parting_in(text):
    """The functions with barriers at which a warp is not united."""
    sections = r"^(?:\.text\.|\s*Function : )(\S+?):?$(.*?)(?=^\.text\.|^\s*Function : |\Z)"
    bodies = dict(re.findall(sections, text, re.M | re.S))
    barriers = {name: body for name, body in bodies.items()  # ptxas calls its own from the prelude's
                if "BAR." in body and not name.startswith("__cuda_")}
    return [f"{name}: lanes go on apart" for name, body in barriers.items()
            if "BSSY" not in body and "__syncwarp" not in body and "reunited" not in body] or \
        ([] if barriers else ["there is no barrier"])


def is_read_in_a_loop(text):
    """Whether anything is read between a label and a branch back to it."""
    for found in re.finditer(r"^(\.L\w+):(.*?)BRA [^;]*`\(\1\)", text, re.M | re.S):
        if re.search(r"\bLDG?\.", found[2]):
            return True
    return False


def wrong_in(cubin, tool, program=PROGRAM):
    """The instructions of a file with machine code that should not be there, or what is missing."""
    done = subprocess.run([*tool, cubin], capture_output=True, text=True, check=True)
    if "EXIT" not in done.stdout:
        raise RuntimeError(f"{tool[0]} shows no code in {cubin}")
    if program == BARRIERS:
        return parting_in(done.stdout)
    if program == SPINS:
        return [] if is_read_in_a_loop(done.stdout) else ["nothing is read where it waits"]
    if program == NEGATIVES and not SIGN.search(done.stdout):
        return ["no register has a sign"]
    return WRONG.findall(done.stdout)


def kjit(command, *words):
    done = subprocess.run([command, "build", *words], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"kjit build {' '.join(map(str, words))}:\n{done.stderr}")
    return done.stdout


def archs_of(command):
    """The names of what NVRTC knows, from what is said of what it does not."""
    done = subprocess.run([command, "build", f"{PROGRAM}:types", "--emit", "cubin", "--arch", "sm_199"],
                          capture_output=True, text=True)
    return [int(arch) for arch in re.findall(r"sm_(\d+)", done.stderr.split("it knows")[-1])]


def plain_text(command, kernel, folder):
    """A kernel's CUDA C with `==` where there are differences of bits."""
    text = kjit(command, f"{PROGRAM}:{kernel}", "--emit", "cuda")
    text = re.sub(r'asm\("xor\.b(?:32|64) %0, %1, %2;"[^;]*;', "bits = a ^ b;", text)
    path = folder / f"{kernel}.cu"
    path.write_text(text)
    return path


def mistaken(command, text, folder):
    """What NVRTC 13.0 makes of a text when it is left to itself."""
    found = re.search(r"NVRTC (\d+\.\d+)[^\n]*?(/\S*libnvrtc\S*)",
                      subprocess.run([command, "doctor"], capture_output=True, text=True).stdout)
    if not found or found[1] != "13.0":
        return None
    library = ctypes.CDLL(found[2])
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    options = (ctypes.c_char_p * 1)(b"--gpu-architecture=sm_90")
    library.nvrtcCreateProgram(ctypes.byref(program), text.read_bytes(), None, 0, None, None)
    library.nvrtcCompileProgram(program, 1, options)
    library.nvrtcGetCUBINSize(program, ctypes.byref(size))
    cubin = ctypes.create_string_buffer(size.value)
    library.nvrtcGetCUBIN(program, cubin)
    path = folder / "mistaken.cubin"
    path.write_bytes(cubin.raw)
    return path


def one(command, tool, program, kernel, arch, way, options, folder):
    """What is wrong with one kernel for one generation, or nothing."""
    path = folder / f"{kernel}.{arch}.{way.split(' ')[0]}.cubin"
    try:
        kjit(command, f"{program}:{kernel}", "--emit", "cubin", "--arch", arch, "-o", str(path), *options)
        wrong = wrong_in(path, tool, program)
    except (RuntimeError, subprocess.CalledProcessError) as error:
        return str(error)
    finally:
        path.unlink(missing_ok=True)
    return f"{kernel} for {arch}, {way}: {wrong[0]}" if wrong else ""


def cases_of(archs, texts):
    """Program, kernel, generation, and how it is compiled, in words and as options."""
    for arch in archs:
        for kernel in texts:
            yield PROGRAM, kernel, f"sm_{arch}", "its own text", []
            if 90 <= arch < 110:
                yield PROGRAM, kernel, f"sm_{arch}", "plain text", ["--cuda", str(texts[kernel])]
                yield PROGRAM, kernel, f"sm_{arch}", "narrow numbers", ["--facts", "common"]
        for kernel in kernels_of(NEGATIVES):
            yield NEGATIVES, kernel, f"sm_{arch}", "its own text", []
        for kernel in kernels_of(BARRIERS):
            yield BARRIERS, kernel, f"sm_{arch}", "without optimisation", []
        for kernel in kernels_of(SPINS):
            yield SPINS, kernel, f"sm_{arch}", "its own text", []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kjit", default="build/kjit")
    command = os.path.abspath(parser.parse_args().kjit)
    tool, archs = disassembler(), archs_of(command)
    if not tool or not archs:
        print(f"1 skipped: there is no {'NVRTC' if tool else 'nvdisasm or cuobjdump'}, so that no "
              "machine code can be looked through")
        print("0 passed, 0 failed")
        return 0
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        folder = pathlib.Path(name)
        texts = {kernel: plain_text(command, kernel, folder) for kernel in kernels_of(PROGRAM)}
        results = list(pool.map(lambda case: one(command, tool, *case, folder), cases_of(archs, texts)))
        control = mistaken(command, texts["ways"], folder)
        if control:
            results.append("" if wrong_in(control, tool) else "the instruction is not found where it must be")
    failed = [result for result in results if result]
    print("\n".join(failed), end="\n" if failed else "")
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
