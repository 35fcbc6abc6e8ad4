/* Random kernels: sets, branches, loops and accesses of small numbers, some of them in the forms
** that analyses look for. A variable is read only where it has surely been set, as lowering has
** it. */
#include "tests/brute/brute.h"

#include <stdio.h>

enum { VARS_MOST = 40, DEEPEST = 3, STATEMENTS = 26 };

typedef enum Kind { INT64, INT32, UINT64, BOOL, KINDS } Kind;

static const char *const kind_names[KINDS] = { "int64", "int32", "uint64", "bool" };

typedef struct Draw {
    Random *random;
    Buf out;
    Kind kinds[VARS_MOST]; /* of variable v0, v1, ... */
    bool fixed[VARS_MOST]; /* counts a loop */
    bool live[VARS_MOST];  /* may be read here */
    int count, left;       /* variables; statements that may still be made */
    int depth, loops;
    bool apart; /* threads store to elements of their own, of x alone, and read them of others */
} Draw;

uint32_t draw_below(Random *random, uint32_t below)
{
    random->state = random->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((random->state >> 33) % below);
}

bool draw_once_in(Random *random, uint32_t of)
{
    return draw_below(random, of) == 0;
}

static uint32_t below(Draw *d, uint32_t limit)
{
    return draw_below(d->random, limit);
}

static bool once_in(Draw *d, uint32_t of)
{
    return draw_once_in(d->random, of);
}

/* ---- values --------------------------------------------------------------------------------- */

static void value(Draw *d, Kind kind, int depth);

static int some_var(Draw *d, Kind kind, bool settable)
{
    int found = -1, seen = 0;
    for (int i = 0; i < d->count; i++)
        if (d->live[i] && d->kinds[i] == kind && !(settable && d->fixed[i]) &&
            once_in(d, (uint32_t)++seen))
            found = i;
    return found;
}

static void number(Draw *d, Kind kind)
{
    static const int64_t rare[] = { 16, 64, -16, 100, 1000, 2147483647, 1073741824, -2147483648 };
    int64_t is = once_in(d, 12) ? rare[below(d, ARRAY_COUNT(rare))] : (int64_t)below(d, 10) - 3;
    if (kind == BOOL)
        buf_puts(&d->out, is & 1 ? "true" : "false");
    else if (kind == UINT64)
        buf_printf(&d->out, "%lld:uint64", (long long)(is < 0 ? -is : is));
    else
        buf_printf(&d->out, kind == INT32 ? "%lld:int32" : "%lld", (long long)is);
}

static void leaf(Draw *d, Kind kind)
{
    static const char *const longs[] = {
        "grid(0)",      "grid(1)", "grid(0)", "gridsize(0)", "extent(x, 0)", "extent(z, 0)",
        "extent(z, 1)", "n",       "m",       "n",           "extent(y, 0)", "gridsize(1)"
    };
    static const char *const ints[] = { "thread_idx(0)",
                                        "thread_idx(1)",
                                        "block_idx(0)",
                                        "block_idx(1)",
                                        "block_dim(0)",
                                        "grid_dim(0)",
                                        "h" };
    int var = some_var(d, kind, false);
    if (var >= 0 && !once_in(d, 4))
        buf_printf(&d->out, "v%d", var);
    else if (kind == INT64 && !once_in(d, 3))
        buf_puts(&d->out, longs[below(d, ARRAY_COUNT(longs))]);
    else if (kind == INT32 && !once_in(d, 3))
        buf_puts(&d->out, ints[below(d, ARRAY_COUNT(ints))]);
    else if (kind == UINT64 && once_in(d, 2))
        buf_puts(&d->out, "w");
    else
        number(d, kind);
}

static void operation(Draw *d, const char *name, Kind kind, int depth)
{
    buf_printf(&d->out, "%s(", name);
    value(d, kind, depth - 1);
    buf_puts(&d->out, ", ");
    value(d, kind, depth - 1);
    buf_putc(&d->out, ')');
}

/* By a positive number mostly, as people divide. */
static void quotient(Draw *d, Kind kind, int depth)
{
    buf_puts(&d->out, once_in(d, 2) ? "mod(" : "floordiv(");
    value(d, kind, depth - 1);
    buf_puts(&d->out, ", ");
    if (once_in(d, 4))
        value(d, kind, depth - 1);
    else if (kind == INT64 && once_in(d, 2))
        buf_puts(&d->out, once_in(d, 2) ? "extent(z, 1)" : "n");
    else
        buf_printf(&d->out, kind == INT64 ? "%u" : "%u:%s", 1 + below(d, 8), kind_names[kind]);
    buf_putc(&d->out, ')');
}

