/* What records.c finds, records_find.c. Not for others. */
#pragma once

#include "ir/schedule/schedule.h"
#include "ir/schedule/stage/front.h"

/* An array of which each thread has a record. */
typedef struct Record {
    IrVar *array;
    int64_t size;             /* elements of a record; 0: it is none of records */
    int64_t extent[RANK_MAX]; /* of an array of several axes, behind the first one, */
    bool guessed[RANK_MAX];   /* as its accesses have it: it is looked at in the kernel */
    bool flat;                /* it is one of one axis */
    bool bad;                 /* some access is of something else */
    int loads, stores;
    bool covered;    /* each thread is sure to store all of its own before */
    int64_t touched; /* about so many accesses a thread makes */
    int64_t along;   /* iterations of loops that go along it, if all loads are in such; else -1 */
    Directive *directive;
    IrVar *near; /* the records of a block's threads in shared memory, once they are there */
} Record;

typedef struct Records {
    IrUnit *unit;
    IrSets sets;
    const IrVar *index; /* the thread's index, by its name */
    Record *list;       /* by parameter */
    int count;
    const IrRegion *within; /* in which all is done, from `rest` on */
    const IrStmt *rest;
} Records;

/* Finds arrays of records of a kernel that is as it was, or whose variables have new numbers;
** false: there are none. */
bool records_find(Records *r, const Guarded *guarded);
/* The element of a thread's record that an access is of. */
IrValue *records_offset(const Records *r, const Record *record, const IrBuilder *b,
                        IrValue *const *indices);
