/* Random kernels: sets, branches, loops and accesses of small numbers, some of them in the forms
** that analyses look for. A variable is read only where it has been set, as lowering has it, or in
** a loop before, as inlining has it. */
#include "tests/brute/draw.h"

#include <stdio.h>

enum { DEEPEST = 3, STATEMENTS = 26 };

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
    uint32_t axis = some_number(d, 2);
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
        buf_puts(&d->out, indices[some_number(d, ARRAY_COUNT(indices))]);
}

static void declare(Draw *d, Kind kind, bool fixed)
{
    d->kinds[d->count] = kind;
    d->fixed[d->count] = fixed;
    d->live[d->count++] = true;
}

/* A part of a row, or all of it backwards. */
static void view(Draw *d)
{
    const char *of = d->flat || (once_in(d, 2) && !d->apart) ? "x" : "y";
    int start = (int)some_number(d, 2);
    if (once_in(d, 3))
        buf_printf(&d->out, "view<s>(%s, sub(extent(%s, 0), 1), extent(%s, 0), -1)", of, of, of);
    else if (once_in(d, 2))
        buf_printf(&d->out, "view<s>(%s, %d, floordiv(extent(%s, 0), 2), 2)", of, start, of);
    else
        buf_printf(&d->out, "view<s>(%s, %d, sub(extent(%s, 0), %d), 1)", of, start, of, start);
}

static void set_new(Draw *d)
{
    Kind kind = once_in(d, 2) ? some_number(d, d->flat ? VIEW : KINDS) : INT64;
    if (d->count == VARS_MOST)
        return;
    margin(d);
    buf_printf(&d->out, "v%d: %s = ", d->count, kind_names[kind]);
    if (kind == VIEW)
        view(d);
    else if (kind == INT64 && once_in(d, 4))
        index_to_name(d);
    else
        draw_value(d, kind, 3);
    buf_putc(&d->out, '\n');
    declare(d, kind, false);
}

static void set_again(Draw *d)
{
    Kind kind = once_in(d, 3) ? some_number(d, KINDS) : INT64;
    int var = draw_var(d, kind, true);
    if (var < 0)
        return;
    margin(d);
    buf_printf(&d->out, "v%d = ", var);
    if (kind == VIEW)
        view(d);
    else if (kind < BOOL && once_in(d, 2))
        buf_printf(&d->out, kind == INT64 ? "add(v%d, %u)" : "add(v%d, %u:%s)", var,
                   1 + some_number(d, 3), kind_names[kind]);
    else
        draw_value(d, kind, 3);
    buf_putc(&d->out, '\n');
}

static void store(Draw *d)
{
    margin(d);
    buf_puts(&d->out, "store ");
    if (!d->apart)
        draw_element(d, draw_array(d, true), 2, "[", "]");
    else if (d->local && once_in(d, 3))
        draw_element(d, "p", 2, "[", "]");
    else
        draw_own_element(d, "[", "]");
    buf_puts(&d->out, " = ");
    draw_value(d, INT64, 2);
    buf_putc(&d->out, '\n');
}

/* `if v names one of so many elements: store z[v // columns, v % columns] = ...`; now and then that
** is another number of columns. */
static void numbered_store(Draw *d, int var)
{
    int axis = once_in(d, 6) ? 0 : 1;
    margin(d);
    buf_printf(&d->out, "if and_then(ge(v%d, 0), lt(", var);
    if (once_in(d, 2))
        buf_printf(&d->out, "v%d, mul(extent(z, 0), extent(z, 1))))\n", var);
    else
        buf_printf(&d->out, "floordiv(v%d, extent(z, 1)), extent(z, 0)))\n", var);
    d->depth++;
    margin(d);
    buf_printf(&d->out, "store z[floordiv(v%d, extent(z, %d)), mod(v%d, extent(z, %d))] = ", var,
               axis, var, axis);
    draw_value(d, INT64, 2);
    buf_putc(&d->out, '\n');
    d->depth--;
}

