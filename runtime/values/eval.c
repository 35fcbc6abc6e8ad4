/* Evaluating value expressions: the tree, name by name. Functions are in call.c. */
#include "runtime/values/values.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { DEPTH_MAX = 200 };

static const struct {
    const char *name;
    double value;
} constants[] = {
    { "pi", 3.14159265358979323846 },
    { "e", 2.71828182845904523536 },
    { "tau", 6.28318530717958647693 },
    { "inf", (double)INFINITY },
    { "nan", (double)NAN },
};

static const char *const namespaces[] = { "np", "numpy", "numba", "cuda", "math", "random" };

bool value_failed(Eval *eval, Span span, kjit_status status)
{
    const char *message = kjit_error_message();
    char *text =
        arena_strdup(eval->arena, strncmp(message, "error: ", 7) == 0 ? message + 7 : message);
    char *note = strstr(text, "\nnote: ");

    if (note)
        *note = '\0';
    eval->status = status;
    diag_error(eval->diags, span, "%s", text);
    if (note)
        diag_note(eval->diags, (Span){ 0 }, "%s", note + strlen("\nnote: "));
    return false;
}

static Value scalar_value(Span span, kjit_dtype dtype)
{
    Value value = { .kind = VALUE_ARG, .span = span };

    value.arg.kind = KJIT_ARG_SCALAR;
    value.arg.dtype = dtype;
    return value;
}

bool value_integer(Eval *eval, const Value *value, int64_t *integer)
{
    bool scalar = value->kind == VALUE_ARG && value->arg.kind == KJIT_ARG_SCALAR;

    if (!scalar || dtype_is_float(value->arg.dtype) || dtype_is_complex(value->arg.dtype)) {
        diag_error(eval->diags, value->span, "an integer is needed here");
        return false;
    }
    *integer = value->arg.as.integer;
    return true;
}

bool value_shape(Eval *eval, const Value *value, int64_t shape[KJIT_RANK_MAX], int *rank)
{
    bool tuple = value->kind == VALUE_ARG && value->arg.kind == KJIT_ARG_TUPLE;
    size_t count = tuple ? value->arg.as.tuple.count : 1;

    if (count > KJIT_RANK_MAX) {
        diag_error(eval->diags, value->span, "an array has %d axes at the most", KJIT_RANK_MAX);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        Value item = *value;
        if (tuple)
            item.arg = value->arg.as.tuple.items[i];
        if (!value_integer(eval, &item, &shape[i]))
            return false;
        if (shape[i] < 0) {
            diag_error(eval->diags, value->span, "an array cannot have %lld elements",
                       (long long)shape[i]);
            return false;
        }
    }
    *rank = (int)count;
    return true;
}

/* Puts memory under the care of the values. */
static bool adopt(Eval *eval, ValueBlock *block, void *raw, void *data, uint64_t bytes)
{
    *block = (ValueBlock){ .next = eval->values->blocks,
                           .raw = raw,
                           .begin = data,
                           .end = (char *)data + (bytes ? bytes : 1) };
    eval->values->blocks = block;
    return true;
}

bool value_new_like(Eval *eval, Span span, const kjit_array *like, int rank, const int64_t *shape,
                    bool columns, bool poison, kjit_array *array)
{
    uint64_t bytes;
    void *raw, *data;

    *array =
        kjit_host_array(&bytes, like->dtype, rank, shape); /* any address: only for the check */
    array->record = like->record;
    array_set_strides(array, columns);
    if (!array_check(array, "the array", &bytes))
        return value_failed(eval, span, KJIT_MEMORY);
    ValueBlock *block = memory_alloc(sizeof *block);
    kjit_status status = block ? block_alloc(bytes, poison, &raw, &data) : error_memory();
    if (status != KJIT_OK) {
        memory_free(block);
        return value_failed(eval, span, status);
    }
    array->data = data;
    return adopt(eval, block, raw, data, bytes);
}

bool value_new_array(Eval *eval, Span span, kjit_dtype dtype, int rank, const int64_t *shape,
                     bool columns, bool poison, kjit_array *array)
{
    kjit_array like = { .dtype = dtype };

    return value_new_like(eval, span, &like, rank, shape, columns, poison, array);
}

