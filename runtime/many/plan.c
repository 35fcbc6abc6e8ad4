/* Plans: a kernel is compiled as far as its IR, and split with the numbers of the launch. */
#include "runtime/many/plan.h"
#include "runtime/array/array.h"
#include "runtime/compile/compile.h"

#include "ir/text/text.h"
#include "runtime/cache.h"

/* ---- what is said of arrays ------------------------------------------------------------------ */

static kjit_status find_array(const kjit_kernel *kernel, const kjit_arg *args,
                              const kjit_wish *said, int *param)
{
    for (int i = 0; i < kernel->param_count; i++) {
        if (strcmp(kernel->param_names[i], said->name) != 0 || args[i].kind != KJIT_ARG_ARRAY)
            continue;
        *param = i;
        return KJIT_OK;
    }
    return error_set(KJIT_ARGUMENT, "error: --%s %s: %s has no array '%s'", said->option,
                     said->name, kernel->info->name, said->name);
}

static bool read_count(const char *text, int64_t *count)
{
    char *end;
    *count = strtoll(text, &end, 10);
    return end != text && !*end && *count >= 0;
}

static kjit_status take_axis(const kjit_wish *said, const kjit_array *array, SplitWish *wish)
{
    int64_t axis;
    if (!read_count(said->value, &axis) || axis >= array->rank)
        return error_set(KJIT_ARGUMENT, "error: --split %s=%s: it takes an axis of the array, %s%d",
                         said->name, said->value, array->rank > 1 ? "0 to " : "", array->rank - 1);
    wish->role = SPLIT_PARTS;
    wish->axis = (int)axis;
    return KJIT_OK;
}

static kjit_status take_halo(const kjit_wish *said, SplitWish *wish)
{
    if (!read_count(said->value, &wish->halo))
        return error_set(KJIT_ARGUMENT, "error: --halo %s=%s: it takes a number of rows",
                         said->name, said->value);
    wish->role = SPLIT_PARTS; /* along axis 0 unless --split says another */
    wish->has_halo = true;
    return KJIT_OK;
}

static kjit_status take_operation(const kjit_wish *said, ManyWish *out)
{
    size_t length = strcspn(said->value, ":");
    Combine combine = split_combine(said->value, length);
    bool ordered = strcmp(said->value, "sum:ordered") == 0;

    if (!combine || (said->value[length] && !ordered))
        return error_set(KJIT_ARGUMENT,
                         "error: --reduce %s=%s: it takes sum, sum:ordered, max, min, and, or or "
                         "xor",
                         said->name, said->value);
    out->wish.role = SPLIT_REDUCED;
    out->wish.combine = combine;
    out->ordered = ordered;
    return KJIT_OK;
}

static kjit_status read_wish(const kjit_kernel *kernel, const kjit_arg *args, const kjit_wish *said,
                             ManyWish *wishes)
{
    int param = 0;
    KJIT_TRY(find_array(kernel, args, said, &param));
    ManyWish *out = &wishes[param];
    SplitRole before = out->wish.role;

    if (strcmp(said->option, "split") == 0)
        KJIT_TRY(take_axis(said, &args[param].as.array, &out->wish));
    else if (strcmp(said->option, "halo") == 0)
        KJIT_TRY(take_halo(said, &out->wish));
    else if (strcmp(said->option, "reduce") == 0)
        KJIT_TRY(take_operation(said, out));
    else
        out->wish.role = SPLIT_COPIED;
    if (!before || before == out->wish.role)
        return KJIT_OK;
    return error_set(KJIT_ARGUMENT,
                     "error: '%s' is to be two things at once: say one of --split "
                     "(with --halo), --reduce and --copy",
                     said->name);
}

