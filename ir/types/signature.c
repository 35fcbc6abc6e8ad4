/* Types and signatures as text: float32[:, ::1], hist_kernel(float32[::1], int32). */
#include "ir/types/types.h"
#include "parser/parser.h"

/* "float32" of float32, np.float32, numba.types.float32; NULL if the expression is no name. */
static const char *last_name(const AstExpr *expr)
{
    if (expr->kind == AST_NAME)
        return expr->name.name;
    return expr->kind == AST_ATTRIBUTE ? expr->attribute.name : NULL;
}

static bool is_full_slice(const AstExpr *expr, bool *unit)
{
    if (expr->kind != AST_SLICE || expr->slice.start || expr->slice.stop)
        return false;
    const AstExpr *step = expr->slice.step;
    *unit = step && step->kind == AST_INT && step->integer.value == 1;
    return !step || *unit;
}

/* Whether it is datetime64[ns] or the like, which is no array, right or wrong. */
static bool is_time(const AstExpr *expr)
{
    const AstExpr *index = expr->index.index;
    const char *name = last_name(expr->index.object);
    return name && type_time_by_name(name) &&
           (index->kind == AST_NAME || index->kind == AST_STRING);
}

static const Type *time_from_ast(Diags *diags, const AstExpr *expr)
{
    const AstExpr *index = expr->index.index;
    const char *text = index->kind == AST_STRING ? index->string.text : index->name.name;
    TimeUnit unit;
    if (time_unit_named(text, strlen(text), &unit))
        return type_time(type_time_by_name(last_name(expr->index.object))->kind == TY_DATETIME,
                         unit);
    diag_error(diags, index->span, "a unit is one of Y M W D h m s ms us ns ps fs 'as'");
    return NULL;
}

/* What stands in the brackets of float32[:, ::1]. */
static const Type *array_from_ast(Types *types, Diags *diags, const AstExpr *expr)
{
    if (is_time(expr))
        return time_from_ast(diags, expr);
    const Type *element = type_from_ast(types, diags, expr->index.object);
    if (!element)
        return NULL;
    const AstExpr *index = expr->index.index;
    bool tuple = index->kind == AST_TUPLE;
    int rank = tuple ? index->list.items.count : 1;
    if ((!type_is_scalar(element) && !type_is_record(element) && !type_is_time(element)) ||
        rank > RANK_MAX) {
        diag_error(diags, expr->span, "an array type is a scalar type with 0 to %d axes", RANK_MAX);
        return NULL;
    }
    ArrayLayout layout = rank == 0 ? LAYOUT_C : LAYOUT_A;
    for (int axis = 0; axis < rank; axis++) {
        const AstExpr *part = tuple ? index->list.items.items[axis] : index;
        bool unit = false;
        bool ok = is_full_slice(part, &unit);
        if (ok && unit && axis == rank - 1)
            layout = LAYOUT_C;
        else if (ok && unit && axis == 0)
            layout = LAYOUT_F;
        else if (!ok || unit) {
            diag_error(diags, part->span,
                       "an axis is ':'; '::1' marks the last one (C) or the first one (F)");
            return NULL;
        }
    }
    return type_array(types, element, rank, layout, false);
}

/* The type of a parameter or of a tuple's item: a record is passed by reference. */
static const Type *param_from_ast(Types *types, Diags *diags, const AstExpr *expr)
{
    const Type *type = type_from_ast(types, diags, expr);
    if (type && type_is_float8(type)) {
        diag_error(diags, expr->span, "%s is a type of elements alone: a number is a float32",
                   type_name(types->arena, type));
        return NULL;
    }
    return type && type_is_record(type) ? type_array(types, type, 0, LAYOUT_C, false) : type;
}

const Type *types_from_ast(Types *types, Diags *diags, const AstExprs *exprs)
{
    const Type **items = arena_array(types->arena, const Type *, exprs->count + 1);
    for (int i = 0; i < exprs->count; i++)
        if (!(items[i] = param_from_ast(types, diags, exprs->items[i])))
            return NULL;
    return type_tuple(types, items, exprs->count);
}

