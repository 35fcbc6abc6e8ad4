/* Memory that kernels make: shared and local arrays. */
#include "ir/lower/array.h"
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

enum {
    SHARED_MAX = 227 * 1024, /* of a function's static arrays: what the largest GPUs give a block */
    PRIVATE_MAX = 512 * 1024 /* of a thread, likewise */
};

typedef struct ArrayRequest {
    const Operand *shape, *dtype, *alignment; /* NULL where not given */
} ArrayRequest;

/* Positional arguments and keywords, sorted out. */
static bool read_request(FnState *f, const Call *call, ArrayRequest *request)
{
    static const char *const names[] = { "shape", "dtype", "alignment" };
    const Operand **slots[] = { &request->shape, &request->dtype, &request->alignment };
    *request = (ArrayRequest){ 0 };
    if (call->count > 3)
        return call_takes(f, call, 2, 3);
    for (int i = 0; i < call->count; i++)
        *slots[i] = &call->args[i];
    for (int i = 0; i < call->expr->call.keyword_count; i++) {
        const AstKeyword *keyword = &call->expr->call.keywords[i];
        size_t at = 0;
        while (at < ARRAY_COUNT(names) && (!keyword->name || strcmp(names[at], keyword->name) != 0))
            at++;
        if (at == ARRAY_COUNT(names) || *slots[at])
            return fail(f, keyword->span, "%s takes shape, dtype and alignment, each once",
                        call->name);
        *slots[at] = &call->args[call->count + i];
    }
    if (!request->shape || !request->dtype)
        return fail(f, call->span, "%s needs a shape and a dtype", call->name);
    return true;
}

static bool read_extent(FnState *f, const Call *call, IrValue *value, int64_t *extent)
{
    value = plain_value(f, value);
    if (value->type->kind == TY_ERROR)
        return false;
    if (!type_is_integer(value->type))
        return fail(f, value->span, "the shape of %s is made of integers, and this is %s",
                    call->name, describe(f, operand_value((IrValue *)value)));
    if (!ir_is_constant(value))
        return fail(
            f, value->span,
            "the shape of %s is fixed when the kernel is compiled: use a number, a constant of the "
            "module, or a name that is assigned one of these once",
            call->name);
    *extent = value->constant.integer;
    if (*extent < 0)
        return fail(f, value->span, "an array cannot have %lld elements along an axis",
                    (long long)*extent);
    return true;
}

/* The extents of a shape, an integer or a tuple; their number, or -1 after a complaint. */
static int read_shape(FnState *f, const Call *call, const Operand *shape, int64_t *extents)
{
    if (shape->kind != OPD_VALUE) {
        if (shape->kind != OPD_ERROR)
            fail(f, shape->span, "a shape is an integer or a tuple of integers");
        return -1;
    }
    IrValue *known = literal_value(f, shape->value);
    IrValue *value = known ? known : shape->value;
    if (!type_is_tuple(value->type))
        return read_extent(f, call, value, &extents[0]) ? 1 : -1;
    int rank = value->type->tuple.count;
    if (value->op != OP_tuple && rank > 0) {
        fail(f, shape->span, "the shape of %s is fixed when the kernel is compiled: write it out",
             call->name);
        return -1;
    }
    if (rank > RANK_MAX) {
        fail(f, shape->span, "an array has at most %d axes", RANK_MAX);
        return -1;
    }
    for (int axis = 0; axis < rank; axis++)
        if (!read_extent(f, call, value->operands[axis], &extents[axis]))
            return -1;
    return rank;
}

/* A name such as "<f4" behind its mark of the machine's byte order. */
static const char *without_order(const char *text)
{
    return text + (*text && strchr("<=|", *text));
}

static const Type *dtype_of_text(FnState *f, const char *text)
{
    const Type *type = type_by_name(without_order(text));
    if (!type)
        type = type_time_by_name(text);
    if (!type)
        type = type_characters_named(f->types, text);
    return type ? type : type_vector_by_name(text);
}

static const Type *dtype_of_builtin(IrIntrinsic intrinsic)
{
    return intrinsic == INTR_float_  ? type_float64
           : intrinsic == INTR_int_  ? type_int64
           : intrinsic == INTR_bool_ ? type_bool
                                     : NULL;
}

