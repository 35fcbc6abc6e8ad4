/* Calls: of device functions, types, and what is built in. */
#include "ir/lower/array.h"
#include "ir/lower/builtin.h"
#include "ir/lower/function.h"
#include "ir/lower/values.h"

/* ---- effects in place ---------------------------------------------------------------------- */

Operand lower_effect(FnState *f, const AstExpr *expr, IrValue *value)
{
    if (f->constant_only)
        return fail_operand(f, expr->span, "this cannot be computed before the kernel runs");
    if (value->type->kind == TY_NONE || f->discarded == expr) {
        IrStmt *stmt = ir_stmt(f->arena, IR_EVAL, expr->span);
        stmt->eval.value = value;
        emit(f, stmt);
        return operand_value(ir_value(f->arena, OP_zero, type_none, expr->span, 0));
    }
    return operand_value(spill_before(f, NULL, value, "_t"));
}

/* ---- device functions ------------------------------------------------------------------------ */

Operand param_default(FnState *f, const Function *function, int at)
{
    const AstParam *param = &function->ast->params.items[at];
    if (function->defaults)
        return function->defaults[at];
    FnState *constant = constant_state_at(f, function->scope, function->order);
    Operand value = lower_expr(constant, param->default_value);
    if (value.kind == OPD_VALUE && f->constant_only) /* one for all calls: none may change it */
        value.value = lower_table_settle(constant, value.value, param->name);
    return value;
}

Operand tuple_of_operands(FnState *f, const Operand *items, int count, Span span)
{
    const Type **types = arena_array(f->arena, const Type *, count + 1);
    IrValue *tuple = ir_value(f->arena, OP_tuple, type_error, span, count);
    for (int i = 0; i < count; i++) {
        IrValue *item = items[i].kind == OPD_VALUE ? items[i].value : thing_value(f, items[i]);
        if (!item)
            return fail_operand(f, items[i].span, "%s cannot be an item of a tuple",
                                describe(f, items[i]));
        tuple->operands[i] = item;
        types[i] = item->type;
    }
    tuple->type = type_tuple(f->types, types, count);
    return operand_value(tuple);
}

static int find_param(const AstParams *params, const char *name)
{
    for (int i = params->positional_only; i < params->count; i++)
        if (!params->items[i].star && !params->items[i].double_star &&
            strcmp(params->items[i].name, name) == 0)
            return i;
    return -1;
}

/* Gives `**options` the keywords that no parameter is called by. */
static void collect_keywords(FnState *f, const AstParams *params, const AstExpr *expr, Operand *out,
                             bool *filled)
{
    for (int i = 0; i < params->count; i++) {
        if (!params->items[i].double_star)
            continue;
        AstExpr rest = *expr;
        rest.call.keywords = arena_array(f->arena, AstKeyword, expr->call.keyword_count + 1);
        rest.call.keyword_count = 0;
        for (int k = 0; k < expr->call.keyword_count; k++)
            if (expr->call.keywords[k].name && find_param(params, expr->call.keywords[k].name) < 0)
                rest.call.keywords[rest.call.keyword_count++] = expr->call.keywords[k];
        out[i] = bundle_of_keywords(f, &rest, true);
        filled[i] = true;
    }
}