bool value_adopt_loaded(Eval *eval, Span span, kjit_status status, const LoadedArray *loaded,
                        kjit_array *array)
{
    uint64_t bytes;

    if (status != KJIT_OK)
        return value_failed(eval, span, status);
    ValueBlock *block = memory_alloc(sizeof *block);
    const kjit_record *record =
        block && loaded->record ? value_keep_record(eval->values, loaded->record) : NULL;
    if (!block || (loaded->record && !record)) {
        memory_free(block);
        memory_free(block ? NULL : loaded->record);
        memory_free(loaded->block);
        return value_failed(eval, span, error_memory());
    }
    *array = loaded->array;
    array->record = record;
    array_check(array, "the array", &bytes);
    return adopt(eval, block, loaded->block, array->data, bytes);
}

/* ---- names ---------------------------------------------------------------------------- */

/* The last assignment to `name` at a module's top level. */
static const AstExpr *assigned(const AstModule *ast, const char *name)
{
    const AstExpr *found = NULL;

    for (int i = 0; ast && i < ast->body.count; i++) {
        const AstStmt *stmt = ast->body.items[i];
        if (stmt->kind == AST_ASSIGN) {
            for (int t = 0; t < stmt->assign.targets.count; t++) {
                const AstExpr *target = stmt->assign.targets.items[t];
                if (target->kind == AST_NAME && strcmp(target->name.name, name) == 0)
                    found = stmt->assign.value;
            }
        } else if (stmt->kind == AST_ANN_ASSIGN && stmt->ann_assign.value &&
                   stmt->ann_assign.target->kind == AST_NAME &&
                   strcmp(stmt->ann_assign.target->name.name, name) == 0) {
            found = stmt->ann_assign.value;
        }
    }
    return found;
}

/* What a module means by `name`: -D first, then its own text, then what it imports. */
static const AstExpr *module_constant(const kjit_module *module, const char *name)
{
    const AstExpr *found = NULL;

    for (int i = module->define_count; i-- > 0;) {
        if (strcmp(module->defines[i].name, name) == 0)
            return module->defines[i].value;
    }
    found = assigned(module->main->ast, name);
    for (const ModulePart *part = module->parts; part && !found; part = part->next)
        found = assigned(part->ast, name);
    return found;
}

const AstExpr *value_constant(const Eval *eval, const char *name)
{
    return eval->module ? module_constant(eval->module, name) : NULL;
}

static bool known_constant(const char *name, Span span, Value *out)
{
    for (size_t i = 0; i < ARRAY_COUNT(constants); i++) {
        if (strcmp(constants[i].name, name) == 0) {
            *out = scalar_value(span, KJIT_DTYPE_FLOAT64);
            out->arg.as.number = constants[i].value;
            return true;
        }
    }
    if (strcmp(name, "warpsize") == 0) {
        *out = scalar_value(span, KJIT_DTYPE_INT64);
        out->arg.as.integer = 32;
        return true;
    }
    out->dtype = value_dtype_named(name);
    out->kind = VALUE_DTYPE;
    out->record = NULL;
    out->span = span;
    return out->dtype != KJIT_DTYPE_NONE;
}

/* Complains about a name, with the nearest that exists. */
static bool unknown_name(Eval *eval, Span span, const char *name)
{
    const kjit_values *values = eval->values;
    const char **names = arena_array(eval->arena, const char *, values->count);

    for (size_t i = 0; i < values->count; i++)
        names[i] = values->list[i].name;
    const char *near = diag_nearest(name, names, values->count);
    if (near)
        diag_error(eval->diags, span, "there is no value '%s'; did you mean '%s'?", name, near);
    else
        diag_error(eval->diags, span,
                   "there is no value '%s': no value before it is called that, nor a constant of "
                   "the module",
                   name);
    return false;
}

