/* DIALECT_CHECK: accesses to elements of arrays, at addresses that the checker gives.
**
** `*(float *)at_2(c, 3, CHECK_READ, 4, tile, y, 16, 64, x, 16, 4)`: the call tests each index
** against its axis, then calls the checker. An element of a view is addressed in the underlying
** array: the indices that a view was taken by are tested as well, the starts of slices are added to
** the address. Offsets are in bytes, whatever the layout. */
#include "codegen/check/check.h"

enum { AXES_MAX = 4 * RANK_MAX };

typedef struct Axis {
    int number; /* of the underlying array */
    const char *index, *extent, *stride;
} Axis;

/* How an element, or a view's first, is reached from an array's data. */
typedef struct AccessPath {
    Emitter *e;
    const char *data; /* a pointer */
    Axis axes[AXES_MAX];
    int count;
    Buf moved; /* offset in bytes, as terms " + ..." */
    int64_t bytes;
} AccessPath;

/* ---- names --------------------------------------------------------------------------------- */

/* The array that a view is taken from. */
static const IrValue *behind(const IrValue *array)
{
    while (array->op == OP_view || array->op == OP_transpose || array->op == OP_field ||
           array->op == OP_recast || (array->op == OP_cast && type_is_array(array->type)))
        array = array->operands[0];
    return array;
}

/* An array's name in the source, or NULL. */
static const char *array_name(const Emitter *e, const IrValue *array)
{
    array = behind(array);
    for (int depth = 0; depth < 8 && array->op == OP_var; depth++) {
        const IrValue *only = e->vars[array->var->id].only;
        if (!array->var->temporary || !only)
            return array->var->kind == VAR_CONSTANT && array->var->table->name
                       ? array->var->table->name
                       : array->var->name;
        array = behind(only);
    }
    return NULL;
}

/* The axis of the underlying array that an axis of a view is; the view's own if there is none. */
static int axis_behind(const IrValue *array, int axis)
{
    int source;

    while (array->op == OP_cast)
        array = array->operands[0];
    if (array->op == OP_transpose)
        return axis_behind(array->operands[0], array->type->array.rank - 1 - axis);
    if (array->op == OP_field && axis < array->operands[0]->type->array.rank)
        return axis_behind(array->operands[0], axis);
    if (array->op != OP_view)
        return axis;
    emit_view_axis(array, axis, &source);
    return source < 0 ? axis : axis_behind(array->operands[0], source);
}

/* ---- paths to elements --------------------------------------------------------------------- */

/* An index as a long long; a uint64 above its maximum becomes the maximum. */
static const char *index_text(Emitter *e, const IrValue *index)
{
    const char *text = value_text(e, index, PREC_ARGUMENT);
    bool narrow = index->op == OP_cast && type_size(index->operands[0]->type) < 8;

    if (index->type != type_uint64 || index->op == OP_constant || narrow)
        return text;
    return arena_printf(e->arena, "%s(%s)", prelude(e, "clamp_index", NULL), text);
}

static void add_axis(AccessPath *path, const IrValue *array, int axis, const IrValue *index)
{
    Emitter *e = path->e;
    const char *extent = extent_text(e, array, axis, PREC_ARGUMENT);
    const char *text =
        check_used_index(e, index, index_text(e, index), array_name(e, array), extent);

    path->axes[path->count++] = (Axis){ axis_behind(array, axis), text, extent,
                                        stride_text(e, array, axis, PREC_MULTIPLY) };
}

/* Adds a view's indices and starts of slices. */
static void add_view(AccessPath *path, const IrValue *view)
{
    Emitter *e = path->e;
    const IrValue *array = view->operands[0];
    IrValue *const *operand = view->operands + 1;
    int from = 0;

    for (const char *axis = view->axes; *axis; axis++) {
        if (*axis == 'i') {
            add_axis(path, array, from, *operand++);
        } else if (*axis == 's') {
            if (!ir_is_integer(operand[0], 0))
                buf_printf(&path->moved, " + %s * %s", value_exact(e, operand[0], PREC_MULTIPLY),
                           stride_text(e, array, from, PREC_UNARY));
            operand += 3;
        }
        from += *axis != 'n';
    }
}

static void add_array(AccessPath *path, const IrValue *array)
{
    const IrValue *inner = array->count ? array->operands[0] : NULL;

    switch ((int)array->op) {
    case OP_cast:
    case OP_transpose:
        add_array(path, inner);
        return;
    case OP_view:
        add_array(path, inner);
        add_view(path, array);
        return;
    case OP_field:
        add_array(path, inner);
        path->bytes += (int64_t)inner->type->array.element->record.fields[array->index].offset;
        return;
    case OP_recast:
        add_array(path, inner);
        path->bytes += array->index;
        return;
    default:
        path->data = emit_base_text(path->e, array);
        return;
    }
}

static void path_to(AccessPath *path, Emitter *e, const IrValue *array)
{
    *path = (AccessPath){ .e = e };
    path->moved = buf_in(e->arena);
    add_array(path, array);
}

/* `data`, or `(const char *)data + 8 + start * 4`. */
static const char *path_data(const AccessPath *path)
{
    Emitter *e = path->e;
    const char *bytes =
        path->bytes ? arena_printf(e->arena, " + %lld", (long long)path->bytes) : "";

    if (!path->bytes && !path->moved.length)
        return path->data;
    return arena_printf(e->arena, "(const char *)%s%s%s", path->data, bytes,
                        path->moved.length ? buf_text(&path->moved) : "");
}