/* Puts arguments in the order of the parameters; false after a complaint. */
static bool match_args(FnState *f, const Function *function, const AstExpr *expr,
                       const Operand *given, int positional, Operand *out)
{
    AstParams declared = function->ast->params, *params = &declared;
    declared.count -= function->captures + function->captured;
    const char *name =
        module_is_standard(function->module) ? library_shown_name(function) : function->name;
    bool *filled = arena_array(f->arena, bool, params->count + 1);
    int next = 0;
    for (int i = 0; i < params->count && next < positional; i++) {
        if (params->items[i].star || params->items[i].double_star || params->items[i].keyword_only)
            break;
        out[i] = given[next++];
        filled[i] = true;
    }
    for (int i = 0; i < params->count; i++)
        if (params->items[i].star) {
            out[i] = tuple_of_operands(f, given + next, positional - next, expr->span);
            filled[i] = true;
            next = positional;
        }
    const bool rest = params->count && params->items[params->count - 1].double_star;
    const int takes = params->count - rest;
    if (next < positional)
        return fail(f, expr->span, "'%s' takes %d argument%s, and %d %s given", name, takes,
                    takes == 1 ? "" : "s", positional, positional == 1 ? "was" : "were");
    collect_keywords(f, params, expr, out, filled);
    for (int i = 0; i < expr->call.keyword_count; i++) {
        const AstKeyword *keyword = &expr->call.keywords[i];
        int at = keyword->name ? find_param(params, keyword->name) : -1;
        if (at < 0 && keyword->name && rest)
            continue;
        if (at < 0 || filled[at])
            return fail(f, keyword->span,
                        at < 0 ? "'%s' has no parameter '%s'" : "'%s' gets '%s' twice", name,
                        keyword->name ? keyword->name : "**");
        out[at] = given[positional + i];
        filled[at] = true;
    }
    for (int i = 0; i < params->count; i++) {
        if (filled[i])
            continue;
        if (!params->items[i].default_value)
            return fail(f, expr->span, "the call of '%s' lacks '%s'", name, params->items[i].name);
        out[i] = param_default(f, function, i);
        if (out[i].kind == OPD_VALUE)
            out[i].value = lower_table_in_function(f, out[i].value);
    }
    return true;
}

static Operand finish_call(FnState *f, const AstExpr *expr, Specialisation *s, Operand *args,
                           int count)
{
    if (!s->result && !s->done && f->again)
        return operand_value(lower_poison(f, expr->span)); /* recursion, first pass */
    const Type *type = s->result ? s->result : type_none;
    int values = 0;
    for (int i = 0; i < count; i++)
        values += operand_values(&args[i], NULL);
    int captured = s->function->foreign ? 0 : f->lower->captured_count;
    IrValue *call = ir_value(f->arena, OP_call, type, expr->span, values + captured);
    call->callee = s->fn;
    for (int i = 0, at = 0; i < count; i++)
        at += operand_values(&args[i], values ? call->operands + at : NULL);
    if (captured)
        captured_pass_on(f, call->operands + values, expr->span);
    bool ordered = !s->done || (s->fn->effects & EFFECT_ORDERED) || s->fn->hands_out;
    return ordered || type->kind == TY_NONE ? lower_effect(f, expr, call) : operand_value(call);
}

static Operand call_function(FnState *f, const AstExpr *expr, const Function *function,
                             Operand *given, int positional)
{
    int count = function->ast->params.count - function->captured;
    Operand *args = arena_array(f->arena, Operand, count + 1);
    if (!lower_is_callable(f, function->ast) ||
        !match_args(f, function, expr, given, positional, args) ||
        !closure_captures(f, function, args + count - function->captures, expr->span))
        return operand_error(expr->span);
    for (int i = 0; i < count; i++) {
        if (args[i].kind == OPD_FUNCTION &&
            !(args[i].function = closure_bind(f, args[i].function, args[i].span)))
            return operand_error(expr->span);
        args[i] = thing_settled(f, args[i]);
        bool usable = f->constant_only || args[i].kind == OPD_VALUE || args[i].kind == OPD_TYPE ||
                      args[i].kind == OPD_FUNCTION || args[i].kind == OPD_INTRINSIC ||
                      args[i].kind == OPD_NONE || args[i].kind == OPD_STRING ||
                      args[i].kind == OPD_LITERAL || args[i].kind == OPD_FIXED;
        if (args[i].kind == OPD_ERROR ||
            (args[i].kind == OPD_VALUE && args[i].value->type->kind == TY_ERROR))
            return operand_error(expr->span);
        if (!usable)
            return fail_operand(f, args[i].span, "%s cannot be passed to a function",
                                describe(f, args[i]));
    }
    if (f->constant_only && function->foreign)
        return fail_operand(f, expr->span,
                            "'%s' is linked, and cannot be computed before the kernel runs",
                            function->name);
    return lower_call_of(f, expr, function, args, count);
}

Operand lower_call_of(FnState *f, const AstExpr *expr, const Function *function, Operand *args,
                      int count)
{
    if (!function)
        return operand_error(expr->span);
    if (f->constant_only)
        return lower_evaluate(f, expr, function, args, count);
    Specialisation *s = specialise(f, function, args, count, expr->span);
    return s ? finish_call(f, expr, s, args, count) : operand_error(expr->span);
}