/* `if 0 <= v < extent: store array[v] = ...`, or without the lower end. */
static void guarded_store(Draw *d)
{
    int var = d->apart ? 0 : draw_var(d, INT64, false);
    const char *array = once_in(d, 2) || d->apart || d->flat ? "x" : "y";
    if (var < 0)
        return;
    if (!d->apart && !d->flat && once_in(d, 3)) {
        numbered_store(d, var);
        return;
    }
    margin(d);
    buf_puts(&d->out, once_in(d, 2) ? "if and_then(ge(" : "if and_then(le(-1, ");
    buf_printf(&d->out, d->out.text[d->out.length - 1] == '(' ? "v%d, 0), lt(" : "v%d), lt(", var);
    buf_printf(&d->out, "v%d, extent(%s, 0)))\n", var, array);
    d->depth++;
    margin(d);
    buf_printf(&d->out, "store %s[v%d] = ", array, var);
    draw_value(d, INT64, 2);
    buf_putc(&d->out, '\n');
    d->depth--;
}

static void atomic(Draw *d)
{
    static const char *const names[] = { "add", "max", "min" };
    const char *array = once_in(d, 2) || d->flat ? "x" : "y";
    if (d->apart)
        return;
    bool sets = once_in(d, 3) && d->count < VARS_MOST;
    margin(d);
    if (sets)
        buf_printf(&d->out, "v%d: int64 = ", d->count);
    else
        buf_puts(&d->out, "eval ");
    buf_printf(&d->out, "atomic_%s(", names[some_number(d, ARRAY_COUNT(names))]);
    draw_element(d, array, 2, ", ", ", ");
    draw_value(d, INT64, 1);
    buf_puts(&d->out, ")\n");
    if (sets)
        declare(d, INT64, false);
}

static void branch(Draw *d)
{
    margin(d);
    buf_puts(&d->out, "if ");
    draw_value(d, BOOL, 3);
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
        draw_value(d, INT64, 1);
    buf_puts(&d->out, " to ");
    if (once_in(d, 2))
        buf_puts(&d->out, once_in(d, 2) ? "n" : "extent(x, 0)");
    else
        draw_value(d, INT64, 2);
    buf_puts(&d->out, " by ");
    if (once_in(d, 3))
        buf_puts(&d->out, "gridsize(0)");
    else if (once_in(d, 8))
        draw_value(d, INT64, 1);
    else
        buf_printf(&d->out, "%d", once_in(d, 4) ? -1 : 1 + (int)some_number(d, 3));
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
    draw_value(d, INT64, 1);
    buf_putc(&d->out, '\n');
    declare(d, INT64, once_in(d, 2));
    margin(d);
    buf_printf(&d->out, "while lt(v%d, ", var);
    draw_value(d, INT64, 1);
    buf_puts(&d->out, ")\n");
    snprintf(first, sizeof first, "v%d = add(v%d, %u)\n", var, var, 1 + some_number(d, 3));
    d->loops++;
    region(d, first);
    d->loops--;
}

/* y[row * n + v], or a column next to that, mostly where there is one. */
static void flat_element(Draw *d, int row, int column, const char *open, const char *close)
{
    int aside = once_in(d, 2) ? 0 : (int)some_number(d, 3) - 1;
    if (aside)
        buf_printf(&d->out, "y%sadd(mul(v%d, n), add(v%d, %d))%s", open, row, column, aside, close);
    else
        buf_printf(&d->out, "y%sadd(mul(v%d, n), v%d)%s", open, row, column, close);
}

/* for row: for column: [if there are columns on both sides:] y[row, column] = y[...] + ... */
static void flat_loops(Draw *d)
{
    int row = d->count, column = row + 1, outer = d->depth;
    if (d->count + 2 > VARS_MOST || d->loops + 2 > DEEPEST)
        return;
    margin(d);
    buf_printf(&d->out, "for v%d: int64 in %u to %s by 1\n", row, some_number(d, 2),
               once_in(d, 2) ? "3" : "floordiv(extent(y, 0), max(n, 1))");
    d->depth++;
    margin(d);
    buf_printf(&d->out, "for v%d: int64 in %u to n by 1\n", column, some_number(d, 2));
    d->depth++;
    if (!once_in(d, 4)) {
        margin(d);
        buf_printf(&d->out, "if and_then(gt(v%d, 0), lt(v%d, sub(n, 1)))\n", column, column);
        d->depth++;
    }
    margin(d);
    buf_puts(&d->out, "store ");
    flat_element(d, row, column, "[", "]");
    buf_puts(&d->out, " = add(load(");
    flat_element(d, row, column, ", ", "), ");
    draw_leaf(d, INT64);
    buf_puts(&d->out, ")\n");
    d->depth = outer;
    declare(d, INT64, true);
    declare(d, INT64, true);
    d->live[row] = d->live[column] = false;
}

