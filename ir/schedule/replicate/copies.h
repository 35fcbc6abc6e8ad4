/* Copies of variables and values, one for each of the program's threads that a thread of the
** hardware stands for. A combination gives a number to each dim; it is counted in the dims' mixed
** radix. */
#pragma once

#include "ir/clone.h"
#include "ir/schedule/replicate/replicas.h"

/* Where statements go, and for whom. */
typedef struct At {
    int number[REPLICA_DIMS]; /* of dims in `fixed`; else 0 */
    int fixed;                /* dims whose number is given by what is around */
    const struct Held *held;  /* in a branch that some may have to stand by in; else NULL */
    bool singly;              /* one block after the other: all threads come to all barriers */
} At;

/* All dims, as a set of bits. */
int copies_all_dims(const Replicas *r);

/* The number of a combination, in which dims that are not in `dims` are 0. */
int copies_number(const Replicas *r, const At *at, int dims);
/* How many combinations there are. */
int copies_count(const Replicas *r);
/* The next combination of `dims`; false behind the last, when all are 0 again. */
bool copies_next(const Replicas *r, At *at, int dims);

/* Maps the first `vars` variables of the kernel for each combination of `dims`. With `fresh` local
** ones are others than before. */
void copies_map(Replicas *r, int vars, int dims, bool fresh);

/* Which thread a clone stands for: its context. */
typedef struct Copy {
    const Replicas *r;
    const At *at;
} Copy;

/* Copies statements and values as for one combination. */
IrClone copies_clone(const Replicas *r, const Copy *copy);
/* A value for one combination. */
IrValue *copies_value(const Replicas *r, const At *at, const IrValue *value);

/* An index or a size of the hardware's threads and blocks. */
IrValue *copies_thread_index(const Replicas *r, IrIntrinsic which, int axis, Span span);
/* A constant of theirs. */
IrValue *copies_int32(const Replicas *r, int64_t number, Span span);