static bool eval_name(Eval *eval, const AstExpr *expr, Value *out)
{
    const char *name = expr->name.name;
    const kjit_arg *set = kjit_values_get(eval->values, name);

    if (eval->look && eval->look(eval->look_context, name, out)) {
        out->span = expr->span;
        return true;
    }
    if (set) {
        out->kind = VALUE_ARG;
        out->arg = *set;
        return true;
    }
    const AstExpr *constant = value_constant(eval, name);
    if (constant) {
        bool fine = value_eval(eval, constant, out);
        out->span = expr->span;
        return fine;
    }
    return known_constant(name, expr->span, out) || unknown_name(eval, expr->span, name);
}

/* Whether an expression names a namespace: np, np.random. */
static bool is_namespace(const Eval *eval, const AstExpr *expr)
{
    const char *name = expr->kind == AST_ATTRIBUTE ? expr->attribute.name
                       : expr->kind == AST_NAME    ? expr->name.name
                                                   : "";

    if (expr->kind == AST_ATTRIBUTE && !is_namespace(eval, expr->attribute.object))
        return false;
    if (expr->kind == AST_NAME && kjit_values_get(eval->values, name))
        return false;
    for (size_t i = 0; i < ARRAY_COUNT(namespaces); i++) {
        if (strcmp(namespaces[i], name) == 0)
            return true;
    }
    return false;
}

/* ---- attributes, calls, tuples ----------------------------------------------------------- */

static void shape_value(Eval *eval, const kjit_array *array, Value *out)
{
    kjit_arg *items = arena_array(eval->arena, kjit_arg, array->rank);

    for (int i = 0; i < array->rank; i++) {
        items[i].dtype = KJIT_DTYPE_INT64;
        items[i].as.integer = array->shape[i];
    }
    out->arg = (kjit_arg){ .kind = KJIT_ARG_TUPLE };
    out->arg.as.tuple.items = items;
    out->arg.as.tuple.count = (size_t)array->rank;
}

static bool array_attribute(Eval *eval, const AstExpr *expr, const Value *object, Value *out)
{
    const char *name = expr->attribute.name;
    const kjit_array *array = &object->arg.as.array;
    Value integer = scalar_value(expr->span, KJIT_DTYPE_INT64);

    *out = *object;
    out->span = expr->span;
    if (strcmp(name, "T") == 0) {
        array_reverse_axes(&out->arg.as.array);
    } else if (strcmp(name, "shape") == 0) {
        shape_value(eval, array, out);
    } else if (strcmp(name, "size") == 0) {
        *out = integer;
        out->arg.as.integer = array_elements(array);
    } else if (strcmp(name, "ndim") == 0) {
        *out = integer;
        out->arg.as.integer = array->rank;
    } else if (strcmp(name, "dtype") == 0) {
        out->kind = VALUE_DTYPE;
        out->dtype = array->dtype;
        out->record = array->record;
    } else {
        diag_error(eval->diags, expr->attribute.name_span,
                   "a value has no '%s'; it has T, shape, size, ndim and dtype", name);
        return false;
    }
    return true;
}

static bool eval_attribute(Eval *eval, const AstExpr *expr, Value *out)
{
    Value object;

    if (is_namespace(eval, expr->attribute.object))
        return known_constant(expr->attribute.name, expr->span, out) ||
               unknown_name(eval, expr->span, expr->attribute.name);
    if (!value_eval(eval, expr->attribute.object, &object))
        return false;
    if (object.kind == VALUE_ARG && object.arg.kind == KJIT_ARG_ARRAY)
        return array_attribute(eval, expr, &object, out);
    if (object.kind == VALUE_ARG && object.arg.kind == KJIT_ARG_SCALAR &&
        strcmp(expr->attribute.name, "dtype") == 0) {
        *out = (Value){ .kind = VALUE_DTYPE, .span = expr->span, .dtype = object.arg.dtype };
        return true;
    }
    diag_error(eval->diags, expr->span, "only arrays have attributes here");
    return false;
}

/* Is it x.dtype, or a constant of the module? No function is called like one. */
static bool names_dtype(const Eval *eval, const AstExpr *function)
{
    if (function->kind == AST_NAME)
        return value_constant(eval, function->name.name) != NULL;
    return function->kind == AST_ATTRIBUTE && strcmp(function->attribute.name, "dtype") == 0 &&
           !is_namespace(eval, function->attribute.object);
}

