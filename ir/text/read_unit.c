/* What a text says of the whole unit, of functions and of launches: attributes from their nodes. */
#include "ir/text/read.h"

/* ---- functions ------------------------------------------------------------------------------ */

static bool take_flag(Reader *r, const Node *attribute, const TextFlag *flags, void *of)
{
    for (; flags->name && !attribute->items.count; flags++)
        if (read_is(r, attribute, flags->name)) {
            *((bool *)((char *)of + flags->offset)) = true;
            return true;
        }
    return false;
}

static bool take_numbers(Reader *r, const Node *attribute, IrOptions *options)
{
    for (const TextNumbers *row = text_option_numbers; row->name; row++) {
        if (!read_is(r, attribute, row->name) || attribute->items.count != row->count)
            continue;
        int *numbers = (int *)(void *)((char *)options + row->offset);
        const Node *number = attribute->items.first;
        for (int i = 0; i < row->count; i++, number = number->next)
            numbers[i] = (int)read_int(r, number, row->fallback < 0 ? row->fallback : 0, 1 << 20);
        return true;
    }
    return false;
}

/* matmul(NAME) */
static bool take_matmul(Reader *r, const Node *attribute, IrOptions *options)
{
    const Node *name = attribute->items.first;
    if (!read_is(r, attribute, "matmul") || attribute->items.count != 1 || name->kind != NODE_NAME)
        return false;
    options->matmul = (int)ir_matmul_named(read_text(r, name));
    return options->matmul != 0;
}

/* foreign(NAME), with `c` and `cooperative` behind it. */
static bool take_foreign(Reader *r, const Node *attribute, IrFunc *fn)
{
    const Node *name = attribute->items.first;
    if (!read_is(r, attribute, "foreign") || !name || name->kind != NODE_NAME)
        return false;
    IrForeign *foreign = arena_new(r->arena, IrForeign);
    foreign->name = read_text(r, name);
    for (const Node *word = name->next; word; word = word->next) {
        foreign->c_abi |= read_is(r, word, "c");
        foreign->cooperative |= read_is(r, word, "cooperative");
        if (!read_is(r, word, "c") && !read_is(r, word, "cooperative"))
            read_wrong(r, word, "no foreign function is '%s'", read_text(r, word));
    }
    fn->foreign = foreign;
    return true;
}

void read_options(Reader *r, const Node *function, IrFunc *fn)
{
    for (const TextNumbers *row = text_option_numbers; row->name; row++)
        for (int i = 0; i < row->count; i++)
            ((int *)(void *)((char *)&fn->options + row->offset))[i] = row->fallback;
    for (const Node *attribute = function->more.first; attribute; attribute = attribute->next)
        if (!take_flag(r, attribute, text_option_flags, &fn->options) &&
            !take_flag(r, attribute, text_function_flags, fn) &&
            !take_numbers(r, attribute, &fn->options) && !take_matmul(r, attribute, &fn->options) &&
            !take_foreign(r, attribute, fn))
            read_wrong(r, attribute, "no function is '%s'", read_text(r, attribute));
}

/* map(parameter, axis, rows): only arrays of parameters in front of it have one. */
static bool read_map(Reader *r, const Node *attribute)
{
    const Node *first = attribute->items.first;
    if (attribute->items.count != 3)
        return false;
    r->unit->hidden[r->unit->hidden_count++] =
        (IrHidden){ .kind = HIDDEN_MAP,
                    .axis = (int)read_int(r, first, 0, MAP_MOST_PARAMS),
                    .along = (int)read_int(r, first->next, 0, MAP_MOST_AXES - 1),
                    .rows = (int)read_int(r, first->next->next, 1, MAP_MOST_ROWS) };
    return true;
}

bool read_hidden(Reader *r, const Node *attribute)
{
    bool threads = read_is(r, attribute, "threads"), blocks = read_is(r, attribute, "blocks");
    if (read_is(r, attribute, "map") && r->unit->hidden_count < HIDDEN_MAX)
        return read_map(r, attribute);
    if ((!threads && !blocks) || attribute->items.count != 1 || r->unit->hidden_count == HIDDEN_MAX)
        return false;
    r->unit->hidden[r->unit->hidden_count++] =
        (IrHidden){ .kind = threads ? HIDDEN_THREADS : HIDDEN_BLOCKS,
                    .axis = (int)read_int(r, attribute->items.first, 0, 2) };
    return true;
}

