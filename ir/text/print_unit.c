/* What a text says of the whole unit, a line each: what is known of launches, how they are carried
** out, and how code for them differs.
**
**     launch narrow alone aligned(x, y) block(16, 16, 1)
**     shape free axis(1, 0, 2) block(32, 8, 1) tile(1, 4, 1)
**     unit narrow processor */
#include "ir/text/parts.h"

/* ---- launch -------------------------------------------------------------------------------- */

/* The parameters in a set, by their names unless they are all. */
static void put_set(Buf *out, const char *name, uint64_t set, const char *const *names, int count)
{
    if (!set)
        return;
    buf_printf(out, " %s", name);
    const char *before = "(";
    for (int i = 0; i < count && i < LAUNCH_PARAMS && ~set; i++)
        if (set >> i & 1) {
            buf_printf(out, "%s%s", before, names[i]);
            before = ", ";
        }
    buf_puts(out, *before == ',' ? ")" : "");
}

static void put_numbers(Buf *out, const char *name, const int64_t *numbers, int count)
{
    buf_printf(out, " %s(", name);
    for (int i = 0; i < count; i++)
        buf_printf(out, "%s%lld", i ? ", " : "", (long long)numbers[i]);
    buf_putc(out, ')');
}

static void put_sizes(Buf *out, const char *name, const uint32_t sizes[3])
{
    if (sizes[0] || sizes[1] || sizes[2])
        put_numbers(out, name, (int64_t[]){ sizes[0], sizes[1], sizes[2] }, 3);
}

static void put_number(Buf *out, const char *name, int64_t number)
{
    if (number)
        put_numbers(out, name, &number, 1);
}

/* The size of the largest array where a pass has asked for it. */
static void put_launch(Buf *out, const IrLaunch *launch, const char *const *names, int count)
{
    const IrFacts *facts = &launch->facts;
    buf_puts(out, "launch");
    buf_puts(out, facts->narrow ? " narrow" : "");
    buf_puts(out, facts->blocks_from_4096 ? " blocks_from_4096" : "");
    buf_puts(out, facts->parts ? " parts" : "");
    for (int i = 0; i < LAUNCH_SET_COUNT; i++)
        put_set(out, launch_set_names[i], facts->sets[i], names, count);
    put_sizes(out, "block", facts->block);
    put_number(out, "grid_size", facts->grid_size);
    put_number(out, "array_size", launch->asked.array_size ? facts->array_size : 0);
    if (facts->values)
        put_numbers(out, "values", facts->values, facts->value_count);
    buf_putc(out, '\n');
}

/* ---- shape --------------------------------------------------------------------------------- */

static const char *param_name(const char *const *names, int param)
{
    return param < 0 ? "-1" : names[param];
}

static void put_shared(Buf *out, const IrShape *shape, const char *const *names)
{
    for (int i = 0; i < shape->shared_count; i++)
        buf_printf(out, " copies(%s, %u, %u)", param_name(names, shape->shared[i].param),
                   (unsigned)shape->shared[i].bytes, (unsigned)shape->shared[i].room);
}

static void put_count(Buf *out, const char *name, const ShapeCount *count, const char *const *names)
{
    if (count->any)
        buf_printf(out, " %s(%s, %d, %lld, %lld)", name, param_name(names, count->param),
                   count->axis, (long long)count->plus, (long long)count->over);
}

static void put_shape(Buf *out, const IrShape *shape, const char *const *names)
{
    uint32_t axis[] = { shape->axis[0], shape->axis[1], shape->axis[2] };
    buf_puts(out, shape->changed ? " changed" : "");
    buf_puts(out, shape->free ? " free" : "");
    buf_puts(out, shape->whole ? " whole" : "");
    put_sizes(out, "axis", axis);
    put_sizes(out, "block", shape->block);
    put_sizes(out, "tile", shape->tile);
    put_number(out, "team", shape->team);
    put_number(out, "least", shape->least);
    put_number(out, "share", shape->share);
    put_number(out, "stay", shape->stay);
    put_number(out, "light", shape->light);
    put_count(out, "iterations", &shape->iterations, names);
    put_count(out, "raised_x", &shape->raised[0], names);
    put_count(out, "raised_y", &shape->raised[1], names);
    put_count(out, "raised_z", &shape->raised[2], names);
    put_sizes(out, "divide", shape->divide);
    put_sizes(out, "merge", shape->merge);
    put_shared(out, shape, names);
}

/* ---- unit ---------------------------------------------------------------------------------- */

void print_unit_facts(Buf *out, const IrUnit *unit, const char *const *names)
{
    size_t before = out->length;
    Buf shape = buf_in(unit->arena);
    put_shape(&shape, &unit->shape, names);
    if (unit->launch)
        put_launch(out, unit->launch, names, unit->kernel->param_count);
    if (shape.length)
        buf_printf(out, "shape%s\n", buf_text(&shape));
    if (unit->narrow || unit->processor || unit->nan || unit->unroll || unit->arch) {
        buf_puts(out, "unit");
        buf_puts(out, unit->narrow ? " narrow" : "");
        buf_puts(out, unit->processor ? " processor" : "");
        buf_puts(out, unit->nan ? " births" : "");
        put_number(out, "unroll", unit->unroll);
        put_number(out, "arch", unit->arch);
        buf_putc(out, '\n');
    }
    buf_puts(out, out->length > before ? "\n" : "");
}