static bool call_dtype(Eval *eval, const AstExpr *expr, const Value *dtype, Value *out)
{
    if (dtype->kind == VALUE_DTYPE && dtype->dtype != KJIT_DTYPE_RECORD)
        return value_construct(eval, expr, dtype->dtype, out);
    diag_error(eval->diags, expr->call.function->span,
               dtype->kind == VALUE_DTYPE ? "records cannot be made of numbers here: say "
                                            "zeros(n, dtype=...)"
                                          : "this is not a function");
    return false;
}

static bool eval_tuple(Eval *eval, const AstExpr *expr, Value *out)
{
    int count = expr->list.items.count;
    kjit_arg *items = arena_array(eval->arena, kjit_arg, count);

    for (int i = 0; i < count; i++) {
        Value item;
        if (!value_eval(eval, expr->list.items.items[i], &item))
            return false;
        if (item.kind != VALUE_ARG) {
            diag_error(eval->diags, item.span, "a tuple holds numbers, arrays and tuples%s",
                       item.kind == VALUE_NONE ? ", not None" : "");
            return false;
        }
        items[i] = item.arg;
    }
    out->arg = (kjit_arg){ .kind = KJIT_ARG_TUPLE };
    out->arg.as.tuple.items = items;
    out->arg.as.tuple.count = (size_t)count;
    return true;
}

/* A namedtuple of the module with its items in order: a tuple, as launches know no names. */
static bool call_namedtuple(Eval *eval, const AstExpr *expr, Value *out)
{
    const AstExpr tuple = { .kind = AST_TUPLE, .span = expr->span, .list = { expr->call.args } };

    if (expr->call.keyword_count == 0)
        return eval_tuple(eval, &tuple, out);
    diag_error(eval->diags, expr->call.keywords[0].span,
               "the items of a namedtuple are given in their order here, without names");
    return false;
}

static bool eval_call(Eval *eval, const AstExpr *expr, Value *out)
{
    const AstExpr *function = expr->call.function;
    Value object;

    if (function->kind == AST_NAME && value_dtype_call(function->name.name))
        return value_dtype(eval, expr, out);
    if (function->kind == AST_NAME && eval->module &&
        module_namedtuple(eval->module->main->module, function->name.name))
        return call_namedtuple(eval, expr, out);
    if (names_dtype(eval, function))
        return value_eval(eval, function, &object) && call_dtype(eval, expr, &object, out);
    if (function->kind == AST_NAME)
        return value_call(eval, expr, function->name.name, NULL, out);
    if (function->kind != AST_ATTRIBUTE) {
        diag_error(eval->diags, function->span, "this is not a function");
        return false;
    }
    if (is_namespace(eval, function->attribute.object) &&
        value_dtype_call(function->attribute.name))
        return value_dtype(eval, expr, out);
    if (is_namespace(eval, function->attribute.object))
        return value_call(eval, expr, function->attribute.name, NULL, out);
    return value_eval(eval, function->attribute.object, &object) &&
           value_call(eval, expr, function->attribute.name, &object, out);
}

/* ---- operators and literals ---------------------------------------------------------------- */

static bool eval_scalar(Eval *eval, const AstExpr *expr, kjit_arg *out)
{
    Value value;

    if (!value_eval(eval, expr, &value))
        return false;
    if (value.kind != VALUE_ARG || value.arg.kind != KJIT_ARG_SCALAR) {
        diag_error(eval->diags, expr->span, "arithmetic is for numbers here, not for arrays");
        return false;
    }
    *out = value.arg;
    return true;
}

static bool eval_binary(Eval *eval, const AstExpr *expr, Value *out)
{
    kjit_arg left, right;

    if (!eval_scalar(eval, expr->binary.left, &left) ||
        !eval_scalar(eval, expr->binary.right, &right))
        return false;
    if (value_binary(expr->binary.op, &left, &right, &out->arg))
        return true;
    AstOp op = expr->binary.op;
    Value divisor = { .kind = VALUE_ARG, .arg = right };
    bool divides = op == AST_DIV || op == AST_FLOORDIV || op == AST_MOD, other = true;
    if (divides && !dtype_is_complex(right.dtype) &&
        value_truth(eval, expr->span, &divisor, &other) && !other)
        diag_error(eval->diags, expr->span, "division by zero");
    else
        diag_error(eval->diags, expr->span,
                   "'%s' cannot be computed for these numbers, or not in 64 bits",
                   ast_op_spelling(op));
    return false;
}