static void cast(Draw *d, Kind kind, int depth)
{
    Kind from = below(d, once_in(d, 4) ? KINDS : BOOL);
    buf_printf(&d->out, "cast<%s>(", kind_names[kind]);
    value(d, from == kind ? (kind == INT64 ? INT32 : INT64) : from, depth - 1);
    buf_putc(&d->out, ')');
}

static void choice(Draw *d, Kind kind, int depth)
{
    buf_puts(&d->out, "select(");
    value(d, BOOL, depth - 1);
    buf_puts(&d->out, ", ");
    value(d, kind, depth - 1);
    buf_puts(&d->out, ", ");
    value(d, kind, depth - 1);
    buf_putc(&d->out, ')');
}

static void scaled(Draw *d, Kind kind, int depth)
{
    buf_puts(&d->out, once_in(d, 6) ? "shl(" : "mul(");
    value(d, kind, depth - 1);
    buf_printf(&d->out, kind == INT64 ? ", %u)" : ", %u:%s)", below(d, 6), kind_names[kind]);
}

/* In the array's range whatever the value is. */
static void index_of(Draw *d, const char *array, int axis, int depth)
{
    switch (below(d, 8)) {
    case 0:
        leaf(d, INT64);
        return;
    case 3:
    case 4:
        buf_printf(&d->out, "%d", (int)below(d, 6) - 2);
        return;
    case 1:
        value(d, INT64, depth - 1);
        return;
    case 2:
        buf_printf(&d->out, "max(0, min(sub(extent(%s, %d), 1), ", array, axis);
        value(d, INT64, depth - 1);
        buf_puts(&d->out, "))");
        return;
    default:
        buf_puts(&d->out, "mod(");
        value(d, INT64, depth - 1);
        buf_printf(&d->out, ", extent(%s, %d))", array, axis);
        return;
    }
}

static const char *array_of(Draw *d)
{
    static const char *const names[] = { "x", "y", "z" };
    return names[d->apart ? 1 + below(d, ARRAYS - 1) : below(d, ARRAYS)];
}

/* Of x, by the thread's number v0 and that of all threads, v1. */
static void own_element(Draw *d, const char *open, const char *close)
{
    static const char *const indices[] = { "v0", "add(v0, v1)", "sub(add(v0, mul(v1, 2)), v1)",
                                           "add(v0, mul(v1, mod(n, 3)))", "v0" };
    buf_printf(&d->out, "x%s%s%s", open, indices[below(d, ARRAY_COUNT(indices))], close);
}

static void element(Draw *d, const char *array, int depth, const char *open, const char *close)
{
    buf_printf(&d->out, "%s%s", array, open);
    index_of(d, array, 0, depth);
    if (*array == 'z') {
        buf_puts(&d->out, ", ");
        index_of(d, array, 1, depth);
    }
    buf_puts(&d->out, close);
}

static void load(Draw *d, int depth)
{
    buf_puts(&d->out, "load(");
    if (d->apart && once_in(d, 2)) {
        own_element(d, ", ", ")");
        return;
    }
    element(d, array_of(d), depth, ", ", ")");
}

static void condition(Draw *d, int depth)
{
    static const char *const comparisons[] = { "lt", "le", "gt", "ge", "eq", "ne" };
    uint32_t what = below(d, 10);
    if (what == 0) {
        buf_puts(&d->out, "not(");
        value(d, BOOL, depth - 1);
        buf_putc(&d->out, ')');
    } else if (what < 3) {
        operation(d, once_in(d, 2) ? "and_then" : "or_else", BOOL, depth);
    } else {
        Kind kind = once_in(d, 3) ? below(d, BOOL) : INT64;
        operation(d, comparisons[below(d, ARRAY_COUNT(comparisons))], kind, depth);
    }
}

static void value(Draw *d, Kind kind, int depth)
{
    static const char *const sums[] = { "add", "add", "sub" };
    static const char *const others[] = { "and", "or", "xor", "min", "max", "mul" };
    uint32_t what = below(d, 16);
    if (depth <= 0 || what < 4)
        leaf(d, kind);
    else if (kind == BOOL)
        condition(d, depth);
    else if (what < 8)
        operation(d, sums[below(d, ARRAY_COUNT(sums))], kind, depth);
    else if (what < 10)
        scaled(d, kind, depth);
    else if (what == 10)
        quotient(d, kind, depth);
    else if (what == 11)
        cast(d, kind, depth);
    else if (what == 12 && kind == INT64)
        load(d, depth);
    else if (what == 13)
        choice(d, kind, depth);
    else
        operation(d, others[below(d, ARRAY_COUNT(others))], kind, depth);
}

/* ---- statements ----------------------------------------------------------------------------- */