Operand lower_library_call(FnState *f, const AstExpr *expr, const char *name, Operand *args,
                           int count)
{
    return lower_call_of(f, expr, library_own(f, name, expr->span), args, count);
}

/* ---- types as functions ---------------------------------------------------------------------- */

static Operand call_type(FnState *f, const Call *call, const Type *type)
{
    if (type_is_vector(type))
        return lower_vector(f, call, type);
    if (call->expr->call.keyword_count || !call_takes(f, call, 1, 1))
        return operand_error(call->span);
    IrValue *value = call_value(f, call, 0);
    if (value->type->kind == TY_ERROR)
        return operand_value(value);
    if (type->kind == TY_BOOL)
        return operand_value(lower_truth(f, value, call->span));
    if (type_is_time(value->type) && type_is_integer(type)) /* its count */
        return operand_value(convert(f, ir_item(f->arena, value, 0, call->span), type, call->span));
    if (typing_can_store(value->type, type))
        return operand_value(array_read(f, convert(f, value, type, call->span)));
    fail(f, call->span, "%s cannot become %s", describe(f, call->args[0]),
         type_name(f->arena, type));
    note_types(f, value, NULL);
    return operand_error(call->span);
}

/* ---- the call ------------------------------------------------------------------------------ */

/* Positional arguments, starred tuples taken apart, and behind them the keywords' values. NULL
** after a complaint. */
static Operand *lower_args(FnState *f, const AstExpr *expr, int *positional)
{
    int count = expr->call.args.count, keywords = expr->call.keyword_count;
    AstExpr **exprs = arena_array(f->arena, AstExpr *, count + keywords + 1);
    for (int i = 0; i < count; i++) {
        AstExpr *arg = expr->call.args.items[i];
        exprs[i] = arg->kind == AST_STARRED ? arg->starred.value : arg;
    }
    for (int i = 0; i < keywords; i++)
        exprs[count + i] = expr->call.keywords[i].value;
    Operand *lowered = arena_array(f->arena, Operand, count + keywords + 1);
    lower_list(f, exprs, count + keywords, lowered);
    int total = keywords;
    for (int i = 0; i < count; i++) {
        bool star = expr->call.args.items[i]->kind == AST_STARRED;
        if (star)
            lowered[i] = optional_unwrap(f, lowered[i]);
        bool tuple = lowered[i].kind == OPD_VALUE && type_is_tuple(lowered[i].value->type);
        if (star && !tuple) {
            if (lowered[i].kind != OPD_ERROR)
                fail(f, lowered[i].span, "only a tuple can be spread with '*'");
            return NULL;
        }
        total += star ? lowered[i].value->type->tuple.count : 1;
    }
    Operand *args = arena_array(f->arena, Operand, total + 1);
    int at = 0;
    for (int i = 0; i < count; i++) {
        if (expr->call.args.items[i]->kind != AST_STARRED) {
            args[at++] = lowered[i];
            continue;
        }
        int items;
        const Operand *spread =
            tuple_operands(f, lowered[i].value, "_tuple", &items, lowered[i].span);
        memcpy(args + at, spread, (size_t)items * sizeof(args[0]));
        at += items;
    }
    *positional = at;
    memcpy(args + at, lowered + count, (size_t)keywords * sizeof(args[0]));
    return args;
}

/* A function that is called as a method: `self` goes before the arguments. */
static Operand call_method_as(FnState *f, const AstExpr *expr, const Function *function,
                              Operand self, const Operand *args, int positional)
{
    int count = positional + expr->call.keyword_count;
    Operand *given = arena_array(f->arena, Operand, count + 1);
    given[0] = self;
    memcpy(given + 1, args, (size_t)count * sizeof(given[0]));
    return call_function(f, expr, function, given, positional + 1);
}

/* A method of a library's namedtuple: its function, given that first. */
static Operand call_method(FnState *f, const AstExpr *expr, Operand callee, const Operand *args,
                           int positional)
{
    const Type *type = callee.method.object->type;
    return call_method_as(f, expr, library_method(f, type, callee.method.name, expr->span),
                          operand_value(callee.method.object), args, positional);
}