const Type *dtype_argument(FnState *f, const Operand *dtype)
{
    const Type *type = dtype->kind == OPD_TYPE        ? dtype->type
                       : dtype->kind == OPD_STRING    ? dtype_of_text(f, dtype->string.text)
                       : dtype->kind == OPD_INTRINSIC ? dtype_of_builtin(dtype->intrinsic)
                                                      : NULL;
    if (type || dtype->kind == OPD_ERROR)
        return type;
    if (dtype->kind != OPD_STRING)
        fail(f, dtype->span, "a dtype is a type such as float32, and this is %s",
             describe(f, *dtype));
    else if (type_is_of_characters(without_order(dtype->string.text)))
        fail(f, dtype->span, NO_CHARACTERS);
    else
        fail(f, dtype->span, "'%s' is not a dtype%s", dtype->string.text,
             types_near(f->arena, dtype->string.text));
    return NULL;
}

static int read_alignment(FnState *f, const Operand *alignment)
{
    if (!alignment || alignment->kind == OPD_NONE)
        return 0;
    const IrValue *value = alignment->kind == OPD_VALUE ? literal_value(f, alignment->value) : NULL;
    int64_t bytes = value && ir_is_constant(value) && type_is_integer(value->type)
                        ? value->constant.integer
                        : 0;
    if (bytes < 8 || bytes > 4096 || (bytes & (bytes - 1))) {
        fail(f, alignment->span, "an alignment is a power of two from 8 to 4096, written out");
        return 0;
    }
    return (int)bytes;
}

/* Bytes of all static arrays of one kind in a function so far. */
static uint64_t bytes_so_far(const IrFunc *fn, IrVarKind kind)
{
    uint64_t total = 0;
    for (int i = 0; i < fn->var_count; i++) {
        const IrVar *var = fn->vars[i];
        if (var->kind != kind)
            continue;
        uint64_t bytes = type_size(var->type->array.element);
        for (int axis = 0; axis < var->type->array.rank; axis++)
            bytes *= (uint64_t)var->shape[axis];
        total += bytes;
    }
    return total;
}

static bool fits(FnState *f, const Call *call, const int64_t *extents, int rank,
                 const Type *element, bool shared)
{
    uint64_t limit = shared ? SHARED_MAX : PRIVATE_MAX;
    uint64_t bytes = type_size(element);
    for (int axis = 0; axis < rank; axis++) {
        if (extents[axis] && bytes > limit / (uint64_t)extents[axis]) {
            bytes = limit + 1;
            break;
        }
        bytes *= (uint64_t)extents[axis];
    }
    if (bytes + bytes_so_far(f->fn, shared ? VAR_SHARED : VAR_PRIVATE) <= limit)
        return true;
    if (shared)
        fail(f, call->span,
             "shared arrays of a kernel hold at most 227 KB together, which is what a GPU gives a "
             "block");
    else
        fail(f, call->span, "local arrays of a thread hold at most 512 KB together");
    return false;
}

Operand lower_array_intrinsic(FnState *f, const Call *call)
{
    bool shared = call->intrinsic == INTR_shared_array;
    ArrayRequest request;
    int64_t extents[RANK_MAX];
    if (f->constant_only)
        return fail_operand(f, call->span, "%s belongs inside a function", call->name);
    if (!read_request(f, call, &request))
        return operand_error(call->span);
    int rank = read_shape(f, call, request.shape, extents);
    const Type *element = dtype_argument(f, request.dtype);
    int alignment = read_alignment(f, request.alignment);
    if (rank < 0 || !element || !fits(f, call, extents, rank, element, shared))
        return operand_error(call->span);
    bool dynamic = shared && rank == 1 && extents[0] == 0;
    bool empty = false;
    for (int axis = 0; axis < rank; axis++)
        empty |= extents[axis] == 0;
    if (empty && !dynamic)
        return fail_operand(f, request.shape->span,
                            "an array needs at least one element along each axis%s",
                            shared ? "; dynamic shared memory has the shape 0" : "");
    IrVar *var = ir_var_new(f->arena, f->fn, UNNAMED_ARRAY,
                            type_array(f->types, element, rank, LAYOUT_C, false),
                            dynamic  ? VAR_SHARED_DYNAMIC
                            : shared ? VAR_SHARED
                                     : VAR_PRIVATE,
                            call->span);
    if ((size_t)alignment > type_align(element)) /* less than the type's own says nothing */
        var->alignment = alignment;
    if (!dynamic) {
        int64_t *shape = arena_array(f->arena, int64_t, rank + 1);
        memcpy(shape, extents, (size_t)rank * sizeof(extents[0]));
        var->shape = shape;
    }
    return operand_value(ir_var(f->arena, var, call->span));
}