/* ---- lists of numbers and parameters -------------------------------------------------------- */

/* The kernel's parameter of that name; with `none`, -1 is none of them. */
static int read_param(Reader *r, const Node *node, bool none)
{
    const IrVar *var = node->kind == NODE_NAME ? names_find(r, &r->vars, node) : NULL;
    if (var)
        return var->param;
    if (!none || node->kind != NODE_INT || read_int(r, node, -1, -1) != -1)
        read_wrong(r, node, "expected a parameter of the kernel");
    return none ? -1 : 0;
}

static bool is_list(Reader *r, const Node *attribute, const char *name, int count)
{
    return read_is(r, attribute, name) && attribute->items.count == count;
}

static bool take_sizes(Reader *r, const Node *attribute, const char *name, uint32_t sizes[3])
{
    const Node *size = attribute->items.first;
    if (!is_list(r, attribute, name, 3))
        return false;
    for (int i = 0; i < 3; i++, size = size->next)
        sizes[i] = (uint32_t)read_int(r, size, 0, UINT32_MAX);
    return true;
}

static bool take_size(Reader *r, const Node *attribute, const char *name, uint32_t *size)
{
    if (!is_list(r, attribute, name, 1))
        return false;
    *size = (uint32_t)read_int(r, attribute->items.first, 0, UINT32_MAX);
    return true;
}

static bool take_word(Reader *r, const Node *attribute, const char *name, bool *flag)
{
    bool is = is_list(r, attribute, name, 0);
    *flag |= is;
    return is;
}

/* ---- launch --------------------------------------------------------------------------------- */

/* Those that are named, or all. */
static bool take_set(Reader *r, const Node *attribute, IrFacts *facts)
{
    int at = 0;
    while (at < LAUNCH_SET_COUNT && !read_is(r, attribute, launch_set_names[at]))
        at++;
    if (at == LAUNCH_SET_COUNT)
        return false;
    uint64_t set = attribute->items.count ? 0 : ~UINT64_C(0);
    for (const Node *name = attribute->items.first; name; name = name->next) {
        int param = read_param(r, name, false);
        set |= param < LAUNCH_PARAMS ? UINT64_C(1) << param : 0;
    }
    facts->sets[at] = set;
    return true;
}

/* How many numbers there are of a parameter: an array's extents, or a scalar. */
static int count_values(const IrFunc *kernel, int hidden)
{
    int count = 0;
    for (int i = 0; i < kernel->param_count - hidden; i++) {
        const Type *type = kernel->vars[i]->type;
        count += type_is_array(type) ? type->array.rank : type_is_real(type);
    }
    return count;
}

static bool take_values(Reader *r, const Node *attribute, IrFacts *facts)
{
    int count = 0, wanted = count_values(r->unit->kernel, r->unit->hidden_count);
    if (!read_is(r, attribute, "values"))
        return false;
    if (attribute->items.count != wanted) {
        read_wrong(r, attribute, "expected %d values: each array's extents, each scalar", wanted);
        return true;
    }
    int64_t *values = arena_array(r->arena, int64_t, wanted + 1);
    for (const Node *value = attribute->items.first; value; value = value->next)
        values[count++] = read_int(r, value, INT64_MIN, INT64_MAX);
    facts->values = values;
    facts->value_count = count;
    return true;
}

void read_launch(Reader *r, const Node *line)
{
    IrFacts facts = { 0 };
    for (const Node *fact = line->more.first; fact; fact = fact->next)
        if (!take_word(r, fact, "narrow", &facts.narrow) &&
            !take_word(r, fact, "blocks_from_4096", &facts.blocks_from_4096) &&
            !take_word(r, fact, "parts", &facts.parts) &&
            !take_sizes(r, fact, "block", facts.block) &&
            !take_size(r, fact, "grid_size", &facts.grid_size) &&
            !take_size(r, fact, "array_size", &facts.array_size) && !take_values(r, fact, &facts) &&
            !take_set(r, fact, &facts))
            read_wrong(r, fact, "no fact of a launch is '%s'", read_text(r, fact));
    r->unit->launch = arena_new(r->arena, IrLaunch);
    r->unit->launch->facts = facts;
    r->unit->launch->asked.array_size = facts.array_size; /* as a text has what passes asked for */
}