static bool eval_unary(Eval *eval, const AstExpr *expr, Value *out)
{
    kjit_arg operand;

    if (!eval_scalar(eval, expr->unary.operand, &operand))
        return false;
    if (value_unary(expr->unary.op, &operand, &out->arg))
        return true;
    diag_error(eval->diags, expr->span, "'%s' cannot be computed for this number",
               ast_op_spelling(expr->unary.op));
    return false;
}

static bool eval_integer(Eval *eval, const AstExpr *expr, Value *out)
{
    if (expr->integer.too_big) {
        diag_error(eval->diags, expr->span, "an integer has 64 bits at the most");
        return false;
    }
    *out = scalar_value(expr->span,
                        expr->integer.value > INT64_MAX ? KJIT_DTYPE_UINT64 : KJIT_DTYPE_INT64);
    out->arg.as.integer = (int64_t)expr->integer.value;
    return true;
}

static bool eval_index(Eval *eval, const AstExpr *expr, Value *out)
{
    Value object;

    return value_eval(eval, expr->index.object, &object) && value_index(eval, expr, &object, out);
}

static bool eval_kind(Eval *eval, const AstExpr *expr, Value *out)
{
    *out = scalar_value(expr->span, KJIT_DTYPE_FLOAT64);
    switch (expr->kind) {
    case AST_NAME:
        return eval_name(eval, expr, out);
    case AST_INT:
        return eval_integer(eval, expr, out);
    case AST_FLOAT:
        out->arg.as.number = expr->number.value;
        return true;
    case AST_IMAG:
        out->arg.dtype = KJIT_DTYPE_COMPLEX128;
        out->arg.as.complex_parts[0] = 0;
        out->arg.as.complex_parts[1] = expr->number.value;
        return true;
    case AST_TRUE:
    case AST_FALSE:
        out->arg.dtype = KJIT_DTYPE_BOOL;
        out->arg.as.integer = expr->kind == AST_TRUE;
        return true;
    case AST_STRING:
        out->kind = VALUE_STRING;
        out->text = expr->string.text;
        return true;
    case AST_NONE:
        out->kind = VALUE_NONE;
        return true;
    case AST_TUPLE:
        return eval_tuple(eval, expr, out);
    case AST_LIST:
        return value_list(eval, expr, KJIT_DTYPE_NONE, out);
    case AST_UNARY:
        return eval_unary(eval, expr, out);
    case AST_BINARY:
        return eval_binary(eval, expr, out);
    case AST_CALL:
        return eval_call(eval, expr, out);
    case AST_ATTRIBUTE:
        return eval_attribute(eval, expr, out);
    case AST_INDEX:
        return eval_index(eval, expr, out);
    case AST_BOOLEAN:
    case AST_COMPARE:
    case AST_IF_EXPR:
        return value_condition(eval, expr, out);
    case AST_ELLIPSIS:
    case AST_LAMBDA:
    case AST_SLICE:
    case AST_STARRED:
    case AST_WALRUS:
    case AST_BYTES:
    case AST_FSTRING:
    case AST_FIELD:
    case AST_SET:
    case AST_DICT:
    case AST_COMPREHENSION:
    case AST_YIELD:
    case AST_AWAIT:
    case AST_EXPR_KINDS:
        break;
    }
    diag_error(eval->diags, expr->span, "a value cannot be written like this");
    return false;
}

bool value_eval(Eval *eval, const AstExpr *expr, Value *out)
{
    if (eval->depth == DEPTH_MAX) {
        diag_error(eval->diags, expr->span, "nested too deeply, or defined by itself");
        return false;
    }
    eval->depth++;
    bool fine = eval_kind(eval, expr, out);
    eval->depth--;
    return fine;
}