/* The function that np.sum(array, ...) or array.sum(...) calls, of a constant array; NULL if the
** callee is none that reduces arrays. */
static const Function *reduction_of(FnState *f, const Call *call, const Operand *callee)
{
    const bool method = callee->kind == OPD_METHOD;
    const Operand none = { .kind = OPD_NONE };
    const Operand first = method        ? operand_value(callee->method.object)
                          : call->count ? call->args[0]
                                        : none;
    const Function *function = callee->kind == OPD_FUNCTION ? callee->function : NULL;
    TableView view;
    if (first.kind != OPD_VALUE || !type_is_array(first.value->type) ||
        !type_is_scalar(first.value->type->array.element) || !ir_table_view(first.value, &view))
        return NULL;
    return library_reduction(f, function, lower_callee_name(callee), call->span);
}

/* What a call makes of constant arrays while a constant is evaluated; OPD_NONE if it is another. */
static Operand call_of_tables(FnState *f, Call *call, const Operand *callee)
{
    bool reduces = callee->kind == OPD_INTRINSIC &&
                   ir_intrinsics[callee->intrinsic].rule == RULE_ARRAY_FUNCTION;
    if (reduces && call->count && call->args[0].kind == OPD_VALUE &&
        !type_is_array(call->args[0].value->type)) { /* of a list or a number, as np.array() does */
        call->args[0].value = lower_table_of(f, call->args[0].value);
        if (!call->args[0].value)
            return operand_error(call->span);
    }
    const Function *reduction = reduction_of(f, call, callee);
    if (reduction)
        return callee->kind == OPD_METHOD
                   ? call_method_as(f, call->expr, reduction, operand_value(callee->method.object),
                                    call->args, call->count)
                   : call_function(f, call->expr, reduction, call->args, call->count);
    if (callee->kind == OPD_METHOD && type_is_array(callee->method.object->type)) {
        call->name = callee->method.name;
        return lower_table_method(f, call, callee->method.object);
    }
    if (callee->kind == OPD_INTRINSIC) {
        call->intrinsic = callee->intrinsic;
        call->name = ir_intrinsics[callee->intrinsic].path;
    }
    return lower_table_function(f, call, callee);
}

/* Whether making an object of a class runs more than assignments to its attributes. */
static bool does_more(const AstClass *class)
{
    for (int i = 0; class && i < class->body.count; i++) {
        const AstStmt *stmt = class->body.items[i];
        const AstFunction *made = stmt->kind == AST_DEF ? &stmt->def.function : NULL;
        if (made &&
            (strcmp(made->name, "__post_init__") == 0 || strcmp(made->name, "__new__") == 0))
            return true;
        if (!made || strcmp(made->name, "__init__") != 0)
            continue;
        for (int k = 0; k < made->body.count; k++) {
            const AstStmt *in = made->body.items[k];
            const AstExpr *target = in->kind == AST_ASSIGN ? in->assign.targets.items[0] : NULL;
            bool text = in->kind == AST_EXPR_STMT && in->expr.value->kind == AST_STRING;
            bool keeps = target && in->assign.targets.count == 1 && target->kind == AST_ATTRIBUTE &&
                         target->attribute.object->kind == AST_NAME;
            if (!keeps && !text && in->kind != AST_PASS)
                return true;
        }
    }
    return false;
}

/* In constants np.exp of complex numbers is cmath's, of others math's. */
static Operand fitting_callee(FnState *f, Operand callee, const Operand *args, int count)
{
    const char *path = callee.kind == OPD_INTRINSIC ? ir_intrinsics[callee.intrinsic].path : NULL;
    bool complex = false;
    for (int i = 0; i < count; i++) {
        const Type *type = args[i].kind == OPD_VALUE ? args[i].value->type : type_none;
        complex |= type_is_complex(type_is_array(type) ? type->array.element : type);
    }
    if (!f->constant_only || !complex || !path || strncmp(path, "math.", 5) != 0)
        return callee;
    Operand found = library_find(f, arena_printf(f->arena, "c%s", path), callee.span);
    return found.kind == OPD_ERROR ? callee : found;
}

/* object.method(...), in a constant. */
static Operand call_bound(FnState *f, const AstExpr *expr, const Function *function, Operand self)
{
    int positional = 0;
    Operand *args = lower_args(f, expr, &positional);
    if (!args)
        return operand_error(expr->span);
    return call_method_as(f, expr, function, self, args, positional);
}

