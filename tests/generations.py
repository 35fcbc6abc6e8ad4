"""Kernels in NVRTC's hands, for several generations of GPUs: what tests that `--build` kernels share."""
import pathlib
import re
import subprocess
import tempfile

# Where a text has none of these, what an older generation takes a newer one takes, too.
ASKS = re.compile(rb"__CUDA_ARCH|#include")
TOGETHER = 8  # kernels by one command, which loads NVRTC once


class Failed(Exception):
    pass


def emitted(command, names, stage, generation):
    """What each of these kernels of one file becomes."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([*command, *names, "--emit", stage, "--arch", generation, "-o", folder],
                              capture_output=True, text=True, errors="replace", timeout=600)
        if done.returncode:
            raise Failed(f"for {generation}: {done.stderr.strip()[:600]}")
        # Several signatures are several files.
        files = {name: sorted(pathlib.Path(folder).glob(name.rpartition(":")[2] + ".*"))
                 for name in names}
        return {name: b"".join(path.read_bytes() for path in files[name]) for name in names}


def build_part(command, names, generations):
    """What is wrong with each of these kernels of one file, or nothing. They are compiled for the first
    generation, the oldest, and for each whose text differs or asks for it."""
    met = {name: set() for name in names}
    try:
        for generation in generations:
            texts = emitted(command, names, "cuda", generation)
            new = [name for name in names
                   if texts[name] not in met[name] or ASKS.search(texts[name])]
            for name in new:
                met[name].add(texts[name])
            for name, cubin in emitted(command, new, "cubin", generation).items() if new else ():
                if not cubin:
                    raise Failed(f"for {generation}: {name} has no cubin")
    except Failed as failed:
        if len(names) == 1:
            return [str(failed)]
        return [build_part(command, [name], generations)[0] for name in names]
    return [""] * len(names)


def build(pool, kernels):
    """What is wrong with each kernel, or nothing, in their order. A kernel is its file and its name,
    the words in front of these, and the generations that it is for, the oldest first."""
    alike = {}
    for number, (file, name, *rest) in enumerate(kernels):
        key = (file, *map(tuple, rest))
        alike.setdefault(key, []).append((number, f"{file}:{name}"))
    parts = [(key, same[at:at + TOGETHER])
             for key, same in alike.items() for at in range(0, len(same), TOGETHER)]

    def answered(part):
        (_, command, generations), same = part
        return build_part(command, [name for _, name in same], generations)
    wrong = {}
    for (_, same), answers in zip(parts, pool.map(answered, parts)):
        wrong.update((number, answer) for (number, _), answer in zip(same, answers))
    return [wrong[number] for number in range(len(kernels))]
