/* @njit and @numba.jit functions that the host calls: compiled for the processor, and run there.
**
** before: f(x, n), interpreted statement by statement
** after:  a kernel of one thread behind the module's text, that calls f and stores what it gives:
**         `o0[0], o1[0] = f(a0, a1)`
** Legal if the function, for the types of these arguments, is one that kernels may call, prints
** nothing, and gives nothing, a number or a tuple of numbers. It is loaded with debug, so that what
** it raises is raised, and indices are looked at. What it is otherwise is interpreted; of that each
** loop that comes by, and that leaves by no return, becomes such a kernel in its place, if it can:
** the names that it reads are arguments, and those that are read behind it results (lifted.c). So
** functions may make arrays, and loop over them. What cannot be compiled is found out once for a
** list of types, and is remarked.
** Pays always: numba's users expect it of what they mark.
**
** Numbers are numba's: an int has 64 bits and wraps. Names of the module have the values that they
** have when the function is compiled, as in numba. */
#pragma once

#include "runtime/program/kernels.h"

enum { UNIT_ARGS = 48, UNIT_RESULTS = 16 };

typedef enum CompiledFlow { COMPILED_NOT, COMPILED_DONE, COMPILED_FAILED } CompiledFlow;

/* What is compiled, with what it is given. */
typedef struct Unit {
    const HostFunction *function;
    const AstStmt *loop; /* of it; NULL: the whole */
    const char *names[UNIT_ARGS];
    HostValue values[UNIT_ARGS];
    int count;
    const char *results[UNIT_RESULTS]; /* the names that the loop leaves */
    int result_count;
} Unit;

/* The function of the call at hand, whose arguments are bound. */
CompiledFlow compiled_call(Program *p, HostValue *out);
/* The type of what stands first in a line of a kernel's text, behind four blanks, for arguments of
** these types; NONE: it is no number, or it is not compiled, which leaves an error. */
kjit_dtype compiled_type(Program *p, kjit_kernel *kernel, const kjit_arg *args, int count,
                         uint32_t line);
/* What such a function gives, compiled or not: numbers are Python's. */
HostValue compiled_result(Program *p, HostValue value);
/* A loop of it, where it is come by. */
CompiledFlow compiled_loop(Program *p, const AstStmt *loop);

/* ---- numba/lifted.c -------------------------------------------------------------------------- */

/* Finds what a loop takes and leaves; false if it cannot be taken out. */
bool lifted_unit(Program *p, const AstStmt *loop, Unit *unit);
/* A part of the text of the unit's module, in which what rounds floats to ints on the host does
** so: "int(" stands around floor(), ceil() and trunc(). If there are too many, that is raised. */
bool lifted_source(Program *p, const Unit *unit, uint32_t begin, uint32_t end, Buf *text);
/* The loop as a function `loop_` of its arguments, behind a text in which lifted_source() has put
** the whole module. Which line of the text the loop begins at, from 1. */
uint32_t lifted_text(Program *p, const Unit *unit, Buf *text);
/* Which line a text ends in, from 1. */
uint32_t lifted_line(const Buf *text);