/* ---- shape ---------------------------------------------------------------------------------- */

static bool take_count(Reader *r, const Node *attribute, const char *name, ShapeCount *count)
{
    const Node *param = attribute->items.first;
    if (!is_list(r, attribute, name, 4))
        return false;
    count->any = true;
    count->param = read_param(r, param, true);
    count->axis = (int)read_int(r, param->next, -1, RANK_MAX);
    count->plus = read_int(r, param->next->next, INT64_MIN, INT64_MAX);
    count->over = read_int(r, param->next->next->next, 1, INT64_MAX);
    return true;
}

static bool take_copies(Reader *r, const Node *attribute, IrShape *shape)
{
    const Node *param = attribute->items.first;
    if (!is_list(r, attribute, "copies", 3) || shape->shared_count == SHAPE_ARRAYS)
        return false;
    int i = shape->shared_count++;
    shape->shared[i].param = read_param(r, param, false);
    shape->shared[i].bytes = (uint32_t)read_int(r, param->next, 0, UINT32_MAX);
    shape->shared[i].room = (uint32_t)read_int(r, param->next->next, 0, UINT32_MAX);
    return true;
}

static bool take_axis(Reader *r, const Node *attribute, IrShape *shape)
{
    uint32_t axis[3];
    if (!take_sizes(r, attribute, "axis", axis))
        return false;
    for (int i = 0; i < 3; i++) {
        if (axis[i] > 2)
            read_wrong(r, attribute, "the axes are 0, 1 and 2");
        shape->axis[i] = (uint8_t)(axis[i] % 3);
    }
    return true;
}

static bool take_shape(Reader *r, const Node *attribute, IrShape *shape)
{
    return take_word(r, attribute, "changed", &shape->changed) ||
           take_word(r, attribute, "free", &shape->free) ||
           take_word(r, attribute, "whole", &shape->whole) || take_axis(r, attribute, shape) ||
           take_sizes(r, attribute, "block", shape->block) ||
           take_sizes(r, attribute, "tile", shape->tile) ||
           take_sizes(r, attribute, "divide", shape->divide) ||
           take_sizes(r, attribute, "merge", shape->merge) ||
           take_size(r, attribute, "team", &shape->team) ||
           take_size(r, attribute, "least", &shape->least) ||
           take_size(r, attribute, "share", &shape->share) ||
           take_size(r, attribute, "stay", &shape->stay) ||
           take_size(r, attribute, "light", &shape->light) ||
           take_count(r, attribute, "iterations", &shape->iterations) ||
           take_count(r, attribute, "raised_x", &shape->raised[0]) ||
           take_count(r, attribute, "raised_y", &shape->raised[1]) ||
           take_count(r, attribute, "raised_z", &shape->raised[2]) ||
           take_copies(r, attribute, shape);
}

void read_shape(Reader *r, const Node *line)
{
    for (const Node *attribute = line->more.first; attribute; attribute = attribute->next)
        if (!take_shape(r, attribute, &r->unit->shape))
            read_wrong(r, attribute, "no launch is carried out '%s'", read_text(r, attribute));
}

/* ---- unit ----------------------------------------------------------------------------------- */

void read_unit_line(Reader *r, const Node *line)
{
    IrUnit *unit = r->unit;
    for (const Node *attribute = line->more.first; attribute; attribute = attribute->next) {
        uint32_t size = 0;
        if (take_size(r, attribute, "unroll", &size))
            unit->unroll = size <= UNROLL_MOST ? (int)size : UNROLL_MOST;
        else if (take_size(r, attribute, "arch", &size))
            unit->arch = (int)read_int(r, attribute->items.first, 0, INT16_MAX);
        else if (!take_word(r, attribute, "narrow", &unit->narrow) &&
                 !take_word(r, attribute, "processor", &unit->processor) &&
                 !take_word(r, attribute, "births", &unit->nan))
            read_wrong(r, attribute, "no unit is '%s'", read_text(r, attribute));
    }
}