/* if column < n and row < m: y[row * n + column] = ..., where threads are columns and rows, or near
** that; some columns by a loop. */
static void flat_places(Draw *d)
{
    static const char *const columns[] = { "grid(0)", "cast<int64>(thread_idx(0))", "grid(1)",
                                           "add(grid(0), 1)" };
    static const char *const most[] = { "n", "n", "m", "3", "add(n, 1)", "h" };
    static const char *const less[] = { "lt", "lt", "lt", "le" };
    const char *column = columns[once_in(d, 2) ? 0 : some_number(d, 4)];
    const char *row = once_in(d, 6) ? "cast<int64>(block_idx(0))" : "grid(1)";
    const char *pitch = most[once_in(d, 2) ? 0 : some_number(d, 6)];
    const char *end = most[once_in(d, 2) ? 0 : some_number(d, 6)];
    int outer = d->depth;

    margin(d);
    buf_printf(&d->out, "if and_then(%s(%s, cast<int64>(%s)), lt(%s, ", less[some_number(d, 4)],
               column, end, row);
    buf_puts(&d->out, once_in(d, 2) ? "floordiv(extent(y, 0), max(n, 1))))\n" : "m))\n");
    d->depth++;
    margin(d);
    buf_printf(&d->out, "store y[add(mul(%s, cast<int64>(%s)), %s)] = ", row, pitch, column);
    draw_leaf(d, INT64);
    buf_putc(&d->out, '\n');
    d->depth = outer;
}

static void jump(Draw *d)
{
    static const char *const ways[] = { "break", "continue", "return" };
    uint32_t way = d->loops ? some_number(d, 3) : 2;
    margin(d);
    buf_puts(&d->out, "if ");
    if (once_in(d, 2)) {
        buf_puts(&d->out, once_in(d, 2) ? "lt(grid(0), " : "eq(mod(grid(0), 2), ");
        draw_leaf(d, INT64);
        buf_putc(&d->out, ')');
    } else {
        draw_value(d, BOOL, 2);
    }
    buf_putc(&d->out, '\n');
    d->depth++;
    margin(d);
    buf_printf(&d->out, "%s\n", ways[way]);
    d->depth--;
}

static void statement(Draw *d)
{
    uint32_t what = some_number(d, 32);
    d->left--;
    if (d->flat && once_in(d, 4))
        once_in(d, 2) ? flat_places(d) : flat_loops(d);
    else if (d->loops && once_in(d, 3))
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

/* What is set in it for the first time is seldom read behind it. */
static void region(Draw *d, const char *first)
{
    int outer = d->count;
    d->depth++;
    if (first) {
        margin(d);
        buf_puts(&d->out, first);
    }
    size_t began = d->out.length;
    for (uint32_t i = some_number(d, 4) + 1; i-- > 0 && d->left > 0;)
        statement(d);
    if (d->out.length == began && !first) {
        margin(d);
        buf_puts(&d->out, "store x[0] = 1\n");
    }
    d->depth--;
    for (int i = outer; i < d->count; i++)
        d->live[i] &= !d->fixed[i] && once_in(d, 4);
}

const char *draw_kernel(Arena *arena, Random *random)
{
    Draw d = { .random = random };
    d.out = buf_in(arena);
    d.left = 4 + (int)some_number(&d, STATEMENTS);
    buf_puts(&d.out, "kernel k(x: int64[::1], y: int64[::1], z: int64[:, ::1], n: int64, m: int64, "
                     "h: int32, w: uint64)\n");
    d.local = once_in(&d, 3);
    if (d.local)
        buf_puts(&d.out, "    private p: int64[::1] of 8\n");
    d.flat = once_in(&d, 6);
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