static void region(Draw *d, const char *first);

static void margin(Draw *d)
{
    for (int i = 0; i <= d->depth; i++)
        buf_puts(&d->out, "    ");
}

/* The thread's index in the grid, spelled out: mostly with one axis for all three. */
static void spelled_index(Draw *d)
{
    uint32_t axis = below(d, 2);
    bool mixed = once_in(d, 4);
    buf_printf(&d->out,
               "add(mul(cast<int64>(block_idx(%u)), cast<int64>(block_dim(%u))), "
               "cast<int64>(%s(%u)))",
               axis, mixed && once_in(d, 2) ? 1 - axis : axis,
               mixed && once_in(d, 2) ? "block_idx" : "thread_idx", axis);
}

static void index_to_name(Draw *d)
{
    static const char *const indices[] = {
        "grid(0)", "grid(1)", "mul(cast<int64>(grid_dim(0)), cast<int64>(block_dim(0)))",
        "cast<int64>(thread_idx(0))", "add(mul(grid(1), extent(z, 1)), grid(0))"
    };
    if (once_in(d, 3))
        spelled_index(d);
    else
        buf_puts(&d->out, indices[below(d, ARRAY_COUNT(indices))]);
}

static void declare(Draw *d, Kind kind, bool fixed)
{
    d->kinds[d->count] = kind;
    d->fixed[d->count] = fixed;
    d->live[d->count++] = true;
}

static void set_new(Draw *d)
{
    Kind kind = once_in(d, 3) ? below(d, KINDS) : INT64;
    if (d->count == VARS_MOST)
        return;
    margin(d);
    buf_printf(&d->out, "v%d: %s = ", d->count, kind_names[kind]);
    if (kind == INT64 && once_in(d, 4))
        index_to_name(d);
    else
        value(d, kind, 3);
    buf_putc(&d->out, '\n');
    declare(d, kind, false);
}

static void set_again(Draw *d)
{
    Kind kind = once_in(d, 3) ? below(d, KINDS) : INT64;
    int var = some_var(d, kind, true);
    if (var < 0)
        return;
    margin(d);
    buf_printf(&d->out, "v%d = ", var);
    if (kind != BOOL && once_in(d, 2))
        buf_printf(&d->out, kind == INT64 ? "add(v%d, %u)" : "add(v%d, %u:%s)", var,
                   1 + below(d, 3), kind_names[kind]);
    else
        value(d, kind, 3);
    buf_putc(&d->out, '\n');
}

static void store(Draw *d)
{
    margin(d);
    buf_puts(&d->out, "store ");
    if (d->apart)
        own_element(d, "[", "]");
    else
        element(d, array_of(d), 2, "[", "]");
    buf_puts(&d->out, " = ");
    value(d, INT64, 2);
    buf_putc(&d->out, '\n');
}

/* `if 0 <= v < extent: store array[v] = ...`, or without the lower end. */
static void guarded_store(Draw *d)
{
    int var = d->apart ? 0 : some_var(d, INT64, false);
    const char *array = once_in(d, 2) || d->apart ? "x" : "y";
    if (var < 0)
        return;
    margin(d);
    buf_puts(&d->out, once_in(d, 2) ? "if and_then(ge(" : "if and_then(le(-1, ");
    buf_printf(&d->out, d->out.text[d->out.length - 1] == '(' ? "v%d, 0), lt(" : "v%d), lt(", var);
    buf_printf(&d->out, "v%d, extent(%s, 0)))\n", var, array);
    d->depth++;
    margin(d);
    buf_printf(&d->out, "store %s[v%d] = ", array, var);
    value(d, INT64, 2);
    buf_putc(&d->out, '\n');
    d->depth--;
}

static void atomic(Draw *d)
{
    static const char *const names[] = { "add", "max", "min" };
    const char *array = once_in(d, 2) ? "x" : "y";
    if (d->apart)
        return;
    bool sets = once_in(d, 3) && d->count < VARS_MOST;
    margin(d);
    if (sets)
        buf_printf(&d->out, "v%d: int64 = ", d->count);
    else
        buf_puts(&d->out, "eval ");
    buf_printf(&d->out, "atomic_%s(", names[below(d, ARRAY_COUNT(names))]);
    element(d, array, 2, ", ", ", ");
    value(d, INT64, 1);
    buf_puts(&d->out, ")\n");
    if (sets)
        declare(d, INT64, false);
}

static void branch(Draw *d)
{
    margin(d);
    buf_puts(&d->out, "if ");
    value(d, BOOL, 3);
    buf_putc(&d->out, '\n');
    region(d, NULL);
    if (once_in(d, 2)) {
        margin(d);
        buf_puts(&d->out, "else\n");
        region(d, NULL);
    }
}

