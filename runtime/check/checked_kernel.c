/* What the checker needs of a kernel. Findings refer to types, names and texts of the program, so
** the arena of its translation is kept with it. */
#include "runtime/check/checked_kernel.h"

#include "runtime/check/rehearsal.h"

/* ---- the parameters ------------------------------------------------------------------------- */

static void add_param(Arena *arena, CheckedKernel *checked, CheckedParam param)
{
    array_push(arena, checked->params, checked->count, checked->capacity) = param;
}

/* The arrays inside a tuple, which lie in it as members of a struct. */
static void add_members(Arena *arena, CheckedKernel *checked, const Type *type, const char *name,
                        CheckedParam member)
{
    for (int i = 0; type_has_items(type) && i < type->tuple.count; i++) {
        const Type *item = type->tuple.items[i];
        member.offset = round_up(member.offset, type_align(item));
        member.name = arena_printf(arena, "%s[%d]", name, i);
        member.type = item;
        if (type_is_array(item))
            add_param(arena, checked, member);
        else
            add_members(arena, checked, item, member.name, member);
        member.offset += type_size(item);
    }
}

int checked_params_of(const Type *type)
{
    if (!type_is_array(type))
        return 1;
    return 1 + type->array.rank * (type->array.layout == LAYOUT_A ? 2 : 1);
}

CheckedKernel *checked_new(Arena *arena, const KernelRequest *translation)
{
    CheckedKernel *checked = arena_new(arena, CheckedKernel);
    Emitted *emitted = arena_new(arena, Emitted);
    const Signature *signature = &translation->signature;
    int first = 0;

    *emitted = translation->emitted;
    checked->emitted = emitted;
    checked->span = translation->unit->kernel->span;
    checked->widened = translation->widened;
    checked->widened_count = translation->widened_count;
    checked->name = arena_strdup(arena, translation->kernel->info->name);
    for (int i = 0; i < signature->count; i++) {
        const Type *type = signature->params[i];
        CheckedParam param = {
            .name = arena_strdup(arena, translation->kernel->param_names[i]),
            .type = type,
            .first = first,
            .member = !type_is_array(type),
        };
        if (param.member)
            add_members(arena, checked, type, param.name, param);
        else
            add_param(arena, checked, param);
        first += checked_params_of(type);
    }
    checked->plain = check_plain_new(arena, translation); /* which changes the unit */
    return checked;
}

CheckedKernel *checked_keep(CheckedKernel *checked, const Arena *arena)
{
    checked->arena = *arena;
    checked->arena.exhausted = NULL;
    return checked;
}

void checked_free(CheckedKernel *checked)
{
    if (!checked)
        return;
    check_plain_free(checked->plain);
    Arena arena = checked->arena; /* it lies in its own arena */
    arena_free(&arena);
}

/* ---- the arguments of a launch -------------------------------------------------------------- */

/* The shape and strides that follow an array's address, one parameter each. */
static void read_axes(int64_t *numbers, int count, void *const *params)
{
    for (int i = 0; i < count; i++)
        memcpy(&numbers[i], params[i], sizeof *numbers);
}

/* Strides of a contiguous array, C or Fortran order. */
static void fill_strides(int64_t *strides, const Type *type, const int64_t *shape)
{
    int rank = type->array.rank;
    int64_t step = (int64_t)type_size(type->array.element);

    for (int i = 0; i < rank; i++) {
        int axis = type->array.layout == LAYOUT_F ? i : rank - 1 - i;
        strides[axis] = step;
        step *= shape[axis];
    }
}

/* `numbers` receives its shape and strides. */
static CheckArray read_array(const CheckedParam *param, void *const *params, int64_t *numbers)
{
    int rank = param->type->array.rank;
    CheckArray array = { .name = param->name,
                         .rank = rank,
                         .shape = numbers,
                         .strides = numbers + rank,
                         .item = (uint32_t)type_size(param->type->array.element),
                         .written = true };
    const char *member = (const char *)params[param->first] + param->offset;

    memcpy(&array.data, member, sizeof array.data);
    if (param->member) {
        memcpy(numbers, member + 8, 16 * (size_t)rank);
        return array;
    }
    read_axes(numbers, rank, params + param->first + 1);
    if (param->type->array.layout == LAYOUT_A)
        read_axes(numbers + rank, rank, params + param->first + 1 + rank);
    else
        fill_strides(numbers + rank, param->type, numbers);
    return array;
}

CheckArray *checked_arrays(const CheckedKernel *checked, void *const *params)
{
    size_t count = (size_t)checked->count, each = 2 * KJIT_RANK_MAX;
    CheckArray *arrays = memory_zeroed(count + 1, sizeof *arrays + each * sizeof(int64_t));

    if (!arrays)
        return NULL;
    int64_t *numbers = (int64_t *)(void *)(arrays + count + 1);
    for (size_t i = 0; i < count; i++)
        arrays[i] = read_array(&checked->params[i], params, numbers + i * each);
    return arrays;
}