Operand lower_apply(FnState *f, const AstExpr *at, Operand callee, Operand *args, int count)
{
    AstExpr *expr = arena_new(f->arena, AstExpr); /* without keywords */
    expr->kind = AST_CALL;
    expr->span = at->span;
    callee = lower_constant_callee(f, thing_operand(f, callee), expr, count);
    callee = fitting_callee(f, callee, args, count);
    Call call = { .expr = expr, .span = at->span, .args = args, .count = count };
    Operand made = call_of_tables(f, &call, &callee);
    if (made.kind != OPD_NONE)
        return made;
    if (callee.kind == OPD_FUNCTION)
        return call_function(f, expr, callee.function, args, count);
    if (callee.kind == OPD_TYPE) {
        call.name = type_name(f->arena, callee.type);
        return call_type(f, &call, callee.type);
    }
    if (callee.kind == OPD_INTRINSIC)
        return lower_intrinsic(f, &call);
    return fail_operand(f, at->span, "%s cannot be called", describe(f, callee));
}

/* A method of a constant object, which is run here and now: what it is given must be known. */
static Operand call_bound_in_kernel(FnState *f, const AstExpr *expr, const Function *method,
                                    Operand self)
{
    FnState *constant = constant_state(f, f->module);
    Attempt attempt = attempt_begin(f->lower);
    Operand value = call_bound(constant, expr, method, self);
    if (!attempt_failed(f->lower, attempt) && value.kind == OPD_VALUE &&
        constant_is_known(value.value)) {
        value.value = lower_table_in_function(f, value.value);
        return value;
    }
    attempt_void(f->lower, attempt);
    fail(
        f, expr->span,
        "'%s' is a method of an object of the module, which kernels can call with constants alone; "
        "make it a function of the module, and give it what it reads of the object",
        method->name);
    diag_note(f->lower->diags, method->ast->name_span, "it is defined here");
    return operand_error(expr->span);
}

/* Calls whose arguments are no values to lower: types, lists, what a class keeps. */
static bool call_as_written(FnState *f, const AstExpr *expr, Operand *callee, Operand *out)
{
    const IrIntrinsic intrinsic = callee->kind == OPD_INTRINSIC ? callee->intrinsic : INTR_COUNT;
    const bool is_class =
        callee->kind == OPD_MODULE && f->constant_only && module_is_class(callee->module->of);
    if (intrinsic == INTR_isinstance) {
        *out = lower_isinstance(f, expr);
    } else if (intrinsic == INTR_namedtuple) {
        *out = lower_namedtuple(f, expr);
    } else if (intrinsic != INTR_COUNT && ir_intrinsics[intrinsic].rule == RULE_DTYPE) {
        *out = lower_dtype(f, expr);
    } else if (intrinsic != INTR_COUNT && ir_intrinsics[intrinsic].rule == RULE_TABLE) {
        Operand library = f->constant_only
                              ? operand_error(expr->span)
                              : library_find(f, ir_intrinsics[intrinsic].path, expr->span);
        if (library.kind != OPD_ERROR) {
            *callee = library;
            return false;
        }
        *out = lower_table(f, intrinsic, expr);
    } else if (is_class && f->lower->evaluating && does_more(module_class(callee->module->of))) {
        fail(f, expr->span,
             "a constant is computed with no objects of '%s', which does more than "
             "keep what it is given",
             callee->module->name);
        *out = operand_error(expr->span);
    } else if (is_class) {
        *out = bundle_of_class(f, expr, callee->module);
    } else {
        return false;
    }
    return true;
}

static Operand call_of_method(FnState *f, Call *call, const Operand *callee)
{
    IrValue *object = callee->method.object;
    call->name = callee->method.name;
    if (library_method(f, object->type, call->name, call->span))
        return call_method(f, call->expr, *callee, call->args, call->count);
    return type_is_tuple(object->type)    ? lower_tuple_method(f, call, object, call->name)
           : type_is_scalar(object->type) ? lower_number_method(f, call, object, call->name)
                                          : lower_method(f, call, object, call->name);
}