static void count_loop(Draw *d)
{
    int var = d->count;
    if (d->count == VARS_MOST || d->loops == DEEPEST)
        return;
    margin(d);
    buf_printf(&d->out, "for v%d: int64 in ", var);
    if (once_in(d, 2))
        buf_puts(&d->out, once_in(d, 2) ? "0" : "grid(0)");
    else
        value(d, INT64, 1);
    buf_puts(&d->out, " to ");
    if (once_in(d, 2))
        buf_puts(&d->out, once_in(d, 2) ? "n" : "extent(x, 0)");
    else
        value(d, INT64, 2);
    buf_puts(&d->out, " by ");
    if (once_in(d, 3))
        buf_puts(&d->out, "gridsize(0)");
    else if (once_in(d, 8))
        value(d, INT64, 1);
    else
        buf_printf(&d->out, "%d", once_in(d, 4) ? -1 : 1 + (int)below(d, 3));
    buf_putc(&d->out, '\n');
    declare(d, INT64, true);
    d->loops++;
    region(d, NULL);
    d->loops--;
    d->live[var] = false;
}

static void while_loop(Draw *d)
{
    char first[64];
    int var = d->count;
    if (d->count == VARS_MOST || d->loops == DEEPEST)
        return;
    margin(d);
    buf_printf(&d->out, "v%d: int64 = ", var);
    value(d, INT64, 1);
    buf_putc(&d->out, '\n');
    declare(d, INT64, once_in(d, 2));
    margin(d);
    buf_printf(&d->out, "while lt(v%d, ", var);
    value(d, INT64, 1);
    buf_puts(&d->out, ")\n");
    snprintf(first, sizeof first, "v%d = add(v%d, %u)\n", var, var, 1 + below(d, 3));
    d->loops++;
    region(d, first);
    d->loops--;
}

static void jump(Draw *d)
{
    static const char *const ways[] = { "break", "continue", "return" };
    uint32_t way = d->loops ? below(d, 3) : 2;
    margin(d);
    buf_puts(&d->out, "if ");
    if (once_in(d, 2)) {
        buf_puts(&d->out, once_in(d, 2) ? "lt(grid(0), " : "eq(mod(grid(0), 2), ");
        leaf(d, INT64);
        buf_putc(&d->out, ')');
    } else {
        value(d, BOOL, 2);
    }
    buf_putc(&d->out, '\n');
    d->depth++;
    margin(d);
    buf_printf(&d->out, "%s\n", ways[way]);
    d->depth--;
}

static void statement(Draw *d)
{
    uint32_t what = below(d, 32);
    d->left--;
    if (d->loops && once_in(d, 3))
        once_in(d, 3) ? jump(d) : set_again(d);
    else if (what < 9)
        set_new(d);
    else if (what < 13)
        set_again(d);
    else if (what < 18)
        store(d);
    else if (what < 21)
        guarded_store(d);
    else if (what < 24 && d->depth < 4)
        branch(d);
    else if (what < 28 && d->depth < 4)
        count_loop(d);
    else if (what < 29 && d->depth < 4)
        while_loop(d);
    else if (what < 30)
        atomic(d);
    else
        jump(d);
}

/* What is set in it for the first time is not read behind it. */
static void region(Draw *d, const char *first)
{
    int outer = d->count;
    d->depth++;
    if (first) {
        margin(d);
        buf_puts(&d->out, first);
    }
    size_t began = d->out.length;
    for (uint32_t i = below(d, 4) + 1; i-- > 0 && d->left > 0;)
        statement(d);
    if (d->out.length == began && !first) {
        margin(d);
        buf_puts(&d->out, "store x[0] = 1\n");
    }
    d->depth--;
    for (int i = outer; i < d->count; i++)
        d->live[i] = false;
}

const char *draw_kernel(Arena *arena, Random *random)
{
    Draw d = { .random = random };
    buf_init(&d.out, arena);
    d.left = 4 + (int)below(&d, STATEMENTS);
    buf_puts(&d.out, "kernel k(x: int64[::1], y: int64[::1], z: int64[:, ::1], n: int64, m: int64, "
                     "h: int32, w: uint64)\n");
    d.apart = !once_in(&d, 3);
    if (d.apart) {
        buf_puts(&d.out, "    v0: int64 = add(mul(grid(1), gridsize(0)), grid(0))\n"
                         "    v1: int64 = mul(gridsize(0), gridsize(1))\n");
        declare(&d, INT64, true);
        declare(&d, INT64, true);
    }
    while (d.left > 0)
        statement(&d);
    return buf_text(&d.out);
}
