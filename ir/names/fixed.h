/* Built-in functions whose types are fixed, whatever they are called with: cuda.libdevice,
** cuda.fp16 and cuda.bf16. Arguments are converted, as numba's implicit casts do.
**
**     FIXED(path, "results(operands)", target, ...)     one line each; a target for every result
**
** A type is a letter:
**     ? bool      c int8     s int16    i int32    l int64
**                 C uint8    t uint16   u uint32   v uint64
**     h float16   b bfloat16            f float32  d float64
** `i/u` is an int32 to the caller and a uint32 to what computes: an operand is converted from left
** to right, a result from right to left. A target is FUNCTION(intrinsic), OPERATOR(op), or AS_IS,
** where the conversions are all there is to do.
**
** The tables are libdevice.def, fp16.def and bf16.def; the build sorts their rows by path. Behind a
** line `each rn; rz` in a comment that begins with an @, rows stand for one of each list of words,
** up to the next comment or empty line: $1 is a list's first word (base/each.awk). */
#pragma once

#include "ir/ir.h"

enum { FIXED_RESULTS = 2 };

typedef struct FixedFunction FixedFunction;

typedef struct FixedTarget {
    enum { TARGET_NONE, TARGET_FUNCTION, TARGET_OPERATOR, TARGET_AS_IS } kind;
    int id; /* INTR_ or OP_ */
} FixedTarget;

struct FixedFunction {
    const char *path, *signature;
    FixedTarget targets[FIXED_RESULTS]; /* several make a tuple */
};

/* The function of that path, or NULL. */
const FixedFunction *fixed_find(const char *path);
/* All of them, by path. */
const FixedFunction *fixed_all(size_t *count);