/* numba's Array(dtype, ndim, layout, readonly=False, name=None, aligned=True). */
static const Type *called_array(Types *types, Diags *diags, const AstExpr *call)
{
    const AstExpr *dtype = ast_call_argument(call, 0, "dtype"),
                  *rank = ast_call_argument(call, 1, "ndim");
    const AstExpr *layout = ast_call_argument(call, 2, "layout"),
                  *readonly = ast_call_argument(call, 3, "readonly");
    const Type *element = dtype ? type_from_ast(types, diags, dtype) : NULL;
    const char *letter = layout && layout->kind == AST_STRING && layout->string.length == 1
                             ? strchr("CFA", layout->string.text[0])
                             : NULL;
    if (dtype && !element)
        return NULL;
    if (!element || !rank || rank->kind != AST_INT || rank->integer.value > RANK_MAX || !letter ||
        (!type_is_scalar(element) && !type_is_record(element))) {
        diag_error(diags, call->span,
                   "this is Array(dtype, ndim, layout): a type, 0 to %d axes, and 'C', 'F' or 'A'",
                   RANK_MAX);
        return NULL;
    }
    int axes = (int)rank->integer.value;
    ArrayLayout given = *letter == 'C' ? LAYOUT_C : *letter == 'F' ? LAYOUT_F : LAYOUT_A;
    if (axes == 0 || (axes == 1 && given == LAYOUT_F))
        given = LAYOUT_C;
    return type_array(types, element, axes, given, readonly && readonly->kind == AST_TRUE);
}

/* numba's UniTuple(type, n), Tuple((a, b)), optional(type), readonly(array). */
static const Type *constructed_from_ast(Types *types, Diags *diags, const AstExpr *expr)
{
    const char *name = last_name(expr->call.function);
    AstExprs args = expr->call.args;
    if (name && strcmp(name, "readonly") == 0 && args.count == 1) {
        const Type *type = param_from_ast(types, diags, args.items[0]);
        return type && type_is_array(type) ? type_array(types, type->array.element,
                                                        type->array.rank, type->array.layout, true)
                                           : type;
    }
    if (name && (strcmp(name, "optional") == 0 || strcmp(name, "Optional") == 0) &&
        args.count == 1) {
        const Type *type = param_from_ast(types, diags, args.items[0]);
        return type ? type_optional(types, type) : NULL;
    }
    if (name && strcmp(name, "Array") == 0)
        return called_array(types, diags, expr);
    if (name && strcmp(name, "Tuple") == 0 && args.count == 1 &&
        (args.items[0]->kind == AST_TUPLE || args.items[0]->kind == AST_LIST))
        return types_from_ast(types, diags, &args.items[0]->list.items);
    bool uniform = name && ((strcmp(name, "UniTuple") == 0 && args.count == 2) ||
                            (strcmp(name, "NamedUniTuple") == 0 && args.count == 3));
    if (uniform && args.items[1]->kind == AST_INT && args.items[1]->integer.value <= 1000) {
        const Type *item = type_from_ast(types, diags, args.items[0]);
        int count = (int)args.items[1]->integer.value;
        const Type **items = arena_array(types->arena, const Type *, count + 1);
        for (int i = 0; i < count; i++)
            items[i] = item;
        return item ? type_tuple(types, items, count) : NULL;
    }
    if (name && strcmp(name, "NamedTuple") == 0 && args.count == 2 &&
        args.items[0]->kind == AST_TUPLE)
        return types_from_ast(types, diags, &args.items[0]->list.items);
    size_t errors = diags->errors;
    const Type *named = types->named ? types->named(types->named_context, expr) : NULL;
    if (named || diags->errors != errors)
        return named;
    bool date = name && strcmp(name, "NPDatetime") == 0;
    if ((date || (name && strcmp(name, "NPTimedelta") == 0)) && args.count == 1 &&
        args.items[0]->kind == AST_STRING) {
        TimeUnit unit;
        if (time_unit_named(args.items[0]->string.text, args.items[0]->string.length, &unit))
            return type_time(date, unit);
    }
    if (name && strcmp(name, "CPointer") == 0 && args.count == 1) {
        const Type *element = type_from_ast(types, diags, args.items[0]);
        if (element && type_is_scalar(element)) /* an array, with its extent besides */
            return type_array(types, element, 1, LAYOUT_C, false);
        if (element)
            diag_error(diags, expr->span, "a pointer points to numbers: CPointer(float32)");
        return NULL;
    }
    return record_from_ast(types, diags, expr);
}