kjit_status plan_read_wishes(Arena *arena, const kjit_kernel *kernel, const kjit_arg *args,
                             const kjit_wish *list, size_t count, ManyWish **wishes)
{
    *wishes = arena_array(arena, ManyWish, kernel->param_count + 1);
    for (size_t i = 0; i < count; i++)
        KJIT_TRY(read_wish(kernel, args, &list[i], *wishes));
    return KJIT_OK;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static bool is_whole_number(const kjit_arg *arg)
{
    const Type *type = arg->kind == KJIT_ARG_SCALAR ? dtype_type(arg->dtype) : NULL;
    return type && (type_is_integer(type) || type == type_bool) &&
           (arg->as.integer >= 0 || type_is_signed(type));
}

static SplitArg *read_args(Arena *arena, const kjit_arg *args, size_t count, const ManyWish *wishes)
{
    SplitArg *out = arena_array(arena, SplitArg, count + 1);
    for (size_t i = 0; i < count; i++) {
        const kjit_array *array = &args[i].as.array;
        out[i].wish = wishes[i].wish;
        out[i].known = is_whole_number(&args[i]);
        out[i].value = out[i].known ? args[i].as.integer : 0;
        out[i].array = args[i].kind == KJIT_ARG_ARRAY;
        if (!out[i].array)
            continue;
        memcpy(out[i].shape, array->shape, sizeof(int64_t) * (size_t)array->rank);
        out[i].item = array_item_bytes(array);
    }
    return out;
}

/* ---- the plan -------------------------------------------------------------------------------- */

static kjit_status refuse(Arena *arena, const kjit_kernel *kernel, const SplitPlan *plan)
{
    Diags diags;
    diags_init(&diags, arena);
    diag_error(&diags, plan->where, "%s cannot be split over %d ranks: %s", kernel->info->name,
               plan->ranks, plan->why);
    if (plan->help)
        diag_note(&diags, plan->where, "%s", plan->help);
    return error_diags(&diags);
}

static void read_shape(const kjit_launch_config *config, SplitRequest *request)
{
    for (int k = 0; k < 3; k++) {
        request->grid[k] = config->grid[k] ? config->grid[k] : 1;
        request->block[k] = config->block[k] ? config->block[k] : 1;
    }
}

uint64_t many_digest(KeyState *state)
{
    CacheKey key;

    if (!key_end(state, &key))
        return 0;
    key.name[16] = 0;
    return strtoull(key.name, NULL, 16);
}

void many_key_arg(KeyState *state, const kjit_arg *arg, bool floats, KeyArray *add_array,
                  const void *of)
{
    bool two = dtype_is_complex(arg->dtype), whole = !two && !dtype_is_float(arg->dtype);

    key_number(state, (uint64_t)arg->kind << 32 | (uint64_t)arg->dtype);
    if (arg->kind == KJIT_ARG_ARRAY)
        add_array(state, &arg->as.array, of);
    for (size_t i = 0; arg->kind == KJIT_ARG_TUPLE && i < arg->as.tuple.count; i++)
        many_key_arg(state, &arg->as.tuple.items[i], floats, add_array, of);
    if (arg->kind == KJIT_ARG_SCALAR && (floats || whole))
        key_field(state, two ? (const void *)arg->as.complex_parts : &arg->as.integer,
                  two ? sizeof arg->as.complex_parts : sizeof arg->as.integer);
}

/* Of what the kernel comes to, which comments and its place in the file do not change. */
static uint64_t digest_of(Arena *arena, const IrUnit *unit)
{
    KeyState *state = key_begin();
    Buf text = buf_in(arena);
    ir_print(&text, unit, IR_TEXT_PLAIN);
    key_text(state, buf_text(&text));
    return many_digest(state);
}

kjit_status plan_make(Arena *arena, const kjit_kernel *kernel, const kjit_launch_config *config,
                      const kjit_arg *args, size_t count, const ManyWish *wishes, int ranks,
                      const uint64_t together[3], SplitPlan *plan)
{
    SplitRequest *request = arena_new(arena, SplitRequest);
    uint32_t *words = arena_array(arena, uint32_t, KEY_MAX);
    KernelRequest compiled = {
        .kernel = kernel, .key = words, .dialect = DIALECT_C, .stop_at_ir = true
    };

    if (kernel->module->compiled)
        return error_set(KJIT_UNSUPPORTED,
                         "error: %s cannot be split over ranks: it comes from a binary",
                         kernel->info->name);
    if (ranks < 1 || ranks > SPLIT_RANKS)
        return error_set(KJIT_ARGUMENT, "error: a launch is split over 1 to %d ranks, not %d",
                         SPLIT_RANKS, ranks);
    KJIT_TRY(signature_pack(args, count, kernel->param_names, words, &compiled.key_length));
    KJIT_TRY(compile_kernel(arena, &compiled));
    *request = (SplitRequest){ .unit = compiled.unit,
                               .ranks = ranks,
                               .axis = -1,
                               .wants_inner = true,
                               .args = read_args(arena, args, count, wishes) };
    read_shape(config, request);
    for (int k = 0; k < 3; k++)
        request->together[k] = together ? together[k] : request->block[k];
    uint64_t text = digest_of(arena, compiled.unit);
    *plan = ir_split(request);
    plan->ranks = ranks;
    plan->text = text;
    return plan->why ? refuse(arena, kernel, plan) : KJIT_OK;
}
