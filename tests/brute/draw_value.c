/* Values of random kernels: small numbers, and what is made of them. */
#include "tests/brute/draw.h"

const char *const kind_names[KINDS] = { "int64", "int32",   "uint64",  "uint32",
                                        "bool",  "float64", "float32", "int64[:]" };

uint32_t draw_below(Random *random, uint32_t below)
{
    random->state = random->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((random->state >> 33) % below);
}

bool draw_once_in(Random *random, uint32_t of)
{
    return draw_below(random, of) == 0;
}

uint32_t some_number(Draw *d, uint32_t limit)
{
    return draw_below(d->random, limit);
}

bool once_in(Draw *d, uint32_t of)
{
    return draw_once_in(d->random, of);
}

/* ---- values --------------------------------------------------------------------------------- */

int draw_var(Draw *d, Kind kind, bool settable)
{
    int found = -1, seen = 0;
    for (int i = 0; i < d->count; i++)
        if (d->live[i] && d->kinds[i] == kind && !(settable && d->fixed[i]) &&
            once_in(d, (uint32_t)++seen))
            found = i;
    return found;
}

/* One of integers, mostly the widest. */
static Kind some_integer(Draw *d)
{
    return once_in(d, 3) ? some_number(d, BOOL) : INT64;
}

static void number(Draw *d, Kind kind)
{
    static const int64_t rare[] = { 16, 64, -16, 100, 1000, 2147483647, 1073741824, -2147483648 };
    int64_t is =
        once_in(d, 12) ? rare[some_number(d, ARRAY_COUNT(rare))] : (int64_t)some_number(d, 10) - 3;
    if (kind == BOOL)
        buf_puts(&d->out, is & 1 ? "true" : "false");
    else if (kind == UINT64 || kind == UINT32)
        buf_printf(&d->out, "%lld:%s", (long long)(is < 0 ? -is : is), kind_names[kind]);
    else if (kind == FLOAT64 || kind == FLOAT32)
        buf_printf(&d->out, kind == FLOAT64 ? "%lld.%d" : "%lld.%d:float32", (long long)is,
                   once_in(d, 2) ? 5 : 0);
    else
        buf_printf(&d->out, kind == INT32 ? "%lld:int32" : "%lld", (long long)is);
}

void draw_leaf(Draw *d, Kind kind)
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
    int var = draw_var(d, kind, false);
    if (var >= 0 && !once_in(d, 4))
        buf_printf(&d->out, "v%d", var);
    else if (kind == INT64 && !once_in(d, 3))
        buf_puts(&d->out, longs[some_number(d, ARRAY_COUNT(longs))]);
    else if (kind == INT32 && !once_in(d, 3))
        buf_puts(&d->out, ints[some_number(d, ARRAY_COUNT(ints))]);
    else if (kind == UINT64 && once_in(d, 2))
        buf_puts(&d->out, "w");
    else if ((kind == FLOAT64 || kind == FLOAT32) && once_in(d, 2))
        buf_printf(&d->out, "cast<%s>(%s)", kind_names[kind], once_in(d, 2) ? "grid(0)" : "n");
    else
        number(d, kind);
}

static void operation(Draw *d, const char *name, Kind kind, int depth)
{
    buf_printf(&d->out, "%s(", name);
    draw_value(d, kind, depth - 1);
    buf_puts(&d->out, ", ");
    draw_value(d, kind, depth - 1);
    buf_putc(&d->out, ')');
}

/* By a positive number mostly, as people divide. */
static void quotient(Draw *d, Kind kind, int depth)
{
    buf_puts(&d->out, once_in(d, 2) ? "mod(" : "floordiv(");
    draw_value(d, kind, depth - 1);
    buf_puts(&d->out, ", ");
    if (once_in(d, 4))
        draw_value(d, kind, depth - 1);
    else if (kind == INT64 && once_in(d, 2))
        buf_puts(&d->out, once_in(d, 2) ? "extent(z, 1)" : "n");
    else
        buf_printf(&d->out, kind == INT64 ? "%u" : "%u:%s", 1 + some_number(d, 8),
                   kind_names[kind]);
    buf_putc(&d->out, ')');
}

static void cast(Draw *d, Kind kind, int depth)
{
    Kind from = some_number(d, once_in(d, 4) ? VIEW : BOOL);
    buf_printf(&d->out, "cast<%s>(", kind_names[kind]);
    draw_value(d, from == kind ? (kind == INT64 ? INT32 : INT64) : from, depth - 1);
    buf_putc(&d->out, ')');
}