/* The states of numba.cuda.random's generators. */
static const Type *random_state(Types *types, Diags *diags)
{
    static const char text[] = "record(s0=uint64, s1=uint64)";
    const Source *source = source_new(types->arena, "<xoroshiro128p_type>", text, sizeof text - 1);
    return record_from_ast(types, diags, parse_expression(types->arena, diags, source));
}

/* Of `float`, whose width is missing, the two widest, and of others the most similar. */
const char *types_near(Arena *arena, const char *name)
{
    const char *candidates[TY_KINDS], *sized[2] = { NULL, NULL };
    size_t count = 0, length = strlen(name);
    for (int kind = TY_FIRST_SCALAR; kind <= TY_LAST_SCALAR; kind++) {
        const char *type = candidates[count++] = type_name(arena, &type_table[kind]);
        if (strncmp(type, name, length) == 0 &&
            !type[length + strspn(type + length, "0123456789")]) {
            sized[0] = sized[1];
            sized[1] = type;
        }
    }
    if (sized[0])
        return arena_printf(arena, "; did you mean '%s' or '%s'?", sized[0], sized[1]);
    const char *near = diag_nearest(name, candidates, count);
    return near ? arena_printf(arena, "; did you mean '%s'?", near) : "";
}

const Type *type_from_ast(Types *types, Diags *diags, const AstExpr *expr)
{
    if (expr->kind == AST_INDEX)
        return array_from_ast(types, diags, expr);
    if (expr->kind == AST_TUPLE)
        return types_from_ast(types, diags, &expr->list.items);
    if (expr->kind == AST_CALL)
        return constructed_from_ast(types, diags, expr);
    const char *name = last_name(expr);
    const Type *type = name ? type_by_name(name) : NULL;
    if (!type && name)
        type = type_vector_by_name(name);
    if (!type && name)
        type = type_time_by_name(name);
    if (type || (name && (strcmp(name, "void") == 0 || strcmp(name, "none") == 0)))
        return type ? type : type_none;
    if (name &&
        (strcmp(name, "xoroshiro128p_type") == 0 || strcmp(name, "xoroshiro128p_dtype") == 0))
        return random_state(types, diags);
    size_t errors = diags->errors;
    type = types->named ? types->named(types->named_context, expr) : NULL;
    if (type || diags->errors != errors)
        return type;
    diag_error(diags, expr->span, "%s%s%s is not a type%s", name ? "'" : "this", name ? name : "",
               name ? "'" : "", name ? types_near(types->arena, name) : "");
    return NULL;
}

/* What stands before a signature's parentheses: the type of the result, or a function's name. */
static bool result_from_ast(Types *types, Diags *diags, const AstExpr *expr, const char **name,
                            const Type **result)
{
    *name = last_name(expr);
    if (!*name)
        return (*result = param_from_ast(types, diags, expr)) != NULL;
    if (strcmp(*name, "void") == 0 || strcmp(*name, "none") == 0)
        *result = type_none;
    else if (!(*result = type_by_name(*name)) && types->named)
        *result = types->named(types->named_context, expr);
    return true;
}

bool signature_from_ast(Types *types, Diags *diags, const AstExpr *expr, const char **name,
                        Signature *signature)
{
    AstExpr *const *items;
    const Type *result = NULL;
    int count;
    *name = NULL;
    if (expr->kind == AST_CALL) {
        if (!result_from_ast(types, diags, expr->call.function, name, &result))
            return false;
        items = expr->call.args.items;
        count = expr->call.args.count;
    } else if (expr->kind == AST_TUPLE) {
        items = expr->list.items.items;
        count = expr->list.items.count;
    } else {
        items = (AstExpr *const *)&expr;
        count = 1;
    }
    const Type **params = arena_array(types->arena, const Type *, count + 1);
    for (int i = 0; i < count; i++)
        if (!(params[i] = param_from_ast(types, diags, items[i])))
            return false;
    *signature = (Signature){ params, count, result };
    return true;
}

void signature_print(Buf *out, const char *name, Signature signature)
{
    buf_printf(out, "%s(", name);
    for (int i = 0; i < signature.count; i++) {
        buf_puts(out, i ? ", " : "");
        type_print(out, signature.params[i]);
    }
    buf_putc(out, ')');
}