/* ---- elements ------------------------------------------------------------------------------ */

static bool is_constant_array(const IrValue *array)
{
    array = behind(array);
    return array->op == OP_var && array->var->kind == VAR_CONSTANT;
}

static const char *access_name(int access)
{
    return access == CHECK_READ       ? "CHECK_READ"
           : access == CHECK_WRITE    ? "CHECK_WRITE"
           : access == CHECK_VOLATILE ? "CHECK_READ | CHECK_ATOMIC"
                                      : "CHECK_ATOMIC";
}

static bool is_in_order(const AccessPath *path)
{
    for (int i = 0; i < path->count; i++)
        if (path->axes[i].number != i)
            return false;
    return true;
}

/* The axes as arguments (`few`), or as an array. */
static void put_axes(Buf *out, const AccessPath *path, bool few)
{
    for (int i = 0; i < path->count; i++) {
        const Axis *axis = &path->axes[i];
        if (few)
            buf_printf(out, ", %s, %s, %s", axis->index, axis->extent, axis->stride);
        else
            buf_printf(out, "%s{ %d, %s, %s, %s }", i ? ", " : "", axis->number, axis->index,
                       axis->extent, axis->stride);
    }
}

/* The call that returns the address at the end of a path. */
static const char *path_call(const AccessPath *path, int site, const char *access, size_t bytes)
{
    static const char *const pieces[] = { "at_0", "at_1", "at_2", "at_3" };
    Emitter *e = path->e;
    bool few = path->count < (int)ARRAY_COUNT(pieces) && is_in_order(path);
    Buf out = buf_in(e->arena);
    buf_printf(&out, "%s(%s, %d, %s, %zu, %s", prelude(e, few ? pieces[path->count] : "at", NULL),
               e->context_arg, site, access, bytes, path_data(path));
    if (!few)
        buf_printf(&out, ", %d, (const CheckAxis[]){ ", path->count);
    put_axes(&out, path, few);
    buf_puts(&out, few ? ")" : " })");
    return buf_text(&out);
}

/* The call that returns an element's address. */
static const char *element_call(Emitter *e, const IrValue *array, IrValue *const *indices,
                                int count, int access, const char *what, Span span)
{
    const Type *element = array->type->array.element;
    size_t alignment = array->type->array.unaligned ? 1 : type_align(element);
    AccessPath path;

    path_to(&path, e, array);
    for (int i = 0; i < array->type->array.rank && i < count; i++)
        add_axis(&path, array, i, indices[i]);
    return path_call(&path, check_site(e, span, array_name(e, array), what, alignment),
                     is_constant_array(array) ? "0" : access_name(access), type_size(element));
}

const char *check_load_text(Emitter *e, const IrValue *load, Prec prec)
{
    const IrValue *array = load->operands[0];
    const Type *element = array->type->array.element;
    int access = ir_is_volatile(load) ? CHECK_VOLATILE : CHECK_READ;
    const char *call =
        element_call(e, array, load->operands + 1, load->count - 1, access, "load", load->span);

    if (array->type->array.unaligned)
        return arena_printf(e->arena, "%s(%s, %s)", prelude(e, "UNALIGNED", NULL),
                            type_text(e, element), call);
    return parenthesize(e, arena_printf(e->arena, "*(%s *)%s", type_text(e, element), call),
                        PREC_UNARY, prec);
}

const char *check_store_text(Emitter *e, const IrStmt *stmt)
{
    const IrValue *array = stmt->store.array;
    const char *call = element_call(e, array, stmt->store.indices, stmt->store.count, CHECK_WRITE,
                                    "store", stmt->span);

    return arena_printf(e->arena, "%s(%s, %s, %s)", prelude(e, "STORE", NULL),
                        type_text(e, array->type->array.element), call,
                        value_assigned(e, stmt->store.value, PREC_ARGUMENT));
}

static const char *atomic_address(Emitter *e, const IrValue *atomic)
{
    char *what = arena_strndup(e->arena, ir_intrinsics[atomic->intrinsic].name,
                               strlen(ir_intrinsics[atomic->intrinsic].name));

    what[strlen("atomic")] = ' ';
    return element_call(e, atomic->operands[0], atomic->operands + 1, emit_atomic_indices(atomic),
                        CHECK_ATOMIC, what, atomic->span);
}

const char *check_swap_text(Emitter *e, const IrValue *atomic, const char *function,
                            const char *operands)
{
    const Type *element = atomic->operands[0]->type->array.element;
    const char *address = atomic_address(e, atomic);

    if (!type_is_integer(element) ||
        (atomic->intrinsic != INTR_atomic_exch && atomic->intrinsic != INTR_atomic_cas &&
         atomic->intrinsic != INTR_atomic_compare_and_swap))
        return arena_printf(e->arena, "%s(%s%s)", function, address, operands);
    return arena_printf(e->arena,
                        "({ %s *kjit_address = %s; %s(%s, kjit_address, %s(kjit_address%s)); })",
                        type_text(e, element), address, prelude(e, "swapped", element),
                        e->context_arg, function, operands);
}

/* ---- views --------------------------------------------------------------------------------- */

const char *check_data_text(Emitter *e, const IrValue *array)
{
    AccessPath path;

    path_to(&path, e, array);
    if (!path.count)
        return path_data(&path);
    return path_call(&path, check_site(e, array->span, array_name(e, array), "view", 1),
                     "CHECK_VIEW", 0);
}