/* What to write in place of a call of what is no function. */
static const char *advice_for_callee(const FnState *f, const Call *call, const Operand *callee)
{
    static const char *const usual[] = { "array", "array_like", "add" };
    if (callee->kind == OPD_MODULE && module_is_class(callee->module->of))
        return ": kernels make no objects; use a namedtuple, or pass what it holds";
    if (callee->kind == OPD_VALUE && type_is_array(callee->value->type))
        return "; an element is written with [ ]";
    if (callee->kind == OPD_VALUE && !call->expr->call.args.count)
        return "; leave out the '()'";
    for (size_t i = 0; callee->kind == OPD_NAMESPACE && i < ARRAY_COUNT(usual); i++) {
        const char *path = arena_printf(f->arena, "%s.%s", callee->path, usual[i]);
        if (builtin_find(f->arena, path, callee->span).kind != OPD_ERROR)
            return arena_printf(f->arena, "; write %s(...)", path);
    }
    return "";
}

/* The call of what the callee is, with its arguments. */
static Operand call_by_kind(FnState *f, Call *call, const Operand *callee)
{
    switch (callee->kind) {
    case OPD_FUNCTION:
        return call_function(f, call->expr, callee->function, call->args, call->count);
    case OPD_TYPE:
        call->name = type_name(f->arena, callee->type);
        return call_type(f, call, callee->type);
    case OPD_INTRINSIC:
        call->intrinsic = callee->intrinsic;
        call->name = ir_intrinsics[callee->intrinsic].path;
        return lower_intrinsic(f, call);
    case OPD_NAMED:
        call->name = callee->named->names.name;
        return lower_named(f, call, callee->named);
    case OPD_FIXED:
        call->name = callee->fixed->path;
        return lower_fixed(f, call, callee->fixed);
    case OPD_METHOD:
        return call_of_method(f, call, callee);
    default:
        if (callee->kind == OPD_ENUM && f->constant_only)
            return enum_called(f, call, callee->enumeration);
        return fail_operand(f, call->expr->call.function->span, "%s cannot be called%s",
                            describe(f, *callee), advice_for_callee(f, call, callee));
    }
}

static Operand call_in_constant(FnState *f, Call *call, const Operand *callee)
{
    Operand out = call_of_tables(f, call, callee);
    if (out.kind == OPD_NONE)
        out = call_by_kind(f, call, callee);
    if (!module_is_standard(f->module)) /* the library means the copies */
        lower_table_note_view(call, callee, &out);
    if (!module_is_standard(f->module))
        lower_note_class(f, call, callee, &out);
    return out;
}

Operand lower_call(FnState *f, const AstExpr *written)
{
    Operand out, self;
    const AstExpr *expr = lower_keywords(f, written);
    if (!expr)
        return operand_error(written->span);
    if (lower_python_call(f, expr, &out) || lower_fact_call(f, expr, &out) ||
        lower_jitted(f, expr, &out))
        return out;
    const Function *bound = lower_bound_method(f, expr->call.function, &self);
    if (bound && !f->constant_only)
        return call_bound_in_kernel(f, expr, bound, self);
    if (bound)
        return call_bound(f, expr, bound, self);
    const AstExpr *discarded = f->discarded, *function = expr->call.function;
    f->discarded = NULL; /* the arguments' own calls are wanted */
    Operand callee =
        function->kind == AST_ATTRIBUTE ? lower_attribute(f, function) : lower_expr(f, function);
    callee = lower_constant_callee(f, thing_operand(f, callee), expr, expr->call.args.count);
    if (call_as_written(f, expr, &callee, &out))
        return out;
    int positional = 0;
    Operand *args = lower_args(f, expr, &positional);
    f->discarded = discarded;
    if (callee.kind == OPD_ERROR || !args ||
        (callee.kind == OPD_VALUE && callee.value->type->kind == TY_ERROR))
        return operand_error(expr->span);
    bool whole = callee.kind == OPD_FUNCTION ||
                 (callee.kind == OPD_INTRINSIC && callee.intrinsic == INTR_print);
    for (int i = 0; !whole && i < positional + expr->call.keyword_count; i++)
        args[i] = optional_unwrap(f, args[i]);
    Call call = { .expr = expr, .span = expr->span, .args = args, .count = positional };
    callee = fitting_callee(f, callee, args, positional);
    if (callee.kind == OPD_NAMESPACE && strcmp(callee.path, "cffi.FFI") == 0)
        return callee; /* what it makes has nothing but from_buffer() */
    return f->constant_only ? call_in_constant(f, &call, &callee) : call_by_kind(f, &call, &callee);
}