static void choice(Draw *d, Kind kind, int depth)
{
    buf_puts(&d->out, "select(");
    draw_value(d, BOOL, depth - 1);
    buf_puts(&d->out, ", ");
    draw_value(d, kind, depth - 1);
    buf_puts(&d->out, ", ");
    draw_value(d, kind, depth - 1);
    buf_putc(&d->out, ')');
}

static void scaled(Draw *d, Kind kind, int depth)
{
    buf_puts(&d->out, once_in(d, 6) ? "shl(" : "mul(");
    draw_value(d, kind, depth - 1);
    buf_printf(&d->out, kind == INT64 ? ", %u)" : ", %u:%s)", some_number(d, 6), kind_names[kind]);
}

/* In the array's range whatever the value is. */
static void index_of(Draw *d, const char *array, int axis, int depth)
{
    switch (some_number(d, 8)) {
    case 0:
        draw_leaf(d, INT64);
        return;
    case 3:
    case 4:
        buf_printf(&d->out, "%d", (int)some_number(d, 6) - 2);
        return;
    case 1:
        draw_value(d, INT64, depth - 1);
        return;
    case 2:
        buf_printf(&d->out, "max(0, min(sub(extent(%s, %d), 1), ", array, axis);
        draw_value(d, INT64, depth - 1);
        buf_puts(&d->out, "))");
        return;
    default:
        buf_puts(&d->out, "mod(");
        draw_value(d, INT64, depth - 1);
        buf_printf(&d->out, ", extent(%s, %d))", array, axis);
        return;
    }
}

const char *draw_array(Draw *d, bool store)
{
    static const char *const names[] = { "x", "y", "z" };
    int view = draw_var(d, VIEW, false);
    if (d->local && once_in(d, 4))
        return "p";
    if (view >= 0 && once_in(d, 2) && !(store && d->apart))
        return arena_printf(d->out.arena, "v%d", view);
    if (d->flat)
        return d->apart || once_in(d, 2) ? "z" : "x";
    return names[d->apart ? 1 + some_number(d, ARRAYS - 1) : some_number(d, ARRAYS)];
}

void draw_own_element(Draw *d, const char *open, const char *close)
{
    static const char *const indices[] = { "v0", "add(v0, v1)", "sub(add(v0, mul(v1, 2)), v1)",
                                           "add(v0, mul(v1, mod(n, 3)))", "v0" };
    buf_printf(&d->out, "x%s%s%s", open, indices[some_number(d, ARRAY_COUNT(indices))], close);
}

void draw_element(Draw *d, const char *array, int depth, const char *open, const char *close)
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
        draw_own_element(d, ", ", ")");
        return;
    }
    draw_element(d, draw_array(d, false), depth, ", ", ")");
}

static void condition(Draw *d, int depth)
{
    static const char *const comparisons[] = { "lt", "le", "gt", "ge", "eq", "ne" };
    uint32_t what = some_number(d, 10);
    if (what == 0) {
        buf_puts(&d->out, "not(");
        draw_value(d, BOOL, depth - 1);
        buf_putc(&d->out, ')');
    } else if (what < 3) {
        operation(d, once_in(d, 2) ? "and_then" : "or_else", BOOL, depth);
    } else {
        Kind kind = once_in(d, 6) ? FLOAT64 + some_number(d, 2) : some_integer(d);
        operation(d, comparisons[some_number(d, ARRAY_COUNT(comparisons))], kind, depth);
    }
}

static void float_value(Draw *d, Kind kind, int depth)
{
    static const char *const names[] = { "add", "sub", "mul", "div" };
    if (once_in(d, 3))
        cast(d, kind, depth);
    else if (once_in(d, 4))
        choice(d, kind, depth);
    else
        operation(d, names[some_number(d, ARRAY_COUNT(names))], kind, depth);
}

void draw_value(Draw *d, Kind kind, int depth)
{
    static const char *const sums[] = { "add", "add", "sub" };
    static const char *const others[] = { "and", "or", "xor", "min", "max", "mul" };
    uint32_t what = some_number(d, 16);
    if (depth <= 0 || what < 4)
        draw_leaf(d, kind);
    else if (kind == BOOL)
        condition(d, depth);
    else if (kind >= FLOAT64)
        float_value(d, kind, depth);
    else if (what < 8)
        operation(d, sums[some_number(d, ARRAY_COUNT(sums))], kind, depth);
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
        operation(d, others[some_number(d, ARRAY_COUNT(others))], kind, depth);
}
