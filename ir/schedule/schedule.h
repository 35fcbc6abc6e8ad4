/* A schedule: what the passes of ir/schedule do to a kernel, as a list of directives.
**
**     bind lanes x y
**     block 16x16
**     jam y 8
**     jam x 4 apart 2 vector
**     stage a at k shared 16
**
** Each is a primitive, what it is done to, and its numbers: schedule.def lists them, with the pass
** that carries each out. A pass that comes to a place where it could act calls schedule_take() with
** what it would do there and whether that pays, and does what comes back, if anything does. Where
** passes choose, that is what it asked for; where a schedule was given, it is the directive that
** names the place, whether it pays or not, and nothing without one. What was carried out
** (schedule_done()) is the kernel's schedule; given back, it leads to the same code.
**
** Whether a directive is legal is for the pass to say, which it is in either case in the same
** place: it tells with schedule_refuse() what forbids it. schedule_judge() complains of whatever
** was given and not carried out. */
#pragma once

#include "ir/optimise.h"

typedef enum Primitive {
#define DIRECTIVE(NAME, pass, form, purpose) DO_##NAME,
#include "ir/schedule/schedule.def"
#undef DIRECTIVE
    PRIMITIVES
} Primitive;

enum { DIRECTIVE_NUMBERS = 3 };

typedef struct Directive {
    Primitive primitive;
    const char *array, *loop; /* NULL: its form has none */
    const void *site;         /* what of the IR it is done to: tells places of one name apart */
    Span span;                /* there; of a given one, in its own text */
    uint8_t axes[3];
    int axis_count;
    /* clang-format off */
    union { /* as they come in the form; 0: left out */
        int64_t numbers[DIRECTIVE_NUMBERS];
        int64_t number;                           /* where the form has one alone */
        struct { int64_t warps, blocks, lanes; }; /* team warps; team block has the warps alone */
        struct { int64_t iterations, ahead; };    /* stage */
        struct { int64_t near, apart; };          /* jam */
        struct { int64_t width, at_once; };       /* vectorise: elements of an access, accesses */
    };
    /* clang-format on */
    bool vector;
    struct Given *given; /* whose place it takes; NULL: the pass's own */
    bool done;
} Directive;

/* Bytes of a block's shared memory that a pass takes at most for what it brings there; the rest of
** SHARED_BYTES is for others, and for arrays of the kernel's. */
enum { BROUGHT_BYTES = 40 << 10 };

/* Why something may not be done, and what forbids it; all zero: it may, as far as seen. */
typedef struct Refusal {
    const char *why;
    Span where;
} Refusal;

/* Notes what forbids it; the first reason counts. */
static inline void refuse_for(Refusal *refusal, Span where, const char *why)
{
    if (!refusal->why)
        *refusal = (Refusal){ why, where };
}

/* ---- for passes ------------------------------------------------------------------------------ */

/* Whether a schedule says what passes do; their costs are not compared then. */
bool schedule_is_given(const IrUnit *unit);
/* Whether there is a directive of that kind, among given ones. */
bool schedule_has(const IrUnit *unit, Primitive primitive);
/* What is to be done at a place, see above; NULL: nothing. Asked again for the same site it gives
** the same directive, anew. */
Directive *schedule_take(IrUnit *unit, Directive own, bool pays);
/* That it was carried out. */
void schedule_done(Directive *directive);
/* That what was given for a place cannot be carried out, and why: what stands at `where` forbids
** it; and the same of all directives of a primitive. */
void schedule_refuse(IrUnit *unit, Directive own, Span where, const char *why);
void schedule_refuse_all(IrUnit *unit, Primitive primitive, Span where, const char *why);
/* What a loop is called: by its counter, or "while". */
const char *schedule_loop(const IrStmt *loop);

/* ---- for those who have a kernel compiled ---------------------------------------------------- */

/* Of passes that choose. */
Schedule *schedule_new(Arena *arena);
/* Reads the part of a text that lies at `span` in its source, as far as it is for the kernel and
** the device; passes follow it from then on if it has any directive for these. May
** complain. */
void schedule_read(Schedule *schedule, Diags *diags, Span span, const char *kernel, bool processor);
/* Notes what loops and arrays a unit has, before the passes. */
void schedule_begin(Schedule *schedule, const IrUnit *unit);
/* Complains of what was given and not carried out by the passes of a plan. */
void schedule_judge(const Schedule *schedule, const IrPlan *plan, Diags *diags);
/* Writes what was carried out, as schedule_read() reads it. */
void schedule_print(Buf *out, const Schedule *schedule);

/* ---- of schedule.c and schedule_text.c alone ------------------------------------------------- */

/* A directive of a given text. */
typedef struct Given {
    Directive says;
    int which, line; /* of places of that name: the n-th, that at the line; 0: all */
    bool done;
    Refusal refusal;
} Given;

/* A place that a pass came to. */
typedef struct SchedulePlace {
    Directive *taken; /* NULL: nothing is done there */
    Directive own;
    int number; /* among those of its name, from 1 */
} SchedulePlace;

typedef struct ScheduleNames {
    const char **list;
    int count, capacity;
} ScheduleNames;

struct Schedule {
    Arena *arena;
    bool is_given;
    Given **given;
    int given_count, given_capacity;
    SchedulePlace *places;
    int place_count, place_capacity;
    ScheduleNames loops, arrays; /* that the kernel had before the passes */
};

/* How a directive is written, as schedule.def has it. */
const char *schedule_form(Primitive primitive);
/* How many places are called like one. */
int schedule_namesakes(const Schedule *schedule, const Directive *own);
