"""CUDA C as kjit writes it, as a library of the processor: text.py KERNEL.cu KERNEL.so

What is in assembly has a body in C here; a kernel with other assembly, as tensor cores want, is refused. An access that
is not as aligned as its type ends the process, as it does on a GPU."""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
HALF = "{ _Float16 half = (_Float16)x; float16 bits; memcpy(&bits, &half, sizeof bits); return bits; }"
BODIES = {
    r"hidden_address": "{ return address; }",
    r"hidden_\w+": "{ return number; }",
    r"negated_i32": "{ return (int)(0 - (unsigned)x); }",
    r"negative_zero_\w+": "{ return -0.0; }",
    r"differing_\w+": "{ return a ^ b; }",
    r"reunited|async_commit|async_wait": "{}",
    r"block_sync": "{ __syncthreads(); }",
    r"block_sync_(count|and|or)": r"{ return __syncthreads_\1(predicate); }",
    r"needed": "{ return found; }",
    r"lane_id": "{ return (int)emulated->lane; }",
    r"dynamic_shared_size": "{ return emulated->shared_bytes; }",
    r"(?:wide_load|wide_store|wide_copy|async_copy)(\d+)": r"{ copy_aligned(to, from, \1); }",
    r"f16_from_\w+": HALF,
    r"f32_from_f16": "{ _Float16 half; memcpy(&half, &x, sizeof x); return half; }",
}
FUNCTION = re.compile(r"^(?P<head>(?:template <[^\n]*>\s)?static __device__[^;{}]*?\b(?P<name>\w+)\([^;{}]*\)\s*)"
                      r"\{\n.*?^\}", re.M | re.S)
KERNEL = re.compile(r'^extern "C" __global__ void\s+(?:\w+\([^()]*\)\s*)*?(\w+)\((?=[^()]*\)\s*\{)', re.M)
OPTIONS = ["-std=gnu++17", "-O0", "-w", "-fpermissive", "-fwrapv", "-fno-strict-aliasing", "-frounding-math", "-mfma",
           "-ffp-contract=off", "-fsanitize=alignment", "-fsanitize-undefined-trap-on-error", "-shared", "-fPIC"]


def without_assembly(match):
    for name, body in BODIES.items():
        found = re.fullmatch(name, match["name"])
        if found:
            return match["head"] + found.expand(body)
    return match[0]


def translated(text):
    text = FUNCTION.sub(without_assembly, re.sub(r"^\s*#(line|pragma).*", "", text, flags=re.M))
    text = re.sub(r"extern __shared__[^;]* dynamic_shared\[\];", "unsigned char *const dynamic_shared = emulated->shared;", text)
    text = re.sub(r'asm volatile\("exit;"[^;]*;', "emulated->stop();", text)
    if re.search(r"\basm\b", text):
        sys.exit("text.py: there is assembly that has no body in C")
    entries = [f'extern "C" void emulated_{name}(void *const *params, Emulated *runner)\n{{\n'
               f"    call({name}, params, runner);\n}}\n" for name in KERNEL.findall(text)]
    return "\n".join([f'#include "{HERE}/cuda.hpp"', text, *entries])


def main():
    source, library = sys.argv[1:]
    made = translated(pathlib.Path(source).read_text())
    done = subprocess.run(["g++", *OPTIONS, "-x", "c++", "-", "-o", library], input=made, text=True)
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
