/* What the files that draw a kernel share. Not for others.
**
** draw.c         statements
** draw_value.c   values, and elements of arrays */
#ifndef KJIT_TESTS_BRUTE_DRAW_H
#define KJIT_TESTS_BRUTE_DRAW_H

#include "tests/brute/brute.h"

enum { VARS_MOST = 40 };

typedef enum Kind { INT64, INT32, UINT64, UINT32, BOOL, FLOAT64, FLOAT32, VIEW, KINDS } Kind;

extern const char *const kind_names[KINDS];

typedef struct Draw {
    Random *random;
    Buf out;
    Kind kinds[VARS_MOST]; /* of variable v0, v1, ... */
    bool fixed[VARS_MOST]; /* counts a loop */
    bool live[VARS_MOST];  /* may be read here */
    int count, left;       /* variables; statements that may still be made */
    int depth, loops;
    bool local; /* there is a private array */
    bool flat;  /* y is rows of n elements each, and nothing else is done to it */
    bool apart; /* threads store to elements of their own, of x alone, and read them of others */
} Draw;

/* A number below `limit`; true once in `of`. */
uint32_t some_number(Draw *d, uint32_t limit);
bool once_in(Draw *d, uint32_t of);
/* A variable of a kind that may be read here, or set; -1: there is none. */
int draw_var(Draw *d, Kind kind, bool settable);
/* These write a value; one without operands. */
void draw_value(Draw *d, Kind kind, int depth);
void draw_leaf(Draw *d, Kind kind);
/* The name of an array that is read, or stored to. */
const char *draw_array(Draw *d, bool store);
/* An element of it, between `open` and `close`; and one of x that no other thread comes to, by the
** thread's number v0 and that of all threads, v1. */
void draw_element(Draw *d, const char *array, int depth, const char *open, const char *close);
void draw_own_element(Draw *d, const char *open, const char *close);

#endif
